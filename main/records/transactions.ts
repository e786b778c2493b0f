import { type RecordId, UnderstoryError } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { auditLog } from "./audit.ts";
import { recordCommitter } from "./committer.ts";
import { feedbackWriter } from "./feedback.ts";
import { addGains } from "./gains.ts";
import { identityWriter } from "./identity.ts";
import { identityRules } from "./identity-rules.ts";
import { type FileCounts, ledgerWriter, noCounts, noOutcomes } from "./ledger.ts";
import { lifecycle } from "./lifecycle.ts";
import type { AttachedMedia } from "./media.ts";
import { type CommitBatch, type CommitResult, type RecordReader, type RecordWriter, writerBrand } from "./ports.ts";
import { importCounts } from "./runs.ts";
import { importUndo } from "./undo.ts";
import { watchedWriter } from "./watched.ts";

const finished: readonly string[] = ["done", "cancelled", "failed"];

/** The writer over an open, migrated connection. */
export function recordWriter(
  db: Database,
  media: AttachedMedia,
  reader: RecordReader,
  close: () => void,
): RecordWriter {
  const committer = recordCommitter(db);
  const ledger = ledgerWriter(db);
  const life = lifecycle(db);
  const identity = identityWriter(db);
  const proposals = identityRules(db);
  const undo = importUndo(db, committer);
  const watched = watchedWriter(db);
  const feedback = feedbackWriter(db);
  const audit = auditLog(db);
  const counts = importCounts(db);

  const addRoots = db.command("INSERT OR IGNORE INTO source_root (roots) VALUES (?)");
  const addRun = db.command(
    `INSERT INTO import_run (job_id, root_id, started_at, status, zone)
     SELECT ?, id, ?, 'running', ? FROM source_root WHERE roots = ?`,
  );
  const setStatus = db.command("UPDATE import_run SET status = ?, finished_at = ? WHERE id = ?");
  const runExists = db.query("SELECT id FROM import_run WHERE id = ?", (row) => column.number(row, "id"));
  const holding = db.query(
    `SELECT c.key, count(DISTINCT r.id) AS messages FROM record r JOIN container c ON c.id = r.container_id
     WHERE substr(r.identity, -33) IN (SELECT value FROM json_each(?)) AND r.kind = 'message' AND r.native_id IS NULL
     GROUP BY c.id ORDER BY messages DESC, c.id LIMIT 1`,
    (row) => ({ key: column.text(row, "key"), messages: column.number(row, "messages") }),
  );
  db.exec("UPDATE import_run SET status = 'interrupted' WHERE status = 'running'");

  /** One transaction; after a rollback nothing that was remembered outside of it is believed. */
  function write<T>(work: () => T): T {
    try {
      return db.transaction(work);
    } catch (error) {
      committer.forget();
      throw error;
    }
  }

  function requireImport(id: number): void {
    if (runExists.get(id) === undefined) {
      throw new UnderstoryError("import_not_found", `There is no import ${id}.`, { details: { importId: id } });
    }
  }

  function commitItems(batch: CommitBatch): CommitResult {
    const { importId, importer, claim, items, checked = false } = batch;
    const at = Date.now();
    const claimed = noOutcomes();
    const files = new Map<string, FileCounts>();
    const ended: string[] = [];
    const changed = new Set<RecordId>();
    const countsOf = (path: string) => {
      const known = files.get(path);
      if (known) return known;
      const fresh = noCounts();
      files.set(path, fresh);
      return fresh;
    };
    for (const item of items) {
      if (item.type !== "record") continue;
      const { record } = item;
      const { outcome, id, gained, renewed } = committer.put(record, importer, importId, at, checked);
      if (renewed && id !== null) media.drop([id]);
      if (outcome === "invalid") {
        countsOf(record.files[0]?.path ?? claim).skipped += 1;
        continue;
      }
      claimed[outcome] += 1;
      if (id !== null && (outcome === "imported" || outcome === "updated")) changed.add(id);
      for (const path of new Set(record.files.map((file) => file.path))) {
        const counts = countsOf(path);
        counts[outcome] += 1;
        if (outcome === "updated") counts.gained = addGains(counts.gained, gained);
      }
      for (const path of new Set(record.files.filter((file) => file.role === null).map((file) => file.path))) {
        countsOf(path).records += 1;
      }
    }
    for (const [path, more] of files) ledger.count(importId, importer, claim, path, more);
    for (const item of items) {
      if (item.type !== "file") continue;
      ledger.end(importId, importer, claim, item);
      ended.push(item.path);
    }
    ledger.advanceClaim(importId, claim, batch.cursor, batch.done, claimed);
    ledger.refine(importId, claim, batch.done ? "all" : ended);
    const { imported, updated, duplicate } = claimed;
    return { imported, updated, duplicate, recordIds: [...changed] };
  }

  return {
    [writerBrand]: true,
    beginImport: ({ jobId, roots, files, zone }) =>
      write(() => {
        const saved = JSON.stringify(roots);
        addRoots.run(saved);
        const importId = addRun.run(jobId, Date.now(), zone ?? null, saved).lastId;
        for (const { path, bytes } of files) ledger.plan(importId, path, bytes);
        audit.append("import.begin", { importId, files: files.length });
        return importId;
      }),
    planFiles: (importId, files) =>
      write(() => {
        requireImport(importId);
        for (const { path, bytes } of files) ledger.plan(importId, path, bytes);
      }),
    markMissing: (importId, present, at) => write(() => watched.markMissing(importId, present, at)),
    watchImport: ({ importId, on }) =>
      write(() => {
        requireImport(importId);
        watched.watch(importId, on);
        audit.append("import.watch", { importId, on: String(on) });
      }),
    ledgerSkip: (importId, rows) =>
      write(() => {
        requireImport(importId);
        for (const { path, bytes, reason } of rows) ledger.skip(importId, path, bytes, reason);
      }),
    commit: (batch) =>
      write(() => {
        requireImport(batch.importId);
        return commitItems(batch);
      }),
    checkpoint: (importId, claim) => ledger.checkpoint(importId, claim),
    containerHolding(fingerprints) {
      const [best] = holding.all(JSON.stringify(fingerprints));
      // One message may stand in two chats: a greeting goes to several people in the same minute.
      return best && best.messages >= Math.max(2, fingerprints.length / 10) ? best.key : null;
    },
    setImportStatus: (importId, status) =>
      write(() => {
        requireImport(importId);
        const ends = finished.includes(status);
        setStatus.run(status, ends ? Date.now() : null, importId);
        if (ends) audit.append("import.finish", { importId, status, ...counts(importId) });
      }),
    undoImport: ({ importId, after, limit }) =>
      write(() => {
        requireImport(importId);
        const at = Date.now();
        const step = undo.step(importId, after, limit, at);
        if (step.next === null) {
          setStatus.run("undone", at, importId);
          audit.append("import.undo", { importId, trashed: undo.trashed(importId) });
        }
        return step;
      }),
    trash: (ids) =>
      write(() => {
        const changed = life.trash(ids, Date.now());
        if (changed.length > 0) audit.append("record.trash", about(changed));
      }),
    restore: (ids) =>
      write(() => {
        const changed = life.restore(ids);
        if (changed.length > 0) audit.append("record.restore", about(changed));
      }),
    erase(ids) {
      const going = life.erasable(ids);
      media.drop(going);
      write(() => {
        life.erase(ids);
        identity.refresh();
        audit.append("record.erase", about(going));
      });
      committer.forget();
      // Old pages still stand in the write-ahead log until it is cut; a busy reader only delays that to the next one.
      db.truncateLog();
    },
    edit: (input) =>
      write(() => {
        const version = life.edit(input, Date.now());
        if (version !== null) audit.append("record.edit", { recordId: input.id, version });
      }),
    joinPeople: () => write(() => identity.propose(proposals(), Date.now())),
    joinPerson: ({ a, b }) =>
      write(() => {
        identity.join(a, b, Date.now());
        audit.append("person.join", { a, b });
      }),
    keepPersonApart: ({ a, b }) =>
      write(() => {
        identity.apart(a, b, Date.now());
        audit.append("person.apart", { a, b });
      }),
    separatePerson: (joinId) =>
      write(() => {
        identity.separate(joinId, Date.now());
        audit.append("person.separate", { joinId });
      }),
    setOwner: ({ personId, owner }) =>
      write(() => {
        identity.setOwner(personId, owner, Date.now());
        identity.propose(proposals(), Date.now());
        committer.forget();
        audit.append("person.owner", { personId, owner: String(owner) });
      }),
    giveFeedback: (given) =>
      write(() => {
        const id = feedback.give(given, new Date().toISOString());
        audit.append("feedback.give", { feedbackId: id, verdict: given.verdict, records: given.records.length });
        return id;
      }),
    takeBackFeedback: (id) =>
      write(() => {
        if (!feedback.takeBack(id)) {
          throw new UnderstoryError("not_found", "That was taken back already, or its records are gone.", {
            hint: "Nothing has changed.",
          });
        }
        audit.append("feedback.take-back", { feedbackId: id });
      }),
    audit: (action, details) => write(() => audit.append(action, details)),
    verifyAudit: () => audit.verify(),
    reader: () => reader,
    close,
  };
}

/** Row ids and their number: the audit log holds nothing else of a record. */
function about(ids: readonly RecordId[]): { records: number; ids: string } {
  return { records: ids.length, ids: ids.join(",") };
}
