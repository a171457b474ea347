import {
  rpcError,
  InputPending,
  isInputPending,
  SessionError,
} from "../errors.js";
import { checkRequest, checkResult, withResult } from "./check.js";
import { observeQuestion, prepareQuestion, type Question } from "./question.js";
import {
  settle,
  isThenable,
  type Awaitable,
  unlessAborted,
} from "../../../common/timing.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { CallInRounds, AskOptions } from "./config.js";
import { canonical, digest } from "./digest.js";
import { toRevision } from "./outgoing.js";
import type { ModernServer } from "./modern-server.js";
import { type CallState, newState, read, record, write } from "./state.js";
import { warn } from "../report.js";
import { onceIn } from "./server-context.js";
import type { Params } from "../message.js";

/** A request whose handler may ask the client. */
interface InputCall extends CallInRounds {
  readonly server: ModernServer;
}

/**
 * Answers a request whose handler may ask the client: a question is sent inside
 * a result, and the handler runs again with the answer. A request without
 * `inputResponses` and `requestState` is the first round. Specification: "Multi
 * Round-Trip Requests".
 */
export function answerInRounds(call: InputCall): unknown {
  const { server, row, message } = call;
  // Malformed answers make the params invalid (MRTR-12).
  const params = checkRequest(server.config.side, row, message) as JsonObject;
  const checked =
    params === message.params
      ? call
      : { ...call, message: { ...message, params } };
  const isResumed =
    params["inputResponses"] !== undefined ||
    params["requestState"] !== undefined;
  return isResumed ? resume(checked) : run(checked, params, undefined);
}

async function resume(call: InputCall): Promise<unknown> {
  const { server, message } = call;
  const { side, settings } = server.config;
  const { inputResponses, requestState, ...rest } =
    message.params as JsonObject & {
      readonly inputResponses?: JsonObject;
    };
  let state: CallState | undefined;
  if (requestState !== undefined) {
    state = await read(settings, requestState, bindingOf(call));
    record(state, inputResponses ?? {}, side.outgoingRequests);
  }
  // A handler that writes `input_required` results itself gets its own state
  // and the answers.
  const params = {
    ...rest,
    ...(inputResponses && { inputResponses }),
    ...(state?.own !== undefined && { requestState: state.own }),
  };
  // Without a state, the first request of a client may already contain answers
  // by key. With a state, only pending questions are answered.
  return run(call, params, state, state ? undefined : inputResponses);
}

function run(
  call: InputCall,
  params: JsonObject,
  state: CallState | undefined,
  earlyAnswers?: JsonObject,
): unknown {
  const { server, row, exchange, client, handler } = call;
  const collector = new InputCollector(call, state, earlyAnswers);
  const context = server.contextOf(exchange, params, client, collector);
  return server.dispatcher.whenFree(exchange, () =>
    settle(
      collector.run(() => handler(params as never, context as never)),
      (result) => {
        if (collector.questions)
          return send(call, collector.questions, collector.state, {});
        if (!isObject(result) || result["resultType"] !== "input_required") {
          return server.complete(row, result, client);
        }
        return askForHandler(call, result, collector.state);
      },
    ),
  );
}

/**
 * Sends an `input_required` result that the handler wrote itself, after the
 * same checks (MRTR-02, MRTR-03, MRTR-04).
 */
function askForHandler(
  call: InputCall,
  value: JsonObject,
  previousState = newState(),
): Promise<JsonObject> {
  const { config } = call.server;
  const { method } = call.row;
  const result = toRevision(
    call.server,
    "results",
    method,
    value,
  ) as JsonObject;
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== "string") {
    throw new TypeError(
      `${method}: the handler's requestState is not a string.`,
    );
  }
  if (
    inputRequests === undefined
      ? requestState === undefined
      : !isObject(inputRequests)
  ) {
    throw new TypeError(
      `${method}: the handler's result needs inputRequests (an object) or requestState.`,
    );
  }
  const ask = ([key, request]: [string, unknown]): [string, unknown] => {
    const { method: name, params } = isObject(request)
      ? request
      : ({} as JsonObject);
    if (!getOwn(config.side.outgoingRequests, String(name))?.embedded)
      throw new TypeError(
        `${method}: inputRequests.${key}: ${JSON.stringify(name)} is not an input request.`,
      );
    const question = prepareQuestion(
      call.server,
      String(name),
      params,
      call.client.capabilities,
    );
    return [key, { ...(request as JsonObject), params: question.params }];
  };
  const requests = isObject(inputRequests)
    ? Object.fromEntries(Object.entries(inputRequests).map(ask))
    : undefined;
  const { round, answers, done } = previousState;
  const needsState =
    requestState !== undefined || answers.size > 0 || done.size > 0;
  const state = {
    answers,
    done,
    round: round + 1,
    pending: new Map(),
    own: requestState,
  };
  return send(call, requests, needsState ? state : undefined, result);
}

