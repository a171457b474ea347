import type { JsonObject } from "../jsonrpc/message.js";
import { declares, join } from "../session/capabilities.js";
import type { Handler, Host, Settings } from "../session/host.js";
import type { SideTable } from "../tables.js";

/** What a side is given by its user. */
export interface SideOptions {
  readonly info: object;
  readonly handlers?: object | undefined;
  readonly capabilities?: object | undefined;
}

/** The layout of tables that this runtime reads. */
const format = 1;

/** Throws unless the generated code was made for this runtime. */
export function checkFormat({ revision }: SideTable): void {
  const found: number = revision.format;
  if (found !== format) {
    throw new Error(
      `The code for revision ${revision.revision} has format ${found}, @mcpgen/runtime reads format ${format}: generate it again.`,
    );
  }
}

/** Makes a side ready: its handlers by method, and the capabilities that follow from them. */
export function makeHost<Side extends SideTable, Options extends Settings>(
  side: Side,
  options: SideOptions & Options,
): Host<Side, Options> {
  checkFormat(side);
  const given = (options.handlers ?? {}) as Readonly<Record<string, unknown>>;
  const handlers = new Map<string, Handler>();
  let capabilities: JsonObject = {};
  for (const method of [...Object.keys(side.hears), ...Object.keys(side.notices)]) {
    const handler = given[method];
    if (typeof handler !== "function") continue;
    handlers.set(method, handler.bind(given) as Handler);
    const needs = side.hears[method]?.facts.needs;
    if (needs && !declares(capabilities, needs)) capabilities = join(capabilities, needs);
  }
  capabilities = join(capabilities, (options.capabilities ?? {}) as JsonObject);
  return { side, info: options.info as JsonObject, capabilities, handlers, settings: options };
}

/** Throws for a handler that no revision calls: a misspelt method would otherwise never be missed. */
export function checkHandlers(sides: readonly SideTable[], handlers: object | undefined): void {
  for (const [method, handler] of Object.entries(handlers ?? {})) {
    if (typeof handler !== "function") continue;
    if (sides.some(({ hears, notices }) => Object.hasOwn(hears, method) || Object.hasOwn(notices, method)))
      continue;
    const revisions = sides.map(({ revision }) => revision.revision).join(", ");
    throw new TypeError(
      `handlers[${JSON.stringify(method)}]: revision ${revisions} has no such message to answer.`,
    );
  }
}
