import type { Scope } from "../../diagnostics.js";
import document from "../../ir/schema.json" with { type: "json" };
import { member, show, stringOf, type JsonNode, type JsonObject, type Locations } from "../json/text/tree.js";

/** The part of JSON Schema that the IR's own schema uses. */
export interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  /** One type, or null. */
  readonly anyOf?: readonly Shape[];
  /** Objects distinguished by their member `kind`. */
  readonly oneOf?: readonly Shape[];
}

const root = document as Shape & { readonly $defs: Readonly<Record<string, Shape>> };

/** The schema of a whole file. */
export const protocolShape: Shape = root;

/** The keywords of mcpgen and some others: in a schema, and only in that of a declaration. */
export const schemaShape: Shape = shapeOf({ $ref: "#/$defs/Schema" });
export const declarationShape: Shape = shapeOf({ $ref: "#/$defs/Declaration" });

/** The code and the hint of each report. */
export interface ShapeFault {
  readonly code: string;
  readonly hint: string;
}

/** Reports each part of a value that does not match the shape, with its location. */
export function checkShape(
  node: JsonNode,
  from: Shape,
  at: Locations,
  scope: Scope,
  fault: ShapeFault,
): void {
  const shape = shapeOf(from);
  const report = (expected: string): void => {
    scope.error(fault.code, at(node.at), `expected ${expected}, got ${show(node)}`, fault.hint);
  };
  if (shape.anyOf !== undefined) {
    const [first] = shape.anyOf;
    const isNull = node.kind === "scalar" && node.value === null;
    if (first !== undefined && !isNull) checkShape(node, first, at, scope, fault);
    return;
  }
  if (shape.oneOf !== undefined) {
    const arms = shape.oneOf.map(shapeOf);
    const kinds = arms.map(({ properties }) => properties?.["kind"]?.const);
    const arm = arms[kinds.indexOf(stringOf(member(node, "kind")))];
    if (arm === undefined) report(`an object whose "kind" is one of ${kinds.map(quote).join(", ")}`);
    else checkShape(node, arm, at, scope, fault);
    return;
  }
  if (shape.const !== undefined || shape.enum !== undefined) {
    const allowed = shape.enum ?? [shape.const];
    if (node.kind !== "scalar" || !allowed.includes(node.value)) report(allowed.map(quote).join(" or "));
    return;
  }
  const types = [shape.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOf(node, type)))
    return report(types.map(words).join(" or "));
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(stringOf(node) ?? "")) {
    return report(`a string that matches ${shape.pattern}`);
  }
  if (node.kind === "array" && shape.items !== undefined) {
    const { items } = shape;
    node.items.forEach((item, index) => checkShape(item, items, at, scope.in(`item ${index}`), fault));
  }
  if (node.kind === "object") checkMembers(node, shape, at, scope, fault);
}

function checkMembers(
  node: JsonObject,
  { properties = {}, required = [], additionalProperties = true }: Shape,
  at: Locations,
  scope: Scope,
  fault: ShapeFault,
): void {
  for (const name of required) {
    if (!node.members.has(name))
      scope.error(fault.code, at(node.at), `the member "${name}" is missing`, fault.hint);
  }
  for (const [name, { at: start, value }] of node.members) {
    const shape = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (typeof shape === "object") checkShape(value, shape, at, scope.in(`member ${name}`), fault);
    else if (shape === false) scope.error(fault.code, at(start), `unknown member "${name}"`, "remove it");
  }
}

function isOf(node: JsonNode, type: string): boolean {
  if (node.kind !== "scalar") return node.kind === type;
  if (type === "null" || node.value === null) return type === "null" && node.value === null;
  if (type === "integer") return Number.isInteger(node.value);
  return typeof node.value === type;
}

function words(type: string): string {
  return type === "null" ? "null" : `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function quote(value: unknown): string {
  return JSON.stringify(value);
}

/** Follows the reference of a shape. */
function shapeOf(shape: Shape): Shape {
  const { $ref } = shape;
  if ($ref === undefined) return shape;
  const target = root.$defs[$ref.slice("#/$defs/".length)];
  if (target === undefined) throw new Error(`the representation's schema has no ${$ref}`);
  return target;
}
