import { create } from "zustand";
import type { AskResult, ErrorShape, QueryPlan, StageTrace } from "#contract";
import { client, shownError } from "./client.ts";
import { useSession } from "./session.ts";

/** One question of this session and what became of it. */
export interface AskRun {
  readonly question: string;
  readonly stages: readonly StageTrace[];
  readonly result: AskResult | null;
  /** Texts of the claims of the result before this one: what is not among them is marked as changed. */
  readonly before: readonly string[] | null;
  readonly final: boolean;
  readonly error: ErrorShape | null;
  readonly cancelled: boolean;
  /** State of the archive (`session.changes`) when it was asked: an answer of an older state is asked for again. */
  readonly changes: number;
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
  /** By question, oldest first: answers of this session are there at once when one goes back. */
  runs: ReadonlyMap<string, AskRun>;
  running: string | null;
  lit: Lit;
  suggestions: readonly string[] | null;
  /** Asks, or asks again with a corrected plan. */
  ask(question: string, plan?: QueryPlan): Promise<void>;
  cancel(): void;
  setLit(lit: Lit): void;
  loadSuggestions(): Promise<void>;
  forget(): void;
}

let controller: AbortController | null = null;

export const useAsk = create<Ask>((set, get) => {
  function update(question: string, change: Partial<AskRun>): void {
    set(({ runs }) => {
      const run = runs.get(question);
      return run ? { runs: new Map(runs).set(question, { ...run, ...change }) } : {};
    });
  }

  return {
    runs: new Map(),
    running: null,
    lit: null,
    suggestions: null,
    async ask(question, plan) {
      controller?.abort();
      const own = new AbortController();
      controller = own;
      const runs = new Map(get().runs);
      runs.delete(question);
      runs.set(question, {
        question,
        stages: [],
        result: null,
        before: null,
        final: false,
        error: null,
        cancelled: false,
        changes: useSession.getState().changes,
      });
      set({ runs, running: question, lit: null });
      try {
        const events = client().stream("ask.ask", plan ? { question, plan } : { question }, { signal: own.signal });
        for await (const event of events) {
          const run = get().runs.get(question);
          if (!run || controller !== own) return;
          if (event.type === "stage") update(question, { stages: [...run.stages, event.trace] });
          else {
            const before = run.result ? run.result.claims.map((claim) => claim.text) : null;
            update(question, { result: event.result, final: event.final, before });
          }
        }
        update(question, { final: true });
      } catch (error) {
        // The same question asked again has its own run by now.
        if (controller !== own && get().running === question) return;
        const shape = shownError(error);
        update(question, shape ? { error: shape } : { cancelled: true });
      } finally {
        if (controller === own) set({ running: null });
      }
    },
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
