/**
 * Schema of records.db and media.db, one string a version: string i leads from `user_version` i to i + 1.
 * A string that has shipped is never changed; what comes later is a new string.
 *
 * Large columns stand last in `record`, so that lists never walk the overflow pages of a long text.
 */

/** `sort_at` of a record without a time: JavaScript's earliest date. */
export const noTime = -8_640_000_000_000_000;

const records1 = `
CREATE TABLE person (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  owner INTEGER NOT NULL
) STRICT;

-- Joined by equal normalised address only. A name without an address has a key of its own for each source.
CREATE TABLE person_address (
  key TEXT PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  address TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX person_address_person ON person_address (person_id);

CREATE TABLE container (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  title TEXT
) STRICT;

CREATE TABLE record (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identity TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  native_id TEXT,
  content_hash BLOB NOT NULL,
  sort_at INTEGER NOT NULL,
  local_day TEXT,
  author_id INTEGER,
  container_id INTEGER REFERENCES container (id),
  thread TEXT,
  sequence INTEGER,
  reply_to TEXT,
  part_of TEXT,
  part_role TEXT,
  is_part INTEGER NOT NULL,
  version INTEGER NOT NULL,
  version_at INTEGER NOT NULL,
  version_by TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  trashed_at INTEGER,
  lat REAL,
  lon REAL,
  width INTEGER,
  height INTEGER,
  attachments INTEGER NOT NULL,
  time TEXT,
  end_time TEXT,
  place TEXT,
  -- Subject and text as the source gave them, while a person's edit stands over them.
  edit_base TEXT,
  subject TEXT,
  parties TEXT NOT NULL,
  props TEXT NOT NULL,
  text TEXT
) STRICT;
-- trashed_at is always null in the first two, but only an index that has all columns a query names is read alone.
CREATE INDEX record_timeline ON record (local_day DESC, sort_at, container_id, sequence, kind, is_part, trashed_at) WHERE trashed_at IS NULL;
CREATE INDEX record_kind ON record (kind, local_day DESC, sort_at, container_id, sequence, is_part, trashed_at) WHERE trashed_at IS NULL;
CREATE INDEX record_container ON record (container_id, local_day DESC, sort_at, sequence, kind, is_part, trashed_at) WHERE container_id IS NOT NULL;
CREATE INDEX record_session ON record (container_id, sequence, sort_at) WHERE container_id IS NOT NULL;
CREATE INDEX record_thread ON record (thread, sort_at) WHERE thread IS NOT NULL;
CREATE INDEX record_reply ON record (reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX record_part ON record (part_of) WHERE part_of IS NOT NULL;
CREATE INDEX record_trash ON record (trashed_at) WHERE trashed_at IS NOT NULL;

CREATE TABLE record_version (
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  subject TEXT,
  -- Time, end, place, parties and props of that version, JSON.
  rest TEXT NOT NULL,
  text TEXT,
  PRIMARY KEY (record_id, version)
) STRICT;

CREATE TABLE record_person (
  person_id INTEGER NOT NULL REFERENCES person (id),
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  -- The first of the person's roles in this record, author before others.
  role TEXT NOT NULL,
  PRIMARY KEY (person_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_person_record ON record_person (record_id, role);

-- The roots of an import as they were given, JSON.
CREATE TABLE source_root (
  id INTEGER PRIMARY KEY,
  roots TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE import_run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id TEXT NOT NULL,
  root_id INTEGER NOT NULL REFERENCES source_root (id),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  status TEXT NOT NULL
) STRICT;

CREATE TABLE source_path (
  id INTEGER PRIMARY KEY,
  root_id INTEGER NOT NULL REFERENCES source_root (id),
  path TEXT NOT NULL,
  UNIQUE (root_id, path)
) STRICT;

-- start is −1 where a location has no offset. content_hash is what this very location said.
CREATE TABLE record_source (
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  path_id INTEGER NOT NULL REFERENCES source_path (id),
  start INTEGER NOT NULL,
  bytes INTEGER,
  role TEXT,
  content_hash BLOB NOT NULL,
  import_id INTEGER NOT NULL REFERENCES import_run (id),
  PRIMARY KEY (record_id, path_id, start)
) STRICT, WITHOUT ROWID;

-- status is null until the file is read to its end.
CREATE TABLE ledger (
  import_id INTEGER NOT NULL REFERENCES import_run (id),
  path TEXT NOT NULL,
  status TEXT,
  reason TEXT,
  importer TEXT,
  claim TEXT,
  bytes INTEGER NOT NULL,
  records INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  imported INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  duplicate INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (import_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_status ON ledger (import_id, status);

CREATE TABLE claim (
  import_id INTEGER NOT NULL REFERENCES import_run (id),
  claim TEXT NOT NULL,
  cursor TEXT,
  done INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  duplicate INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (import_id, claim)
) STRICT, WITHOUT ROWID;

CREATE TABLE change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  op TEXT NOT NULL
) STRICT;

-- What was erased for good, by SHA-256 of its identity and nothing else.
CREATE TABLE tombstone (identity_hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  action TEXT NOT NULL,
  details TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;

CREATE TABLE job (
  id TEXT PRIMARY KEY,
  job TEXT NOT NULL,
  payload TEXT NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

const records2 = `
-- Which part of what stands at this place is the record: the number of a MIME part.
ALTER TABLE record_source ADD COLUMN part TEXT;

