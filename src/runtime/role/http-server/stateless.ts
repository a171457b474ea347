import type { JsonObject } from "../../message.js";
import type { ServerEngineSession } from "../../session/config.js";
import { serveAlone } from "../serve.js";
import type { ServerCore } from "../server.js";
import { HttpCarrier } from "./carrier.js";
import type { Load } from "./load.js";
import type { HttpResponse } from "./exchange.js";
import type { MessageInfo } from "../../transport/transport.js";

/** One POST. */
interface One {
  readonly carrier: HttpCarrier;
  readonly link: ServerEngineSession;
  readonly core: ServerCore;
  /** Where it stands among those that wait. */
  place: number;
  readonly isListener: boolean;
}

/** The POSTs that are served each by itself, outside of any session. */
export class Alone {
  /** An array: a Map that churns promotes dead entries to V8's old generation. */
  readonly #waiting: One[] = [];
  /** The revisions that are served on the URL. */
  readonly supported: readonly string[];
  readonly load: Load;

  constructor(supported: readonly string[], load: Load) {
    this.supported = supported;
    this.load = load;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Lets a server answer, and forgets it once that is done. */
  post(
    core: ServerCore,
    message: unknown,
    response: HttpResponse,
    info: MessageInfo,
    caller: string | undefined,
    statusOf: (reply: JsonObject) => number,
    isListener = false,
  ): void {
    const { revision } = core.side;
    const carrier = new HttpCarrier({
      load: this.load,
      maxBatch: core.config.settings.limits?.batch,
      revision,
      caller,
      isListener,
      statusOf,
      onIdle: () => this.#forget(one),
    });
    const link = serveAlone(carrier, core, this.supported);
    const one: One = { carrier, link, core, place: this.#waiting.length, isListener };
    this.#waiting.push(one);
    // Nobody else hears announcements outside of a session.
    if (isListener) core.sessions.add(link);
    carrier.post(message, response, info);
  }

  keepAlive(): void {
    for (const { carrier } of this.#waiting) carrier.keepAlive();
  }

  /** Ends in good order what would go on and on. */
  finish(): void {
    for (const { link } of this.#waiting) link.finish?.();
  }

  #forget(one: One): void {
    const { core, link, place, isListener } = one;
    if (this.#waiting[place] !== one) return;
    if (isListener) core.sessions.delete(link);
    const last = this.#waiting.pop() as One;
    if (last === one) return;
    last.place = place;
    this.#waiting[place] = last;
  }
}
