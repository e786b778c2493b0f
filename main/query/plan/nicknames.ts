import { fold } from "../../views/language/index.ts";

/** Names that stand for one another: short forms of first names, and words for one's family. All folded. */

/** English and German first names with their common short forms; a name may stand in several groups ("Alex"). */
const forms = `
abigail abby gail
albert al bert bertie
alexander alex alec sandy sascha sasha xander lex
alexandra alex sandra sandy lexi sasha sascha
alfred alf fred freddie
andreas andi andy
andrew andy drew
angela angie geli
anna anne annie anni ann nan hanna hannah anja anneke
annemarie anne anni
anthony tony
antonia toni tonia
anton toni
barbara babs barb babsi bärbel
bartholomew bart
benedikt bene
benjamin ben benny benni
bernhard bernd berni
bernard bernie
brigitte gitte biggi gitta
cameron cam
caroline carolin karoline caro carrie lina
catherine katherine katharine kathryn kathleen katharina cathy kathy kate katie kat kitty kathi käthe katja trina rina
charles charlie chuck chas
charlotte charlie lotte lottie lotta
christian chris
christina christine chris chrissy chrissie tina kristina kristin
christoph christopher chris kit topher stoffel
claudia claudi
cornelia conny connie nele
daniel dan danny dani
daniela danielle dani
david dave davey
deborah debbie deb debra
dominik dominic dom nik
dorothea dorothy dora dot dottie doro thea
edward ed eddie ned ted teddy eduard edi
eleanor ellie nell nora lenore
elisabeth elizabeth liz lizzie beth betsy betty bess eliza lisa lisbeth elsa else elli lilli sissi libby lise bettina
emanuel immanuel manu mani
emily em emmy millie
emma em emmi
eugene gene
felicitas feli
ferdinand ferdi
florian flo
florence flo florrie
frances francesca fran frannie franny
franz francis frank franzl
franziska franzi sissi
frederick friedrich fred freddie freddy fritz frieder
friederike rike fritzi rieke
gabriele gabriella gabi gaby
gabriel gabe
georg george schorsch jörg
gerald gerry jerry
gerhard gerd
gertrud gertrude trude gerti trudy
gregory greg gregor
gustav gus
günther günter
hannelore lore hanne
harold harry hal
harriet hattie
heinrich heiner heinz henry hal hank harry
helena helene helen lena leni nell ellen
henriette jette henni
hermann
hildegard hilde
hubert hubi
ingeborg inge
irene reni
isabella isabelle isabel isa bella izzy belle
jacob jakob jake jack
jacqueline jackie
james jim jimmy jamie jem
janet jan
jennifer jen jenny jenni
jeremy jerry jem
jessica jess jessie
joachim achim jo
johanna joanna hanna jo joanne hannah
johannes hannes hans johann jo
john jack johnny
jonathan jon jonny jonas nathan
josef joseph joe jo sepp seppi joey jupp
josefine josephine josie jo fine finchen
joshua josh
judith judy jude
julia julie jule julchen jules
julian jules jule
karl carl kalle
karoline karo line lina
kenneth ken kenny
klaus claus nikolaus niklas
konrad conrad
kristina kris tina
lawrence laurence larry lars laurie
leonard leonhard leo len lenny
leopold leo poldi
lillian lilian lily lil
louis ludwig lou lutz
louisa luise louise lou lulu
lucas lukas luke luca
magdalena lena leni magda maddie
manfred manni fred
manuel manu
manuela manu ela
margaret margarete margarethe maggie meg peggy marge greta grete gretel rita gretchen daisy maggy
maria marie mary mia mitzi molly polly mimi ria
marianne anne nanni
mark markus marcus marc
martha marty
martin marty
martina tina
matthew matt matty
matthias mathias matze hias
maximilian max maxi
melanie mel melli
michael mike mick mickey micha michi mich
michaela michi ela
michelle shelly mitch
monika monica moni
nadine nadi
natalie nat tali
nathaniel nathan nat nate
nicholas nick nicky nicolas
nicole nicola nicky nikki nici
nikolas niko nico klaus
olivia liv livi ollie
oliver oli ollie olli
oscar ossie
pamela pam
patricia pat patty tricia trish
patrick pat paddy rick
paula pauline pauli lina
penelope penny
peter pete
philipp philip phil flip pip
rachel rach
raimund raymond ray
rebecca rebekka becky becca
reginald reg reggie
reinhard reini
renate reni nate
richard rick rich dick ricky richie
robert rob bob bobby robbie robin bert
roland roli
ronald ron ronnie
rosemarie rosemary rosie rosi
rudolf rudolph rudi rolf
russell russ
rüdiger rudi
sabine bine
samantha sam sammy
samuel sam sammy
sarah sara sally sadie
sebastian basti seb bastian wastl
siegfried sigi
sigrid siri
silvia sylvia silvi
simon si
simone moni
sophia sophie sofia sofie soph fia
stanley stan
stefan stephan stephen steven steve steffen
stefanie stephanie steffi steph stephie fanny
susanne susan susanna suzanne sue susie suzie susi sanne sanna
tabea bea
beatrice beatrix bea trixie
tamara tammy tamy mara
terence terry
teresa theresa therese terry tess tessa resi
theodor theodore theo ted teddy
thomas tom tommy tomas thom
timothy timotheus tim timmy timo
tobias tobi toby
ulrich uli ulli utz
ulrike uli ulli rike
ursula uschi ursel ulla
valentina vali tina
valentin vali
vanessa nessa
veronika veronica vroni ronnie
victoria viktoria vicky vicki tori
victor viktor vic
vincent vince vinnie
walter walt wally
waltraud traudl
wilhelm willi willy wim helmut
wilhelmina wilhelmine mina minna
william will bill billy liam willie
wolfgang wolf wolfi
yvonne yve
zachary zach zack
`;

/** What families call one another, in both languages: one address book says "Mama", the next "Mum". */
const family = `
mum mom mama mami mutti mother mutter mam mummy mommy ma
dad papa papi vati father vater daddy pa pap
grandma granny nana oma omi grandmother grossmutter großmutter gran
grandpa grandad granddad opa opi grandfather grossvater großvater gramps
sister sis schwester
brother bro bruder
aunt auntie tante
uncle onkel
`;

function groups(lines: string): ReadonlyMap<string, ReadonlySet<string>> {
  const others = new Map<string, Set<string>>();
  for (const line of lines.trim().split("\n")) {
    const [full = "", ...short] = line.split(" ").map(fold);
    for (const name of [full, ...short]) {
      const known = others.get(name) ?? new Set();
      others.set(name, known);
      for (const other of [full, ...short]) if (other !== name) known.add(other);
    }
  }
  return others;
}

const sameFirstName = groups(forms);
const sameRelative = groups(family);
const none: ReadonlySet<string> = new Set();

/** Other forms of a first name (folded): "tom" gives "thomas", "tommy" …; empty when none are known. */
export const otherForms = (name: string): ReadonlySet<string> => sameFirstName.get(name) ?? none;

/** Other words for the same relative (folded): "mum" gives "mama", "mother" …; empty for any other word. */
export const otherKin = (word: string): ReadonlySet<string> => sameRelative.get(word) ?? none;

/** Whether a person may be called by this word without a capital: "mum", "oma". */
export const isKin = (word: string): boolean => sameRelative.has(word);
