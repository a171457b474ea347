import type { Scope } from "../../diagnostics.js";
import type { Message, Property, Protocol, Type } from "../model.js";
import { typeWithoutProse } from "../prose.js";
import { maxTypeDepth, eachType, typesOf } from "../walk.js";

/**
 * Checks that no name is declared twice, that unions and intersections are in normal form, and that JSON can hold all
 * numbers.
 */
export function checkNormal(protocol: Protocol, scope: Scope): void {
  unique(protocol.declarations, "the declaration", ({ name }) => name, scope);
  unique(protocol.messages, "the method", ({ method }) => method, scope);
  for (const declaration of protocol.declarations) {
    const inside = scope.in(`${declaration.kind} ${declaration.name}`);
    if (declaration.kind === "interface") checkProperties(declaration.properties, inside);
    for (const type of typesOf(declaration)) eachType(type, (part, depth) => checkType(part, depth, inside));
  }
  for (const message of protocol.messages) checkMessage(message, scope.in(`message ${message.method}`));
}

function checkMessage({ params, ...message }: Message, inside: Scope): void {
  if ((params.presence === "none") !== (params.type === null)) {
    inside.error(
      "MG507",
      null,
      `the params are "${params.presence}", but ${params.type === null ? "have no" : "have a"} type`,
    );
  }
  if (params.type !== null) eachType(params.type, (part, depth) => checkType(part, depth, inside));
  if (message.kind === "notification") return;
  unique(message.results, "the result", (name) => name, inside);
  if (message.carriage === "embedded" && message.cancellable) {
    inside.error("MG507", null, "a request that is embedded in a result cannot be cancelled");
  }
}

function checkType(type: Type, depth: number, inside: Scope): void {
  const problem = problemOf(type, depth);
  if (problem !== null) inside.error(depth > maxTypeDepth ? "MG504" : "MG505", null, problem);
  if (type.kind === "object") checkProperties(type.properties, inside);
}

function problemOf(type: Type, depth: number): string | null {
  if (depth > maxTypeDepth) return `a type nests more than ${maxTypeDepth} levels deep`;
  switch (type.kind) {
    case "union":
    case "intersection": {
      const { kind, members } = type;
      if (members.length < 2) return `a ${kind} of fewer than two members`;
      if (members.some((member) => member.kind === kind)) return `a ${kind} inside a ${kind}`;
      if (new Set(members.map((member) => JSON.stringify(typeWithoutProse(member)))).size < members.length) {
        return `a ${kind} with the same member twice`;
      }
      if (kind === "union" && members.some((member) => member.kind === "unknown")) {
        return "a union with any value among its members";
      }
      if (
        kind === "intersection" &&
        members.some((member) => !["reference", "object"].includes(member.kind))
      ) {
        return "an intersection may only have named types and objects";
      }
      return null;
    }
    case "literal":
      return typeof type.value === "number" && !finite(type.value) ? "a literal that JSON cannot hold" : null;
    case "number":
      return [type.minimum, type.maximum].some((bound) => bound !== null && !finite(bound))
        ? "a bound that JSON cannot hold"
        : null;
    default:
      return null;
  }
}

/** False for negative zero too: JSON turns it into zero. */
function finite(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function checkProperties(properties: readonly Property[], inside: Scope): void {
  unique(properties, "the member", ({ name }) => name, inside);
}

function unique<T>(entries: readonly T[], what: string, nameOf: (entry: T) => string, inside: Scope): void {
  const names = new Set<string>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (names.has(name)) inside.error("MG501", null, `${what} "${name}" is declared twice`);
    names.add(name);
  }
}
