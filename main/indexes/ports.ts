import type { FailedView, RecordId, RecordKind, RelationType } from "#contract";

/** What the rebuildable side lets others see. index.db may be deleted at any time and is made again from records.db. */

/** `picture` is the picture itself, in the image–text space; the others are texts. */
export type ViewName = "text" | "subject" | "attachment" | "ocr" | "tags" | "metadata" | "picture";

/**
 * How a record's text is put to an encoder. said: "Author: text [photo: caption]"; context: of a line of a chat the two lines
 * before it, the line, the next one; what stands in no chat is its own context.
 */
export const textForms = ["said", "context"] as const;
export type TextForm = (typeof textForms)[number];

/** A text encoder that reads the archive: its key (`LoadedModel.modelId`) and the forms that it is given. */
export interface Encoder {
  readonly model: string;
  readonly forms: readonly TextForm[];
  /** What it makes of the tokens of the form `said` is kept too, for late interaction. */
  readonly tokens?: boolean;
}

/** The tokens of one piece as signs of their states, one bit a dimension, `width` bytes a token. */
export interface TokenSigns {
  readonly signs: Uint8Array;
  readonly width: number;
}

/** One embedded piece of one view of a record: [start, end) offsets in the view's text. */
export interface Chunk {
  readonly id: number;
  readonly recordId: RecordId;
  readonly view: ViewName;
  readonly start: number;
  readonly end: number;
  /** Every form that reads like this; none for pictures. */
  readonly forms: readonly TextForm[];
}

export interface TextHit {
  readonly recordId: RecordId;
  /** BM25, positive, higher is better. */
  readonly score: number;
}

export interface FragmentHit extends TextHit {
  /** What was found, letters and digits alone: for `fragmentPassage`. */
  readonly fragment: string;
}

export interface VectorHit extends Chunk {
  /** Cosine, −1 to 1. */
  readonly similarity: number;
}

export interface SchemaEdge {
  readonly from: RecordId;
  readonly to: RecordId;
  readonly relation: RelationType;
  /** w_schema ≤ 0.99 (GraphMemix §1.5). */
  readonly weight: number;
}

/** A word of the archive, by its stem, that means something like a question's word. */
export interface WordNeighbour {
  readonly stem: string;
  /** Cosine of the nearest word with this stem. */
  readonly similarity: number;
  /** About how many records have it. */
  readonly records: number;
}

/** What the ranker needs of a record besides its text; a function of that record alone. */
export interface IndexedItem {
  readonly recordId: RecordId;
  readonly kind: RecordKind;
  /**
   * Key of its session: a chat's day (which ends at 04:00, not at midnight) or a mail thread; null for records that are
   * not said in a row. Opaque.
   */
  readonly session: string | null;
  /** Local day, or null. */
  readonly day: string | null;
  /** Wall clock in ms, for order only; null without a time. */
  readonly moment: number | null;
  readonly hasQuestion: boolean;
  /** 0, 1 or 2: temporal expressions in the text. */
  readonly temporal: number;
  /** The text, captions left out, ends with a question. */
  readonly endsWithQuestion: boolean;
  /** Capitalised words inside sentences that name nobody who takes part (at most 3), and 1 when something is quoted: 0–4. */
  readonly names: number;
  /** Length of the text, captions left out. */
  readonly words: number;
  /** It is a picture or a video, or one was sent with it. */
  readonly pictured: boolean;
}

/** A session as numbers, in the order of its members. */
export interface SessionMembers {
  readonly records: Int32Array;
  /** Length of each one's text (`IndexedItem.words`). */
  readonly words: Int32Array;
  /** 1 where it has a question, else 0. */
  readonly asking: Uint8Array;
}

/** Numbers of a record's stems: the first `count` of `numbers`, which hold until the next record is visited. */
export type StemVisitor = (recordId: RecordId, numbers: Int32Array, count: number) => void;

/** Stems by the numbers of `visitStems`, which stand for the same stem while the reader is open. */
export interface Stems {
  /** Numbers are below it. More are given as records are visited that were not before. */
  readonly count: number;
  text(number: number): string;
  /** The number of a stem that has been met. */
  find(stem: string): number | undefined;
  /** Those that begin with the stem's first letter and are `least` to `most` letters long (UTF-16 units). */
  beginningLike(stem: string, least: number, most: number): Iterable<number>;
  /**
   * Those that may be one letter off: of the same first letter, at most one letter longer or shorter, and with the same letters
   * but two.
   */
  nearly(stem: string): number[];
}

