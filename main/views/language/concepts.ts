import { everydayWords } from "./everyday.ts";
import { stem } from "./stem.ts";
import { fold } from "./words.ts";

/**
 * Everyday words that mean nearly the same, in English and German: enough that a question in one language finds what was
 * written in the other, and "wedding" what says "married". Only the reader uses them; what is recalled does not change.
 */
const groups = `
wedding marry married marriage hochzeit heiraten geheiratet heirat trauung
birthday geburtstag
baby born birth geburt geboren
christmas xmas weihnachten
easter ostern
holiday holidays vacation trip urlaub ferien reise
house home haus zuhause
flat apartment wohnung
rent miete
kitchen küche
garden garten
boiler heating heizung heizkessel
bike bicycle cycle fahrrad rad
car auto wagen
train zug bahn
flight plane flug flugzeug
ship boat boot schiff
key keys schlüssel
dog hund
cat katze kater
child children kids kinder kind
mother mum mom mama mutter
father dad papa vater
grandmother grandma granny oma großmutter
grandfather grandpa opa großvater
brother bruder
sister schwester
friend freund freundin freunde
neighbour neighbor nachbar nachbarin
doctor gp arzt ärztin
dentist zahnarzt zahnärztin
hospital clinic krankenhaus klinik spital
surgery operation operated operiert op
medicine medication pills medikament tabletten arznei
vet tierarzt tierärztin
hip hüfte
wrist handgelenk

leg bein
plaster cast gips
broken broke break fracture gebrochen brechen bruch
school schule
teacher lehrer lehrerin
work job arbeit stelle
salary wage pay gehalt lohn
office büro
meeting besprechung treffen sitzung
appointment termin
invoice bill rechnung
receipt quittung beleg kassenbon
price cost preis kosten
insurance versicherung
guarantee warranty guaranteed garantie gewährleistung
contract vertrag
order bestellung bestellt
delivery delivered lieferung geliefert
parcel package paket
letter brief
ticket karte fahrkarte eintrittskarte
concert gig konzert
party feier fest
dinner meal supper abendessen essen
lunch mittagessen
breakfast frühstück
cake kuchen
bread brot
apple apples apfel äpfel
egg eggs ei eier
tomato tomaten tomate
wine wein
tea tee
coffee kaffee
recipe rezept
bake baked backen gebacken backzeit
seed seeds samen saatgut
tree trees baum bäume

sea ocean meer
beach strand
mountain mountains berg berge
snow schnee
sledge sledging sled schlitten rodeln
swim swam swimming schwimmen geschwommen
dusk sunset abenddämmerung dämmerung sonnenuntergang
stick cane stock gehstock
hat hut mütze

password passwort kennwort
address adresse anschrift
phone telephone mobile telefon handy
washing waschmaschine
dishwasher spülmaschine geschirrspüler
fridge refrigerator kühlschrank
stolen theft gestohlen diebstahl
police polizei
penalty strafzettel bußgeld
choir chor
book buch bücher

weight heavy weighed weighs gewicht wiegt wog schwer
colour color farbe
moving removal umzug
`;

const byStem = new Map<string, ReadonlySet<string>>();
for (const line of `${groups}\n${everydayWords}`.split("\n").filter((one) => one.trim() !== "")) {
  const stems = new Set(line.split(" ").map((word) => stem(fold(word))));
  for (const one of stems) byStem.set(one, new Set([...(byStem.get(one) ?? []), ...stems]));
}

/** Stems that say nearly the same as this one, itself among them; empty for a word of no group. */
export function alike(root: string): ReadonlySet<string> {
  return byStem.get(root) ?? none;
}
const none: ReadonlySet<string> = new Set();
