import {
  type ChatWrapper,
  type Llama,
  type LlamaContext,
  type LlamaContextSequence,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  type Token,
  TokenBias,
} from "node-llama-cpp";
import { UnderstoryError } from "#contract";
import { type GrammarSchema, toGbnf } from "./grammar.ts";
import type { ChatTurn, GenerateOptions, OpenLlama, Tokens } from "./llama.ts";

/** Seconds of reading between two looks at the signal, and bounds of the tokens read in that time. */
const sliceSeconds = 0.4;
const sliceTokens = { least: 64, most: 512 };

/** Grammars kept; each task has one. */
const mostGrammars = 16;

/**
 * Logit biases that make a known token the likeliest one, so that llama.cpp tells its confidence c; its probability without
 * the bias b is p = c / (c + (1 − c)·e^b). A small bias is exact in 32 bits for likely tokens; the next is for those that it
 * does not lift to the top (p below e^−b of the likeliest).
 */
const biases = [9, 20, 32];

/** `OpenLlama` over one model, one context and its only sequence. */
export class LlamaSequence implements OpenLlama {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #sequence: LlamaContextSequence;
  readonly #wrapper: ChatWrapper;
  readonly #grammars = new Map<string, Promise<LlamaGrammar>>();
  readonly threads: number;
  readonly meter = { read: 0, written: 0, reused: 0 };
  #slice = sliceTokens.least;
  /** The native call under way; awaited before the next, whatever became of its caller. */
  #busy: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    llama: Llama;
    model: LlamaModel;
    context: LlamaContext;
    wrapper: ChatWrapper;
    threads: number;
  }) {
    this.#llama = parts.llama;
    this.#model = parts.model;
    this.#context = parts.context;
    this.#sequence = parts.context.getSequence();
    this.#wrapper = parts.wrapper;
    this.threads = parts.threads;
  }

  get contextTokens(): number {
    return this.#context.contextSize;
  }

  get gpu(): string | null {
    return this.#llama.gpu === false ? null : this.#llama.gpu;
  }

  tokenise(text: string): Tokens {
    return this.#model.tokenize(text, false);
  }

  render(turns: readonly ChatTurn[]): Tokens {
    const chatHistory = turns.map(({ role, text }) =>
      role === "assistant" ? { type: "model" as const, response: [text] } : { type: role, text },
    );
    const { contextText } = this.#wrapper.generateContextState({
      chatHistory: [...chatHistory, { type: "model", response: [] }],
    });
    return contextText.tokenize(this.#model.tokenizer);
  }

  async *generate(prompt: Tokens, options: GenerateOptions): AsyncGenerator<string, void, void> {
    const { maxTokens, temperature, seed, schema, signal } = options;
    this.#mustFit(prompt.length + maxTokens);
    const last = await this.#read(prompt, signal);
    const grammar = schema && (await this.#grammarOf(schema));
    const tokens = this.#sequence.evaluate([last], {
      temperature,
      seed,
      ...(grammar ? { grammarEvaluationState: new LlamaGrammarEvaluationState({ model: this.#model, grammar }) } : {}),
    });
    const written: Token[] = [];
    /** Tokens whose text is not known yet: they end inside a character. */
    let open: Token[] = [];
    try {
      while (written.length < maxTokens) {
        const step = await this.#native(() => tokens.next(), signal);
        if (step.done) break;
        written.push(step.value);
        this.meter.written += 1;
        open.push(step.value);
        const piece = this.#model.detokenize(open, false, written.slice(-open.length - 4, -open.length));
        if (piece.endsWith("\ufffd") && open.length < 5) continue;
        open = [];
        if (piece.length > 0) yield piece;
      }
    } finally {
      const end = this.#busy.then(() => tokens.return());
      this.#busy = end.catch(() => undefined);
    }
  }

  async logLikelihood(prefix: Tokens, continuation: Tokens, signal?: AbortSignal): Promise<Float64Array> {
    this.#mustFit(prefix.length + continuation.length);
    const found = new Float64Array(continuation.length).fill(Number.NaN);
    const all = [...prefix, ...continuation];
    for (const bias of biases) {
      const first = found.findIndex(Number.isNaN);
      if (first < 0) break;
      const end = found.findLastIndex(Number.isNaN) + 1;
      const before = await this.#read(all.slice(0, prefix.length + first), signal);
      for (let at = first; at < end; ) {
        const to = Math.min(end, at + this.#slice);
        const items = continuation.slice(at, to).map((token, i) => {
          const input = at + i === first ? before : continuation[at + i - 1];
          const tokenBias = TokenBias.for(this.#model).set(token, { logit: bias });
          const options = { temperature: 0, tokenBias };
          return [input ?? token, { generateNext: { token: true, confidence: true, options } }] as [
            Token,
            { generateNext: { token: boolean; confidence: boolean; options: typeof options } },
          ];
        });
        const results = await this.#native(() => this.#sequence.controlledEvaluate(items), signal);
        this.meter.read += items.length;
        results.forEach((result, i) => {
          const confidence = result?.next.confidence;
          if (confidence === undefined || result?.next.token !== continuation[at + i]) return;
          if (Number.isNaN(found[at + i])) found[at + i] = logProbability(confidence, bias);
        });
        at = to;
      }
    }
    // What even the last bias does not lift is rarer than e^−32.
    return found.map((value) => (Number.isNaN(value) ? -(biases.at(-1) ?? 0) : value));
  }

  async dispose(): Promise<void> {
    await this.#busy;
    await this.#context.dispose();
    await this.#model.dispose();
  }

  #mustFit(tokens: number): void {
    if (tokens <= this.contextTokens) return;
    throw new UnderstoryError(
      "limit_exceeded",
      `The language model was given ${tokens} tokens; it takes ${this.contextTokens}.`,
      { details: { tokens, contextTokens: this.contextTokens } },
    );
  }

  /**
   * Brings the context to `tokens` without the last one, which it gives back: it is read together with what follows. The
   * longest common beginning with what was there stays.
   */
  async #read(tokens: Tokens, signal: AbortSignal | undefined): Promise<Token> {
    const last = tokens.at(-1);
    if (last === undefined) throw new UnderstoryError("bad_request", "A prompt is empty.");
    const before = tokens.slice(0, -1);
    await this.#native(() => this.#sequence.adaptStateToTokens(before, false), signal);
    const kept = this.#sequence.nextTokenIndex;
    this.meter.reused += kept;
    for (let at = kept; at < before.length; ) {
      const slice = before.slice(at, at + this.#slice);
      const started = performance.now();
      await this.#native(() => this.#sequence.evaluateWithoutGeneratingNewTokens(slice), signal);
      const rate = slice.length / ((performance.now() - started) / 1000);
      if (slice.length >= 32) {
        const wanted = Math.round((rate * sliceSeconds) / 32) * 32;
        this.#slice = Math.min(sliceTokens.most, Math.max(sliceTokens.least, wanted));
      }
      this.meter.read += slice.length;
      at += slice.length;
    }
    return last;
  }

  /** One call of llama.cpp after the one before. Rejected with `cancelled` the moment the signal aborts. */
  async #native<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const cancelled = () => new UnderstoryError("cancelled", "The language model was stopped.");
    await this.#busy;
    if (signal?.aborted) throw cancelled();
    const result = call();
    this.#busy = result.catch(() => undefined);
    if (!signal) return result;
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(cancelled());
      signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([result, aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #grammarOf(schema: GrammarSchema): Promise<LlamaGrammar> {
    const key = toGbnf(schema);
    let grammar = this.#grammars.get(key);
    if (!grammar) {
      grammar = this.#llama.createGrammar({ grammar: key });
      if (this.#grammars.size >= mostGrammars) this.#grammars.clear();
      this.#grammars.set(key, grammar);
    }
    return grammar;
  }
}

/** log p from the confidence c under a logit bias b: log c − log(c + (1 − c)·e^b). */
export function logProbability(confidence: number, bias: number): number {
  const c = Math.min(1, Math.max(confidence, Number.MIN_VALUE));
  return Math.min(0, Math.log(c) - Math.log(c + (1 - c) * Math.exp(bias)));
}
