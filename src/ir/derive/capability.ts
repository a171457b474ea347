import * as facts from "../facts.js";
import { flattenType, type Flat } from "../flatten.js";
import type { Capability, Message } from "../model.js";
import { factId, type Deriving } from "./deriving.js";
import type { Sender } from "./senders.js";

/**
 * The capability that a message needs. A row decides, else the method's own words: "resources/subscribe" needs
 * `resources.subscribe` where that exists, else `resources`; "notifications/tools/list_changed" the sender's
 * `tools.listChanged`. A path that the revision's capabilities lack is none.
 */
export function capabilityOf(
  deriving: Deriving,
  method: string,
  kind: Message["kind"],
  sender: Sender,
): Capability | null {
  const row = facts.capabilities.find((entry) => entry.method === method);
  if (row !== undefined) {
    for (const side of sidesOf(sender, row.of)) {
      if (!has(deriving, side, row.path)) continue;
      deriving.used.add(factId("capabilities", row));
      return { side: sender === "either" ? "receiver" : side, path: row.path };
    }
    return null;
  }
  const prefix = facts.names.notificationPrefix;
  const [first, second] = (method.startsWith(prefix) ? method.slice(prefix.length) : method).split("/");
  if (first === undefined || second === undefined) return null;
  const paths = [`${first}.${camel(second)}`, first];
  // A request needs its receiver's consent; a notification is first of all its sender's announcement.
  const order = kind === "request" ? (["receiver"] as const) : (["sender", "receiver"] as const);
  for (const side of order.flatMap((of) => sidesOf(sender, of))) {
    const path = paths.find((entry) => has(deriving, side, entry));
    if (path !== undefined) return { side: sender === "either" ? "receiver" : side, path };
  }
  return null;
}

type Side = "client" | "server";

function sidesOf(sender: Sender, of: "sender" | "receiver"): Side[] {
  if (sender === "either") return ["client", "server"];
  const other = sender === "client" ? "server" : "client";
  return [of === "sender" ? sender : other];
}

/** "list_changed" is written `listChanged` among the capabilities. */
function camel(words: string): string {
  return words.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Does a side's capability type have a member at this path? */
function has(deriving: Deriving, side: Side, path: string): boolean {
  let flat: Flat | null = flattenType(deriving.declarations, {
    kind: "reference",
    name: facts.capabilityTypes[side],
  });
  for (const step of path.split(".")) {
    const member = flat?.properties.find(({ name }) => name === step);
    if (member === undefined) return false;
    flat = flattenType(deriving.declarations, member.type);
  }
  return true;
}
