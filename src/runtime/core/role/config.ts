import type { JsonObject } from "../../../common/object.js";
import { declares, join } from "../capabilities.js";
import type { Feature, Provided } from "../ports/feature.js";
import type { Handler, SessionConfig, Settings } from "../session/config.js";
import type { NotificationRow, RequestRow, SideTable } from "../tables.js";

/**
 * Options of a client or a server that declare its identity and the messages
 * that it handles.
 */
export interface SideOptions {
  readonly info: object;
  readonly handlers?: object | undefined;
  readonly capabilities?: object | undefined;
}

/** The format of tables that this runtime supports. */
const format: number = 1;

/** Throws unless this runtime supports the generated tables. */
function checkFormat({ revision }: SideTable): void {
  if (revision.format === format) return;
  throw new Error(
    `The code for revision ${revision.revision} has format ${revision.format}, but @mcpgen/runtime supports format ${format}. Generate it again.`,
  );
}

/**
 * Creates the configuration of a side: handlers by method, capabilities derived
 * from them, and the additions of features.
 */
export function makeConfig<Side extends SideTable, Options extends Settings>(
  side: Side,
  options: SideOptions & Options,
): readonly [
  config: SessionConfig<Side, Options>,
  provided: readonly Provided[],
] {
  checkFormat(side);
  const ownHandlers = (options.handlers ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const additions = provide(ownHandlers, side, options);
  const featureHandlers = Object.fromEntries(
    additions.flatMap((feature) => Object.entries(feature.handlers)),
  );
  const handlers = new Map<string, Handler>();
  let capabilities: JsonObject = side.capabilities ?? {};
  for (const [method, row] of Object.entries(incomingOf(side))) {
    const handler = ownHandlers[method] ?? featureHandlers[method];
    if (typeof handler !== "function") continue;
    let bound = handler.bind(ownHandlers) as Handler;
    if (row.kind === "request") {
      bound = additions.reduce(
        (inner, { wrap }) => wrap?.(row, inner) ?? inner,
        bound,
      );
      const { needs } = row;
      if (needs && !declares(capabilities, needs))
        capabilities = join(capabilities, needs);
    }
    handlers.set(method, bound);
  }
  for (const feature of additions)
    capabilities = join(capabilities, feature.capabilities ?? {});
  capabilities = join(capabilities, (options.capabilities ?? {}) as JsonObject);
  const info = options.info as JsonObject;
  return [{ side, info, capabilities, handlers, settings: options }, additions];
}

/** The messages that a side handles, by method. */
const incomingOf = (
  side: SideTable,
): Readonly<Record<string, RequestRow | NotificationRow>> => ({
  ...side.incomingRequests,
  ...side.incomingNotifications,
});

function provide(
  handlers: object,
  side: SideTable,
  settings: Settings,
): Provided[] {
  const bySymbol = handlers as Readonly<Record<symbol, Feature | undefined>>;
  const features = Object.getOwnPropertySymbols(handlers).flatMap(
    (key) => bySymbol[key] ?? [],
  );
  return [...new Set(features.map((feature) => feature.provide))].map(
    (provide) => provide(features, side, settings),
  );
}

/**
 * The side with what its questions need, if the program passes it for the
 * revision.
 */
export function withQuestions<
  Side extends SideTable,
  Questions extends Pick<SideTable, "revision">,
>(side: Side, questions: Questions | readonly Questions[] = []): Side {
  const all: readonly Questions[] = [questions].flat() as Questions[];
  return {
    ...side,
    ...all.find(({ revision }) => revision.revision === side.revision.revision),
  };
}

/**
 * Throws a `TypeError` for a handler whose method no revision has, such as a
 * misspelled one. Its message ends with the hint.
 */
export function checkHandlers(
  sides: readonly SideTable[],
  handlers: object | undefined,
  hint = "",
): void {
  for (const [method, handler] of Object.entries(handlers ?? {})) {
    if (typeof handler !== "function") continue;
    if (sides.some((side) => Object.hasOwn(incomingOf(side), method))) continue;
    const revisions = sides.map(({ revision }) => revision.revision).join(", ");
    throw new TypeError(
      `handlers[${JSON.stringify(method)}]: revision ${revisions} has no such message to handle.${hint}`,
    );
  }
}
