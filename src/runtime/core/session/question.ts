import type { Exchange } from "../jsonrpc/dispatcher.js";
import { invalidAt, rpcError, SessionError, TimeoutError } from "../errors.js";
import type { Params, RequestId } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import { either, unlessAborted, withTimeout } from "../../../common/timing.js";
import { type Reporting, warn } from "../report.js";
import type { RequestRow } from "../tables.js";
import {
  augmentedRow,
  checkParams,
  checkResult,
  missingCapabilityError,
  noQuestionsError,
  nullIsAbsent,
  undeclaredError,
  unknownMethodError,
} from "./check.js";
import { missingCapabilities } from "../capabilities.js";
import type { AskOptions, ServerSessionConfig } from "./config.js";
import { rememberElicitation } from "./elicitation.js";
import type { LegacyContext, LegacyServer } from "./legacy-server.js";
import { toRevision, withMeta } from "./outgoing.js";
import { sendRequest, type Session } from "./session.js";

/** A request of a server to its client, checked and ready to send. */
export interface Question {
  readonly row: RequestRow;
  readonly params: Params;
}

/**
 * Checks a request of a server to its client, and returns its params as they
 * are sent.
 *
 * @throws SessionError if the revision or the client does not support the
 *   request, and ValidationError for invalid params.
 */
export function prepareQuestion(
  session: Pick<Session<ServerSessionConfig>, "config" | "connection">,
  method: string,
  input: unknown,
  clientCapabilities: unknown,
): Question {
  const { side, settings } = session.config;
  if (!side.askOnWire && !side.answerInRounds) throw noQuestionsError(method);
  const row = getOwn(side.outgoingRequests, method);
  const { embedded = side.revision.opening === "initialize" } = row ?? {};
  if (!row || !embedded) throw unknownMethodError(side, method);
  const needs = missingCapabilities(row, input, clientCapabilities);
  if (needs) {
    // The cause is the error to send to the client (MRTR-04).
    const error = undeclaredError(method, needs, "client");
    error.cause = missingCapabilityError(side, error.message, needs);
    throw error;
  }
  if (row.rules) {
    row.rules.check(method, input, settings);
    adviseQuestion(method, input, settings);
  }
  const params = toRevision(session, "params", method, input) as Params;
  checkParams(side, row, params);
  return { row, params };
}

/**
 * A question as it is sent inside a result, with what an observer adds to its
 * `_meta`. For the observer it ends at once: its answer comes with another
 * request.
 */
export function observeQuestion(
  { connection, config: { side } }: Session,
  { info }: Exchange,
  key: string,
  request: JsonObject,
): JsonObject {
  const method = String(request["method"]);
  const params = request["params"] as Params;
  const observed = connection.reporting.observe?.(
    connection,
    "sent",
    { method, id: key, info, side },
    params,
  );
  observed?.end(undefined);
  return observed?.meta
    ? { ...request, params: withMeta(params, observed.meta) }
    : request;
}

/**
 * Asks the client with a request of its own. Only tables of questions of
 * revisions that open with `initialize` refer to it.
 */
