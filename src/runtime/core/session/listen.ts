import { mayPass } from "../errors.js";
import { backoff, either, pause } from "../../../common/timing.js";
import { warn } from "../report.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { Params } from "../message.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import type { ClientSessionConfig } from "./config.js";

/** The part of a client session that `listen` uses. */
export interface Listener {
  readonly config: ClientSessionConfig;
  /** Aborts when the connection is closed. */
  readonly closeSignal: AbortSignal;
  /** Opens a stream. Resolves when the server ends it normally. */
  open(options: RequestOptions): Promise<unknown>;
  /** Called when the stream has broken, so that notifications may have been lost. */
  onLost(): void;
}

/** Listens until the server or the caller ends it. A stream that breaks is opened again with a new id (SUBS-09, SUBS-10). */
export async function listen(
  { config, closeSignal, open, onLost }: Listener,
  params: Params,
  options: RequestOptions,
): Promise<unknown> {
  const { maxReconnects = 10, reconnectTime = 500, maxReconnectTime } = config.settings.listening ?? {};
  const next = backoff(maxReconnects, reconnectTime, maxReconnectTime);
  let isOpen = false;
  const onNotice = (method: string, notification: JsonObject): void => {
    if (method === config.side.revision.wellKnown.acknowledged) {
      isOpen = true;
      warnOfRejected(config, params?.["notifications"], notification["notifications"]);
    }
    options.onNotice?.(method, notification);
  };
  for (;;) {
    try {
      return await open({ ...options, timeout: options.timeout ?? Infinity, onNotice });
    } catch (error) {
      // If the stream never opened, the caller gets the error at once.
      const wait = isOpen && !closeSignal.aborted && mayPass(error) ? next() : undefined;
      if (wait === undefined) throw error;
      onLost();
      await pause(wait, either(options.signal, closeSignal));
    }
  }
}

/** Warns of requested notifications that the server does not acknowledge (SUBS-11). */
function warnOfRejected({ settings }: ClientSessionConfig, filter: unknown, acknowledged: unknown): void {
  for (const [name, requestedValue] of Object.entries(isObject(filter) ? filter : {})) {
    const acknowledgedValue = isObject(acknowledged) ? acknowledged[name] : undefined;
    if (requestedValue === false || JSON.stringify(acknowledgedValue) === JSON.stringify(requestedValue))
      continue;
    const text = `The server sends ${JSON.stringify(acknowledgedValue ?? false)} of ${name}; ${JSON.stringify(requestedValue)} was requested.`;
    warn(settings, text);
  }
}
