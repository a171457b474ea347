import type { JsonObject } from "../message.js";
import { declares, join } from "../session/capabilities.js";
import type {
  ClientSessionConfig,
  Handler,
  SessionConfig,
  ServerSessionConfig,
  Settings,
} from "../session/config.js";
import type { RequestFacts, SideTable } from "../tables.js";

/** What a side is given by its user. */
export interface SideOptions {
  readonly info: object;
  readonly handlers?: object | undefined;
  readonly capabilities?: object | undefined;
}

/** Answers to several requests at once. Stands among the handlers under a symbol, so that it may be spread in. */
export interface Feature {
  /** Answers for all features that have this very function, or shares an answer with those that have another. */
  readonly provide: (features: readonly Feature[], side: SideTable, settings: Settings) => Provided;
}

/** What a feature adds to a side. */
export interface Provided {
  /** By wire method; one that the user wrote by hand goes before it. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Declared beside what follows from the handlers. */
  readonly capabilities?: JsonObject | undefined;
  readonly mirrors?: ServerSessionConfig["mirrors"];
  readonly mayListen?: ServerSessionConfig["mayListen"];
  readonly follow?: ClientSessionConfig["follow"];
  /** Puts something before a handler, its own or another's. */
  readonly wrap?: ((facts: RequestFacts, handler: Handler) => Handler) | undefined;
}

/** The layout of tables that this runtime reads. */
const format = 2;

/** Throws unless the generated code was made for this runtime. */
function checkFormat({ revision }: SideTable): void {
  const found: number = revision.format;
  if (found !== format) {
    throw new Error(
      `The code for revision ${revision.revision} has format ${found}, @mcpgen/runtime reads format ${format}: generate it again.`,
    );
  }
}

/** Makes a side ready: its handlers by method, the capabilities that follow from them, and what its features add besides. */
export function makeConfig<Side extends SideTable, Options extends Settings>(
  side: Side,
  options: SideOptions & Options,
): readonly [config: SessionConfig<Side, Options>, provided: readonly Provided[]] {
  checkFormat(side);
  const given = (options.handlers ?? {}) as Readonly<Record<string, unknown>>;
  const provided = provide(given, side, options);
  const answers = Object.fromEntries(provided.flatMap((one) => Object.entries(one.handlers)));
  const handlers = new Map<string, Handler>();
  let capabilities: JsonObject = {};
  for (const method of [...Object.keys(side.incomingRequests), ...Object.keys(side.incomingNotifications)]) {
    const handler = given[method] ?? answers[method];
    if (typeof handler !== "function") continue;
    const facts = side.incomingRequests[method]?.facts;
    const bound = handler.bind(given) as Handler;
    handlers.set(
      method,
      facts ? provided.reduce((inner, { wrap }) => wrap?.(facts, inner) ?? inner, bound) : bound,
    );
    const needs = facts?.needs;
    if (needs && !declares(capabilities, needs)) capabilities = join(capabilities, needs);
  }
  for (const one of provided) capabilities = join(capabilities, one.capabilities ?? {});
  capabilities = join(capabilities, (options.capabilities ?? {}) as JsonObject);
  const info = options.info as JsonObject;
  return [{ side, info, capabilities, handlers, settings: options }, provided];
}

function provide(given: object, side: SideTable, settings: Settings): Provided[] {
  const marked = given as Readonly<Record<symbol, Feature | undefined>>;
  const features = Object.getOwnPropertySymbols(given).flatMap((key) => marked[key] ?? []);
  return [...new Set(features.map((feature) => feature.provide))].map((each) =>
    each(features, side, settings),
  );
}

/** Throws for a handler that no revision calls: a misspelt method would otherwise never be missed. */
export function checkHandlers(sides: readonly SideTable[], handlers: object | undefined): void {
  for (const [method, handler] of Object.entries(handlers ?? {})) {
    if (typeof handler !== "function") continue;
    if (
      sides.some(
        ({ incomingRequests, incomingNotifications }) =>
          Object.hasOwn(incomingRequests, method) || Object.hasOwn(incomingNotifications, method),
      )
    )
      continue;
    const revisions = sides.map(({ revision }) => revision.revision).join(", ");
    throw new TypeError(
      `handlers[${JSON.stringify(method)}]: revision ${revisions} has no such message to answer.`,
    );
  }
}
