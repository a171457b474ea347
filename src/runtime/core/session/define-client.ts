import {
  invalidAt,
  rpcError,
  type RpcErrorName,
  SessionError,
} from "../errors.js";
import { callsOf } from "../jsonrpc/calls.js";
import {
  Exchange,
  observeWork,
  RequestDispatcher,
} from "../jsonrpc/dispatcher.js";
import { metaOf, type Params } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import { RateLimit } from "../quota.js";
import { warn } from "../report.js";
import { either, settle, unlessAborted } from "../../../common/timing.js";
import {
  augmentedRow,
  checkPrefixes,
  checkRequest,
  checkResult,
} from "./check.js";
import { missingCapabilities } from "../capabilities.js";
import type { ClientSideSession } from "./client-side.js";
import type {
  Answering,
  QuestionMessage,
  ClientQuestions,
  ClientSide,
} from "./config.js";
import { ClientRequestContext } from "./context.js";
import { asSent, withMeta } from "./outgoing.js";
import {
  allMessages,
  type Messages,
  type SideDefinition,
  tablesOf,
} from "./side.js";

/**
 * How a client answers requests of the server. Only tables of questions refer
 * to it.
 */
const answering: Answering = { dispatcher: dispatcherOf, fulfil };

/**
 * Answers the requests of the connection of a session, a ping at any time
 * (PING-01).
 */
function dispatcherOf(session: ClientSideSession): RequestDispatcher {
  const { inFlight = 256 } = session.config.settings.limits ?? {};
  const dispatcher = new RequestDispatcher(session.connection, inFlight);
  const request = (message: QuestionMessage, exchange: Exchange): unknown =>
    message.method === session.config.side.revision.wellKnown.ping
      ? {}
      : answerQuestion(session, message, exchange);
  dispatcher.answerer = { request };
  return dispatcher;
}

/** Checks a request of the server, calls its handler, and checks the result. */
function answerQuestion(
  session: ClientSideSession,
  message: QuestionMessage,
  exchange: Exchange,
): unknown {
  const { side, handlers, capabilities, settings } = session.config;
  const { method, params: sent } = message;
  exchange.side = side;
  const row = getOwn(side.incomingRequests, method);
  const handler = handlers.get(method);
  // A request without a handler needs a capability that this client did not
  // declare (LIFE-10).
  if (!row || !handler)
    throw unsupportedError(
      side,
      "METHOD_NOT_FOUND",
      `This client does not answer ${method}.`,
    );
  const { form } = row.rules ?? {};
  const params = checkRequest(side, row, {
    params: form?.ofMode(sent) ?? sent,
  });
  // Modes and tools that this client did not declare are invalid params
  // (ELIC-02, SAMP-04). The member that requests a task is not, because a
  // receiver without tasks ignores it (TASK-02).
  const { augments } = row;
  const plain =
    augments !== undefined && isObject(params)
      ? { ...params, [augments]: undefined }
      : params;
  const needs = missingCapabilities(row, plain, capabilities);
  if (needs)
    throw unsupportedError(
      side,
      "INVALID_PARAMS",
      `${method}: this client does not declare ${JSON.stringify(needs)}.`,
    );
  try {
    row.rules?.check(method, params, settings);
  } catch (error) {
    throw unsupportedError(side, "INVALID_PARAMS", (error as Error).message);
  }
  const { questionsPerMinute = 600 } = settings.limits ?? {};
  session.questionRate ??= new RateLimit(questionsPerMinute, 60_000);
  if (!session.questionRate.allows(session))
    throw unsupportedError(
      side,
      "INTERNAL_ERROR",
      `${method}: more than ${questionsPerMinute} requests in one minute (limits.questionsPerMinute).`,
    );
  const answer = whilePaused(session, exchange, () =>
    handler(
      params as never,
      new ClientRequestContext(session, exchange, params) as never,
    ),
  );
  return settle(answer, (value) => {
    let result = asSent(value) ?? {};
    if (form && isObject(params) && isObject(result)) {
      const complete = form.fill(params, result);
      result = form.withoutContent(params, complete);
      if (result !== complete)
        warn(
          settings,
          `${method}: content is omitted, because only an accepted form has content.`,
        );
      const message = form.issueIn(params, result as JsonObject);
      if (message) throw invalidAt(`${method} result`, message, ["content"]);
    }
    result = withRelatedTask(result, params, side.revision.meta.relatedTask);
    checkPrefixes(row, result);
    return checkResult(side, augmentedRow(row, params as Params), result);
  });
}

