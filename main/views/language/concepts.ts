import { alikeInGerman, translatedStems } from "./meanings.ts";
import { stem } from "./stem.ts";
import { fold, type Language } from "./words.ts";

/**
 * Everyday words that mean nearly the same in their own language, forms that a stemmer does not bring together among them:
 * "wedding" is asked for, "married" is said. What the other language calls them is in the dictionary.
 */
const english = `
wedding marry marriage
baby born birth
christmas xmas
holiday vacation trip
house home
flat apartment
boiler heating
bike bicycle cycle
flight plane
ship boat boot
child children kids
mother mum mom
father dad
grandmother grandma granny
grandfather grandpa
neighbour neighbor
doctor gp
hospital clinic
surgery operation
medicine medication pills
plaster cast
broken broke break fracture
work job
salary wage pay
invoice bill
price cost
guarantee warranty
delivery delivered
parcel package
concert gig
dinner meal supper
sea ocean
sledge sled
swim swam
dusk sunset
stick cane stock
hat hut
phone telephone mobile
fridge refrigerator
stolen theft
weight heavy weighed
colour color
moving removal
dog puppy
horse pony
cellar basement
lamp light
carpet rug
tyre tire
repair fixed
workshop garage
road street
town city
forest wood
harbour harbor port
camping campsite
luggage suitcase
autumn fall
exam test
course class
pupil student
kindergarten nursery
match game
football soccer
run ran
sing sang song
write wrote written
learn learnt
buy bought
sell sold
pay paid payment
lend lent borrow
gift present
lose lost
forget forgot forgotten
eat ate eaten
drink drank
sleep slept
wake woke
meet met
grow grew
build built
apply application
quit resigned
start begin began
ill sick
cold flu
pain ache
tooth teeth
foot feet
allergy allergic
vaccination jab
glasses spectacles
pregnant pregnancy
cookie biscuit
lime linden
grey gray
coat jacket
trousers pants
computer laptop
internet broadband wifi
debt loan
offer quote
licence license
lawyer solicitor
accident crash
electricity power
heater heating
rubbish garbage trash bin
booked reserved
hide hid hidden
find found
`;
const german = `
hochzeit heiraten geheiratet heirat trauung
urlaub ferien reise
heizung heizkessel
flug flugzeug
operiert op
medikament tabletten arznei
arbeit stelle
preis kosten
bestellung bestellt
lieferung geliefert
abendessen essen
backen gebacken backzeit
schlitten rodeln
telefon handy
gestohlen diebstahl
gewicht wiegt wog schwer
hund welpe
gestrichen streichen farbe
gepäck koffer
regen geregnet
kurs unterricht
stunde unterrichtsstunde
schüler schülerin studentin
laufen gelaufen lauf
wandern wanderung gewandert
tanzen getanzt tanz
singen gesungen lied
kaufen gekauft kauf
zahlen bezahlt zahlung
aufgewacht aufgestanden
ankommen angekommen ankunft
einladung eingeladen
helfen geholfen hilfe
bewerbung beworben
kündigung gekündigt
begonnen angefangen beginn
fertig beendet
erkältung grippe erkältet
ohr ohren
fuß füße
impfung geimpft
herring hering matjes
rot rote roter
jacke mantel
bildschirm monitor
kredit darlehen schulden
erstattung erstattet rückzahlung
führerschein lizenz
müll mülltonne
buchung gebucht reservierung reserviert
`;

const byStem = new Map<string, ReadonlySet<string>>();
for (const line of `${english}\n${german}`.split("\n").filter((one) => one.trim() !== "")) {
  const stems = new Set(line.split(" ").map((word) => stem(fold(word))));
  for (const one of stems) byStem.set(one, new Set([...(byStem.get(one) ?? []), ...stems]));
}

const cache = new Map<string, ReadonlySet<string>>();

/**
 * Stems that say nearly the same as this one in either language, itself among them; empty for a word that nothing is known
 * of. Words that mean something else in the language of the root are left out. `language`: the one that the root is read
 * in; without it a word of both languages has no translation.
 */
export function alike(root: string, language?: Language): ReadonlySet<string> {
  const key = `${language ?? ""} ${root}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const group = [...(byStem.get(root) ?? []), ...alikeInGerman(root, language)];
  const other = [root, ...group].flatMap((one) => [...translatedStems(one, language)]);
  const found = group.length + other.length === 0 ? none : new Set([root, ...group, ...other]);
  if (cache.size > cacheLimit) cache.clear();
  cache.set(key, found);
  return found;
}
const cacheLimit = 20_000;
const none: ReadonlySet<string> = new Set();
