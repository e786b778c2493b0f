/** Everyday words and what the other language calls them, one meaning a line; words of several meanings are left out. */
export const everydayWords = `
dog puppy hund welpe
horse pony pferd
bird vogel vögel
fish fisch
family familie
parents eltern
son sohn
daughter tochter
aunt tante
uncle onkel
cousin cousine vetter
husband ehemann
wife ehefrau
girl mädchen
boy junge
man mann
woman frau
guest guests gast gäste
colleague kollege kollegin kollegen
boss chef chefin
landlord vermieter vermieterin
tenant mieter
room zimmer raum
bedroom schlafzimmer
bathroom badezimmer
roof dach
cellar basement keller
attic dachboden
shed schuppen
window fenster
door tür
wall wand mauer
floor boden fußboden
stairs treppe
table tisch
chair stuhl
bed bett
sofa couch
lamp light lampe licht
oven ofen backofen
stove herd
washer waschmaschine
carpet rug teppich
mirror spiegel
paint painted gestrichen streichen farbe
tyre tire tyres tires reifen
engine motor
repair repaired fixed reparatur repariert reparieren
workshop garage werkstatt
parking parken parkplatz
road street straße
bridge brücke
church kirche
town city stadt
village dorf
border grenze
forest wood woods wald
lake see
river fluss
island insel
harbour harbor port hafen
castle schloss burg
tower turm
station bahnhof
airport flughafen
platform gleis bahnsteig
tent zelt
camping campsite zelten zeltplatz campingplatz
luggage suitcase gepäck koffer
backpack rucksack
passport reisepass pass
visa visum
seat sitzplatz platz
weather wetter
rain rained regen geregnet
storm sturm
ice eis
sun sonne
summer sommer
autumn fall herbst
morning morgen vormittag
evening abend
night nacht
weekend wochenende
anniversary jahrestag jubiläum
funeral beerdigung
graduation abschluss abschlussfeier
exam test prüfung klausur
course class kurs unterricht
lesson stunde unterrichtsstunde
university uni universität
pupil student schüler schülerin studentin
homework hausaufgaben
kindergarten nursery kita
team mannschaft
match game spiel
football soccer fußball
run running ran laufen gelaufen lauf
hike hiking hiked wandern wanderung gewandert
climb climbing klettern geklettert
ski skiing skifahren
dance dancing tanzen getanzt tanz
sing singing sang song singen gesungen lied
piano klavier
guitar gitarre
violin geige
trumpet trompete
drum drums schlagzeug trommel
play played spielen gespielt
read reading gelesen lesen
write wrote written schreiben geschrieben
learn learned learnt lernen gelernt
buy bought kaufen gekauft kauf
sell sold verkaufen verkauft verkauf
rent rented mieten gemietet
pay paid payment zahlen bezahlt zahlung
lend lent borrow borrowed leihen geliehen ausgeliehen
gift present geschenk
lose lost verloren verlieren
forget forgot forgotten vergessen
promise promised versprochen
cook cooked kochen gekocht
eat ate eaten essen gegessen
drink drank trinken getrunken
sleep slept schlafen geschlafen
wake woke aufgewacht aufgestanden
move moved umziehen umgezogen
arrive arrived arrival ankommen angekommen ankunft
return returned zurückgeben zurückgegeben zurückgekommen
visit visited besuch besucht besuchen
invite invited invitation einladung eingeladen
meet met treffen getroffen
help helped helfen geholfen hilfe
plant planted pflanzen gepflanzt
grow grew wachsen gewachsen
build built bauen gebaut
cancel cancelled abgesagt absagen storniert
order ordered bestellen bestellt
sign signed unterschrieben unterschreiben
apply application bewerbung beworben
quit resigned resignation kündigung gekündigt
start started begin began begonnen angefangen beginn
finish finished fertig beendet
ill sick krank
cold flu erkältung grippe erkältet
fever fieber
cough husten
pain ache schmerzen schmerz
tooth teeth zahn zähne
eye eyes auge augen
ear ears ohr ohren
foot feet fuß füße
knee knie
head kopf
heart herz
blood blut
allergy allergic allergie allergisch
vaccination vaccinated jab impfung geimpft
glasses spectacles brille
pregnant pregnancy schwanger schwangerschaft
x-ray röntgen röntgenbild
meat fleisch
sausage wurst
cheese käse
milk milch
flour mehl
sugar zucker
salt salz
rice reis
potato potatoes kartoffel kartoffeln
carrot carrots möhre möhren karotte karotten
onion onions zwiebel zwiebeln
cabbage kohl
mushroom mushrooms pilz pilze
strawberry strawberries erdbeere erdbeeren
cherry cherries kirsche kirschen
pear pears birne birnen
plum plums pflaume pflaumen zwetschgen
lemon zitrone
nut nuts nuss nüsse
honey honig
soup suppe
salad salat
plaice scholle
trout forelle
salmon lachs
herring hering matjes
chicken huhn hähnchen
beer bier
water wasser
juice saft
ice-cream eiscreme
chocolate schokolade
cookie biscuit biscuits keks kekse plätzchen
flower flowers blume blumen
rose rosen
birch birke birken
oak eiche eichen
beech buche buchen
lime linden linde
spruce fichte
willow weide
hedge hecke
lawn rasen
ox ochse ochsen
cow kuh kühe
sheep schaf schafe
pig schwein
bee bees biene bienen
red rot rote roter rotes
blue blau blaue blauer blaues
green grün grüne grüner grünes
yellow gelb gelbe gelber gelbes
black schwarz schwarze schwarzer
white weiß weiße weißer
grey gray grau graue
brown braun braune
dress kleid
coat jacket jacke mantel
shoe shoes schuh schuhe
shirt hemd
trousers pants hose
glove gloves handschuh handschuhe
scarf schal
bag tasche
umbrella regenschirm schirm
knife messer
ladder leiter
drill bohrmaschine
saw säge
computer laptop rechner
printer drucker
screen bildschirm monitor
camera kamera
internet broadband wifi wlan
card karte
money geld
debt loan kredit darlehen schulden
mortgage hypothek
tax taxes steuer steuern
fee gebühr
deposit kaution anzahlung
discount rabatt
refund refunded erstattung erstattet rückzahlung
offer quote angebot kostenvoranschlag
budget etat
licence license führerschein lizenz
permit genehmigung erlaubnis
lawyer solicitor anwalt anwältin
accident crash unfall
burglary einbruch
fire feuer brand
flood flooding hochwasser überschwemmung
noise lärm
electricity power strom
heater heating heizung
meter zähler
rubbish garbage trash bin müll mülltonne
bin bins tonne tonnen
booked reserved reservation buchung gebucht reservierung reserviert
hide hid hidden verstecken versteckt
find found finden gefunden
`;
