import { isMcpError, isTimeoutError } from "../errors.js";
import type {
  Observe,
  Observed,
  ObservedRequest,
  Observer,
  RequestOutcome,
} from "../ports/observe.js";
import { metaOf } from "../message.js";
import { report } from "../report.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";

/**
 * Makes an observer of a client or a server:
 * `{ observe: observer((request) => …) }`. The function is called when a
 * request begins. What it returns is called while the request runs and when it
 * has ended. An error that one of them throws goes to `onError` and changes
 * nothing else.
 */
export function observer(observe: Observe): Observer {
  return (connection, direction, source, params, taskId) => {
    const { reporting, transport } = connection;
    const start = performance.now();
    const onError = (error: unknown): void =>
      report(reporting, error, "observe");
    const safely = <T>(work: () => T): T | undefined => attempt(work, onError);
    const { method = "", id, info } = source;
    const object = isObject(params) ? params : undefined;
    const request: ObservedRequest = {
      direction,
      method,
      name: nameIn(object),
      id,
      principal: info?.auth?.principal,
      params: object,
      meta: metaOf(params),
      session: info?.session,
      taskId,
      carrier: transport.carrier,
      address: transport.address,
    };
    let observation = safely(() => observe(request)) ?? undefined;
    const meta = observation?.meta;

    const inside: Observed["inside"] = (work) =>
      new Promise((resolve) => {
        let isDone = false;
        const once = (): void => {
          if (!isDone) resolve(new Promise((done) => done(work() as never)));
          isDone = true;
        };
        safely(() => observation?.run?.(once));
        once();
      });

    const end: Observed["end"] = (result, error, isCancelled) => {
      const ended = observation;
      observation = undefined;
      const { side } = source;
      const hasSession =
        side?.revision.opening === "initialize" && !info?.isStateless;
      const table =
        direction === "sent" ? side?.outgoingRequests : side?.incomingRequests;
      const kind = isCancelled ? "cancelled" : kindOf(result, error);
      safely(() =>
        ended?.end?.({
          kind,
          milliseconds: performance.now() - start,
          revision: table && getOwn(table, method) && side?.revision.revision,
          sessionEnd: hasSession ? connection.closeSignal : undefined,
          result,
          error,
          code: kind === "error" && isMcpError(error) ? error.code : undefined,
        }),
      );
    };

    const send: Observed["send"] = (options, sendWith, signal) => {
      const accept = (name: string, result: JsonObject): unknown =>
        // What follows, such as the next round of the call, belongs to this
        // request.
        inside(() => {
          const value = options.accept ? options.accept(name, result) : result;
          end(result);
          return value;
        });
      const more = {
        ...options,
        accept,
        meta: meta ? { ...meta, ...options.meta } : options.meta,
      };
      const answer = inside(() => sendWith(more));
      answer.then(end, (error: unknown) =>
        end(undefined, error, signal?.aborted),
      );
      return answer;
    };
    return { meta, inside, end, send };
  };
}

function nameIn(params: JsonObject | undefined): string | undefined {
  const name = params?.["name"] ?? params?.["uri"];
  return typeof name === "string" ? name : undefined;
}

/** The value that a function of the program returns; undefined if it fails. */
function attempt<T>(
  work: () => T,
  onError: (error: unknown) => void,
): T | undefined {
  try {
    const value = work();
    // A function that returns nothing may be declared as `async`.
    (value as { catch?(handler: typeof onError): void } | undefined)?.catch?.(
      onError,
    );
    return value;
  } catch (error) {
    return void onError(error);
  }
}

function kindOf(result: unknown, error: unknown): RequestOutcome["kind"] {
  if (isTimeoutError(error)) return "timeout";
  if (error !== undefined) return "error";
  return isObject(result) && result["isError"] === true ? "tool_error" : "ok";
}
