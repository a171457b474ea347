import { names } from "../../ir/facts.js";
import { flatten } from "../../ir/flatten.js";
import { index, type Index } from "../../ir/lookup.js";
import type { Property, Protocol, RequestMessage, Type } from "../../ir/model.js";

/** A named type for params that a schema writes inline, with the `_meta` that the inline type hides. */
export interface Synthesized {
  readonly name: string;
  /** The purpose of the type, as a sentence. */
  readonly doc: string;
  readonly properties: readonly Property[];
  readonly rest: Type | null;
}

/** The name of a message's params in the role files. */
export interface ParamsName {
  readonly name: string;
  readonly presence: "optional" | "required";
}

/**
 * The types of params and results for callers and handlers. They differ from the schema's where the engine supplies
 * defaults for required members. Each is a plain interface, because mapped types are much slower to compile.
 */
export interface RoleTypes {
  readonly types: readonly Synthesized[];
  /** Names of these types, by the schema's type. Types that are missing here are used unchanged. */
  readonly params: ReadonlyMap<string, string>;
  readonly results: ReadonlyMap<string, string>;
}

/** Plans the types for callers and handlers. `freeName` returns an unused name. */
export function planRoleTypes(
  protocol: Protocol,
  byMethod: ReadonlyMap<string, ParamsName | null>,
  freeName: (base: string) => string,
): RoleTypes {
  const declarations = index(protocol);
  const types = new Map<string, Synthesized>();
  const params = new Map<string, string>();
  const results = new Map<string, string>();
  const add = (source: string, target: Map<string, string>, make: () => Synthesized | null): void => {
    if (target.has(source)) return;
    const type = make();
    if (type === null) return;
    types.set(type.name, type);
    target.set(source, type.name);
  };
  const partials = new Map<string, string>();
  const partial = (type: Type): Type => {
    if (type.kind !== "reference") return type;
    add(type.name, partials, () => partialOf(declarations, type.name, freeName));
    return { ...type, name: partials.get(type.name) ?? type.name };
  };
  for (const message of protocol.messages) {
    if (message.kind !== "request") continue;
    const name = byMethod.get(message.method)?.name;
    const defaults = defaultMembers(protocol, "params");
    if (name !== undefined)
      add(name, params, () => callParams(declarations, name, defaults, partial, freeName));
    const resultDefaults = defaultMembers(protocol, "result");
    for (const result of message.results) {
      add(result, results, () => handlerResult(declarations, message, result, resultDefaults, freeName));
    }
  }
  return { types: [...types.values()], params, results };
}

/** The members of the params or the result for which the engine has defaults. */
function defaultMembers({ engineDefaults }: Protocol, source: "params" | "result"): ReadonlySet<string> {
  return new Set(engineDefaults.flatMap(({ object, member }) => (object === source ? [member] : [])));
}

/** Params with optional defaults and the caller's part; null if no member is required. */
function callParams(
  declarations: Index,
  name: string,
  defaults: ReadonlySet<string>,
  partial: (type: Type) => Type,
  freeName: (base: string) => string,
): Synthesized | null {
  const flat = flatten(declarations, name);
  if (!flat?.properties.some((property) => hasDefault(property, defaults))) return null;
  return {
    name: freeName(`${name.replace(/(?:Request)?Params$/, "")}CallParams`),
    doc: `\`${name}\` as a caller writes it. The client supplies omitted members: ${listText(defaults)}.`,
    properties: flat.properties.map((property) =>
      hasDefault(property, defaults)
        ? { ...property, optional: true, type: partial(property.type) }
        : property,
    ),
    rest: flat.rest,
  };
}

/**
 * A result with optional defaults. A result of another kind has no index signature, so that the compiler compares a wrong
 * ordinary result with the ordinary type.
 */
function handlerResult(
  declarations: Index,
  { results, asksInput }: RequestMessage,
  name: string,
  defaults: ReadonlySet<string>,
  freeName: (base: string) => string,
): Synthesized | null {
  const flat = flatten(declarations, name);
  if (flat === null) return null;
  const isOrdinary = name === results[0];
  const required = flat.properties.filter((property) => hasDefault(property, defaults));
  if (isOrdinary ? required.length === 0 : !asksInput && !isVariant(flat.properties)) return null;
  const resultName = `${name.replace(/Result$/, "")}HandlerResult`;
  if (!isOrdinary) {
    const doc = `\`${name}\` as a handler returns it.`;
    return { name: freeName(resultName), doc, properties: flat.properties, rest: null };
  }
  return {
    name: freeName(resultName),
    doc: `\`${name}\` as a handler returns it. The server supplies omitted members: ${listText(required.map((property) => property.name))}.`,
    properties: flat.properties.map((property) =>
      hasDefault(property, defaults) ? { ...property, optional: true } : property,
    ),
    rest: flat.rest,
  };
}

const hasDefault = ({ name, optional }: Property, defaults: ReadonlySet<string>): boolean =>
  !optional && defaults.has(name);

/** True if a constant member marks the result as another kind. */
const isVariant = (properties: readonly Property[]): boolean =>
  properties.some(({ name, type }) => name === names.resultType && type.kind === "literal");

function partialOf(
  declarations: Index,
  name: string,
  freeName: (base: string) => string,
): Synthesized | null {
  const flat = flatten(declarations, name);
  if (flat === null) return null;
  return {
    name: freeName(`Partial${name}`),
    doc: `\`${name}\` with every member optional.`,
    properties: flat.properties.map((property) => ({ ...property, optional: true })),
    rest: flat.rest,
  };
}

/** "`a`, `b` and `c`" */
function listText(members: Iterable<string>): string {
  const quotes = [...members].map((member) => `\`${member}\``);
  const last = quotes.pop() ?? "";
  return quotes.length === 0 ? last : `${quotes.join(", ")} and ${last}`;
}
