import {
  type AskOptions,
  type Exchange,
  type HandlerContext,
  type Identity,
  type JsonObject,
  metaOf,
  onceIn,
  RefusedError,
  ServerContext,
  either,
} from "../index.js";
import type { BaseServerLink } from "../session/server-link.js";
import type { Asking } from "./asking.js";

/** What a handler knows of a request that says everything for itself. */
export class ModernContext extends ServerContext {
  readonly #asking: Asking | undefined;
  #signal: AbortSignal | undefined;
  #done: Map<string, Promise<unknown>> | undefined;

  constructor(
    link: BaseServerLink,
    exchange: Exchange,
    params: unknown,
    client: Identity,
    asking?: Asking | undefined,
  ) {
    super(link, exchange, params, client);
    this.#asking = asking;
  }

  override get signal(): AbortSignal {
    if (!this.#asking) return this.exchange.signal;
    return (this.#signal ??= either(this.exchange.signal, this.#asking.signal));
  }

  get once(): HandlerContext["once"] {
    return (key, work) =>
      this.#asking ? this.#asking.once(key, work) : onceIn((this.#done ??= new Map()), key, work);
  }

  protected override get silent(): boolean {
    return this.exchange.over || this.exchange.id === undefined || this.#asking?.over === true;
  }

  /** XTASK-11: what goes on after the answer has no stream for progress and logs. */
  override fork(exchange: Exchange): ModernContext {
    return new ModernContext(this.link, exchange, this.params, this.client);
  }

  /** LOG-04: without a level in this very request, nothing is sent. */
  protected get threshold(): number {
    const { meta, levels } = this.host.side.revision;
    const index = levels.indexOf(String(metaOf(this.params)[meta.logLevel ?? ""]));
    return index === -1 ? Infinity : index;
  }

  /** MRTR-01 */
  protected ask(method: string, params: JsonObject | undefined, options: AskOptions): Promise<unknown> {
    if (this.#asking) return this.#asking.ask(method, params, options);
    const message = `In revision ${this.revision} the client cannot be asked from here: ${method} was not sent.`;
    return Promise.reject(new RefusedError("place", message));
  }
}