async function send(
  call: InputCall,
  questions: JsonObject | undefined,
  state: CallState | undefined,
  result: JsonObject,
): Promise<JsonObject> {
  const { server, row, exchange } = call;
  const observe = ([key, question]: [string, unknown]): [string, unknown] => [
    key,
    observeQuestion(server, exchange, key, question as JsonObject),
  ];
  const inputRequests =
    questions && Object.fromEntries(Object.entries(questions).map(observe));
  const requestState =
    state && (await write(server.config.settings, state, bindingOf(call)));
  const _meta = server.metaFor(result);
  const inputResult = {
    ...result,
    resultType: "input_required",
    inputRequests,
    requestState,
    _meta,
  };
  const { side } = server.config;
  return checkResult(
    side,
    side.input ? withResult(row, side.input) : row,
    inputResult,
  );
}

/**
 * The call that a state is bound to: revision, method, params and principal.
 * Ignores members that differ between rounds.
 */
function bindingOf({ server, message, exchange }: InputCall): string {
  const { method, params } = message;
  const { revision } = server.config.side.revision;
  const omit = {
    _meta: undefined,
    inputResponses: undefined,
    requestState: undefined,
  };
  try {
    return canonical([
      revision,
      method,
      { ...(params as JsonObject), ...omit },
      exchange.info?.auth?.principal,
    ]);
  } catch {
    throw rpcError(
      "INVALID_PARAMS",
      `${method}: the params are nested too deeply.`,
    );
  }
}

/** The questions and results of one run so far. */
type Run = ReturnType<typeof newRun>;

function newRun(state: CallState) {
  let end!: (reason: unknown) => void;
  const ended = new Promise<never>((_, reject) => (end = reject));
  // Prevents an unhandled rejection if the handler does not await the answer.
  ended.catch(() => {});
  return {
    state,
    open: new Map<
      string,
      {
        readonly method: string;
        readonly digest: string;
        readonly params: unknown;
      }
    >(),
    counts: new Map<string, number>(),
    onces: new Map<string, Promise<unknown>>(),
    /**
     * The digest of the last question, and the number of questions whose
     * digests are not known yet.
     */
    digest: Promise.resolve(""),
    digesting: 0,
    /**
     * Rejects when the run ends: the promise of every question without an
     * answer.
     */
    ended,
    end,
  };
}

/**
 * One run of a handler that may ask the client, in a revision that sends
 * questions inside a result. The run ends with the handler's own outcome, or
 * one macrotask after the first question that has no answer yet: then all
 * questions so far are sent, and everything that the handler still does is
 * ignored.
 */
export class InputCollector {
  /** True once the run has ended: it may not send anything more. */
  ended = false;
  /**
   * The state of the call; undefined until the handler first asks or uses
   * `once`.
   */
  state: CallState | undefined;
  /**
   * The questions with which the run has ended, by key; undefined if there are
   * none.
   */
  questions: JsonObject | undefined;
  readonly #call: InputCall;
  readonly #earlyAnswers: JsonObject;
  #run: Run | undefined;
  #controller: AbortController | undefined;
  #end: ((result: unknown) => void) | undefined;

  /**
   * `earlyAnswers` holds answers that the client sent before the question, by
   * key.
   */
  constructor(
    call: InputCall,
    state: CallState | undefined,
    earlyAnswers: JsonObject = {},
  ) {
    this.#call = call;
    this.state = state;
    this.#earlyAnswers = earlyAnswers;
  }

