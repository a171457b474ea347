import { referencesIn } from "../constraint/walk.js";
import { type Index, isUnionName, usedTypes } from "../lookup.js";
import type { Message, Protocol, Side } from "../model.js";
import { bothSides, peerOf, sides } from "../change/effects.js";

/**
 * The sides that may send the values of a declaration; null for a declaration
 * that only lists others.
 */
export type Roles = (name: string) => ReadonlySet<Side> | null;

/**
 * The sides that send each declaration. The sender of a message sends its
 * declaration and its params, and the other side sends its results, including
 * all types that these use. A type that no message uses may come from either
 * side, such as an error. A union that no message uses only lists messages or
 * results, whose changes are listed on their own.
 */
export function rolesOf(
  declarations: Index,
  { messages }: Pick<Protocol, "messages">,
): Roles {
  const senders = new Map<string, Set<Side>>();
  for (const side of sides)
    for (const name of usedTypes(declarations, startsOf(messages, side))) {
      const known = senders.get(name) ?? new Set<Side>();
      senders.set(name, known.add(side));
    }
  return (name) =>
    senders.get(name) ?? (isUnionName(declarations, name) ? null : bothSides);
}

/**
 * The sides that send a declaration in both revisions, or in either one if no
 * side does in both.
 */
export function commonRoles(
  before: ReadonlySet<Side>,
  after: ReadonlySet<Side>,
): ReadonlySet<Side> {
  const common = sides.filter((side) => before.has(side) && after.has(side));
  if (common.length > 0) {
    return new Set(common);
  }
  return new Set([...before, ...after]);
}

/** The sides that send a message. */
export function sendersOf({
  sender,
}: Pick<Message, "sender">): ReadonlySet<Side> {
  return sender === "either" ? bothSides : new Set([sender]);
}

/** The sides that receive a message. */
export function receiversOf(
  message: Pick<Message, "sender">,
): ReadonlySet<Side> {
  return new Set([...sendersOf(message)].map(peerOf));
}

function startsOf(messages: readonly Message[], side: Side): string[] {
  return messages.flatMap((message) => {
    const names: string[] = [];
    const { schema } = message.params;
    if (sendersOf(message).has(side)) {
      names.push(message.name);
      if (schema !== null) names.push(...referencesIn(schema));
    }
    if (message.kind === "request" && receiversOf(message).has(side)) {
      names.push(...message.results);
    }
    return names;
  });
}