/**
 * The error for a request of the server that this client does not support. A
 * question inside a result is rejected locally, so the error has no code that a
 * peer could send (JRPC-17).
 */
const unsupportedError = (
  { revision }: ClientSide,
  name: RpcErrorName,
  message: string,
): Error =>
  revision.opening === "per-request"
    ? new SessionError("capability", message)
    : rpcError(name, message);

/** Answers all questions of a result (MRTR-05). */
async function fulfil(
  session: ClientSideSession,
  questions: JsonObject,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  // Before promises are created that could reject without a handler.
  signal?.throwIfAborted();
  const done = new AbortController();
  const stop = either(signal, done.signal);
  const one = async ([key, question]: [string, unknown]): Promise<
    [string, unknown]
  > => {
    const message = question as QuestionMessage;
    const exchange = new Exchange(key, undefined, message.method);
    stop.addEventListener("abort", () => exchange.abort(stop.reason));
    const work = (): unknown => answerQuestion(session, message, exchange);
    return [
      key,
      await observeWork(session.connection, exchange, message.params, work),
    ];
  };
  try {
    return Object.fromEntries(
      await unlessAborted(
        Promise.all(Object.entries(questions).map(one)),
        stop,
      ),
    );
  } finally {
    // If one answer fails, no retry is sent and the others are aborted
    // (MRTR-15).
    done.abort(new DOMException("The call has ended.", "AbortError"));
  }
}

/**
 * An answer with the task that its question belongs to, under the key of the
 * revision (specification: Tasks, "Related Task Metadata").
 */
function withRelatedTask<T>(
  result: T,
  params: unknown,
  key: string | undefined,
): T {
  const task = key === undefined ? undefined : getOwn(metaOf(params), key);
  return task === undefined
    ? result
    : (withMeta(result as Params, { [key as string]: task }) as T);
}

/**
 * Stops the timeouts of open calls until the work is done or the exchange is
 * over: a person may take long to answer.
 */
function whilePaused(
  session: ClientSideSession,
  exchange: Exchange,
  work: () => unknown,
): unknown {
  const calls = callsOf(session.connection);
  let isPaused = true;
  const resume = (): void => {
    if (isPaused) calls.resume();
    isPaused = false;
  };
  calls.pause();
  exchange.signal.addEventListener("abort", resume);
  return new Promise((resolve) => resolve(work())).finally(resume);
}

export interface ClientSideDefinition
  extends SideDefinition, Pick<ClientSide, "engine"> {}

export interface ClientQuestionsDefinition
  extends Messages, Pick<ClientQuestions, "revision" | "input" | "failures"> {}

/**
 * Makes the tables of a client, which answers no request of the server but a
 * ping.
 */
export function defineClientSide({
  messages,
  ...side
}: ClientSideDefinition): ClientSide {
  return {
    ...side,
    side: "client",
    ...tablesOf("client", messages),
    incomingRequests: {},
  };
}

/**
 * Makes the tables with which a client answers requests of the server. It
 * answers a ping without them.
 */
export function defineClientQuestions(
  definition: ClientQuestionsDefinition,
): ClientQuestions {
  const { messages: _, questions: _1, rules: _2, ...others } = definition;
  const { ping } = others.revision.wellKnown;
  const rows = allMessages(definition).filter(({ method }) => method !== ping);
  const { incomingRequests } = tablesOf("client", rows);
  return { ...others, answering, incomingRequests };
}
