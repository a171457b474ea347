import type { Index } from "../lookup.js";
import type { Message, Protocol, Side, Type } from "../model.js";
import { partsOf } from "../walk.js";
import { bothSides, peerOf, sides } from "./variance.js";

/** The sides that may send the values of a declaration; null for a declaration that only lists others. */
export type Roles = (name: string) => ReadonlySet<Side> | null;

/**
 * The sides that send each declaration. The sender of a message sends its declaration and its params, and the other
 * side sends its results, including all types that these use. A type that no message uses may come from either side,
 * such as an error. A union that no message uses only lists messages or results, whose changes are listed on their
 * own.
 */
export function rolesOf(declarations: Index, { messages }: Pick<Protocol, "messages">): Roles {
  const senders = new Map<string, Set<Side>>();
  for (const side of sides) {
    for (const name of reach(declarations, startsOf(messages, side))) {
      senders.set(name, (senders.get(name) ?? new Set<Side>()).add(side));
    }
  }
  return (name) => senders.get(name) ?? (isUnion(declarations, name) ? null : bothSides);
}

/** The sides that send a declaration in both revisions, or in either one if no side does in both. */
export function commonRoles(before: ReadonlySet<Side>, after: ReadonlySet<Side>): ReadonlySet<Side> {
  const common = sides.filter((side) => before.has(side) && after.has(side));
  return new Set(common.length > 0 ? common : [...before, ...after]);
}

/** The sides that send a message. */
export function sendersOf({ sender }: Pick<Message, "sender">): ReadonlySet<Side> {
  return sender === "either" ? bothSides : new Set([sender]);
}

/** The sides that receive a message. */
export function receiversOf(message: Pick<Message, "sender">): ReadonlySet<Side> {
  return new Set([...sendersOf(message)].map(peerOf));
}

function startsOf(messages: readonly Message[], side: Side): Type[] {
  const starts: Type[] = [];
  for (const message of messages) {
    if (sendersOf(message).has(side)) {
      starts.push({ kind: "reference", name: message.name });
      if (message.params.type !== null) starts.push(message.params.type);
    }
    if (message.kind === "request" && receiversOf(message).has(side)) {
      for (const name of message.results) starts.push({ kind: "reference", name });
    }
  }
  return starts;
}

function reach(declarations: Index, starts: readonly Type[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = [...starts];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (type.kind !== "reference") {
      for (const each of partsOf(type)) pending.push(each);
      continue;
    }
    if (names.has(type.name)) continue;
    names.add(type.name);
    const declaration = declarations.get(type.name);
    if (declaration?.kind === "alias") pending.push(declaration.type);
    if (declaration?.kind !== "interface") continue;
    for (const { type } of declaration.properties) pending.push(type);
    for (const { name } of declaration.bases) pending.push({ kind: "reference", name });
    if (declaration.rest !== null) pending.push(declaration.rest);
  }
  return names;
}

function isUnion(declarations: Index, name: string): boolean {
  const declaration = declarations.get(name);
  return (
    declaration?.kind === "alias" &&
    (declaration.type.kind === "union" || declaration.type.kind === "reference")
  );
}
