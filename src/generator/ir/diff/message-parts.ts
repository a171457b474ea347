import { type Index, reachable } from "../lookup.js";
import type { Message } from "../model.js";
import type { MessagePart } from "./declarations.js";
import type { Pair } from "./schemas.js";

/**
 * What each declaration is for messages; "none" if it differs between the
 * protocols.
 */
export function messageParts(
  pair: Pair,
  old: readonly Message[],
  fresh: readonly Message[],
): (name: string) => MessagePart {
  const [before, after] = [
    partsOf(pair.before, old),
    partsOf(pair.after, fresh),
  ];
  return (name) => {
    const part = before.get(name) ?? "none";
    return part === after.get(name) ? part : "none";
  };
}

function partsOf(
  declarations: Index,
  messages: readonly Message[],
): ReadonlyMap<string, MessagePart> {
  const parts = new Map<string, MessagePart>();
  const basesOf = (name: string): string[] =>
    declarations.get(name)?.bases.map((base) => base.name) ?? [];
  const bases = messages.flatMap(({ name }) => basesOf(name));
  for (const name of reachable(bases, basesOf)) parts.set(name, "base");
  for (const { name } of messages) parts.set(name, "message");
  return parts;
}
