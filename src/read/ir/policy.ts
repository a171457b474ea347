import type { Note, Tag } from "../../ir/constraint.js";
import { isList } from "../../ir/json/value.js";
import type { SchemaContext, SchemaPolicy } from "../json-schema/context.js";
import { keyword } from "../json-schema/keyword.js";
import { localRef } from "../json/text/pointer.js";
import { show, toJson, type JsonNode } from "../json/text/tree.js";
import { checkShape, declarationShape, schemaShape, type ShapeFault } from "./shape.js";

/** The code and the hint of each report about the text of a file. */
export const fault: ShapeFault = { code: "MG602", hint: "generate the file again with `mcpgen ir`" };

export function report({ scope, locationAt }: SchemaContext, node: JsonNode, expected: string): void {
  scope.error(fault.code, locationAt(node.at), `expected ${expected}, got ${show(node)}`, fault.hint);
}

/** The policy for the schemas that `serialize` wrote. A mistake is an error. */
export const filePolicy: SchemaPolicy = {
  mixesDialects: false,
  malformed: (context, node, name, expected) => report(context, node, `${expected} as "${name}"`),
  prepare: (context, node) => {
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    const { scope, locationAt, depth } = context;
    checkShape(node, schemaShape, locationAt, scope, fault);
    if (node.kind !== "object") return true;
    const known = { ...schemaShape.properties, ...(depth === 0 && declarationShape.properties) };
    for (const [name, { at }] of node.members) {
      if (name.startsWith("mcpgen:") && !Object.hasOwn(known, name))
        scope.error(fault.code, locationAt(at), `unknown keyword "${name}"`, "remove it");
    }
    return node;
  },
  reference: (context, node, ref) => {
    const [container, name, ...others] = localRef(ref) ?? [];
    if (container === "$defs" && name !== undefined && others.length === 0)
      return [{ kind: "reference", key: name }];
    report(context, node, 'a reference to a declaration, such as "#/$defs/Tool"');
    return [];
  },
  finish: ({ own }, node, { doc, checks, notes: all = [] }) => {
    const tags = keyword(node, "mcpgen:tags");
    const not = keyword(node, "not");
    const isNever = not?.kind === "scalar" && not.value === true;
    const notes = all.flatMap((note) => (own.unchecked.includes(note) ? [note] : written(note)));
    return {
      doc: tags === undefined ? doc : { ...doc, tags: toJson(tags) as unknown as readonly Tag[] },
      checks: checks.map((check) => (check.kind === "not" && isNever ? { kind: "never" } : check)),
      ...(notes.length > 0 && { notes }),
    };
  },
};

/** The notes that `serialize` wrote as this one. */
function written({ keyword, value }: Note): Note[] {
  switch (keyword) {
    case "description":
    case "deprecated":
    case "mcpgen:kind":
    case "mcpgen:bases":
    case "mcpgen:tags":
      return [];
    case "mcpgen:unchecked":
      // `prepare` has reported any other value.
      return isList(value)
        ? (value as unknown as Note[]).map((note) => ({ ...note, isCondition: true }))
        : [];
    default:
      return [{ keyword, value, isCondition: false }];
  }
}
