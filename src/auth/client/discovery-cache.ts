import type { Discovery, DiscoveryHints } from "./discovery.js";

type Hints = Omit<DiscoveryHints, "choose">;

/** How long the result of discovery is used if no request is rejected, in milliseconds. */
const maxAge = 3_600_000;

/** The last result of discovery for one server. */
export class DiscoveryCache {
  readonly #discover: (hints: Hints) => Promise<Discovery>;
  #last: { readonly discovery: Discovery; readonly at: number } | undefined;

  constructor(discover: (hints: Hints) => Promise<Discovery>) {
    this.#discover = discover;
  }

  async get(hints: Hints): Promise<Discovery> {
    return this.#last && Date.now() < this.#last.at + maxAge ? this.#last.discovery : this.renew(hints);
  }

  async renew(hints: Hints): Promise<Discovery> {
    const discovery = await this.#discover(hints);
    this.#last = { discovery, at: Date.now() };
    return discovery;
  }
}
