import { invalidAt, rpcError, SessionError, TimeoutError } from "../errors.js";
import type { Params, RequestId } from "../message.js";
import type { JsonObject } from "../../../common/object.js";
import { either, within } from "../../../common/timing.js";
import { augmentedRow, checkResult } from "./check.js";
import type { AskOptions } from "./config.js";
import { nullIsAbsent } from "./conform.js";
import { rememberElicitation } from "./elicitation.js";
import type { LegacyContext, LegacyServer } from "./legacy-server.js";
import { prepareQuestion } from "./question.js";
import { sendRequest } from "./session.js";

/** Asks the client with a request of its own. Only tables of questions of revisions that open with `initialize` refer to it. */
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
    const why = isAlone ? "without `store` of `cluster`" : "with `sessions: false`";
    const text = `${method} was not sent: ${why}, this server cannot ask clients of ${side.revision.revision}.`;
    throw new SessionError("place", text, { cause: rpcError("INTERNAL_ERROR", text) });
  }
  const { row, params } = prepareQuestion(session, method, input, client.capabilities);
  const callOptions = { ...options, signal: either(options.signal, exchange.signal) };
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
  const defaults = { defaultTimeout: form ? 600_000 : 300_000, inReplyTo, cancel, info };
  const sent = await sendRequest(session, row, params, callOptions, defaults);
  const answer = checkResult(side, augmentedRow(row, params), sent, nullIsAbsent);
  if (!form) return answer;
  // The content must match the form (ELIC-06).
  const issue = form.issueIn(params ?? {}, answer as JsonObject);
  if (issue) throw invalidAt(`${method} result`, issue, []);
  return form.withoutContent(params ?? {}, answer as JsonObject);
}

/** Waits until the client is initialized, before a question is sent. Throws a `TimeoutError` if that takes too long. */
async function untilReady(
  session: LegacyServer,
  { timeout, signal }: AskOptions,
  method: string,
): Promise<void> {
  if (session.isInitialized) return;
  const { settings, side } = session.config;
  const time = timeout ?? settings.timeout ?? 300_000;
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal?.reason as Error);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
  await within(time, Promise.race([session.ready, stopped]));
  if (session.isInitialized) return;
  const { initialized } = side.revision.wellKnown;
  throw new TimeoutError(`${method} was not sent: the client did not send ${initialized} within ${time} ms.`);
}
