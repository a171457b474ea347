import * as facts from "../facts.js";
import { type Property, typeIn } from "../constraint/form.js";
import { flatten, flattenSchema, propertyOf, type Flat } from "../flatten.js";
import { resolve } from "../lookup.js";
import type { Capability, Condition, Message, Params, Side } from "../model.js";
import type { DeriveContext } from "./context.js";
import { selectedResultsOf } from "./results.js";
import type { Sender } from "./senders.js";

/**
 * The capability that a message needs: a fact row if there is one, otherwise by
 * the method's name. "resources/subscribe" needs `resources.subscribe` if that
 * exists, otherwise `resources`; "notifications/tools/list_changed" needs
 * `tools.listChanged` of its sender. Null if the revision's capabilities have
 * no such path.
 */
export function capabilityOf(
  context: DeriveContext,
  method: string,
  kind: Message["kind"],
  sender: Sender,
): Capability | null {
  const row = facts.capabilities.find((entry) => entry.method === method);
  if (row !== undefined) {
    for (const side of sidesOf(sender, row.of)) {
      if (memberAt(context, side, row.path) === null) continue;
      return capabilityAt(context, sender, side, row.path);
    }
    return null;
  }
  const prefix = facts.names.notificationPrefix;
  const [first, second] = (
    method.startsWith(prefix) ? method.slice(prefix.length) : method
  ).split("/");
  if (first === undefined || second === undefined) return null;
  const paths = [`${first}.${camel(second)}`, first];
  // A request needs a capability of its receiver; a notification needs one of
  // its sender first.
  const order =
    kind === "request"
      ? (["receiver"] as const)
      : (["sender", "receiver"] as const);
  for (const side of order.flatMap((of) => sidesOf(sender, of))) {
    const path = paths.find((entry) => memberAt(context, side, entry) !== null);
    if (path !== undefined) return capabilityAt(context, sender, side, path);
  }
  return null;
}

/** The further capabilities that a request needs, depending on its params. */
export function conditionsOf(
  context: DeriveContext,
  method: string,
  sender: Sender,
  params: Params,
): Condition[] {
  const [side] = sidesOf(sender, "receiver");
  if (side === undefined) return [];
  const fromRows = facts.conditions.flatMap((row): Condition[] => {
    if (row.method !== method) return [];
    const { member, values, implied } = row;
    const isKnown = memberAt(context, side, row.path) !== null;
    // Without its capability, such a value has no meaning in this revision and
    // must not be sent.
    const isUndefinedHere =
      values !== null &&
      !values.includes(null) &&
      lacks(context, params, member);
    if (!isKnown && !isUndefinedHere) return [];
    return [
      {
        member,
        values,
        capability: capabilityAt(context, sender, side, row.path),
        implied,
      },
    ];
  });
  const fromResults = selectedResultsOf(context, params).flatMap(
    ({ member, under }): Condition[] => {
      const path = `${under}.${method.replaceAll("/", ".")}`;
      if (memberAt(context, side, path) === null) return [];
      return [
        {
          member,
          values: null,
          capability: capabilityAt(context, sender, side, path),
          implied: false,
        },
      ];
    },
  );
  return [...fromRows, ...fromResults];
}

function lacks(
  context: DeriveContext,
  { schema }: Params,
  member: string,
): boolean {
  const flat =
    schema === null ? null : flattenSchema(context.declarations, schema);
  return flat !== null && propertyOf(flat, member) === undefined;
}

function capabilityAt(
  context: DeriveContext,
  sender: Sender,
  side: Side,
  path: string,
): Capability {
  const member = memberAt(context, side, path);
  const flag =
    member !== null &&
    typeIn(resolve(context.declarations, member.schema)) === "boolean";
  return { side: sender === "either" ? "receiver" : side, path, flag };
}

function sidesOf(sender: Sender, of: "sender" | "receiver"): Side[] {
  if (sender === "either") return ["client", "server"];
  const other = sender === "client" ? "server" : "client";
  return [of === "sender" ? sender : other];
}

/** Converts "list_changed" to `listChanged`, the spelling of capabilities. */
function camel(words: string): string {
  return words.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

/** The member at this path in a side's capability type. */
function memberAt(
  context: DeriveContext,
  side: Side,
  path: string,
): Property | null {
  let result: Property | null = null;
  let flat: Flat | null = flatten(
    context.declarations,
    facts.capabilityTypes[side],
  );
  for (const step of path.split(".")) {
    const member = propertyOf(flat, step);
    if (member === undefined) return null;
    result = member;
    flat = flattenSchema(context.declarations, member.schema);
  }
  return result;
}
