import { serveAlone, type ServerCore, type ServerLink } from "../../index.js";
import { type CarrierOptions, HttpCarrier } from "../../transport/http/carrier.js";

/** The POSTs that are served each by itself, outside of any session. */
export class Alone {
  readonly #links = new Map<HttpCarrier, ServerLink>();
  readonly #supported: readonly string[];
  readonly #shared: Pick<CarrierOptions, "load" | "maxWaitingBytes">;

  constructor(supported: readonly string[], shared: Pick<CarrierOptions, "load" | "maxWaitingBytes">) {
    this.#supported = supported;
    this.#shared = shared;
  }

  get size(): number {
    return this.#links.size;
  }

  /** What carries one POST to a server, which forgets it once it is answered. */
  carry(core: ServerCore, options: Pick<CarrierOptions, "statusOf" | "endsWithClient">): HttpCarrier {
    const onIdle = (): void => {
      this.#links.delete(carrier);
      core.links.delete(link);
    };
    const { maxBatch } = core.host.settings;
    const { revision } = core.side;
    const { load, maxWaitingBytes } = this.#shared;
    const { statusOf, endsWithClient = false } = options;
    const carrier = new HttpCarrier({
      load,
      maxWaitingBytes,
      maxBatch,
      revision,
      hasStandalone: false,
      endsWithClient,
      statusOf,
      onIdle,
    });
    const link = serveAlone(carrier, core, this.#supported);
    this.#links.set(carrier, link);
    return carrier;
  }

  keepAlive(): void {
    for (const carrier of this.#links.keys()) carrier.keepAlive();
  }

  /** Ends in good order what would go on and on. */
  finish(): void {
    for (const link of this.#links.values()) link.finish?.();
  }
}