  /** Aborts with the run. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.ended) this.#controller.abort(new InputPending());
    return this.#controller.signal;
  }

  /**
   * Runs the handler. Returns its result, or a promise of it or of the round
   * that it ended in.
   */
  run(task: () => unknown): unknown {
    const outcome = task();
    if (!isThenable(outcome)) {
      this.#endRun();
      return outcome;
    }
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      outcome.then(
        (result) => {
          if (this.ended) return this.#warnOfLateOutcome();
          this.#endRun();
          resolve(result);
        },
        (error: unknown) => {
          if (this.ended)
            return isInputPending(error)
              ? undefined
              : this.#warnOfLateOutcome();
          this.#endRun();
          reject(error);
        },
      );
    });
  }

  ask(
    method: string,
    params: Params,
    { key, signal }: AskOptions,
  ): Promise<unknown> {
    const answer = signal?.aborted
      ? Promise.reject(signal.reason as Error)
      : unlessAborted(this.#question(method, params, key), signal);
    // Prevents an unhandled rejection if the handler does not await the answer.
    answer.catch(() => {});
    return answer;
  }

  once<T>(key: string, work: () => Awaitable<T>): Promise<T> {
    const { state, onces } = this.#currentRun();
    if (state.done.has(key)) return Promise.resolve(state.done.get(key) as T);
    if (this.ended) return Promise.reject(new InputPending());
    return onceIn(onces, key, async () => {
      const value = await work();
      state.done.set(key, value);
      return value;
    });
  }

  /**
   * Resolves with the answer, if the client has sent it; otherwise rejects when
   * the run ends.
   */
  async #question(
    method: string,
    input: Params,
    name: string | undefined,
  ): Promise<unknown> {
    if (this.ended) throw new InputPending();
    const { server, client } = this.#call;
    const question = prepareQuestion(
      server,
      method,
      input,
      client.capabilities,
    );
    const run = this.#currentRun();
    const text = canonical({ method, params: question.params });
    run.digesting++;
    // Digests may be ready in any order, but questions keep theirs.
    run.digest = Promise.all([digest(text), run.digest]).then(([own]) => own);
    try {
      const hash = await run.digest;
      if (this.ended) throw new InputPending();
      return this.#answerTo(question, method, name, hash, run);
    } finally {
      // Questions without an answer end the run, one macrotask after the last
      // one.
      if (--run.digesting === 0 && run.open.size > 0)
        setTimeout(() => void this.#endRound(), 0);
    }
  }

  /**
   * The answer to a question; without one, a promise that rejects when the run
   * ends.
   */
  #answerTo(
    { row, params }: Question,
    method: string,
    name: string | undefined,
    hash: string,
    { open, counts, ended, state: { answers, pending } }: Run,
  ): unknown {
    const count = counts.get(hash) ?? 0;
    if (name === undefined) counts.set(hash, count + 1);
    const key = name ?? `${method}:${hash}:${count}`;
    const previous = open.get(key) ?? answers.get(key) ?? pending.get(key);
    if (previous && previous.digest !== hash) {
      throw new SessionError(
        "repeat",
        `The question "${key}" differs between runs of the handler: first ${previous.method} (params ${previous.digest}), now ${method} (params ${hash}).`,
      );
    }
    const earlyAnswer = getOwn(this.#earlyAnswers, key);
    const answer = answers.has(key)
      ? answers.get(key)?.value
      : row.checks.result(earlyAnswer)
        ? earlyAnswer
        : undefined;
    // If the answer does not match the form, the question is sent again
    // (ELIC-06).
    const { form } = row.rules ?? {};
    if (
      answer !== undefined &&
      !form?.issueIn(params as JsonObject, answer as JsonObject)
    ) {
      const value = form
        ? form.withoutContent(params as JsonObject, answer as JsonObject)
        : answer;
      answers.set(key, { method, digest: hash, value });
      return value;
    }
    answers.delete(key);
    open.set(key, { method, params, digest: hash });
    return ended;
  }

  async #endRound(): Promise<void> {
    const { open, onces, digesting, state: previousState } = this.#currentRun();
    if (this.ended || digesting > 0) return;
    this.#endRun();
    this.#controller?.abort(new InputPending());
    // The state must contain the results of `once`, so that their work does not
    // run again.
    await Promise.allSettled(onces.values());
    const { rounds = 8 } = this.#call.server.config.settings.limits ?? {};
    const state = { ...previousState, pending: new Map(open) };
    if (++state.round > rounds) {
      const message = `The handler asked the client for input more than ${rounds} times in one call.`;
      return this.#end?.(Promise.reject(new SessionError("rounds", message)));
    }
    const questions = [...open].map(([key, { method, params }]) => [
      key,
      { method, params },
    ]);
    this.questions = Object.fromEntries(questions) as JsonObject;
    this.state = state;
    this.#end?.(undefined);
  }

  #currentRun(): Run {
    return (this.#run ??= newRun((this.state ??= newState())));
  }

  /** Ends the run and rejects its open questions. */
  #endRun(): void {
    this.ended = true;
    this.#run?.end(new InputPending());
  }

  #warnOfLateOutcome(): void {
    warn(
      this.#call.server.config.settings,
      "A handler continued after its question was sent to the client; its outcome is ignored. Code that catches errors around context.request must rethrow InputPending.",
    );
  }
}
