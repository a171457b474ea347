import * as facts from "../facts.js";
import type { Schema } from "../constraint.js";
import { alternativesIn, reference, referenceIn } from "../constraint/form.js";
import { flattenSchema, propertyOf } from "../flatten.js";
import { type Index, isUnionName } from "../lookup.js";
import type { Message, RequestMessage } from "../model.js";
import { methodOf, type Candidate } from "./candidates.js";
import type { DeriveContext } from "./context.js";

export type Sender = Message["sender"];

/**
 * Who sends a message, its kind, and whether it is a JSON-RPC message or
 * embedded in a result.
 */
export interface Direction {
  readonly kind: Message["kind"];
  readonly sender: Sender;
  readonly carriage: RequestMessage["carriage"];
}

/** The directions that the unions of messages declare, by method. */
export function declaredDirections(
  context: DeriveContext,
): ReadonlyMap<string, Direction> {
  const byMethod = new Map<string, Direction>();
  for (const row of facts.unions) {
    for (const method of methodsIn(context, row.union)) {
      const earlier = byMethod.get(method);
      const sender =
        earlier === undefined || earlier.sender === row.sender
          ? row.sender
          : "either";
      // A member of both kinds of union counts as a JSON-RPC message.
      const carriage = earlier?.carriage === "wire" ? "wire" : row.carriage;
      byMethod.set(method, { kind: row.kind, sender, carriage });
    }
  }
  return byMethod;
}

/**
 * Reports each name in a union of messages that is none of these messages.
 */
export function checkUnions(
  { declarations, scope, locationOf }: DeriveContext,
  messages: readonly Pick<Candidate, "name" | "method">[],
): void {
  const names = new Set(messages.map(({ name }) => name));
  for (const { union } of facts.unions) {
    const { schema } = declarations.get(union) ?? {};
    for (const member of schema ? membersOf(declarations, schema) : []) {
      const name = referenceIn(member);
      if (name === null || names.has(name)) continue;
      const flat = flattenSchema(declarations, member);
      const method = flat && methodOf({ declarations }, flat);
      const owner = propertyOf(flat, "method")?.declaredBy;
      // Two types that declare one method are reported already.
      if (method !== null && owner === name) continue;
      const message =
        method === null
          ? `"${name}" in ${union} has no method that is one string`
          : `"${name}" in ${union} has the method "${method}" of ${String(owner)}`;
      const hint = "give each message a method of its own";
      scope.error("MG401", locationOf(name), message, hint);
    }
  }
}

/**
 * The methods of a union's members. A member may be a name, another union or,
 * in a JSON Schema, a copy of the declaration.
 */
function methodsIn(context: DeriveContext, name: string): string[] {
  if (!context.declarations.has(name)) return [];
  return membersOf(context.declarations, reference(name)).flatMap((member) => {
    const flat = flattenSchema(context.declarations, member);
    const method = flat === null ? null : methodOf(context, flat);
    return method === null ? [] : [method];
  });
}

/**
 * The alternatives of a schema: references to interfaces and objects, with
 * nested unions expanded, each name once.
 */
export function membersOf(declarations: Index, schema: Schema): Schema[] {
  const members: Schema[] = [];
  const names = new Set<string>();
  const pending = [schema];
  for (
    let current = pending.pop();
    current !== undefined;
    current = pending.pop()
  ) {
    const key = referenceIn(current);
    const alternatives = alternativesIn(current);
    if (key !== null && names.has(key)) continue;
    if (key !== null) names.add(key);
    const target = key === null ? undefined : declarations.get(key);
    if (target !== undefined && isUnionName(declarations, target.name))
      pending.push(target.schema);
    else if (alternatives.length > 1)
      pending.push(...[...alternatives].reverse());
    else members.push(current);
  }
  return members;
}

/**
 * The likely direction of a message that no union declares, which is reported.
 */
export function assume(
  context: DeriveContext,
  message: Candidate,
  directions: ReadonlyMap<string, Direction>,
): Direction {
  const { method, name } = message;
  const notification =
    method.startsWith(facts.names.notificationPrefix) ||
    name.endsWith("Notification");
  const kind = notification ? "notification" : "request";
  const [sender, reason] = likelySender(message, kind, directions);
  context.scope.note(
    "MG402",
    context.locationOf(name),
    `${name} is not in any union of messages; it is assumed that the ${sender} sends the ${kind} "${method}", because ${reason}`,
    `list it in ${facts.unions
      .filter((row) => row.kind === kind && row.carriage === "wire")
      .map((row) => row.union)
      .join(" or ")}`,
  );
  return { kind, sender, carriage: "wire" };
}

/**
 * The most likely sender, and the reason: the senders of related methods, the
 * description, or the usual direction.
 */
function likelySender(
  { method, declaration }: Candidate,
  kind: Message["kind"],
  directions: ReadonlyMap<string, Direction>,
): [Sender, string] {
  const family = familyOf(method);
  const relatives = [...directions].filter(
    ([other, row]) => row.kind === kind && familyOf(other) === family,
  );
  const senders = new Set(relatives.map(([, row]) => row.sender));
  const [relative] = senders;
  if (relative !== undefined && senders.size === 1)
    return [relative, `it sends the other "${family}" methods`];
  const sender = /\b(?:from|by) the (client|server)\b/i
    .exec(declaration.schema.doc.text)?.[1]
    ?.toLowerCase();
  if (sender === "client" || sender === "server")
    return [sender, "its description says so"];
  return kind === "request"
    ? ["client", "it sends most requests"]
    : ["server", "it sends most notifications"];
}

/**
 * The family of "resources/templates/list" and
 * "notifications/resources/updated" is "resources".
 */
function familyOf(method: string): string {
  const prefix = facts.names.notificationPrefix;
  const tail = method.startsWith(prefix) ? method.slice(prefix.length) : method;
  return tail.split("/")[0] ?? tail;
}
