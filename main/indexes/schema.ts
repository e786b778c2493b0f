import { leastForms, maskOf } from "./forms.ts";

/**
 * index.db: what is derived from many records. Every row is a function of one record, but contexts (of neighbours in a
 * session) and counts of words, which are kept exact; so the order in which changes arrive cannot matter; what ties records together (edges) is worked out from these rows when it is asked for.
 * Another version, a damaged file or none: made anew from records.db.
 */
export const schemaVersion = 16;

export const schema = `
-- forms: those that pieces are made in.
CREATE TABLE cursor (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, failed INTEGER NOT NULL, forms INTEGER NOT NULL);
INSERT INTO cursor VALUES (1, 0, 0, ${maskOf(leastForms)});

-- Beginnings of words are found in the terms as they are: an index of them was a seventh of the file and of the work of
-- making it, and answered no sooner (three letters over 100,000 records).
CREATE VIRTUAL TABLE text USING fts5(
  subject, body, people, extra, grams,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO text(text, rank) VALUES ('secure-delete', 1);
-- Terms of one transaction are gathered in memory and written as one segment: fewer to merge. Bytes.
INSERT INTO text(text, rank) VALUES ('hashsize', 16777216);

-- Identifiers and lines of pictures, letters and digits alone; rowid: the record.
CREATE VIRTUAL TABLE fragment USING fts5(tokens, tokenize = 'trigram');
INSERT INTO fragment(fragment, rank) VALUES ('secure-delete', 1);
INSERT INTO fragment(fragment, rank) VALUES ('hashsize', 16777216);

CREATE TABLE item (
  record_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  identity TEXT NOT NULL,
  reply_identity TEXT,
  part_of TEXT,
  session TEXT,
  thread TEXT,
  sequence REAL,
  moment INTEGER,
  day TEXT,
  author TEXT,
  lat REAL,
  lon REAL,
  place TEXT,
  subject TEXT,
  ground TEXT NOT NULL DEFAULT '',
  has_question INTEGER NOT NULL,
  temporal INTEGER NOT NULL DEFAULT 0,
  ends_question INTEGER NOT NULL DEFAULT 0,
  names INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0,
  pictured INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX item_session ON item(session, sequence, moment, identity) WHERE session IS NOT NULL;
-- What the ranker reads of a record, beside the row: forty of them a page instead of six.
CREATE INDEX item_brief ON item(record_id, kind, session, day, moment, has_question, temporal, ends_question, names, words, pictured);
CREATE INDEX item_thread ON item(thread, moment) WHERE thread IS NOT NULL;
CREATE INDEX item_identity ON item(identity);
CREATE INDEX item_reply ON item(reply_identity) WHERE reply_identity IS NOT NULL;
CREATE INDEX item_part ON item(part_of) WHERE part_of IS NOT NULL;
CREATE INDEX item_day ON item(day, kind) WHERE day IS NOT NULL;
CREATE INDEX item_moment ON item(kind, moment) WHERE moment IS NOT NULL;
CREATE INDEX item_subject ON item(subject, moment) WHERE subject IS NOT NULL;
CREATE INDEX item_place ON item(place, moment) WHERE place IS NOT NULL;

-- Records that full text has and whose deeper facts (ground, temporal, references, mentions, chunks) are yet to be worked out.
CREATE TABLE shallow (record_id INTEGER PRIMARY KEY);

-- Stems of a record, blank-separated: what the ranker compares without reading the record.
CREATE TABLE terms (record_id INTEGER PRIMARY KEY, stems TEXT NOT NULL);

-- Order, booking and ticket numbers.
CREATE TABLE reference (code TEXT NOT NULL, record_id INTEGER NOT NULL, PRIMARY KEY (code, record_id)) WITHOUT ROWID;
CREATE INDEX reference_record ON reference(record_id);

-- Days that a record's text names.
CREATE TABLE mention (day TEXT NOT NULL, record_id INTEGER NOT NULL, PRIMARY KEY (day, record_id)) WITHOUT ROWID;
CREATE INDEX mention_record ON mention(record_id);

-- forms: bits of \`formBit\`; 0 for pictures. Every piece is a function of its record but those in the form context, which
-- \`heard\` knows the sources of.
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  view TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  input TEXT NOT NULL,
  forms INTEGER NOT NULL
);
CREATE INDEX chunk_record ON chunk(record_id, id);

-- \`by\` has words of the record in its context (its own among them): when the record changes or goes, that context goes at once.
CREATE TABLE heard (record_id INTEGER NOT NULL, by INTEGER NOT NULL, PRIMARY KEY (record_id, by)) WITHOUT ROWID;
CREATE INDEX heard_by ON heard(by);
-- Records whose context is to be made (again), and that of the lines around them.
CREATE TABLE stale (record_id INTEGER PRIMARY KEY);

-- Vectors of two models cannot be compared: each model has a space of its own. place: order of the text encoders at work,
-- 0 the main one; null: none works there. serving: one of each kind answers; while a new main encoder works its way through
-- the archive, the old one's vectors stay and serve. tokens: those of its form said are kept. whole: nothing has waited since it came.
CREATE TABLE space (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'picture')),
  model TEXT NOT NULL,
  forms INTEGER NOT NULL DEFAULT 0,
  place INTEGER,
  serving INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  whole INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, model)
);
-- Chunks that an encoder has not embedded; failed: given up, with a reason.
CREATE TABLE work (
  chunk_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  PRIMARY KEY (chunk_id, space_id)
) WITHOUT ROWID;
CREATE INDEX work_next ON work(space_id, failed, attempts, record_id DESC, chunk_id);
CREATE TABLE vector (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chunk_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL,
  codes BLOB NOT NULL,
  UNIQUE (chunk_id, space_id)
);
-- Signs of the states of a piece's content tokens, \`width\` words of 32 bits a token, for encoders whose tokens are kept.
CREATE TABLE token (
  chunk_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  width INTEGER NOT NULL,
  signs BLOB NOT NULL,
  PRIMARY KEY (chunk_id, space_id)
);
CREATE INDEX token_record ON token(record_id, space_id);
CREATE TRIGGER token_gone AFTER DELETE ON vector BEGIN
  DELETE FROM token WHERE chunk_id = old.chunk_id AND space_id = old.space_id;
END;
-- Signs of the vectors in the form that is searched, apart so that loading them reads nothing else.
CREATE TABLE sign (vector_id INTEGER PRIMARY KEY, chunk_id INTEGER NOT NULL, space_id INTEGER NOT NULL, bits BLOB NOT NULL);
CREATE INDEX sign_chunk ON sign(chunk_id);
CREATE INDEX sign_space ON sign(space_id, vector_id);

-- Vectors that went, or whose sign or chunk changed: readers that hold vectors in memory follow it. Ids only; old steps go.
CREATE TABLE touched (seq INTEGER PRIMARY KEY AUTOINCREMENT, vector_id INTEGER NOT NULL);
CREATE TRIGGER vector_gone AFTER DELETE ON vector BEGIN INSERT INTO touched (vector_id) VALUES (old.id); END;
CREATE TRIGGER sign_gone AFTER DELETE ON sign BEGIN INSERT INTO touched (vector_id) VALUES (old.vector_id); END;
CREATE TRIGGER chunk_changed AFTER UPDATE OF forms ON chunk BEGIN
  INSERT INTO touched (vector_id) SELECT id FROM vector WHERE chunk_id = new.id;
END;

-- Records that went, came back, or whose deeper facts came: readers that hold facts in memory follow it, and look behind the
-- last record that they know for what is new. Ids only; old steps go.
CREATE TABLE renewed (seq INTEGER PRIMARY KEY AUTOINCREMENT, record_id INTEGER NOT NULL);
-- Not by triggers: a statement with one opens a savepoint, and at each savepoint full text writes what it has gathered.

-- What is on pictures. A label is embedded once, not once a picture; begin: its place in the view's text, null when the
-- model is too unsure of it for that.
CREATE TABLE tag (
  label TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  begin INTEGER,
  score REAL NOT NULL,
  PRIMARY KEY (label, record_id)
) WITHOUT ROWID;
CREATE INDEX tag_record ON tag(record_id);
CREATE TABLE label (label TEXT NOT NULL, space_id INTEGER NOT NULL, codes BLOB NOT NULL, PRIMARY KEY (label, space_id)) WITHOUT ROWID;

-- The archive's words as they are written, in lower case, with the number of records that have them.
CREATE TABLE word (word TEXT PRIMARY KEY, records INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX word_records ON word(records DESC, word);
CREATE TABLE word_vector (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  word TEXT NOT NULL,
  space_id INTEGER NOT NULL,
  codes BLOB NOT NULL,
  UNIQUE (word, space_id)
);
CREATE INDEX word_vector_space ON word_vector(space_id, id);
PRAGMA user_version = ${schemaVersion};
`;

export const tables = [
  "text",
  "fragment",
  "item",
  "shallow",
  "terms",
  "reference",
  "mention",
  "tag",
  "label",
  "word",
  "word_vector",
  "sign",
  "vector",
  "token",
  "work",
  "heard",
  "stale",
  "chunk",
  "space",
] as const;
