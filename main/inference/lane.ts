import type { Worker } from "node:worker_threads";
import { UnderstoryError } from "#contract";
import type { Remote } from "../workers/service.ts";
import type { Governor } from "./governor.ts";
import { type InferenceLimits, whileAsked } from "./limits.ts";
import type { ModelMemory } from "./memory.ts";
import type { Priority } from "./ports.ts";
import type { Slot } from "./slot.ts";
import { Stopped, SupervisedThread } from "./supervised.ts";
import type { ModelThread } from "./thread.ts";

/** One call on its way through a lane. */
export interface Ticket {
  readonly slot: Slot;
  readonly priority: Priority;
  /** Earlier calls of a priority go first. */
  readonly order: number;
  readonly signal: AbortSignal | undefined;
  /** Whether a step of it has had its turn. */
  started: boolean;
}

export type StepWork<T> = (thread: Remote<ModelThread>) => Promise<T>;

interface Waiting {
  readonly ticket: Ticket;
  run(): Promise<void>;
  refuse(error: UnderstoryError): void;
}

export interface LaneOptions {
  readonly name: string;
  readonly folder: string;
  readonly limits: InferenceLimits;
  readonly spawn: () => Worker;
  readonly memory: ModelMemory;
  readonly governor: Governor;
  /** Part of its time that background work takes, 0–1. */
  readonly share: () => number;
}

export const cancelled = (): UnderstoryError => new UnderstoryError("cancelled", "The call was cancelled.");

function inferenceFailed(slot: Slot, why: string): UnderstoryError {
  return new UnderstoryError("inference_failed", `${slot.name} (${slot.purpose}) gave no result: ${why}.`, {
    hint: "Only this input is left out; everything else goes on.",
    details: { id: slot.model.id, purpose: slot.purpose },
  });
}

function doesNotOpen(slot: Slot, why: string): UnderstoryError {
  return new UnderstoryError("model_damaged", `${slot.name} (${slot.purpose}) does not open: ${why}.`, {
    hint: "Everything else works on. Verify the model, or install it again.",
    details: { id: slot.model.id },
  });
}

