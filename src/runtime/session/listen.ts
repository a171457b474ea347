import { mayPass } from "../errors.js";
import { backoff, either, pause } from "../timing.js";
import { warn } from "../report.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import { isObject, type JsonObject, type Params } from "../message.js";
import type { ClientSessionConfig } from "./config.js";

/** What a stream of announcements needs of the session that it belongs to. */
export interface Listener {
  readonly config: ClientSessionConfig;
  /** Aborts when nothing can be sent any more. */
  readonly gone: AbortSignal;
  /** Opens a stream; resolves when the server ends it in good order. */
  open(options: RequestOptions): Promise<unknown>;
  /** Announcements may have gone unheard. */
  missed(): void;
}

/** Listens until the server or the caller has enough: SUBS-09, SUBS-10: a stream that breaks is opened again, with a new id. */
export async function listen(
  { config, gone, open, missed }: Listener,
  params: Params,
  options: RequestOptions,
): Promise<unknown> {
  const { maxReconnects = 10, reconnectTime = 500, maxReconnectTime } = config.settings.listening ?? {};
  const next = backoff(maxReconnects, reconnectTime, maxReconnectTime);
  let isOpen = false;
  const onNotice = (method: string, told: JsonObject): void => {
    if (method === config.side.revision.wellKnown.acknowledged) {
      isOpen = true;
      compare(config, params?.["notifications"], told["notifications"]);
    }
    options.onNotice?.(method, told);
  };
  for (;;) {
    try {
      return await open({ ...options, timeout: options.timeout ?? Infinity, onNotice });
    } catch (error) {
      // What never was open is for the caller to know of at once.
      const wait = isOpen && !gone.aborted && mayPass(error) ? next() : undefined;
      if (wait === undefined) throw error;
      missed();
      await pause(wait, either(options.signal, gone));
    }
  }
}

/** SUBS-11: warns of what was asked for and will not be told. */
function compare({ settings }: ClientSessionConfig, asked: unknown, granted: unknown): void {
  for (const [name, wanted] of Object.entries(isObject(asked) ? asked : {})) {
    const given = isObject(granted) ? granted[name] : undefined;
    if (wanted === false || JSON.stringify(given) === JSON.stringify(wanted)) continue;
    const text = `The server tells ${JSON.stringify(given ?? false)} of ${name}, where ${JSON.stringify(wanted)} was asked for.`;
    warn(settings, text);
  }
}