-- Messages without ids of their own are known by the hash at their identity's end, whatever their chat is called.
CREATE INDEX record_fingerprint ON record (substr(identity, -33)) WHERE kind = 'message' AND native_id IS NULL;
`;

const records3 = `
-- Decisions about who is who, appended and never changed; the last one about a pair stands. a <= b; a = b for a step
-- about one person. evidence holds no content.
CREATE TABLE person_step (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  a INTEGER NOT NULL,
  b INTEGER NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('join', 'separate', 'owner', 'not-owner')),
  by TEXT NOT NULL CHECK (by IN ('rule', 'person')),
  rule TEXT NOT NULL,
  evidence TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX person_step_pair ON person_step (a, b, seq);

-- Worked out from the steps: the smallest id of those who are one person, and their best name. Null: nobody is joined.
ALTER TABLE person ADD COLUMN root_id INTEGER;
ALTER TABLE person ADD COLUMN root_name TEXT;
CREATE INDEX person_root ON person (root_id) WHERE root_id IS NOT NULL;
CREATE TRIGGER person_gone AFTER DELETE ON person BEGIN
  DELETE FROM person_step WHERE a = old.id OR b = old.id;
END;
`;

const records4 = `
-- Other parents of a part than the one in part_of: one file that was sent with two mails.
CREATE TABLE record_parent (
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  identity TEXT NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (record_id, identity)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_parent_identity ON record_parent (identity);

-- What each source said, deflated JSON, for records about which sources differ; without rows here the record is what they all say.
CREATE TABLE statement (
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  content_hash BLOB NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (record_id, content_hash)
) STRICT, WITHOUT ROWID;

-- Imports that came by a place in record_source which an earlier import had brought.
CREATE TABLE sighting (
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  path_id INTEGER NOT NULL REFERENCES source_path (id),
  start INTEGER NOT NULL,
  import_id INTEGER NOT NULL REFERENCES import_run (id),
  PRIMARY KEY (record_id, path_id, start, import_id)
) STRICT, WITHOUT ROWID;

-- Records that lie in the trash because their import was undone: importing them again brings them back.
CREATE TABLE undone (
  record_id INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  import_id INTEGER NOT NULL REFERENCES import_run (id)
) STRICT;

-- What records that were known already got from this file: a count for each field, JSON.
ALTER TABLE ledger ADD COLUMN gained TEXT;
`;

const records5 = `
-- A folder that is read again whenever something in it changes; zone: what its clocks without one are read in.
ALTER TABLE import_run ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE import_run ADD COLUMN zone TEXT;
-- Since when a watched file is not there any more, ms; what was read from it is kept.
ALTER TABLE source_path ADD COLUMN missing_since INTEGER;
`;

const records6 = `
-- What the owner said of an answer or of a piece of its evidence. plan: JSON, the question stands in it.
CREATE TABLE feedback (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  plan TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('helpful', 'wrong', 'outdated')),
  -- Said of the answer, not of one record.
  whole INTEGER NOT NULL
) STRICT;
CREATE TABLE feedback_record (
  feedback_id INTEGER NOT NULL REFERENCES feedback (id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  PRIMARY KEY (feedback_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_record_record ON feedback_record (record_id);
-- What was said of records that are all erased is erased with them.
CREATE TRIGGER feedback_gone AFTER DELETE ON feedback_record
WHEN NOT EXISTS (SELECT 1 FROM feedback_record WHERE feedback_id = old.feedback_id) BEGIN
  DELETE FROM feedback WHERE id = old.feedback_id;
END;
`;

const media1 = `
CREATE TABLE thumbnail (
  record_id INTEGER PRIMARY KEY,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'retry')),
  attempts INTEGER NOT NULL,
  reason TEXT,
  mime TEXT,
  width INTEGER,
  height INTEGER,
  bytes BLOB
) STRICT;
CREATE INDEX thumbnail_status ON thumbnail (status, record_id);
`;

const media2 = `
-- What models found in pictures, one row a record, purpose and model. seq: the step of the change log that told of it.
-- status 'retry': failed, and to be tried again.
CREATE TABLE perception (
  record_id INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  -- What was looked at: a picture of other bytes has to be looked at anew.
  original TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'retry')),
  attempts INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  reason TEXT,
  value TEXT,
  -- 16-bit floats.
  vector BLOB,
  PRIMARY KEY (record_id, purpose, model)
) STRICT;
CREATE INDEX perception_status ON perception (purpose, model, status, record_id);
CREATE INDEX perception_seq ON perception (seq);
`;

const media3 = `
-- What each thumbnail looks like, for finding copies of one shot. Two of 64 bits that differ in at most 6 are equal in one
-- of 7 bands at least, and each band has an index.
CREATE TABLE picture_hash (
  record_id INTEGER PRIMARY KEY,
  -- 64 bits, signed. Null: the picture says nothing about likeness.
  hash INTEGER,
  -- Width by height.
  aspect REAL NOT NULL
) STRICT;
CREATE INDEX picture_hash_0 ON picture_hash (hash >> 0 & 511);
CREATE INDEX picture_hash_1 ON picture_hash (hash >> 9 & 511);
CREATE INDEX picture_hash_2 ON picture_hash (hash >> 18 & 511);
CREATE INDEX picture_hash_3 ON picture_hash (hash >> 27 & 511);
CREATE INDEX picture_hash_4 ON picture_hash (hash >> 36 & 511);
CREATE INDEX picture_hash_5 ON picture_hash (hash >> 45 & 511);
CREATE INDEX picture_hash_6 ON picture_hash (hash >> 54 & 1023);
`;

export const recordsMigrations: readonly string[] = [records1, records2, records3, records4, records5, records6];
export const mediaMigrations: readonly string[] = [media1, media2, media3];
