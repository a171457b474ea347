import { InputPending, isInputPending, RefusedError } from "../errors.js";
import { isThenable } from "../jsonrpc/exchange.js";
import { warn } from "../report.js";
import { onceIn } from "./context.js";
import { faultInForm, withoutStray } from "./form.js";
import { prepareQuestion } from "./question.js";
import { getOwn, type JsonObject, type Params } from "../message.js";
import type { AskOptions, ServerSessionConfig } from "./config.js";
import type { Awaitable } from "../timing.js";
import { canonical, digest } from "./digest.js";
import { type CallState, fresh } from "./state.js";

/** What a run has asked and done so far. */
interface Run {
  readonly state: CallState;
  readonly open: Map<string, { readonly method: string; readonly digest: string; readonly params: unknown }>;
  readonly counts: Map<string, number>;
  readonly onces: Map<string, Promise<unknown>>;
  /** Rejects with the end of the run: what every question without an answer comes to. */
  readonly ended: Promise<never>;
  end(reason: unknown): void;
}

/** What a run of a handler leaves behind when it ends in a question. */
export class InputRound {
  readonly inputRequests: JsonObject;
  readonly state: CallState;

  constructor(inputRequests: JsonObject, state: CallState) {
    this.inputRequests = inputRequests;
    this.state = state;
  }
}

/**
 * One run of a handler that may ask the client, in a revision where questions travel inside a result. The run ends in the
 * handler's own outcome, or one macrotask after the first question that has no answer yet: then all questions asked by
 * then go out, and what the handler still does is dropped.
 */
export class InputCollector {
  /** The run is over; nothing it does may reach the client. */
  over = false;
  /** What is known of the call; undefined until something is. */
  state: CallState | undefined;
  readonly #config: ServerSessionConfig;
  readonly #declared: unknown;
  readonly #early: JsonObject;
  #run: Run | undefined;
  #controller: AbortController | undefined;
  #end: ((round: InputRound) => void) | undefined;
  #fail: ((reason: unknown) => void) | undefined;

  /** `early` holds answers that came before anything was asked. */
  constructor(
    config: ServerSessionConfig,
    declared: unknown,
    state: CallState | undefined,
    early: JsonObject = {},
  ) {
    this.#early = early;
    this.#config = config;
    this.#declared = declared;
    this.state = state;
  }

  /** Aborts with the run. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.over && !this.#controller.signal.aborted) this.#controller.abort(new InputPending());
    return this.#controller.signal;
  }

  /** Runs the handler. Returns its result, or a promise of it or of the round that it ended in. */
  run(task: () => unknown): unknown {
    const outcome = task();
    if (!isThenable(outcome)) {
      this.#finish();
      return outcome;
    }
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
      outcome.then(
        (result) => {
          if (this.over) return this.#stray();
          this.#finish();
          resolve(result);
        },
        (error: unknown) => {
          if (this.over) return isInputPending(error) ? undefined : this.#stray();
          this.#finish();
          reject(error);
        },
      );
    });
  }

  ask(method: string, params: Params, { key, signal }: AskOptions): Promise<unknown> {
    // The executor turns what is thrown into a rejection, and runs at once: the order of questions is that of the calls.
    const answer = new Promise((resolve, reject) => {
      if (this.over) throw new InputPending();
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      resolve(this.#question(method, params, key));
    });
    // A question that nobody awaits is no unhandled rejection.
    answer.catch(() => {});
    return answer;
  }

  once<T>(key: string, work: () => Awaitable<T>): Promise<T> {
    const { state, onces } = this.#begun();
    if (state.done.has(key)) return Promise.resolve(state.done.get(key) as T);
    if (this.over) return Promise.reject(new InputPending());
    return onceIn(onces, key, async () => {
      const value = await work();
      state.done.set(key, value);
      return value;
    });
  }

  /** The answer that is known already, or a promise that this run will not see kept. */
  #question(method: string, given: Params, name: string | undefined): unknown {
    const { row, params } = prepareQuestion(this.#config, method, given, this.#declared);
    const { open, counts, ended, state } = this.#begun();
    const { answers, pending } = state;
    const mark = digest(canonical({ method, params }));
    const count = counts.get(mark) ?? 0;
    if (name === undefined) counts.set(mark, count + 1);
    const key = name ?? `${method}:${mark}:${count}`;
    const before = open.get(key) ?? answers.get(key) ?? pending.get(key);
    if (before && before.digest !== mark) {
      throw new RefusedError(
        "repeat",
        `The question "${key}" is not repeatable: ${before.method} (params ${before.digest}) was asked under this key, and now ${method} (params ${mark}).`,
      );
    }
    const early = getOwn(this.#early, key);
    const known = answers.has(key) ? answers.get(key)?.value : row.result(early) ? early : undefined;
    // ELIC-06: an answer that does not fit the form is asked for again.
    if (known !== undefined && !faultInForm(params ?? {}, known as JsonObject)) {
      const value = withoutStray(params ?? {}, known as JsonObject);
      answers.set(key, { method, digest: mark, value });
      return value;
    }
    answers.delete(key);
    // The first one that has no answer ends the run, one macrotask later.
    if (open.size === 0) setTimeout(() => void this.#endRound(), 0);
    open.set(key, { method, params, digest: mark });
    return ended;
  }

  async #endRound(): Promise<void> {
    if (this.over) return;
    this.#finish();
    this.#controller?.abort(new InputPending());
    const { open, onces, state: known } = this.#begun();
    // What must not happen twice has to be known before the state is written.
    await Promise.allSettled(onces.values());
    const { rounds = 8 } = this.#config.settings.limits ?? {};
    const state = { ...known, pending: new Map(open) };
    if (++state.round > rounds) {
      const message = `The handler asked the client for input more than ${rounds} times in one call.`;
      return this.#fail?.(new RefusedError("rounds", message));
    }
    const requests = [...open].map(([key, { method, params }]) => [key, { method, params }]);
    this.#end?.(new InputRound(Object.fromEntries(requests) as JsonObject, state));
  }

  #begun(): Run {
    if (this.#run) return this.#run;
    this.state ??= fresh();
    let end!: Run["end"];
    const ended = new Promise<never>((_, reject) => (end = reject));
    // A question that nobody awaits is no unhandled rejection.
    ended.catch(() => {});
    return (this.#run = {
      state: this.state,
      open: new Map(),
      counts: new Map(),
      onces: new Map(),
      ended,
      end,
    });
  }

  /** Ends the run; what it still asks for, nobody will answer. */
  #finish(): void {
    this.over = true;
    this.#run?.end(new InputPending());
  }

  #stray(): void {
    warn(
      this.#config.settings,
      "A handler went on after its question had gone out to the client, and what it did was dropped. Code that catches errors around context.request must throw InputPending on.",
    );
  }
}
