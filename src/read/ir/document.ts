import { ofKind, type Check, type Schema } from "../../ir/constraint.js";
import { constantIn, referenceIn, typeIn } from "../../ir/constraint/form.js";
import { exact } from "../../ir/json.js";
import type { Base, Declaration, Message, Protocol } from "../../ir/model.js";
import { inheritedFrom } from "../../ir/serialize.js";
import type { SchemaContext } from "../json-schema/context.js";
import { readSchema } from "../json-schema/schema.js";
import { resolve } from "../json/text/pointer.js";
import { member, stringOf, toJson, type JsonNode, type JsonObject } from "../json/text/tree.js";
import { report } from "./policy.js";

/** The version of the representation that this program reads and writes. */
export const format = 2;

/** Reads a document of the shape that `schema.json` describes. */
export function readDocument(context: SchemaContext, root: JsonObject): Protocol {
  const members = [...root.members].filter(([name]) => !/^(\$|mcpgen:)/.test(name));
  const entries = members.map(([name, { value }]) => [name, toJson(value)] as const);
  const facts = Object.fromEntries(entries) as unknown as Omit<Protocol, "format" | "declarations">;
  const definitions = member(root, "$defs");
  const named = definitions?.kind === "object" ? [...definitions.members] : [];
  return {
    ...facts,
    format,
    declarations: named.map(([name, { value }]) => readDeclaration(context, name, value)),
    messages: facts.messages.map((message, i): Message => {
      const node = resolve(root, ["messages", `${i}`, "params", "schema"]);
      const inside = { ...context, scope: context.scope.in(`message ${message.method}`) };
      const isNone = node === null || message.params.schema === null;
      return { ...message, params: { ...message.params, schema: isNone ? null : readSchema(inside, node) } };
    }),
  };
}

function readDeclaration(outer: SchemaContext, name: string, node: JsonNode): Declaration {
  const kind = stringOf(member(node, "mcpgen:kind")) as Declaration["kind"];
  const listed = member(node, "mcpgen:bases");
  const bases = listed === null ? [] : (toJson(listed) as unknown as readonly Base[]);
  const context = { ...outer, scope: outer.scope.in(`${kind} ${name}`) };
  const schema = readSchema(context, node);
  if (!isOfKind(kind, schema, bases)) report(context, node, expected[kind]);
  // The bases have what `allOf` repeats.
  const checks = schema.checks.filter((check) => bases.length === 0 || check.kind !== "all");
  return { kind, name, bases, schema: { ...schema, checks } };
}

const expected = {
  interface: 'the members of an object, and in "allOf" the bases without omitted members',
  alias: 'a schema without "mcpgen:bases"',
  constant: "a schema of one string or number",
};

const kindsOfInterface: ReadonlySet<Check["kind"]> = new Set(["type", "required", "members", "all"]);

function isOfKind(kind: Declaration["kind"], schema: Schema, bases: readonly Base[]): boolean {
  const { checks } = schema;
  if (kind !== "interface")
    return bases.length === 0 && (kind === "alias" || /string|number/.test(typeof constantIn(schema)));
  const inherited = ofKind(checks, "all").flatMap(({ schemas }) => schemas.map(referenceIn));
  const isObject = typeIn(schema) === "object" && checks.every(({ kind }) => kindsOfInterface.has(kind));
  return isObject && exact(inherited) === exact(inheritedFrom(bases));
}
