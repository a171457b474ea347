import type { Auth } from "../../index.js";
import type { Load } from "../../transport/http/carrier.js";
import type { DoorOptions } from "../../transport/http/endpoint-options.js";
import { crossOrigin, preflight, stranger } from "../../transport/http/guard.js";
import type { HttpRequest, HttpResponse } from "../../transport/http/wire.js";
import type { Visit } from "./visit.js";

/** Decides who is let in, before anybody looks at what is asked. HDR-16 */
export class Gate {
  readonly load: Load = { posts: 0, isClosed: false };
  readonly #options: DoorOptions;
  readonly #maxRequests: number;
  readonly #methods: string;
  readonly #exposed: string;

  /** `methods` are what the URL is made for, `exposed` the headers of answers that pages may see. */
  constructor(
    options: DoorOptions,
    methods: readonly string[],
    exposed: readonly string[],
    maxRequests: number = Infinity,
  ) {
    this.#options = options;
    this.#maxRequests = maxRequests;
    this.#methods = methods.join(", ");
    this.#exposed = ["WWW-Authenticate", ...exposed].join(", ");
  }

  /** Returns undefined when the request has been answered. */
  async admit(request: HttpRequest, response: HttpResponse): Promise<Visit | undefined> {
    const { authenticate } = this.#options;
    const reason = stranger(request, this.#options);
    if (reason) return void response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
    response.headers = crossOrigin(request, this.#exposed);
    if (request.method === "OPTIONS") {
      return void response.reply(204, preflight(request, this.#methods));
    }
    // COMPAT-14
    if (!this.#methods.split(", ").includes(request.method)) {
      return void response.reply(405, { allow: this.#methods });
    }
    if (this.#isFull(request)) return void response.reply(503, { "retry-after": "1" });
    let auth: Auth | undefined;
    if (authenticate) {
      const known = await authenticate(request.toRequest());
      if (known instanceof Response) {
        return void response.reply(known.status, Object.fromEntries(known.headers), await known.text());
      }
      auth = known;
      // Much may have happened meanwhile.
      if (this.#isFull(request)) return void response.reply(503, { "retry-after": "1" });
    }
    return { request, response, auth };
  }

  #isFull({ method }: HttpRequest): boolean {
    return this.load.isClosed || (method === "POST" && this.load.posts >= this.#maxRequests);
  }
}
