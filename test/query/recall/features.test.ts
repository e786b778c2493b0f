import { describe, expect, it } from "vitest";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import type { Features, QuestionVectors } from "#main/query/ports.ts";
import { partsOf, profileFor, rankerFile, scoreOf } from "#main/query/recall/calibrate.ts";
import { poolOf } from "#main/query/recall/pool.ts";
import { recall } from "#main/query/recall/recall.ts";
import { archiveOf, type Draft, type ScriptedModel, type TestArchive } from "../archive.ts";

const none: QuestionVectors = { text: null, seen: null, picture: null };

/** Lines of one chat of one day, a minute apart. */
const chat = (lines: readonly (readonly [by: string, text: string])[], day = "2024-03-04"): Draft[] =>
  lines.map(([by, text], at) => ({
    by,
    text,
    chat: "Trip",
    at: `${day}T10:${String(at).padStart(2, "0")}:00`,
    sequence: at,
  }));

function planOf({ ports }: TestArchive, question: string) {
  const { firstDay, lastDay } = ports.records.counts();
  return planQuestion(question, {
    today: "2024-08-01",
    firstDay,
    lastDay,
    people: peopleIndex(ports.records.people()),
  });
}

/** Features of all records for a question, in the order in which they were given. */
function featuresOf(archive: TestArchive, question: string, vectors = none): Features[] {
  const { reader } = poolOf(planOf(archive, question), archive.ports, vectors);
  const found = reader.read(archive.ids);
  return archive.ids.flatMap((id) => found.get(id) ?? []);
}

const long = "so we went on and on along the river until the evening came down on us"; // a whole turn of talk

describe("features of words", () => {
  const archive = () =>
    archiveOf(
      chat([
        ["Mara", "The ferry to Gotland was cancelled"],
        ["Juno", long],
        ["Mara", long],
        ["Juno", "Something else entirely"],
      ]),
    );

  it("are the share of the question's words that a record says, and its full-text score", () => {
    const [ferry, , , other] = featuresOf(archive(), "Was the ferry to Gotland cancelled?");
    expect(ferry?.cov_all).toBeCloseTo(1);
    expect(ferry?.cov).toBeCloseTo(1);
    expect(ferry?.soft).toBeCloseTo(1);
    expect(ferry?.bm).toBeGreaterThan(0);
    expect(other).toMatchObject({ cov_all: 0, bm: 0 });
  });

  it("are said around a record by so much less the more turns of talk lie between", () => {
    const found = featuresOf(archive(), "Was the ferry to Gotland cancelled?");
    expect(found.map(({ near }) => Number(near.toFixed(2)))).toEqual([1, 0.9, 0.73, 0.57]);
    expect(found.map(({ soft_near }) => Number(soft_near.toFixed(2)))).toEqual([1, 0.9, 0.73, 0.57]);
  });

  it("give a session the best of its records", () => {
    const found = featuresOf(archive(), "Was the ferry to Gotland cancelled?");
    expect(new Set(found.map(({ bm_smax }) => bm_smax))).toEqual(new Set([found[0]?.bm]));
  });

  it("tell a message of a word or two, which says little by itself, from all else", () => {
    const said = chat([
      ["Mara", "Haha ok"],
      ["Juno", "👍"],
      ["Juno", "The ferry was cancelled"],
      ["Mara", "Look!\n[photo: a ferry]"],
    ]);
    const mail: Draft = {
      by: "Mara",
      kind: "email",
      subject: "The ferry",
      text: "Cancelled.",
      at: "2024-03-04T12:00:00",
    };
    expect(featuresOf(archiveOf([...said, mail]), "Was the ferry cancelled?").map(({ brief }) => brief)).toEqual([
      0.5, 1, 0, 0, 0,
    ]);
  });

  it("leave out what only says that something was said", () => {
    const asked = (question: string) => featuresOf(archive(), question).map(({ soft_near }) => soft_near);
    expect(asked("According to their conversation, which ferry did Mara mention?")).toEqual(asked("Which ferry?"));
    expect(asked("Welche ferry hat Mara laut ihrem Gespräch erwähnt?")).toEqual(asked("Welche ferry?"));
  });

  it("find a word that was mistyped by one letter", () => {
    const typed = archiveOf(chat([["Mara", "up in the mountians"]]));
    expect(featuresOf(typed, "When were the mountains?")[0]?.soft).toBeCloseTo(0.8, 1);
  });
});

