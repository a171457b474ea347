import { flattenType } from "../../ir/flatten.js";
import { type Index, resolve } from "../../ir/lookup.js";
import type { Type } from "../../ir/model.js";
import type { Chosen } from "../roles/messages.js";

/** Members of a result that a revision lacks: true cuts the member, a tree looks further inside. */
export interface Omits {
  readonly [member: string]: true | Omits;
}

interface Seen {
  readonly declarations: Index;
  readonly type: Type;
}

/** What to leave out of a method's result on one revision's wire, because only others of the set know it. */
export function omitsOf(own: Chosen, others: readonly Chosen[], method: string): Omits {
  const result = resultOf(own, method);
  const rest = others.flatMap((other) => resultOf(other, method) ?? []);
  return result === null ? {} : compare(result, rest, new Set());
}

function resultOf({ protocol, declarations }: Chosen, method: string): Seen | null {
  const message = protocol.messages.find((entry) => entry.method === method);
  const name = message?.kind === "request" ? message.results[0] : undefined;
  return name === undefined ? null : { declarations, type: { kind: "reference", name } };
}

/** Walks the types side by side where all of them are objects; an array is walked through. */
function compare(own: Seen, others: readonly Seen[], above: ReadonlySet<string>): Omits {
  const members = membersOf(own);
  const name = own.type.kind === "reference" ? own.type.name : null;
  if (members === null || (name !== null && above.has(name))) return {};
  const inside = name === null ? above : new Set([...above, name]);
  const omits: [string, true | Omits][] = [];
  const told = others.flatMap((other) => [...(membersOf(other) ?? [])]);
  for (const [member] of told) {
    if (omits.some(([known]) => known === member)) continue;
    const mine = members.get(member);
    if (mine === undefined) {
      omits.push([member, true]);
      continue;
    }
    const theirs = told.filter(([key]) => key === member).map(([, seen]) => seen);
    // What takes any members, such as a tool's schema, holds no fewer of them where fewer are named.
    if ([mine, ...theirs].some(isOpen)) continue;
    const deeper = compare(mine, theirs, inside);
    if (Object.keys(deeper).length > 0) omits.push([member, deeper]);
  }
  return Object.fromEntries(omits);
}

function isOpen({ declarations, type }: Seen): boolean {
  return (flattenType(declarations, type)?.rest ?? null) !== null;
}

function membersOf({ declarations, type }: Seen): Map<string, Seen> | null {
  const target = resolve(declarations, type);
  if (target.kind === "array") return membersOf({ declarations, type: target.element });
  const flat = flattenType(declarations, type);
  if (flat === null) return null;
  return new Map(flat.properties.map((property) => [property.name, { declarations, type: property.type }]));
}
