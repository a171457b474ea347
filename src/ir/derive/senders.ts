import * as facts from "../facts.js";
import { flattenType } from "../flatten.js";
import { resolve, type Index } from "../lookup.js";
import type { Message, RequestMessage, Type } from "../model.js";
import { methodOf, type Candidate } from "./candidates.js";
import { factId, type Deriving } from "./deriving.js";

export type Sender = Message["sender"];

/** Who sends a message, as what, and how it travels. */
export interface Direction {
  readonly kind: Message["kind"];
  readonly sender: Sender;
  readonly carriage: RequestMessage["carriage"];
}

/** The direction of every candidate, by method: from the unions, or assumed and reported. */
export function directions(
  deriving: Deriving,
  messages: readonly Candidate[],
): ReadonlyMap<string, Direction> {
  const found = new Map<string, Direction>();
  for (const row of facts.unions) {
    for (const method of methodsIn(deriving, row.union)) {
      deriving.used.add(factId("unions", row));
      const earlier = found.get(method);
      const sender = earlier === undefined || earlier.sender === row.sender ? row.sender : "either";
      // Whoever is in a union of the wire as well stands on the wire.
      const carriage = earlier?.carriage === "wire" ? "wire" : row.carriage;
      found.set(method, { kind: row.kind, sender, carriage });
    }
  }
  for (const message of messages) {
    if (!found.has(message.method)) found.set(message.method, assume(deriving, message, found));
  }
  return found;
}

/** The methods of a union's members; a member may be a name, another union or, in a JSON Schema, a copied body. */
function methodsIn(deriving: Deriving, name: string): string[] {
  if (!deriving.declarations.has(name)) return [];
  return membersOf(deriving.declarations, { kind: "reference", name }).flatMap((member) => {
    const flat = flattenType(deriving.declarations, member);
    const method = flat === null ? null : methodOf(deriving, flat);
    return method === null ? [] : [method];
  });
}

/** What a type is one of: references to interfaces and objects, unions opened, each name once. */
export function membersOf(declarations: Index, type: Type): Type[] {
  const members: Type[] = [];
  const seen = new Set<string>();
  const open: Type[] = [type];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    if (current.kind === "union") {
      open.push(...[...current.members].reverse());
    } else if (current.kind !== "reference") {
      members.push(current);
    } else if (!seen.has(current.name)) {
      seen.add(current.name);
      const target = declarations.get(current.name);
      const opens =
        target?.kind === "alias" && ["union", "reference"].includes(resolve(declarations, target.type).kind);
      if (opens) open.push(target.type);
      else members.push(current);
    }
  }
  return members;
}

function assume(deriving: Deriving, message: Candidate, known: ReadonlyMap<string, Direction>): Direction {
  const { method, name } = message;
  const notification = method.startsWith(facts.names.notificationPrefix) || name.endsWith("Notification");
  const kind = notification ? "notification" : "request";
  const [sender, reason] = guess(message, kind, known);
  deriving.scope.note(
    "MG402",
    deriving.placeOf(name),
    `no union of messages lists ${name}; "${method}" is taken for a ${kind} that the ${sender} sends, because ${reason}`,
    `list it in ${facts.unions
      .filter((row) => row.kind === kind && row.carriage === "wire")
      .map((row) => row.union)
      .join(" or ")}`,
  );
  return { kind, sender, carriage: "wire" };
}

/** The likeliest sender, and why: by its neighbours, by its own words, by what is usual. */
function guess(
  { method, declaration }: Candidate,
  kind: Message["kind"],
  known: ReadonlyMap<string, Direction>,
): [Sender, string] {
  const family = familyOf(method);
  const relatives = [...known].filter(([other, row]) => row.kind === kind && familyOf(other) === family);
  const senders = new Set(relatives.map(([, row]) => row.sender));
  const [relative] = senders;
  if (relative !== undefined && senders.size === 1) return [relative, `its neighbours under "${family}" are`];
  const words = /\b(?:from|by) the (client|server)\b/i.exec(declaration.doc.text)?.[1]?.toLowerCase();
  if (words === "client" || words === "server") return [words, "its description says so"];
  return kind === "request" ? ["client", "most requests are"] : ["server", "most notifications are"];
}

/** "resources/templates/list" and "notifications/resources/updated" are of the family "resources". */
function familyOf(method: string): string {
  const prefix = facts.names.notificationPrefix;
  const tail = method.startsWith(prefix) ? method.slice(prefix.length) : method;
  return tail.split("/")[0] ?? tail;
}
