import { schemaPhrases } from "../../compare/phrases.js";
import type { Break, Change, Difference } from "../model.js";
import { type Quote, withValues } from "./values.js";

/** A phrase for the change. */
export function phraseOf(difference: Difference, quote: Quote): string {
  return withValues(phrases[difference.change], difference, quote);
}

/** The peers that break, in words; empty if none does. */
export function breaksIn({ breaks }: Difference): string {
  if (breaks.length === 0) return "";
  const all = (["client", "server"] as const).flatMap((side) => {
    const own = breaks.filter((entry) => entry.side === side).map(({ when }) => when);
    return own.length === 0 ? [] : [`an old ${side} that ${own.join(" or ")} this`];
  });
  return `breaks ${all.join(" and ")}`;
}

/** The same in two words each, for a table: "client sends". */
export function breaksInShort({ breaks }: Difference): string {
  return breaks.map(({ side, when }: Break) => `${side} ${when}`).join(", ");
}

const phrases: Readonly<Record<Change, string>> = {
  ...schemaPhrases,
  "format-changed": "format",
  restated: "same meaning in another notation",
  "tag-added": "tag added",
  "tag-removed": "tag removed",
  "message-member-changed": "member of the message",
  "type-added": "added",
  "type-removed": "removed",
  "type-renamed": "renamed",
  "kind-changed": "kind of declaration",
  "bases-changed": "bases",
  "constant-added": "added",
  "constant-removed": "removed",
  "constant-renamed": "renamed",
  "constant-changed": "value",
  "request-added": "request added",
  "request-removed": "request removed",
  "notification-added": "notification added",
  "notification-removed": "notification removed",
  "method-renamed": "method renamed",
  "sender-added": "senders added",
  "sender-removed": "senders removed",
  "declaration-changed": "declared by another type",
  "carriage-changed": "carriage",
  "result-added": "result added",
  "result-removed": "result removed",
  "capability-required": "capability needed",
  "capability-released": "capability no longer needed",
  "capability-condition-added": "capability needed for some params",
  "capability-condition-removed": "capability no longer needed for these params",
  "header-member-added": "member repeated in an HTTP header",
  "header-member-removed": "member no longer repeated in an HTTP header",
  "fact-changed": "facts",
  "opening-changed": "how a connection opens",
  "batches-added": "JSON-RPC batches",
  "batches-removed": "JSON-RPC batches",
  "idless-errors-added": "errors without an id",
  "idless-errors-removed": "errors without an id",
  "primed-streams-added": "HTTP streams that begin with an event id",
  "primed-streams-removed": "HTTP streams that begin with an event id",
  "error-code-changed": "error code",
  "header-added": "HTTP header added",
  "header-removed": "HTTP header removed",
  "header-renamed": "HTTP header renamed",
  "well-known-method-changed": "method with this role",
  "meta-key-changed": "key with this role",
  "engine-default-changed": "default from the session engine",
};