describe("features of a conversation's course", () => {
  it("know an answer by the question before it, with its mark or without, and past what is only nodded", () => {
    const archive = archiveOf(
      chat([
        ["Mara", "what did you pack for the mountains"],
        ["Juno", "hm"],
        ["Juno", "a rope and two lamps"],
        ["Mara", long],
        ["Juno", "we should leave early then"],
      ]),
    );
    const [question, , answer, , later] = featuresOf(archive, "What did Juno pack for the mountains?");
    expect(question).toMatchObject({ asks: 1, prevq: 0 });
    expect(answer).toMatchObject({ asks: 0, prevq: 1 });
    expect(answer?.reply).toBeGreaterThan(0.9);
    expect(later).toMatchObject({ prevq: 0, reply: 0 });
  });

  it("take no one's own question for what a record replies to", () => {
    const archive = archiveOf(
      chat([
        ["Mara", "Who packed the mountains of rope?"],
        ["Mara", "I did it myself"],
      ]),
    );
    expect(featuresOf(archive, "Who packed the rope?")[1]).toMatchObject({ prevq: 1, reply: 0 });
  });

  it("know how a session begins, in however many messages", () => {
    const archive = archiveOf(
      chat([
        ["Mara", "hey"],
        ["Mara", "good to see you"],
        ["Mara", long],
        ["Juno", long],
      ]),
    );
    expect(featuresOf(archive, "What happened at the river?").map(({ first }) => first)).toEqual([1, 1, 1, 0]);
  });
});

describe("features of who and when", () => {
  const archive = () =>
    archiveOf([
      ...chat([
        ["Caroline", "I adopted a cat last week"],
        ["Melanie", "A cat, how lovely"],
      ]),
      ...chat([["Caroline", "Back from the lake"]], "2024-05-20"),
    ]);

  it.each(["What did Caroline adopt?", "what did carolines cat do", "what did caro adopt"])(
    "tell who is asked about: %s",
    (question) => {
      expect(featuresOf(archive(), question).map(({ spk }) => spk)).toEqual([1, -1, 1]);
    },
  );

  it("are silent where nobody or several are named", () => {
    for (const question of ["Who adopted a cat?", "What did Caroline and Melanie say of the cat?"])
      expect(featuresOf(archive(), question).map(({ spk }) => spk)).toEqual([0, 0, 0]);
  });

  it("of two people take the one who is named first for the one who did it, unless they did it together", () => {
    const subjects = (question: string) => featuresOf(archive(), question).map(({ subject }) => subject);
    expect(subjects("What did Melanie recommend to Caroline?")).toEqual([-1, 1, -1]);
    expect(subjects("Was hat Caroline Melanie empfohlen?")).toEqual([1, -1, 1]);
    for (const question of ["What did Caroline and Melanie say of the cat?", "Haben Melanie oder Caroline eine Katze?"])
      expect(subjects(question)).toEqual([0, 0, 0]);
    expect(subjects("What did Caroline adopt?")).toEqual([0, 0, 0]);
  });

  it("fall off outside the time that is asked about", () => {
    const [inside, , later] = featuresOf(archive(), "What happened on 4 March 2024?");
    expect(inside?.win).toBe(1);
    expect(later?.win).toBeLessThan(0.01);
  });

  it("look for words of time when a time is asked for, and for names when a name is", () => {
    const [told] = featuresOf(archive(), "When did Caroline adopt a cat?");
    expect(told?.when_temp).toBe(1);
    expect(featuresOf(archive(), "What did Caroline adopt?")[0]?.when_temp).toBe(0);
    const named = archiveOf(chat([["Mara", "We saw Heat of the Desert with Ludwig"]]));
    const [film] = featuresOf(named, "What was the film called?");
    expect(film?.names).toBe(3);
    expect(film).toMatchObject({ name_names: 3, what_names: 0, where_names: 0 });
    expect(featuresOf(named, "Where was the film?")[0]).toMatchObject({ name_names: 0, where_names: 3 });
  });

  it("look for what shows something when a picture is asked for, and only then", () => {
    const archive = archiveOf(
      chat([
        ["Mara", "Look at this\n[photo: a heron on a pier]"],
        ["Juno", "I took a photo of a heron, too"],
      ]),
    );
    const shows = (question: string) => featuresOf(archive, question).map((one) => one.shows);
    expect(shows("Which picture shows a heron?")).toEqual([1, 0]);
    expect(shows("auf welchem Bild ist ein heron")).toEqual([1, 0]);
    expect(shows("Who saw a heron?")).toEqual([0, 0]);
  });
});

