import { serveAlone, type ServerCore } from "../../index.js";
import { type CarrierOptions, HttpCarrier } from "../../transport/http/carrier.js";

/** The POSTs that are served each by itself, outside of any session. */
export class Alone {
  readonly #carriers = new Set<HttpCarrier>();
  readonly #supported: readonly string[];
  readonly #maxWaitingBytes: number;

  constructor(supported: readonly string[], maxWaitingBytes: number) {
    this.#supported = supported;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  get size(): number {
    return this.#carriers.size;
  }

  /** What carries one POST to a server, which forgets it once it is answered. */
  carry(
    core: ServerCore,
    options: Pick<CarrierOptions, "headers" | "statusOf" | "endsWithClient">,
  ): HttpCarrier {
    const onIdle = (): void => {
      this.#carriers.delete(carrier);
      forget();
    };
    const maxWaitingBytes = this.#maxWaitingBytes;
    const carrier = new HttpCarrier({ ...options, hasStandalone: false, maxWaitingBytes, onIdle });
    const forget = serveAlone(carrier, core, this.#supported);
    this.#carriers.add(carrier);
    return carrier;
  }

  keepAlive(): void {
    for (const carrier of this.#carriers) carrier.keepAlive();
  }
}