export async function askOnWire(
  context: LegacyContext,
  method: string,
  input: Params,
  options: AskOptions,
): Promise<unknown> {
  const { session, exchange, client } = context;
  const { side, withheld } = session.config;
  // The answer may arrive at a process that did not ask.
  const isAlone = withheld && session.connection.transport.shared;
  if (exchange.info?.isStateless || isAlone) {
    const why = isAlone
      ? "without `store` of `cluster`"
      : "with `sessions: false`";
    const text = `${method} was not sent: ${why}, this server cannot ask clients of ${side.revision.revision}.`;
    throw new SessionError("place", text, {
      cause: rpcError("INTERNAL_ERROR", text),
    });
  }
  const { row, params } = prepareQuestion(
    session,
    method,
    input,
    client.capabilities,
  );
  const callOptions = {
    ...options,
    signal: either(options.signal, exchange.signal),
  };
  await untilReady(session, callOptions, method);
  rememberElicitation(session, params);
  const { cancelled } = side.revision.wellKnown;
  const inReplyTo = exchange.id;
  const cancel = (requestId: RequestId, reason: string): void => {
    session.emit(cancelled, { requestId, reason }, { inReplyTo });
  };
  const { form } = row.rules ?? {};
  // A person needs longer for a form or a page than a model for its answer.
  const { info } = exchange;
  const defaults = {
    defaultTimeout: form ? 600_000 : 300_000,
    inReplyTo,
    cancel,
    info,
  };
  const sent = await sendRequest(session, row, params, callOptions, defaults);
  const answer = checkResult(
    side,
    augmentedRow(row, params),
    sent,
    nullIsAbsent,
  );
  if (!form) return answer;
  // The content must match the form (ELIC-06).
  const issue = form.issueIn(params as JsonObject, answer as JsonObject);
  if (issue) throw invalidAt(`${method} result`, issue, []);
  return form.withoutContent(params as JsonObject, answer as JsonObject);
}

/**
 * Waits until the client is initialized, before a question is sent. Throws a
 * `TimeoutError` if that takes too long.
 */
async function untilReady(
  session: LegacyServer,
  { timeout, signal }: AskOptions,
  method: string,
): Promise<void> {
  if (session.isInitialized) return;
  const { settings, side } = session.config;
  const time = timeout ?? settings.timeout ?? 300_000;
  await withTimeout(time, unlessAborted(session.ready, signal));
  if (session.isInitialized) return;
  const { initialized } = side.revision.wellKnown;
  throw new TimeoutError(
    `${method} was not sent: the client did not send ${initialized} within ${time} ms.`,
  );
}

/** Names of query parameters that suggest secrets or personal data. */
const sensitiveName = /token|secret|passw|api[-_]?key|session|e-?mail/i;

/** True for a part of a URL such as `token=…`, or with an address of e-mail. */
function isSensitive(part: string): boolean {
  const [name = "", ...values] = part.split("=");
  if (values.length > 0 && sensitiveName.test(name)) return true;
  return [name, ...values].some((text) => {
    const at = text.slice(1).search(/@|%40/);
    return at !== -1 && /.\.[a-z]/is.test(text.slice(at + 2));
  });
}

/**
 * Warns if the URL of an elicitation seems to contain secrets or personal data
 * (ELIC-21), or if a form contains a URL (ELIC-17).
 *
 * @throws ValidationError for a URL with a user name or a password.
 */
function adviseQuestion(
  method: string,
  params: unknown,
  reporting: Reporting,
): void {
  if (!isObject(params)) return;
  if (params["mode"] === "url") {
    const { username, password, pathname, search, hash } = new URL(
      String(params["url"]),
    );
    if (username !== "" || password !== "") {
      const message =
        "params.url: expected a URL without a user name and a password";
      throw invalidAt(method, message, ["params", "url"]);
    }
    if ((pathname + search + hash).split(/[/?&#;]/).some(isSensitive))
      warn(
        reporting,
        `${method}: the URL seems to contain secrets or personal data, which anyone who has the URL can read.`,
      );
  } else if (
    "requestedSchema" in params &&
    textsIn(params).some((text) => /https?:\/\//i.test(text))
  )
    warn(
      reporting,
      `${method}: the form contains a URL. To send the user to a page, use URL mode.`,
    );
}

/**
 * The texts that a user reads: the message, and the titles and descriptions of
 * the form and its fields.
 */
function textsIn(part: JsonObject): string[] {
  const texts = [part["message"], part["title"], part["description"]].filter(
    (text): text is string => typeof text === "string",
  );
  const choices = [part["items"], part["oneOf"], part["anyOf"]].flat();
  const fields = Object.values(Object(part["properties"]) as JsonObject);
  const parts = [part["requestedSchema"], ...fields, ...choices];
  return [...texts, ...parts.filter(isObject).flatMap(textsIn)];
}
