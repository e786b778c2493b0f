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
const sliceSeconds = 2;
const sliceTokens = { least: 32, first: 128, most: 512 };

/** Grammars kept; each task has one. */
const mostGrammars = 16;

/**
 * The wanted token is lifted to the top by a logit bias b, and the likeliest tokens are asked for: their weights relative to
 * each other give its probability without the bias, p = w·e^−b / (w·e^−b + Σ others). Exact but for the mass beyond those
 * tokens (below 1 % where a model knows what comes, some 2 % where it does not), at a fifth of the time of the whole vocabulary.
 */
const bias = 40;
const likeliest = 4096;

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
  #slice = sliceTokens.first;
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
    // One token ahead: the next is made while this one is on its way to the reader.
    const next = () => {
      const step = this.#native(() => tokens.next(), signal);
      step.catch(() => undefined);
      return step;
    };
    try {
      for (let coming = next(); ; ) {
        const step = await coming;
        if (step.done) break;
        written.push(step.value);
        this.meter.written += 1;
        const last = written.length >= maxTokens;
        if (!last) coming = next();
        open.push(step.value);
        const piece = this.#model.detokenize(open, false, written.slice(-open.length - 4, -open.length));
        if (last || open.length >= 5 || !piece.endsWith("\ufffd")) {
          open = [];
          // What the limit cuts off inside a character is no character.
          const whole = last ? piece.replace(/\ufffd+$/, "") : piece;
          if (whole.length > 0) yield whole;
        }
        if (last) break;
      }
    } finally {
      this.#busy = this.#busy.then(() => tokens.return()).then(nothing, nothing);
    }
  }

  async logLikelihood(prefix: Tokens, continuation: Tokens, signal?: AbortSignal): Promise<Float64Array> {
    this.#mustFit(prefix.length + continuation.length);
    const found = new Float64Array(continuation.length);
    const before = await this.#read(prefix, signal);
    for (let at = 0; at < continuation.length; ) {
      const asked = continuation.slice(at, at + this.#slice);
      const items = asked.map((token, i): [Token, { generateNext: { probabilities: true; options: object } }] => [
        continuation[at + i - 1] ?? before,
        { generateNext: { probabilities: true, options: this.#lifting(token) } },
      ]);
      const results = await this.#native(() => this.#sequence.controlledEvaluate(items), signal);
      asked.forEach((token, i) => {
        found[at + i] = logProbability(results[i]?.next.probabilities ?? new Map(), token);
      });
      this.meter.read += asked.length;
      at += asked.length;
    }
    return found;
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
      if (slice.length >= sliceTokens.least) {
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
    if (signal?.aborted) throw cancelled();
    const result = this.#busy.then(() => {
      if (signal?.aborted) throw cancelled();
      return call();
    });
    this.#busy = result.then(nothing, nothing);
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

  #lifting(token: Token) {
    const tokenBias = TokenBias.for(this.#model).set(token, { logit: bias });
    return { temperature: 1, topK: likeliest, topP: 1, minP: 0, tokenBias };
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

const nothing = () => undefined;

/** log p of a token that was lifted by `bias` among the likeliest tokens. */
function logProbability(weights: ReadonlyMap<Token, number>, token: Token): number {
  const own = weights.get(token) ?? 0;
  let others = 0;
  for (const [other, weight] of weights) if (other !== token) others += weight;
  return -Math.log1p((others / own) * Math.exp(bias));
}
