import { getOwn, type JsonObject } from "../../common/object.js";
import { either, unlessAborted } from "../../common/timing.js";
import { McpError, SessionError } from "../core/errors.js";
import { Exchange } from "../core/jsonrpc/dispatcher.js";
import type { RequestId } from "../core/message.js";
import type { AskOptions, Identity } from "../core/session/config.js";
import type { RequestContext } from "../core/session/context.js";
import type { Auth } from "../core/ports/transport.js";

/** The caller of requests that create or name tasks. */
export interface Requester {
  readonly principal: string | undefined;
  /**
   * The principal, or the session (in a cluster, its key) if there is none;
   * undefined for a requester that cannot be identified.
   */
  readonly key: unknown;
}

/** The status of a task (specification: "Tasks"). */
export type TaskStatus =
  "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * The public part of a task. Times are in ISO 8601, durations in milliseconds.
 */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval: number;
}

export type TaskError = Pick<McpError, "code" | "message" | "data">;

/** The outcome of a task. It may be read several times. */
export type Outcome =
  { readonly result: JsonObject } | { readonly error: TaskError };

/** A question that is part of a task. */
export interface Question {
  /** As it is sent. */
  readonly request: JsonObject;
  /** The run of the work that asked it last. */
  readonly attempt: number;
  /** What a client answered; until `isClosed`, the work may not accept it. */
  readonly answer?: unknown;
  /** True once the work has the answer, or does not wait for one any more. */
  readonly isClosed?: boolean;
}

/** What a task needs to run again in another process, if its process stops. */
export interface Restart {
  /** The name of the server. */
  readonly server: string;
  readonly revision: string;
  readonly method: string;
  readonly params: JsonObject;
  /**
   * The caller of the request, as JSON: without the members that are not
   * enumerable, such as the token that `protect` keeps.
   */
  readonly auth?: Auth | undefined;
  readonly client: Identity;
  /** The number of processes that have begun to run it. */
  readonly attempt: number;
  /** The results of `context.once`, by key. */
  readonly once: JsonObject;
}

/**
 * A task, as JSON: in the memory of the process that runs it, and in the store
 * of a cluster.
 */
export interface TaskState {
  readonly view: TaskView;
  /** Undefined until the task has ended. */
  readonly outcome?: Outcome | undefined;
  /** By key. A task never uses a key twice. */
  readonly questions: Readonly<Record<string, Question>>;
  /** Undefined if the task runs once at most. */
  readonly restart?: Restart | undefined;
}

/** True once the status of a task no longer changes (TASK-05). */
export const hasEnded = ({
  view: { status },
}: Pick<TaskState, "view">): boolean =>
  status !== "working" && status !== "input_required";

/** When the time of a task is over, in milliseconds since 1970. */
export const endOf = ({
  view: { createdAt, ttl },
}: Pick<TaskState, "view">): number => Date.parse(createdAt) + Number(ttl);

export const isOver = (task: Pick<TaskState, "view">): boolean =>
  endOf(task) <= Date.now();

/** The number of the run of the work. */
export const attemptOf = ({ restart }: TaskState): number =>
  restart?.attempt ?? 1;

/** The state with another status (TASK-05). */
export function movedTo<T extends TaskState>(
  state: T,
  status: TaskStatus,
  statusMessage?: string,
): T {
  const { statusMessage: _, ...view } = state.view;
  const lastUpdatedAt = new Date().toISOString();
  return {
    ...state,
    view: {
      ...view,
      status,
      lastUpdatedAt,
      ...(statusMessage !== undefined && { statusMessage }),
    },
  };
}

/** The questions for which the work waits, as they are sent, by key. */
export function openQuestions(state: TaskState): JsonObject {
  const open = Object.entries(state.questions).filter(
    ([, { isClosed, attempt }]) => !isClosed && attempt === attemptOf(state),
  );
  return Object.fromEntries(open.map(([key, { request }]) => [key, request]));
}

/**
 * Those of these answers that a question still takes, also one of an earlier
 * run, which the present one may ask again (XTASK-06).
 */