/** Read-only view of index.db; knows only live records. Synchronous: it lives in a worker. */
export interface IndexReader {
  /**
   * `match` is an FTS5 expression made by `indexes/text`; never raw text of a person. `latest`: of more matches than this only
   * those of the records stored last are scored.
   */
  searchText(match: string, limit: number, options?: { latest?: number }): TextHit[];
  /**
   * FTS5 expression that matches records with any of these terms. `prefixLast`: the last one may go on; `prefixes`: further
   * beginnings of words. Null when no term has a letter or digit.
   */
  expression(
    terms: readonly string[],
    options?: { all?: boolean; prefixLast?: boolean; prefixes?: readonly string[] },
  ): string | null;
  /** Records that match, ascending, at most `limit`: the postings of a term. */
  matching(match: string, limit: number): RecordId[];
  /** How many records match, counted up to `limit`. */
  countText(match: string, limit: number): number;
  items(recordIds: readonly RecordId[]): ReadonlyMap<RecordId, IndexedItem>;
  /** Those of the records that the index has, in their order. */
  present(recordIds: readonly RecordId[]): RecordId[];
  /**
   * Stems of author, subject, text, what pictures show and say, the beginning of attachments, labels and day words
   * ("14", "juli", "2024"), each once, by number; stop words left out. Records whose deeper facts wait are not visited.
   */
  visitStems(recordIds: readonly RecordId[], visitor: StemVisitor): void;
  readonly stems: Stems;
  /** The session that each record stands in, its first `limit` members; records of one session are given the same one. */
  sessionsOf(recordIds: readonly RecordId[], limit: number): ReadonlyMap<RecordId, SessionMembers>;
  /** Best passages of a record for the terms of an FTS5 expression. */
  passage(match: string, recordId: RecordId): { passage: string; marks: [number, number][] };
  /**
   * Records with a number, plate, code, address, file name or line of a picture that contains the text, blanks and hyphens
   * aside ("AB 123" in "M-AB 1234"); where there is none, with what in the text has a digit. `score`: part of the
   * identifier that was asked for, 0–1; newest first among equals.
   */
  searchFragments(text: string, limit: number): FragmentHit[];
  fragmentPassage(fragment: string, recordId: RecordId): { passage: string; marks: [number, number][] };
  /**
   * Nearest chunks, at most one a record; empty when no vectors are there. `vector` is of `model` (the serving text model),
   * unit length. An encoder is searched in the form `said`, or the first one that it has.
   */
  searchVectors(vector: Float32Array, limit: number, options?: { model?: string }): VectorHit[];
  /** Nearest pictures; `vector` is of the serving image–text model. */
  searchPictures(vector: Float32Array, limit: number): VectorHit[];
  /** Labels on pictures that mean something like `vector` (serving text model), cosine at least `least`, nearest first. */
  labelsLike(vector: Float32Array, least: number): { label: string; similarity: number }[];
  /**
   * Pictures with any of these labels, surest first: `score` is how sure the model was of all of them together, `label` the
   * one it was surest of.
   */
  tagged(labels: readonly string[], limit: number): { recordId: RecordId; label: string; score: number }[];
  /**
   * Text vectors of a model (the serving one) in some forms (`said`), by record and chunk. Those of a picture's labels are
   * among the form `said` of the serving model (view `tags`, chunk id 0).
   */
  vectorsOf(
    recordIds: readonly RecordId[],
    options?: { model?: string; forms?: readonly TextForm[] },
  ): ReadonlyMap<RecordId, readonly { chunk: Chunk; vector: Float32Array }[]>;
  /**
   * Likeness of records to `vector`: the best cosine of a record's pieces in each of the forms, by form in the order of
   * `recordIds`, NaN where it has none; what `vectorsOf` would give, without the vectors.
   */
  cosinesOf(
    vector: Float32Array,
    recordIds: readonly RecordId[],
    options?: { model?: string; forms?: readonly TextForm[] },
  ): ReadonlyMap<TextForm, Float32Array>;
  /** Mean vector of the records' pieces in a form; empty where the model has no vectors. */
  centreOf(recordIds: readonly RecordId[], options: { model: string; form: TextForm }): Float32Array;
  /**
   * Neighbours of a question's words among the archive's words by the vectors of the serving text model, cosine at least
   * `least`, nearest first, at most 12 a word, the word's own stem left out. A word that the archive does not have needs its
   * vector in `vectors` (`hasWord` tells); without one it is left out of the answer.
   */
  wordsLike(
    words: readonly string[],
    least: number,
    vectors?: ReadonlyMap<string, Float32Array>,
  ): ReadonlyMap<string, readonly WordNeighbour[]>;
  /** Whether the archive's word has a vector of the serving text model. */
  hasWord(word: string): boolean;
  /** Tokens of records by an encoder whose tokens are kept (`Encoder.tokens`); a record without any is left out. */
  tokensOf(recordIds: readonly RecordId[], model: string): ReadonlyMap<RecordId, readonly TokenSigns[]>;
  /**
   * Cosines between records' first text vectors (serving model), row by row in the order of `recordIds`; 0 where one of the
   * two has none.
   */
  similarities(recordIds: readonly RecordId[]): Float32Array;
  /** k nearest other records of one record. */
  nearest(recordId: RecordId, k: number): { recordId: RecordId; similarity: number }[];
  /** Schema edges that touch any of these records. */
  edges(recordIds: readonly RecordId[]): SchemaEdge[];
  /** Takes a little more of what questions need into memory, for while nobody waits. True when all of it is there. */
  warm(): boolean;
  status(): IndexStatus;
  /** Runs reading `work` over one state of the index: what is committed meanwhile is not seen. */
  still<T>(work: () => T): T;
  close(): void;
}

