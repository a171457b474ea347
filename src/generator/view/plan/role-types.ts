import type { Schema } from "../../ir/constraint.js";
import {
  objectSchema,
  type Property,
  reference,
  referenceIn,
} from "../../ir/constraint/form.js";
import { isOtherKind } from "../../ir/derive/results.js";
import { type Flat, flatten } from "../../ir/flatten.js";
import { index } from "../../ir/lookup.js";
import type { Declaration, Protocol } from "../../ir/model.js";

/**
 * A type that is added to those of the schema. The text is its purpose, as a
 * sentence.
 */
export function addedType(
  name: string,
  text: string,
  properties: readonly Property[],
  rest: Schema | null,
): Declaration {
  return {
    kind: "interface",
    name,
    bases: [],
    schema: objectSchema(properties, rest, { text, tags: [] }),
  };
}

/** The name of a message's params in the role files. */
export interface ParamsName {
  readonly name: string;
  readonly presence: "optional" | "required";
}

/**
 * The types of params and results for callers and handlers. They differ from
 * the schema's where the engine supplies defaults for required members. Each is
 * a plain interface, because mapped types are much slower to compile.
 */
export interface RoleTypes {
  readonly types: readonly Declaration[];
  /**
   * Names of these types, by the schema's type. Types that are missing here are
   * used unchanged.
   */
  readonly params: ReadonlyMap<string, string>;
  readonly results: ReadonlyMap<string, string>;
}

/**
 * Plans the types for callers and handlers. `freeName` returns an unused name.
 */
export function planRoleTypes(
  protocol: Protocol,
  byMethod: ReadonlyMap<string, ParamsName | null>,
  freeName: (base: string) => string,
): RoleTypes {
  const declarations = index(protocol);
  const types: Declaration[] = [];
  const params = new Map<string, string>();
  const results = new Map<string, string>();
  const partials = new Map<string, string>();
  const add = (
    source: string,
    target: Map<string, string>,
    make: (flat: Flat) => Plan | null,
  ): void => {
    const flat = target.has(source) ? null : flatten(declarations, source);
    const plan = flat && make(flat);
    if (plan === null) return;
    const name = freeName(plan.base);
    types.push(addedType(name, plan.text, plan.properties, plan.rest));
    target.set(source, name);
  };
  const partial = (schema: Schema): Schema => {
    const name = referenceIn(schema);
    if (name === null) return schema;
    add(name, partials, (flat) => partialOf(name, flat));
    return { ...reference(partials.get(name) ?? name), doc: schema.doc };
  };
  const paramsDefaults = defaultMembers(protocol, "params");
  const resultDefaults = defaultMembers(protocol, "result");
  for (const message of protocol.messages) {
    if (message.kind !== "request") continue;
    const name = byMethod.get(message.method)?.name;
    if (name !== undefined)
      add(name, params, (flat) =>
        callParams(name, flat, paramsDefaults, partial),
      );
    for (const result of message.results)
      add(result, results, (flat) =>
        result === message.results[0]
          ? ordinaryResult(result, flat, resultDefaults)
          : isOtherKind(declarations, result)
            ? otherResult(result, flat)
            : null,
      );
  }
  return { types, params, results };
}

/**
 * The members of the params or the result for which the engine has defaults.
 */
function defaultMembers(
  { engineDefaults }: Protocol,
  source: "params" | "result",
): ReadonlySet<string> {
  return new Set(
    engineDefaults.flatMap(({ object, member }) =>
      object === source ? [member] : [],
    ),
  );
}

/** A type to add, whose name starts with `base`. */
interface Plan {
  readonly base: string;
  readonly text: string;
  readonly properties: readonly Property[];
  readonly rest: Schema | null;
}

/**
 * Params with optional defaults and the caller's part; null if no member is
 * required.
 */
function callParams(
  name: string,
  { properties, rest }: Flat,
  defaults: ReadonlySet<string>,
  partial: (schema: Schema) => Schema,
): Plan | null {
  if (!properties.some((property) => hasDefault(property, defaults)))
    return null;
  return {
    base: `${name.replace(/(?:Request)?Params$/, "")}CallParams`,
    text: `\`${name}\` as a caller writes it. The client supplies omitted members: ${listText(defaults)}.`,
    properties: properties.map((property) =>
      hasDefault(property, defaults)
        ? { ...property, optional: true, schema: partial(property.schema) }
        : property,
    ),
    rest,
  };
}

/** A result with optional defaults. */
function ordinaryResult(
  name: string,
  { properties, rest }: Flat,
  defaults: ReadonlySet<string>,
): Plan | null {
  const required = properties.filter((property) =>
    hasDefault(property, defaults),
  );
  if (required.length === 0) return null;
  const { base, text } = handlerResult(name);
  return {
    base,
    text: `${text} The server supplies omitted members: ${listText(required.map((property) => property.name))}.`,
    properties: properties.map((property) =>
      hasDefault(property, defaults)
        ? { ...property, optional: true }
        : property,
    ),
    rest,
  };
}

/**
 * A result of another kind, without index signature, so that the compiler
 * compares a wrong ordinary result with the ordinary type.
 */
function otherResult(name: string, { properties }: Flat): Plan {
  return { ...handlerResult(name), properties, rest: null };
}

const handlerResult = (name: string): Pick<Plan, "base" | "text"> => ({
  base: `${name.replace(/Result$/, "")}HandlerResult`,
  text: `\`${name}\` as a handler returns it.`,
});

function partialOf(name: string, { properties, rest }: Flat): Plan {
  return {
    base: `Partial${name}`,
    text: `\`${name}\` with every member optional.`,
    properties: properties.map((property) => ({ ...property, optional: true })),
    rest,
  };
}

const hasDefault = (
  { name, optional }: Property,
  defaults: ReadonlySet<string>,
): boolean => !optional && defaults.has(name);

/** "`a`, `b` and `c`" */
function listText(members: Iterable<string>): string {
  const quotes = [...members].map((member) => `\`${member}\``);
  const last = quotes.pop() ?? "";
  return quotes.length === 0 ? last : `${quotes.join(", ")} and ${last}`;
}