describe("features of meaning", () => {
  /** One axis for cats, one for all else. */
  const model: ScriptedModel = {
    modelId: "scripted@1",
    embed(text) {
      const vector = new Float32Array(32);
      vector[/cat|kitten/i.test(text) ? 0 : 1] = 1;
      return vector;
    },
  };

  it("are the cosine of the record and the best of its session", async () => {
    const archive = archiveOf([
      ...chat([
        ["Mara", "The kitten slept all day long in the sun on the warm stones"],
        ["Juno", "Sweet"],
        ["Mara", long],
      ]),
      ...chat([["Juno", "Nothing new here"]], "2024-05-20"),
    ]);
    await archive.embed(model);
    const found = featuresOf(archive, "Where is the cat?", { ...none, text: model.embed("cat") });
    expect(found.map(({ cos }) => Math.round(cos))).toEqual([1, 0, 0, 0]);
    expect(found.map(({ cos_smax }) => Math.round(cos_smax))).toEqual([1, 1, 1, 0]);
    expect(found.map(({ context, e5 }) => context + e5)).toEqual([0, 0, 0, 0]);
  });

  it("tell what is like most of the pool from what is like little of it", async () => {
    const archive = archiveOf(
      chat([
        ["Mara", "The kitten slept on the warm stones"],
        ["Juno", "The bus was late"],
        ["Mara", "The tea was cold"],
        ["Juno", "The rain went on"],
      ]),
    );
    await archive.embed(model);
    const found = featuresOf(archive, "Where is the cat?", { ...none, text: model.embed("cat") });
    expect(found.map(({ cos_common }) => Number(cos_common.toFixed(2)))).toEqual([0.25, 0.75, 0.75, 0.75]);
  });
});

describe("the ranker", () => {
  it("takes the best profile whose evidence is there", () => {
    const having = (...tables: string[]) => ({ has: (table: string) => tables.includes(table) });
    expect(profileFor(having())).toBe("lexical");
    expect(profileFor(having("said"))).toBe("quick");
    expect(profileFor(having("said", "e5"))).toBe("quick");
    expect(profileFor(having("said", "context", "e5"))).toBe("thorough");
  });

  it("adds up features by their weights and says what each gave", () => {
    const archive = archiveOf(chat([["Mara", "The ferry to Gotland was cancelled"]]));
    const [features] = featuresOf(archive, "Was the ferry cancelled?");
    if (features === undefined) throw new Error("no features");
    const ranker = rankerFile.profiles.lexical;
    const [score, parts] = [scoreOf(features, ranker), partsOf(features, ranker)];
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score);
    expect(parts.near).toBeCloseTo(features.near * (rankerFile.profiles.lexical.weights.near ?? 0));
  });

  it("gives probabilities that fall with the score, and the earlier of two copies first", () => {
    const archive = archiveOf([
      ...chat([["Mara", "The ferry to Gotland was cancelled"]], "2024-06-01"),
      ...chat([["Mara", "The ferry to Gotland was cancelled"]], "2024-03-04"),
      ...chat([["Juno", "A lamp"]], "2024-04-01"),
    ]);
    const { ranked } = recall(planOf(archive, "Was the ferry to Gotland cancelled?"), archive.ports, none);
    expect(ranked.map(({ recordId }) => recordId).slice(0, 2)).toEqual([archive.ids[1], archive.ids[0]]);
    const probabilities = ranked.map(({ probability }) => probability);
    expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a));
    for (const p of probabilities) expect(p > 0 && p < 1).toBe(true);
  });
});
