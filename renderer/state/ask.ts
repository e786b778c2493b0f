import { create } from "zustand";
import type { AskResult, ErrorShape, PreviousTurn, QueryPlan, StageTrace } from "#contract";
import { client, shownError } from "./client.ts";
import { setParams, useRoute } from "./route.ts";
import { useSession } from "./session.ts";
import { questionOf, threadBefore } from "./thread.ts";

/** One question of this session and what became of it. */
export interface AskRun {
  readonly question: string;
  /** The plan was corrected by the person: it is asked for again as it is. */
  readonly plan: QueryPlan | null;
  readonly stages: readonly StageTrace[];
  readonly result: AskResult | null;
  /** The result is still that of the plan before the person corrected it. */
  readonly stale: boolean;
  /** Texts of the claims of the result before this one: what is not among them is marked as changed. */
  readonly before: readonly string[] | null;
  readonly final: boolean;
  readonly error: ErrorShape | null;
  readonly cancelled: boolean;
  /** State of the archive (`session.changes`) when it was asked: an answer of an older state is asked for again. */
  readonly changes: number;
}

/**
 * Whether a thread is to be asked when one comes to it: never asked, asked of an older state of the archive (a deleted record is
 * in no answer), or left for another question before its answer was there.
 */
export function isOpen(thread: string): boolean {
  const { runs, running } = useAsk.getState();
  const run = runs.get(thread);
  if (!run || run.changes !== useSession.getState().changes) return true;
  return running !== thread && !run.final && !run.error && !run.cancelled;
}

/** The words of a citation, from the answers of this session: by its record, its view and its span. */
export function useCitedQuote(recordId: number, cite: { view: string; span: [number, number] } | null): string | null {
  return useAsk(({ runs }) => {
    if (!cite) return null;
    for (const { result } of runs.values()) {
      for (const claim of result?.claims ?? []) {
        const found = claim.citations.find(
          (one) =>
            one.recordId === recordId &&
            one.view === cite.view &&
            one.span?.[0] === cite.span[0] &&
            one.span[1] === cite.span[1],
        );
        if (found) return found.quote;
      }
    }
    return null;
  });
}

/** What the pointer or the focus rests on: its partners light up. */
export type Lit = { claim: string } | { record: number } | null;

interface Ask {
  /** By thread (a first question is its own), oldest first: answers of this session are there at once when one goes back. */
  runs: ReadonlyMap<string, AskRun>;
  running: string | null;
  lit: Lit;
  suggestions: readonly string[] | null;
  /** Asks the last question of a thread, the one before it first where that is not known; or again with a corrected plan. */
  ask(thread: string, plan?: QueryPlan): Promise<void>;
  /** Asks the last question of a thread again, as the person corrected it. */
  askAgain(thread: string): Promise<void>;
  cancel(): void;
  setLit(lit: Lit): void;
  loadSuggestions(): Promise<void>;
  forget(): void;
}

let controller: AbortController | null = null;

/** What a follow-up may lean on; undefined for a first question, or where the one before has no answer. */
function turnOf(run: AskRun | undefined): PreviousTurn | undefined {
  const result = run?.result;
  if (!result) return undefined;
  const cited = result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId));
  return { plan: result.plan, citedRecords: [...new Set(cited)].slice(0, 200) };
}

export const useAsk = create<Ask>((set, get) => {
  function update(thread: string, change: Partial<AskRun>): void {
    set(({ runs }) => {
      const run = runs.get(thread);
      return run ? { runs: new Map(runs).set(thread, { ...run, ...change }) } : {};
    });
  }

  return {
    runs: new Map(),
    running: null,
    lit: null,
    suggestions: null,
    async ask(thread, plan) {
      const before = threadBefore(thread);
      const { changes } = useSession.getState();
      const known = before === null ? undefined : get().runs.get(before);
      if (before !== null && plan === undefined && (!known?.result || known.changes !== changes)) {
        await get().askAgain(before);
        // Stopped, failed, or something else is being asked by now.
        if (get().running !== null || !get().runs.get(before)?.result) return;
      }
      controller?.abort();
      const own = new AbortController();
      controller = own;
      const question = questionOf(thread);
      const after = before === null || plan !== undefined ? undefined : turnOf(get().runs.get(before));
      const stood = plan ? get().runs.get(thread)?.result : undefined;
      const kept = plan && stood ? { ...stood, plan } : null;
      const runs = new Map(get().runs);
      runs.delete(thread);
      runs.set(thread, {
        question,
        plan: plan ?? null,
        stages: [],
        // A corrected plan is shown at once; the answer under it stays until the new one is there.
        result: kept,
        stale: kept !== null,
        before: null,
        final: false,
        error: null,
        cancelled: false,
        changes,
      });
      set({ runs, running: thread, lit: null });
      /** What leans on nothing begins a thread of its own. */
      let name = thread;
      const standAlone = () => {
        const run = get().runs.get(name);
        if (!run || name === question) return;
        const moved = new Map(get().runs);
        moved.delete(name);
        moved.delete(question);
        set({ runs: moved.set(question, run), running: question });
        const { params } = useRoute.getState();
        if (params.q === name) setParams({ q: question }, { replace: true });
        name = question;
      };
      try {
        const input = { question, ...(plan && { plan }), ...(after && { after }) };
        for await (const event of client().stream("ask.ask", input, { signal: own.signal })) {
          if (event.type === "result" && after && event.result.plan.carried.length === 0) standAlone();
          const run = get().runs.get(name);
          if (!run || controller !== own) return;
          if (event.type === "stage") update(name, { stages: [...run.stages, event.trace] });
          else {
            const earlier = run.result ? run.result.claims.map((claim) => claim.text) : null;
            update(name, { result: event.result, stale: false, final: event.final, before: earlier });
          }
        }
        update(name, { final: true });
      } catch (error) {
        // Left for another question, or for itself asked again: asked anew when one comes back to it.
        if (controller !== own) return;
        const shape = shownError(error);
        const stale = get().runs.get(name)?.stale === true;
        const result = stale ? { result: null, stale: false } : {};
        update(name, { ...result, ...(shape ? { error: shape } : { cancelled: true }) });
      } finally {
        if (controller === own) set({ running: null });
      }
    },
    askAgain: (thread) => get().ask(thread, get().runs.get(thread)?.plan ?? undefined),
    cancel() {
      controller?.abort();
    },
    setLit: (lit) => set({ lit }),
    async loadSuggestions() {
      try {
        const { questions } = await client().call("ask.suggestions", {});
        set({ suggestions: questions });
      } catch {
        // Suggestions are a courtesy: without them the room still says what can be asked.
        set({ suggestions: [] });
      }
    },
    forget() {
      controller?.abort();
      set({ runs: new Map(), running: null, lit: null, suggestions: null });
    },
  };
});
