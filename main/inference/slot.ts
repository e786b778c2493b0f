import { type ModelPurpose, UnderstoryError } from "#contract";
import type { CatalogueModel } from "#models/catalogue.ts";
import type { InferenceLimits } from "./limits.ts";
import type { Holder } from "./memory.ts";
import type { LoadedModel, Priority } from "./ports.ts";
import type { ModelKind } from "./thread.ts";

export type LaneName = "text" | "pictures";

/** What each kind of model is for, and in whose thread it lives: a question never waits behind a second of OCR. */
export const kinds: Readonly<Record<ModelKind, { readonly purpose: ModelPurpose; readonly lane: LaneName }>> = {
  text: { purpose: "text-embedding", lane: "text" },
  rerank: { purpose: "reranker", lane: "text" },
  caption: { purpose: "image-text-embedding", lane: "text" },
  ocr: { purpose: "ocr", lane: "pictures" },
  tags: { purpose: "image-tags", lane: "pictures" },
  picture: { purpose: "image-text-embedding", lane: "pictures" },
};

/** Name of an openable part: the two towers of an image–text model are opened each by itself. */
export function slotKey(kind: ModelKind, model: CatalogueModel): string {
  return `${model.id}@${model.version}${kind === "picture" || kind === "caption" ? `#${kind}` : ""}`;
}

let uses = 0;

/** One model as the service keeps account of it, open or not. */
export class Slot implements Holder {
  readonly key: string;
  readonly kind: ModelKind;
  readonly model: CatalogueModel;
  readonly installedAt: string;
  /** What it said of itself when it was opened first. */
  loaded: LoadedModel | null = null;
  inMemory = false;
  /** Why it is out of use until it is installed again or Understory starts again. */
  fault: UnderstoryError | null = null;
  /** The last thing that went wrong; null again when it works. */
  lastFault: string | null = null;
  /** The model is being removed: what has begun ends, nothing new begins. */
  leaving = false;
  items = 0;
  busyMs = 0;
  lastUsed = 0;
  /** Steps since the model was opened. */
  stepsOpen = 0;
  /** The step under way, until it ends. */
  running: Promise<unknown> | null = null;
  readonly calls: Record<Priority, number> = { question: 0, background: 0 };
  #steps = 0;
  #crashes: number[] = [];
  #closing: Promise<void> | null = null;
  #idle: NodeJS.Timeout | undefined;
  #drained: (() => void)[] = [];
  readonly #limits: InferenceLimits;
  readonly #dispose: () => Promise<void>;
  readonly #bytes: () => number;

  constructor(options: {
    kind: ModelKind;
    model: CatalogueModel;
    installedAt: string;
    limits: InferenceLimits;
    /** Frees the model in its thread; never throws. */
    dispose: (slot: Slot) => Promise<void>;
    /** Measured growth. */
    bytes: (slot: Slot) => number;
  }) {
    this.kind = options.kind;
    this.model = options.model;
    this.installedAt = options.installedAt;
    this.key = slotKey(options.kind, options.model);
    this.#limits = options.limits;
    this.#dispose = () => options.dispose(this);
    this.#bytes = () => options.bytes(this);
  }

  get name(): string {
    return this.model.title;
  }

  get purpose(): ModelPurpose {
    return this.model.purpose;
  }

  /** Bytes by the catalogue; a tower has its share of the pair's by the size of its weights. */
  get expected(): number {
    const weights = this.model.files.filter(({ role }) => role === "weights" || role === "caption-weights");
    const role = this.kind === "caption" ? "caption-weights" : "weights";
    const all = weights.reduce((sum, file) => sum + file.bytes, 0);
    const own = weights.find((file) => file.role === role)?.bytes ?? all;
    const tower = this.kind === "caption" || this.kind === "picture";
    return tower && all > 0 ? Math.round((this.model.memoryBytes * own) / all) : this.model.memoryBytes;
  }

  get bytes(): number {
    return Math.max(this.expected, this.#bytes());
  }

  enter(priority: Priority): void {
    clearTimeout(this.#idle);
    this.calls[priority] += 1;
    this.lastUsed = ++uses;
  }

  leave(priority: Priority): void {
    this.calls[priority] -= 1;
    if (this.#busy) return;
    for (const tell of this.#drained.splice(0)) tell();
    this.#idle = setTimeout(() => void this.close(), this.#limits.idleMs);
    this.#idle.unref();
  }

  get #busy(): boolean {
    return this.calls.question + this.calls.background > 0;
  }

  /** Resolves when no call is under way. */
  async drained(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#drained.push(resolve));
    await this.running?.catch(() => undefined);
  }

  /** A question may also take the place of a model for which only background work waits. */
  mayClose(forQuestion: boolean): boolean {
    return this.running === null && this.calls.question === 0 && (forQuestion || this.calls.background === 0);
  }

  /** Frees the memory when no step is under way any more; the next call opens it again. */
  close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#closing ??= (async () => {
      while (this.running) await this.running.catch(() => undefined);
      if (this.inMemory) await this.#dispose();
      this.inMemory = false;
    })().finally(() => {
      this.#closing = null;
    });
    return this.#closing;
  }

  /** Resolves when a closing that is under way has ended. */
  async closed(): Promise<void> {
    while (this.#closing) await this.#closing;
  }

  /** One more step has begun. */
  step(): void {
    this.#steps += 1;
    this.stepsOpen += 1;
  }

  /** Its thread had to be replaced while it worked. Too often: it is out of use. */
  crashed(reason: string): void {
    const { most, within } = this.#limits.crashes;
    this.lastFault = reason;
    this.#crashes = [...this.#crashes.filter((step) => step > this.#steps - within), this.#steps];
    if (this.#crashes.length < most) return;
    this.fault = new UnderstoryError(
      "model_damaged",
      `${this.name} is out of use: its thread had to be replaced ${most} times in its last steps, because ${reason}.`,
      {
        hint: "Everything else works on. Verify the model or install it again, or start Understory again to try once more.",
        details: { id: this.model.id },
      },
    );
  }
}