/**
 * One thread with models, and the order in which their work is done: one step at a time, questions before background work,
 * each in order of arrival; between two steps the choice is made anew. A thread that crashes or hangs is replaced and the
 * step under way is tried once more.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #open = new Set<Slot>();
  #thread: SupervisedThread | null = null;
  #busy = false;
  #resting = false;
  /** Questions there had been at the last background step, and such steps until nobody counts as asking any more. */
  #questions = 0;
  #asked = 0;
  /** Items at the gate and behind it; callers before it wait here in order. */
  #inside = 0;
  readonly #gate: { readonly items: number; enter(): void }[] = [];
  /** A thread that was given up, until it has ended or its time to do so is over. */
  #ending: Promise<void> = Promise.resolve();
  #closed = false;
  replaced = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /**
   * Back-pressure: background work is let in when there is room for `items` more, a question at once. Gives the function
   * that makes the room free again; a promise of it when the caller has to wait. Throws `cancelled`.
   */
  enter(priority: Priority, items: number, signal: AbortSignal | undefined): (() => void) | Promise<() => void> {
    if (signal?.aborted) throw cancelled();
    if (priority === "question") return () => undefined;
    const leave = () => {
      this.#inside -= items;
      this.#admit();
    };
    if (this.#gate.length === 0 && this.#fits(items)) {
      this.#inside += items;
      return leave;
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#gate.splice(this.#gate.indexOf(place), 1);
        reject(cancelled());
        this.#admit();
      };
      const place = {
        items,
        enter() {
          signal?.removeEventListener("abort", abort);
          resolve(leave);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#gate.push(place);
    });
  }

  /** A call larger than the whole room enters when it is empty. */
  #fits(items: number): boolean {
    return this.#inside === 0 || this.#inside + items <= this.#options.limits.waiting;
  }

  #admit(): void {
    for (let first = this.#gate[0]; first && this.#fits(first.items); first = this.#gate[0]) {
      this.#gate.shift();
      this.#inside += first.items;
      first.enter();
    }
  }

  /**
   * One step of a call in its turn. Throws `cancelled` at once when the signal aborts (a step that runs is not interrupted,
   * its result is dropped), `inference_failed` when the thread stopped twice under it, or what the model throws.
   */
  step<T>(ticket: Ticket, work: StepWork<T>): Promise<T> {
    const { signal } = ticket;
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      const leave = (settle: () => void) => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener("abort", abort);
        settle();
      };
      const waiting: Waiting = {
        ticket,
        run: async () => {
          try {
            const value = await this.#supervise(ticket.slot, ticket.priority, work);
            leave(() => resolve(value));
          } catch (error) {
            leave(() => reject(error));
          }
        },
        refuse: (error) => leave(() => reject(error)),
      };
      const abort = () => waiting.refuse(cancelled());
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiting);
      this.wake();
    });
  }

  /** Refuses the background calls of a model that have not begun. */
  refuseWaiting(slot: Slot, error: UnderstoryError): void {
    for (const waiting of [...this.#waiting]) {
      const { ticket } = waiting;
      if (ticket.slot === slot && ticket.priority === "background" && !ticket.started) waiting.refuse(error);
    }
  }

  /** Starts the next step when there is one that may run. */
  wake(): void {
    if (this.#busy) return;
    const next = this.#choose();
    if (!next) return;
    const { ticket } = next;
    const asked = ticket.priority === "question";
    this.#busy = true;
    this.#waiting.delete(next);
    ticket.started = true;
    const began = performance.now();
    void next.run().then(() => {
      if (!asked) this.#rest(performance.now() - began);
      // Lets messages in: a question that has just arrived is seen before the next background step.
      setImmediate(() => {
        this.#busy = false;
        this.wake();
      });
    });
  }

  #choose(): Waiting | null {
    const first = (urgent: boolean): Waiting | null => {
      let found: Waiting | null = null;
      for (const one of this.#waiting) {
        // A model that is being removed ends what it has begun, also on battery.
        const isUrgent = one.ticket.priority === "question" || one.ticket.slot.leaving;
        if (isUrgent === urgent && (found === null || one.ticket.order < found.ticket.order)) found = one;
      }
      return found;
    };
    const question = first(true);
    if (question) return question;
    const background = first(false);
    if (!background || this.#resting || !this.#options.governor.mayRunBackground()) return null;
    return background;
  }

  /** After a background step of `ms`, background work rests so long that it takes its share of the time. */
  #rest(ms: number): void {
    const { questions } = this.#options.governor;
    this.#asked = questions === this.#questions ? Math.max(0, this.#asked - 1) : whileAsked.steps;
    this.#questions = questions;
    const share = Math.min(this.#options.share(), this.#asked > 0 ? whileAsked.share : 1);
    if (share >= 1) return;
    this.#resting = true;
    setTimeout(
      () => {
        this.#resting = false;
        this.wake();
      },
      (ms * (1 - share)) / share,
    ).unref();
  }

  /** The step, and once more when the thread stopped under it. */
  async #supervise<T>(slot: Slot, priority: Priority, work: StepWork<T>): Promise<T> {
    await slot.closed();
    const running = this.#twice(slot, priority, work);
    slot.running = running;
    try {
      const value = await running;
      slot.lastFault = null;
      return value;
    } finally {
      slot.running = null;
    }
  }

  async #twice<T>(slot: Slot, priority: Priority, work: StepWork<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(slot, priority, work);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        if (this.#closed) throw cancelled();
        slot.crashed(error.message);
        if (slot.fault) throw slot.fault;
        if (attempt === 2) throw inferenceFailed(slot, `its thread stopped twice on the same input: ${error.message}`);
      }
    }
  }

  async #attempt<T>(slot: Slot, priority: Priority, work: StepWork<T>): Promise<T> {
    const thread = await this.#ready(slot, priority);
    slot.step();
    const began = performance.now();
    const run = () => thread.call(this.#options.limits.stepMs[slot.kind], work);
    try {
      return await this.#options.memory.watch(slot.key, slot.stepsOpen - 1, run);
    } catch (error) {
      const untyped = error instanceof UnderstoryError && error.code === "internal";
      throw untyped ? inferenceFailed(slot, error.message) : error;
    } finally {
      slot.busyMs += performance.now() - began;
    }
  }

  /** The thread, with the model open in it. */
  async #ready(slot: Slot, priority: Priority): Promise<SupervisedThread> {
    // A hung thread gets its time to end: two copies of a model are only open when it does not.
    await this.#ending;
    if (this.#closed) throw cancelled();
    const { memory, limits, folder } = this.#options;
    const thread = this.#thread ?? this.#start();
    if (slot.inMemory) return thread;
    const { key, kind } = slot;
    const model = { key, expected: slot.expected, holder: slot, forQuestion: priority === "question" };
    const open = () => thread.call(limits.openMs, (remote) => remote.open({ key, kind, id: slot.model.id, folder }));
    try {
      slot.loaded = { purpose: slot.purpose, ...(await memory.open(model, open)) };
    } catch (error) {
      throw error instanceof UnderstoryError && error.code === "internal" ? doesNotOpen(slot, error.message) : error;
    }
    slot.inMemory = true;
    slot.stepsOpen = 0;
    this.#open.add(slot);
    return thread;
  }

  #start(): SupervisedThread {
    const { name, spawn, limits, memory } = this.#options;
    const thread = new SupervisedThread(spawn(), name, () => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.replaced += 1;
      for (const slot of this.#open) {
        slot.inMemory = false;
        memory.leave(slot);
      }
      this.#open.clear();
      this.#ending = thread.terminate(limits.terminateMs);
    });
    this.#thread = thread;
    return thread;
  }

  /** Frees a model; with the last one the thread ends too, and gives its memory back to the system. */
  async dispose(slot: Slot): Promise<void> {
    const thread = this.#thread;
    const { key } = slot;
    if (thread) await thread.call(null, (remote) => remote.close({ key })).catch(() => undefined);
    this.#open.delete(slot);
    this.#options.memory.leave(slot);
    if (this.#open.size > 0 || this.#busy || this.#thread !== thread) return;
    this.#thread = null;
    await thread?.end();
  }

  /** Refuses what waits, lets the step under way end, and ends the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of [...this.#waiting]) waiting.refuse(cancelled());
    for (const slot of this.#open) this.#options.memory.leave(slot);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }
}
