import type { JsonObject } from "../../../common/object.js";
import type {
  ClientSessionConfig,
  Handler,
  HandlerContext,
  ServerSessionConfig,
  Settings,
} from "../session/config.js";
import type { RequestFacts, SideTable } from "../tables.js";

/**
 * Handlers of several requests. It is a member of the handlers under a symbol,
 * so that it can be spread: `{ ...tools([…]) }`.
 */
export interface Feature {
  /**
   * Creates the handlers of all features with this function. Called once for
   * each distinct function.
   */
  readonly provide: (
    features: readonly Feature[],
    side: SideTable,
    settings: Settings,
  ) => Provided;
}

declare const contextOf: unique symbol;

/**
 * Handlers that get this context. The member exists for inference only: from
 * the expected type of `tools`, `resources` and `prompts`, the compiler infers
 * the context of their functions.
 */
export interface ForContext<Context> {
  // With the base of all contexts, handlers for one context are also handlers
  // for another.
  [contextOf]?(context: Context | HandlerContext): void;
}

/** What a feature adds to the configuration of a side. */
export interface Provided {
  /** Handlers by method. A handler that the user sets takes precedence. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Capabilities besides those of the handlers. */
  readonly capabilities?: JsonObject | undefined;
  readonly paramHeaders?: ServerSessionConfig["paramHeaders"];
  readonly scopes?: ServerSessionConfig["scopes"];
  readonly scoped?: ServerSessionConfig["scoped"];
  readonly mayListen?: ServerSessionConfig["mayListen"];
  readonly follow?: ClientSessionConfig["follow"];
  /** Wraps any handler of the side. */
  readonly wrap?:
    ((facts: RequestFacts, handler: Handler) => Handler) | undefined;
}
