import type { Scope } from "../../diagnostics.js";
import type { Message, Property, Protocol, Type } from "../model.js";
import { typeWithoutProse } from "../prose.js";
import { maxTypeDepth, eachType, type LeafKind, typesOf, type TypeOf } from "../walk.js";

/** Checks that no name is declared twice, and that unions and intersections are in normal form. */
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
      `the presence of the params is "${params.presence}", but they have ${params.type === null ? "no" : "a"} type`,
      "correct the presence or the type",
    );
  }
  if (params.type !== null) eachType(params.type, (part, depth) => checkType(part, depth, inside));
  if (message.kind === "notification") return;
  unique(message.results, "the result", (name) => name, inside);
  if (message.carriage === "embedded" && message.cancellable) {
    const message = "the request is embedded in a result, but is marked as cancellable";
    inside.error("MG507", null, message, "set `cancellable` to false");
  }
}

function checkType(type: Type, depth: number, inside: Scope): void {
  const problem = problemOf(type, depth);
  if (problem !== null) inside.error(depth > maxTypeDepth ? "MG504" : "MG505", null, problem);
  if (type.kind === "object") checkProperties(type.properties, inside);
}

function problemOf(type: Type, depth: number): string | null {
  if (depth > maxTypeDepth) return `a type is nested more than ${maxTypeDepth} levels deep`;
  switch (type.kind) {
    case "union":
    case "intersection": {
      const { kind, members } = type;
      const article = kind === "union" ? "a" : "an";
      if (members.length < 2) return `${article} ${kind} has fewer than two members`;
      if (members.some((member) => member.kind === kind))
        return `${article} ${kind} contains ${article} ${kind}`;
      if (new Set(members.map((member) => JSON.stringify(typeWithoutProse(member)))).size < members.length) {
        return `${article} ${kind} contains the same member twice`;
      }
      if (kind === "union" && members.some((member) => member.kind === "unknown")) {
        return 'a union contains "unknown", which includes all other members';
      }
      if (
        kind === "intersection" &&
        members.some((member) => !["reference", "object"].includes(member.kind))
      ) {
        return "an intersection contains a type that is neither a named type nor an object";
      }
      return null;
    }
    default:
      void (type satisfies TypeOf<LeafKind | "array" | "record" | "object">);
      return null;
  }
}

function checkProperties(properties: readonly Property[], inside: Scope): void {
  unique(properties, "the member", ({ name }) => name, inside);
}

function unique<T>(entries: readonly T[], what: string, nameOf: (entry: T) => string, inside: Scope): void {
  const names = new Set<string>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (names.has(name))
      inside.error("MG501", null, `${what} "${name}" is declared twice`, "remove or rename one of them");
    names.add(name);
  }
}
