import type { QueryPlan } from "#contract";
import { alike, findDates, fold, isStopWord, numberWords, stem, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { perPlan } from "../per-plan.ts";

/** Who does what a "who" question asks: people and organisations, never just words with a capital. */

/** Folded names of the people and organisations that wrote or received the records at hand, and the first words of them. */
export function knownNames(candidates: readonly Candidate[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { record } of candidates) {
    for (const party of [record.author, ...record.participants]) {
      const name = party?.name ?? "";
      if (name === "" || name.includes("@")) continue;
      const words = wordsOf(name).map(({ folded }) => folded);
      known.add(words.join(" "));
      const [first] = words;
      if (first !== undefined && first.length > 2 && !isStopWord(first, "en") && words.length < 4) known.add(first);
    }
  }
  return known;
}

/** Stems of what the person asked for does: the first verb after "who", and those joined to it by "and". */
export function askedDeeds(plan: QueryPlan): ReadonlySet<string> {
  const words = wordsOf(plan.question.slice(0, 2_000));
  const deeds = new Set<string>();
  const add = (folded: string) => {
    const root = stem(folded);
    deeds.add(root);
    for (const other of alike(root)) deeds.add(other);
  };
  if (plan.language === "de") {
    // German nouns have capitals: what has none and says something is a verb or describes one.
    for (const { text, folded } of words) if (!/^\p{Lu}/u.test(text) && !isStopWord(folded, "de")) add(folded);
    return deeds;
  }
  let open = false;
  for (const { text, folded } of words) {
    if (/^(?:who|whom|whose|which|and|or)$/.test(folded)) open = true;
    else if (open && !isStopWord(folded, plan.language) && !/^\p{Lu}/u.test(text)) {
      add(folded);
      open = false;
    }
  }
  return deeds;
}

const namePattern =
  /(?<![\p{L}\p{N}])(?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau)\.?\s)?\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|der|of the|of|&)\s)?\p{Lu}[\p{L}'’-]+){0,3}/gu;
const byCue = /(?<!\p{L})(?:by|with|from|von|mit|bei|durch)\s(?:the\s|my\s|our\s|dem\s|der\s)?(?:\p{Ll}+\s)?$/u;
const jointCue = /(?:,|(?<!\p{L})(?:and|und|&))\s(?:(?:his|her|my|their|our|sein\p{L}*|ihr\p{L}*)\s\p{Ll}+\s)?$/u;
/** Words that may stand between a name and what it does. */
const between = 2;

/** Names in a sentence that can be who did it: known ones, ones beside the verb that was asked, and ones joined to those. */
export function doersIn(quote: string, deeds: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const found: { name: string; end: number }[] = [];
  for (const match of quote.matchAll(namePattern)) {
    // "Holt Opa Euch ab?": in German letters you have a capital, too.
    const whole = match[0].replace(/['’]s$/, "");
    const name = whole.replace(/(?:\s(?:Euch|Ihr|Dich|Dir|Du|Sie|Ihnen))+$/u, "");
    const [start, end] = [match.index, match.index + whole.length];
    const words = wordsOf(name).map(({ folded }) => folded);
    const [first] = words;
    // "Liebe Ida! Acht Jahre, unglaublich": a number is nobody.
    if (first === undefined || numberWords.has(first) || (words.length === 1 && isTime(name))) continue;
    const spoken = known.has(words.join(" ")) || (words.length === 1 && known.has(first));
    const opening = /(?:^|[.!?:“"]\s*)$/u.test(quote.slice(0, start));
    const plain = opening && words.length === 1 && (isStopWord(first, "en") || isStopWord(first, "de"));
    const last = found.at(-1);
    const joined =
      (last !== undefined && jointCue.test(quote.slice(last.end, start)) && start - last.end < 24) ||
      (last === undefined && opening && joinsName.test(quote.slice(end, end + 24)) && !plain && !says(first));
    if (
      spoken ||
      joined ||
      introduced.test(quote.slice(0, start)) ||
      (!plain && beside(quote, start, end, deeds, opening && words.length === 1))
    )
      found.push({ name, end });
  }
  return [...new Set(found.map(({ name }) => name))];
}

/** "Ada and Bo", "Ada and her brother"; "Supply and fit" are two things to do. */
const joinsName =
  /^(?:,|\sand|\sund|\s&)\s(?:\p{Lu}|(?:I|me|ich|his|her|my|our|their|the|sein\p{L}*|ihr\p{L}*|mein\p{L}*)(?!\p{L}))/u;
/** "Yeah, Carl …", "But OTOH, …", "Alles Liebe, lieber …": what opens a sentence so is nobody. */
const says = (folded: string): boolean => isStopWord(folded, "en") || isStopWord(folded, "de") || openers.has(folded);
const openers = new Set(
  "yeah yes yep nope thanks thank sorry please welcome hello dear well okay great congratulations happy love danke bitte hallo liebe lieber alles frohe herzlichen guten viele".split(
    " ",
  ),
);

/** "This is Max", "a dog called Rex". */
const introduced = /(?<!\p{L})(?:this is|meet|named|called|name is|das ist|heißt|namens)\s$/iu;

const isTime = (word: string): boolean =>
  [`on ${word.replace(/s$/, "")} in ${word}`, `${word.toLowerCase()} um 8 Uhr`].some(
    (text) => findDates(text, { reference: "2000-01-01" }).length > 0,
  );

/** `close`: the verb must be the very next word, as after a lone word that begins its sentence ("Good luck maintaining it"). */
function beside(quote: string, start: number, end: number, deeds: ReadonlySet<string>, close: boolean): boolean {
  const after = quote.slice(end, end + 60).split(/[.;!?()]/)[0] ?? "";
  const does = wordsOf(after)
    .slice(0, close ? 1 : between + 1)
    .some(({ folded }) => deeds.has(stem(folded)));
  if (does) return true;
  const before =
    quote
      .slice(Math.max(0, start - 60), start)
      .split(/[.;!?()]/)
      .at(-1) ?? "";
  const said = wordsOf(before).slice(-between - 2);
  return (byCue.test(before) || /:\s$/.test(before)) && said.some(({ folded }) => deeds.has(stem(folded)));
}

const roleAsked =
  /^\W*(?:who|wer)\s(?:is|was|are|were|['’]s|ist|war|sind|waren)\s(?:(?:the|our|my|your|his|her|their|an?|currently|der|die|das|unsere?|mein|meine|eine?)\s)+(?:\p{L}+\s){0,2}?(?<role>\p{L}{3,}(?:er|or|ist|ant|ent|ord|lady|ian|chief|boss|head|lead|coach|chair|host|man|woman|erin))(?!\p{L})/iu;

/** Stems of the office that a "who is the …" question asks for ("maintainer", "Vermieterin"); null where it asks for none. */
export const askedRole = perPlan(({ question }): ReadonlySet<string> | null => {
  const role = roleAsked.exec(question.slice(0, 2_000))?.groups?.role;
  if (role === undefined) return null;
  const root = stem(fold(role));
  return new Set([root, ...alike(root)]);
});

/** Words between an office and the name that holds it, and how many of them may be others than these. */
const besideRole = 5;
const otherWords = 2;
const joining = new Set(
  "is was are were be the our my your his her their a an of for by from in at as named called current new old mr mrs ms dr ist war der die das dem den unser unsere mein meine als von vom namens herr frau".split(
    " ",
  ),
);

/** Of these names the ones that stand beside the office: "our landlord, Mr Brandt", "Edda maintains it". */
export function holders(quote: string, names: readonly string[], role: ReadonlySet<string>): string[] {
  const words = wordsOf(quote);
  const offices = words.flatMap(({ folded }, at) => (isRole(folded, role) ? [at] : []));
  if (offices.length === 0) return [];
  // Whoever holds an office may be in no letter's head: a first and a last name beside it are enough.
  const full = [...quote.matchAll(namePattern)]
    .map(([name]) => name.replace(/['’]s$/, ""))
    .filter((name) => /\s/.test(name));
  return [...new Set([...names, ...full])].filter((name) => {
    const parts = new Set(wordsOf(name).map(({ folded }) => folded));
    const places = words.flatMap(({ folded }, at) => (parts.has(folded) ? [at] : []));
    return places.some((place) =>
      offices.some((office) => {
        const [from, to] = place < office ? [place, office] : [office, place];
        const between = words.slice(from + 1, to).filter(({ folded }) => !parts.has(folded));
        const others = between.filter(({ folded }) => !joining.has(folded));
        const whole = !/[.!?;](?:\s|$)/u.test(
          quote.slice(words[from]?.end ?? 0, words[to]?.start ?? 0).replace(/\b(?:Mr|Mrs|Ms|Dr)\./gu, ""),
        );
        return (
          whole &&
          between.length <= besideRole &&
          others.length <= otherWords &&
          others.every(({ folded }) => !linking.has(folded))
        );
      }),
    );
  });
}
/** Who asks, tells or thinks something of an office does not hold it. */
const linking = new Set("that and or but not to with like than und oder aber nicht dass zu mit wie".split(" "));

/** One office, or what its holder does ("maintains"); several of them ("maintainers") are nobody's name. */
const isRole = (folded: string, role: ReadonlySet<string>): boolean => {
  const root = stem(folded);
  if (/(?:er|or|ist|ant|ent)s$/u.test(folded)) return false;
  return role.has(root) || [...role].some((one) => root.length > 4 && one.startsWith(root));
};

/** Lines at the end of a letter in which its author signs. */
const signedLines = 3;

/** "Ada Berg / Berg & Holm Solicitors": who signs a letter with the office, or with the firm that is called by it, holds it. */
export function signsAs({ record }: Candidate, role: ReadonlySet<string>): string | null {
  const author = record.author?.name ?? null;
  if (author === null || record.kind !== "email") return null;
  const lines = (record.text ?? "")
    .trimEnd()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-signedLines);
  const at = lines.findIndex((line) => line.trim() === author);
  const signed = at < 0 ? [] : lines.slice(at + 1);
  return signed.some((line) => saysRole(line, role, true)) ? author : null;
}

/** Whether a text names the office at all; `firm`: several of them count, as in a firm's name. */
export const saysRole = (text: string, role: ReadonlySet<string>, firm = false): boolean =>
  wordsOf(text).some(({ folded }) => isRole(folded, role) || (firm && role.has(stem(folded))));

/** "The ribbon gets cut on Thursday", "das Band wird zerschnitten": what was done, and not by whom. */
export function tellsNoDoer(plan: QueryPlan, quote: string): boolean {
  if (!/^\W*(?:who|wer)(?!\p{L})/iu.test(plan.question)) return false;
  const deeds = askedDeeds(plan);
  const words = wordsOf(quote);
  const done = words.flatMap(({ folded }, at) => (deeds.has(stem(folded)) ? [at] : []));
  // "Wer hat … geschickt?", "Who won …?": the deed is said by some word.
  if (done.length === 0) return deeds.size > 0 && deedAsked.test(lowered(plan.question));
  if (byWhom.test(quote)) return false;
  return done.every((at) => words.slice(Math.max(0, at - passiveWithin), at).some(({ folded }) => passive.has(folded)));
}
const passive = new Set(
  "is are was were be been being get gets got getting wird werden wurde wurden worden".split(" "),
);
const passiveWithin = 2;
const lowered = (question: string): string => question.replace(/^\W*\p{Lu}/u, (first) => first.toLowerCase());
const deedAsked =
  /^\W*(?:wer\s(?:hat|haben)\s.*\p{Ll}(?:t|en)\W*$|who\s(?!(?:is|was|are|were|has|have|had|does|did|do|can|could|will|would|should|may|might|else|all|among)(?!\p{L}))\p{Ll}{3,}\s)/u;
const byWhom = /(?<!\p{L})(?:by|von|durch)(?!\p{L})/iu;

/** Somebody is sent somewhere, not something written: "auf den Markt geschickt". */
const sentOff = /(?<!\p{L})(?:auf|nach|in|ins|zum|zur)\s.*geschickt/iu;

/** "Who asked how …?": whose question it is. */
export const asksAsker = ({ question }: Pick<QueryPlan, "question">): boolean =>
  /^\W*(?:who (?:asked|asks|wondered|wanted to know|wants to know)|wer (?:fragte|fragt|wollte wissen|hat .*gefragt))(?!\p{L})/iu.test(
    question,
  );

/** The question asks who wrote or said something: its author is the answer. */
export function asksAuthor({ question }: QueryPlan): boolean {
  if (sentOff.test(question)) return false;
  return /(?<!\p{L})(?:wrote|writes?|written|sent|sends?|said|says|told|asked|mentioned|announced|invited|promised|offered|suggest(?:s|ed)|propose[sd]|recommend(?:s|ed)|warned|geschrieben|schrieb|schreibt|gesagt|sagte|geschickt|gefragt|erzählt|eingeladen|angeboten|versprochen|vorgeschlagen|empfohlen)(?!\p{L})|(?<!\p{L})(?:whose|wessen) (?:idea|idee)(?!\p{L})/iu.test(
    question,
  );
}

/** Who wrote a thing has said it, whatever the words. */
export const asksTeller = ({ question }: QueryPlan): boolean =>
  /^\W*(?:who|wer)(?!\p{L}).*(?<!\p{L})(?:wrote|written|said|says|told|tells|mentioned|announced|warned|reported|geschrieben|schrieb|gesagt|sagte|erzählt|erwähnt|angekündigt|gewarnt|berichtet)(?!\p{L})/iu.test(
    question,
  );

/** "Who suggested it?", "wer hat das vorgeschlagen?": whoever first brought it up, mostly by asking. */
const asksProposal = ({ question }: QueryPlan): boolean =>
  /^\W*(?:who|whose|wer|wessen)(?!\p{L}).*(?<!\p{L})(?:suggest(?:s|ed)|propose[sd]|offered|recommend(?:s|ed)|idea|vorgeschlagen|empfohlen|angeboten|idee)(?!\p{L})/iu.test(
    question,
  );
/** "Shall we …?", "wie wäre es mit …?" */
const proposes = (quote: string): boolean =>
  /(?<!\p{L})(?:(?:shall|should|could|can|might) (?:we|I)|(?:why don['’]t|what if) (?:we|you|I)|how about|what about|let['’]s|would you like|do you (?:want|fancy)|(?:I|we) (?:suggest|propose|recommend|could offer|can offer)|you (?:could|should)|if you (?:need|want|like)|(?:wenn|falls) (?:ihr|du) |(?:sollen|wollen|könnten|können) wir|wollt ihr|willst du|wie wäre|lass(?:t)? uns|ich schlage|ich biete|wir könnten|ich könnte|mein vorschlag)(?!\p{L})/iu.test(
    quote,
  );

/** Somebody brings up what is asked by whom it was. */
export const brings = (plan: QueryPlan, quote: string): boolean => asksProposal(plan) && proposes(quote);