export function openAnswers(
  { questions }: TaskState,
  answers: JsonObject,
): JsonObject {
  const isOpen = ([key]: [string, unknown]): boolean => {
    const question = getOwn(questions, key);
    return question !== undefined && !question.isClosed;
  };
  return Object.fromEntries(Object.entries(answers).filter(isOpen));
}

export const errorOf = (reason: unknown): TaskError => {
  const { code, message, data } = McpError.from(reason);
  return { code, message, data };
};

/** What waits for the answer to a question. */
interface Waiting {
  accepts(value: unknown): boolean;
  resolve(value: unknown): void;
}

/**
 * A request that continues after its first answer, in the process that runs it.
 */
export class Task {
  state: TaskState;
  /**
   * The work of the task. Its messages are sent on the stream of a request for
   * the task's result.
   */
  readonly exchange: Exchange;
  readonly requester: Requester;
  readonly done: Promise<Outcome>;
  /** Called after each change of the status. */
  onChange: ((task: Task) => void) | undefined;
  /** By the key of the question. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #results = new Set<RequestId>();
  #resolveDone!: (outcome: Outcome) => void;
  /** True once the time of the task is over. */
  isExpired = false;
  #onArrival: (() => void) | undefined;
  #arrival: Promise<void> | undefined;
  #openQuestions = 0;

  constructor(
    state: TaskState,
    { exchange: { info, method } }: RequestContext,
    requester: Requester,
  ) {
    this.state = state;
    this.exchange = new Exchange(undefined, info, method);
    this.requester = requester;
    this.done = new Promise((resolve) => (this.#resolveDone = resolve));
  }

  get view(): TaskState["view"] {
    return this.state.view;
  }

  /** True once the task has ended; its status no longer changes (TASK-05). */
  get hasEnded(): boolean {
    return this.exchange.ended;
  }

  /** Changes the status and calls `onChange` (TASK-05, TASK-13). */
  move(status: TaskStatus, statusMessage?: string): void {
    if (this.hasEnded) return;
    this.state = movedTo(this.state, status, statusMessage);
    this.onChange?.(this);
  }

  /** Ends the task with an outcome. Does nothing if it has already ended. */
  end(status: TaskStatus, outcome: Outcome, statusMessage?: string): void {
    if (this.hasEnded) return;
    this.exchange.flush?.();
    this.state = { ...this.state, outcome };
    this.move(status, statusMessage);
    this.exchange.ended = true;
    this.#resolveDone(outcome);
  }

  /**
   * Aborts the work and ignores its result (TASK-10). Does nothing if the task
   * has already ended.
   */
  cancel(reason: unknown): void {
    if (this.hasEnded) return;
    this.end("cancelled", { error: errorOf(reason) });
    this.exchange.abort(reason);
  }

  /**
   * Fails the task, also if it has ended: its end could not be stored, so
   * nobody knows of it.
   */
  fail(error: McpError): void {
    this.exchange.ended = false;
    this.end("failed", { error: errorOf(error) }, error.message);
    this.exchange.abort(error);
  }

  /**
   * Keeps what `context.once` has returned for a key, for another process that
   * may run the task.
   */
  keepOnce(key: string, value: unknown): void {
    const { restart } = this.state;
    if (!restart) return;
    // JSON has no undefined.
    const once = { ...restart.once, [key]: value ?? null };
    this.state = { ...this.state, restart: { ...restart, once } };
  }

  /**
   * Makes a question part of the task until it has an answer that `accepts`
   * takes. `sentAs` returns it as it is sent.
   */
  pose(
    question: JsonObject,
    accepts: Waiting["accepts"],
    { key = this.#keyFor(question), signal: own }: AskOptions = {},
    sentAs: (key: string) => JsonObject = () => question,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#isFree(key, question)) {
        throw new SessionError(
          "repeat",
          `The task has already used the key "${key}" for a question.`,
        );
      }
      const signal = either(own, this.exchange.signal);
      signal.throwIfAborted();
      const abort = (): void => {
        this.#close(key, undefined);
        reject(signal.reason as Error);
        this.#continueIfAnswered();
      };
      signal.addEventListener("abort", abort, { once: true });
      const accept = (value: unknown): void => {
        signal.removeEventListener("abort", abort);
        this.#close(key, value);
        resolve(value);
      };
      const earlier = getOwn(this.state.questions, key)?.answer;
      this.#keep(key, { request: sentAs(key), attempt: attemptOf(this.state) });
      if (earlier !== undefined && accepts(earlier)) return accept(earlier);
      this.#waiting.set(key, { accepts, resolve: accept });
      this.move("input_required");
    });
  }