export interface IndexStatus {
  /** Change-log step up to which full text and edges are done. */
  readonly textSeq: number;
  readonly text: { done: number; pending: number; failed: number };
  /** Progress of all text encoders at work; `model` is the main one. */
  readonly vectors: { done: number; pending: number; failed: number; model: string | null };
  /** Models whose vectors answer just now; an older one while the newest is at work. */
  readonly serving: {
    text: string | null;
    picture: string | null;
    /**
     * Text encoders whose vectors answer. First the one of `text`, which goes on while new records wait for it; then further
     * ones, each only while nothing waits for it.
     */
    encoders: readonly Encoder[];
  };
}

/** What an encoder makes of a piece. `tokens`: states of its content tokens, rows as long as the vector; for encoders whose tokens are kept. */
export interface EmbeddingRow {
  readonly chunkId: number;
  readonly vector: Float32Array;
  readonly tokens?: Float32Array;
}

/** The single writer of index.db; follows the change log by cursor. */
export interface IndexWriter {
  /**
   * Applies up to `limit` changes to full text; when none is left, works out chunks and what edges are made of for up to
   * `limit` records. Returns how many are left of either. `textOnly`: leaves the second for later, as while an import runs.
   */
  advance(limit: number, options?: { textOnly?: boolean }): number;
  /**
   * The text encoders that are to read the archive, the main one first. Their forms are made, what they lack waits for them,
   * and what no one asks for any more goes; an older main one answers until the new one is through.
   */
  setEncoders(encoders: readonly Encoder[]): void;
  /**
   * Chunks that the model has not embedded yet, newest records first. When none is left and it is the main one it serves,
   * and older ones go. A model that `setEncoders` did not name becomes the only one, in the forms said and bare.
   */
  pendingEmbeddings(modelId: string, limit: number): { chunkId: number; text: string }[];
  /** Full text, chunks and edges behind the change log, and how many chunks wait for `modelId`. */
  status(modelId: string | null): IndexStatus;
  putEmbeddings(modelId: string, rows: readonly EmbeddingRow[]): void;
  failEmbedding(modelId: string, chunkId: number, reason: string): void;
  /** Labels that the model has not embedded yet. */
  pendingLabels(modelId: string, limit: number): string[];
  putLabels(modelId: string, rows: readonly { label: string; vector: Float32Array }[]): void;
  /** Words of the archive that the model has not embedded yet, the most frequent first; a bounded number of them in all. */
  pendingWords(modelId: string, limit: number): string[];
  putWords(modelId: string, rows: readonly { word: string; vector: Float32Array }[]): void;
  /** From now on the picture vectors of this model answer; those of others go. */
  servePictures(modelId: string): void;
  failedEmbeddings(offset: number, limit: number): { rows: FailedView[]; total: number };
  /** Makes given-up chunks pending again; gives how many. */
  retryEmbeddings(): number;
  /** Forgets everything; the next `advance` begins at the first change. */
  rebuild(): void;
  close(): void;
}

/** A text as an encoder reads it: its vector, and of each token the whole word and the state, rows as long as the vector. */
export interface TokenReading {
  readonly vector: Float32Array;
  readonly words: readonly string[];
  readonly states: Float32Array;
}

/** Turns a person's words into unit vectors of the models that serve. */
export interface Embedder {
  /** `model` is the one whose vectors are searched (`IndexStatus.serving.text`). */
  question(text: string, model: string, signal?: AbortSignal): Promise<Float32Array | null>;
  /** A word or phrase as the archive's own are put to the model: some want a prefix before what is asked. Absent: `question`. */
  phrase?(text: string, model: string, signal?: AbortSignal): Promise<Float32Array | null>;
  /** As `question`, with the tokens from the same pass, for models whose tokens are kept; absent: no tokens are compared. */
  reading?(text: string, model: string, signal?: AbortSignal): Promise<TokenReading | null>;
  /** In the image–text space of `model` (`IndexStatus.serving.picture`). */
  picture(text: string, model: string, signal?: AbortSignal): Promise<Float32Array | null>;
}
