import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UnderstoryError } from "#contract";
import { oneAtATime } from "../workers/turn.ts";
import type { Reservation } from "./ports.ts";

/** Something that takes memory and may be asked to give it back. */
export interface Holder {
  /** For a person, as in "MiniLM". */
  readonly name: string;
  readonly bytes: number;
  /** Order of last use; the smallest goes first. */
  readonly lastUsed: number;
  /** Whether it may be closed now for a caller of this priority. */
  mayClose(forQuestion: boolean): boolean;
  close(): Promise<void>;
}

/** Growth of the process by model in its last runs, bytes; kept beside the models. */
const measuredSchema = z.object({
  version: z.literal(1),
  models: z.record(z.string(), z.array(z.number().positive())),
});

/** Runs of a model whose growth is remembered; the largest counts. */
const remembered = 3;
/** Steps after opening in which a model's growth is watched: by then its work space has its size. */
const watchedSteps = 8;
/** Growth below this is noise of the process. */
const noise = 1_000_000;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;

/** Resident memory of the whole process, all threads. */
const resident = (): number => process.memoryUsage.rss();

/**
 * What open models take together, held under a ceiling. Models are opened one at a time, so that the growth of the process
 * is the growth of the one that opens; a ceiling by guessed sizes would let in too many or too few.
 */
export class ModelMemory {
  readonly #folder: string;
  readonly #ceiling: () => number;
  readonly #holders = new Set<Holder>();
  #measured: Record<string, number[]> = {};
  readonly #ready: Promise<void>;
  readonly #inTurn = oneAtATime();
  #saving: Promise<void> = Promise.resolve();
  /** Steps under way in all lanes, and how many have begun: growth is only credited to a step that ran alone. */
  #active = 0;
  #begun = 0;

  /** `ceiling` gives bytes. */
  constructor(options: { folder: string; ceiling: () => number }) {
    this.#folder = options.folder;
    this.#ceiling = options.ceiling;
    this.#ready = this.#read();
  }

  /** Bytes that open models and reservations take. */
  get used(): number {
    let sum = 0;
    for (const { bytes } of this.#holders) sum += bytes;
    return sum;
  }

  /** Largest measured growth of a model in its last runs, bytes; 0 when it was never opened here. */
  measured(key: string): number {
    return Math.max(0, ...(this.#measured[key] ?? []));
  }

  /**
   * Opens a model when it fits. `expected`: bytes by the catalogue. Gives what `open` gives and the measured growth.
   * Throws `memory_short`, or what `open` throws.
   */
  async open<T>(
    model: { key: string; expected: number; holder: Holder; forQuestion: boolean },
    open: () => Promise<T>,
  ): Promise<T> {
    await this.#ready;
    return this.#inTurn(async () => {
      const need = Math.max(model.expected, this.measured(model.key));
      await this.#makeRoom(need, model.holder.name, model.forQuestion);
      this.#begun += 1;
      const before = resident();
      const opened = await open();
      this.#holders.add(model.holder);
      const growth = Math.max(1, resident() - before);
      this.#measured[model.key] = [growth, ...(this.#measured[model.key] ?? [])].slice(0, remembered);
      this.#save();
      return opened;
    });
  }

  /** The model is closed. */
  leave(holder: Holder): void {
    this.#holders.delete(holder);
  }

  /** Runs one step of a model and watches whether the process grew by it. `steps`: how many it has done since it was opened. */
  async watch<T>(key: string, steps: number, run: () => Promise<T>): Promise<T> {
    const alone = this.#active === 0 && steps < watchedSteps;
    const number = ++this.#begun;
    const before = alone ? resident() : 0;
    this.#active += 1;
    try {
      return await run();
    } finally {
      this.#active -= 1;
      const growth = alone && number === this.#begun ? resident() - before : 0;
      const [latest, ...earlier] = this.#measured[key] ?? [];
      if (growth > noise && latest !== undefined) {
        this.#measured[key] = [latest + growth, ...earlier];
        this.#save();
      }
    }
  }

  /** Memory for something that is opened elsewhere. Idle models make room. Throws `memory_short`. */
  reserve(bytes: number, who: string, giveBack?: () => Promise<boolean>): Promise<Reservation> {
    return this.#inTurn(async () => {
      await this.#makeRoom(bytes, who, true);
      const holder = {
        name: who,
        bytes,
        lastUsed: Number.MAX_SAFE_INTEGER,
        mayClose: () => giveBack !== undefined,
        close: async () => {
          if (await giveBack?.()) this.#holders.delete(holder);
        },
      };
      this.#holders.add(holder);
      return { release: () => void this.#holders.delete(holder) };
    });
  }

  /** Waits until what was measured is on the disk. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  async #makeRoom(need: number, who: string, forQuestion: boolean): Promise<void> {
    const ceiling = this.#ceiling();
    const idle = [...this.#holders].sort((a, b) => a.lastUsed - b.lastUsed);
    for (const holder of need > ceiling ? [] : idle) {
      if (this.used + need <= ceiling) return;
      if (holder.mayClose(forQuestion)) await holder.close();
    }
    if (this.used + need <= ceiling) return;
    const open = [...this.#holders].map(({ name, bytes }) => `${name} ${megabytes(bytes)}`).join(", ");
    throw new UnderstoryError(
      "memory_short",
      `${who} needs about ${megabytes(need)} of memory, and open models may take ${megabytes(ceiling)} together; ` +
        `now open: ${open || "none"}.`,
      {
        hint: "Raise the memory ceiling or choose a smaller model in the settings. Search by words works without it.",
        details: { needBytes: need, ceilingBytes: ceiling, usedBytes: this.used },
      },
    );
  }

  async #read(): Promise<void> {
    const text = await readFile(join(this.#folder, "measured.json"), "utf8").catch(() => "null");
    try {
      this.#measured = measuredSchema.parse(JSON.parse(text)).models;
    } catch {
      // None yet, or not ours to read: the catalogue's sizes do until models have been opened here.
    }
  }

  /** Whole and renamed. A folder that cannot be written costs only the memory of it. */
  #save(): void {
    this.#saving = this.#saving.then(async () => {
      const path = join(this.#folder, "measured.json");
      try {
        await mkdir(this.#folder, { recursive: true });
        await writeFile(`${path}.new`, `${JSON.stringify({ version: 1, models: this.#measured }, null, 2)}\n`);
        await rename(`${path}.new`, path);
      } catch {}
    });
  }
}