  #keep(key: string, question: Question): void {
    this.state = {
      ...this.state,
      questions: { ...this.state.questions, [key]: question },
    };
  }

  /**
   * Closes a question. Only a task that may run again needs the question and
   * its answer then.
   */
  #close(key: string, answer: unknown): void {
    this.#waiting.delete(key);
    const { questions, restart } = this.state;
    const { request = {}, attempt = 1 } =
      (restart && getOwn(questions, key)) ?? {};
    this.#keep(key, {
      request,
      attempt,
      ...(restart && answer !== undefined && { answer }),
      isClosed: true,
    });
  }

  /**
   * The key of the same question in an earlier process, or else one that no
   * question has had.
   */
  #keyFor(question: JsonObject): string {
    for (let i = 0; ; i++) {
      const key = `${String(question["method"])}:${i}`;
      if (this.#isFree(key, question)) return key;
    }
  }

  /**
   * True unless a question of this process has the key, or another question of
   * an earlier one (XTASK-06).
   */
  #isFree(key: string, question: JsonObject): boolean {
    const earlier = getOwn(this.state.questions, key);
    if (!earlier) return true;
    return (
      earlier.attempt !== attemptOf(this.state) &&
      isSame(earlier.request, question)
    );
  }

  /**
   * Resolves open questions with their answers. Ignores other answers
   * (XTASK-06).
   */
  answer(responses: JsonObject): void {
    if (this.hasEnded) return;
    for (const [key, answer] of Object.entries(
      openAnswers(this.state, responses),
    )) {
      const waiting = this.#waiting.get(key);
      // An answer that does not match the form is ignored (ELIC-06).
      if (waiting) {
        if (waiting.accepts(answer)) waiting.resolve(answer);
        continue;
      }
      // The handler has not posed the question again yet.
      const question = getOwn(this.state.questions, key);
      if (question) this.#keep(key, { ...question, answer });
    }
    this.#continueIfAnswered();
  }

  /** Continues once there is no open question. */
  #continueIfAnswered(): void {
    const isOpen = Object.keys(openQuestions(this.state)).length > 0;
    if (this.view.status === "input_required" && !isOpen) this.move("working");
  }

  /**
   * Sends a question while the requester waits for the result, which it should
   * do when the task needs input.
   */
  async ask(question: () => Promise<unknown>): Promise<unknown> {
    if (this.#openQuestions++ === 0) this.move("input_required");
    try {
      while (this.#results.size === 0 && !this.hasEnded) {
        this.#arrival ??= new Promise((resolve) => (this.#onArrival = resolve));
        await Promise.race([this.#arrival, this.done]);
      }
      this.exchange.signal.throwIfAborted();
      if (this.hasEnded)
        throw new Error("The task has ended, so it cannot ask the client.");
      return await question();
    } finally {
      if (--this.#openQuestions === 0) this.move("working");
    }
  }

  async attend({
    requestId: id = "",
    signal,
  }: RequestContext): Promise<Outcome> {
    this.#results.add(id);
    this.#useLatestStream();
    this.#onArrival?.();
    this.#arrival = undefined;
    try {
      return await unlessAborted(this.done, signal);
    } finally {
      this.#results.delete(id);
      this.#useLatestStream();
    }
  }

  #useLatestStream(): void {
    (this.exchange as { id: RequestId | undefined }).id = [...this.#results].at(
      -1,
    );
  }
}

/** True for one question, whatever its metadata says. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const textOf = ({ method, params }: JsonObject): string =>
    JSON.stringify([
      method,
      { ...(params as JsonObject | undefined), _meta: undefined },
    ]);
  return textOf(one) === textOf(other);
}
