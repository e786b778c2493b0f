import { describe, expect, it } from "vitest";
import { emptyPlan, type NewFeedback, type RecordId } from "#contract";
import { openRecordReader } from "#main/records/reader.ts";
import { archiveFiles, freshStore, importFiles, message } from "./fixtures.ts";

function archive() {
  const files = archiveFiles();
  const store = freshStore(files);
  importFiles(store, { "chat.txt": [message("a"), message("b"), message("c")] });
  const ids = store.writer.reader().liveIds(0, 10);
  return { files, store, ids };
}
const about = (records: RecordId[], more: Partial<NewFeedback> = {}): NewFeedback => ({
  plan: { ...emptyPlan("When do we walk?"), terms: ["walk"] },
  verdict: "wrong",
  records,
  whole: false,
  ...more,
});

describe("what the owner says of an answer", () => {
  it("is kept with its question, plan, records, verdict and time, newest first, for every reader", () => {
    const { files, store, ids } = archive();
    const first = store.writer.giveFeedback(about(ids.slice(0, 1)));
    const second = store.writer.giveFeedback(about(ids, { verdict: "helpful", whole: true }));
    const reader = openRecordReader(files);
    const all = reader.feedback();
    reader.close();
    expect(all.map(({ id }) => id)).toEqual([second, first]);
    expect(all[1]).toMatchObject({
      verdict: "wrong",
      records: ids.slice(0, 1),
      plan: { question: "When do we walk?" },
    });
    expect(all[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it("can be taken back, once", () => {
    const { store, ids } = archive();
    const id = store.writer.giveFeedback(about(ids));
    expect(store.writer.reader().feedback()).toHaveLength(1);
    store.writer.takeBackFeedback(id);
    expect(store.writer.reader().feedback()).toEqual([]);
    expect(() => store.writer.takeBackFeedback(id)).toThrow(expect.objectContaining({ code: "not_found" }));
  });

  it("goes with the last of its records, and not before: in the trash it stays", () => {
    const { store, ids } = archive();
    const [first = 0, second = 0] = ids;
    store.writer.giveFeedback(about([first, second]));
    store.writer.trash([first]);
    expect(store.writer.reader().feedback()[0]?.records).toEqual([first, second]);
    store.writer.erase([first]);
    expect(store.writer.reader().feedback()[0]?.records).toEqual([second]);
    store.writer.trash([second]);
    store.writer.erase([second]);
    expect(store.writer.reader().feedback()).toEqual([]);
  });

  it("is refused for a record that is not there, and nothing is kept", () => {
    const { store, ids } = archive();
    expect(() => store.writer.giveFeedback(about([...ids, 999]))).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
    expect(store.writer.reader().feedback()).toEqual([]);
  });

  it("is told to the audit log without a word of the question", () => {
    const { store, ids } = archive();
    store.writer.takeBackFeedback(store.writer.giveFeedback(about(ids)));
    const { rows } = store.writer.reader().auditRows(0, 10);
    expect(rows.map(({ action }) => action).filter((action) => action.startsWith("feedback"))).toEqual([
      "feedback.take-back",
      "feedback.give",
    ]);
    expect(JSON.stringify(rows)).not.toContain("walk");
    expect(store.writer.verifyAudit().ok).toBe(true);
  });
});
