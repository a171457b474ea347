import type { Difference } from "../ir/diff/model.js";
import { phraseOf } from "../ir/diff/report.js";
import { printable } from "../ir/report/text.js";
import { index, tagOf } from "../ir/lookup.js";
import type { Protocol } from "../ir/model.js";

const maxLength = 120;

/** Text of a schema as code inside a sentence. The text itself has no backticks, so that a renderer can find it again. */
export function quote(text: string): string {
  return `\`${plain(text, maxLength)}\``;
}

/** Text on one line, without control characters and backticks. */
export function plain(text: string, max: number): string {
  return printable(text, max).replaceAll("`", "'");
}

/** A sentence in parts: fixed words, and quoted code. */
export function partsOf(sentence: string): { readonly text: string; readonly isCode: boolean }[] {
  return sentence.split("`").map((text, i) => ({ text, isCode: i % 2 === 1 }));
}

/** What the author of a program reads about a change, and what to do. A word in capitals stands for a text of the difference. */
const phrases: Readonly<Record<string, readonly [sentence: string, advice?: string]>> = {
  "required-member-added": ["PLACE is now required", "add NEW"],
  "member-made-required": ["PLACE is now required", "add NEW"],
  "optional-member-removed": ["PLACE is removed"],
  "required-member-removed": ["PLACE is removed"],
  "type-removed": ["PLACE is removed"],
  "constant-removed": ["PLACE is removed"],
  "request-removed": ["PLACE is removed"],
  "notification-removed": ["PLACE is removed"],
  "type-renamed": ["OLD is renamed to PLACE", "write PLACE"],
  "constant-renamed": ["OLD is renamed to PLACE", "write PLACE"],
  "method-renamed": ["OLD is renamed to NEW", "write NEW"],
  "value-added": ["PLACE can now be NEW", "handle NEW"],
  "known-value-added": ["PLACE can now be NEW", "handle NEW"],
  "alternative-added": ["PLACE can now be NEW", "handle NEW"],
  "value-removed": ["PLACE can no longer be OLD"],
  "known-value-removed": ["PLACE can no longer be OLD"],
  "alternative-removed": ["PLACE can no longer be OLD"],
  "bound-tightened": ["PLACE must now be LIMIT"],
  "constant-changed": ["PLACE changes from OLD to NEW", "write the constant PLACE, or NEW"],
  "error-code-changed": ["PLACE changes from OLD to NEW", "write NEW"],
  "tag-added": ["PLACE is deprecated"],
  "sender-removed": ["only the SIDE sends PLACE now"],
  "carriage-changed embedded": [
    "PLACE is now sent inside a result, so the handler that sends it runs again with the answer",
    "wrap what must not run twice in `context.once`",
  ],
  "carriage-changed wire": [
    "PLACE is now sent on its own, so the handler that sends it runs once and waits for the answer",
  ],
  "opening-changed per-request": [
    "a connection now opens without `initialize`, and each request carries its metadata",
  ],
  "opening-changed initialize": ["a connection now opens with `initialize`"],
  "capability-condition-added": ["PLACE now needs a capability: NEW"],
  "batches-added": ["a message can now be a batch: an array of messages"],
  "batches-removed": ["a message can no longer be a batch: an array of messages"],
};

/** A difference as a sentence, without its full stop. */
export function sentenceOf(difference: Difference): string {
  const { change, was, is } = difference;
  const place = placeOf(difference);
  const [phrase] = phrases[change] ?? phrases[`${change} ${is ?? ""}`] ?? [];
  if (phrase !== undefined) return filled(phrase, difference);
  if (was === null || is === null) return `${place}: ${phraseOf(difference, quote)}`;
  return `${place} changes from ${quote(was)} to ${quote(is)}`;
}

/** What to write instead, as a sentence without its full stop; null if that is not mechanical. */
export function adviceOf(before: Protocol, after: Protocol, difference: Difference): string | null {
  const { change, is } = difference;
  const [, advice] = phrases[change] ?? phrases[`${change} ${is ?? ""}`] ?? [];
  if (advice !== undefined) return filled(advice, difference);
  if (change === "opening-changed") {
    const both = quote(`${before.revision},${after.revision}`);
    return `generate both revisions, ${both}, and use \`connect\` and \`createServers\`, to keep older peers`;
  }
  if (change !== "tag-added" && !change.endsWith("-removed")) return null;
  return deprecationOf(change === "tag-added" ? after : before, difference);
}

function filled(phrase: string, difference: Difference): string {
  const { change, was, is } = difference;
  return phrase.replace(/PLACE|OLD|NEW|LIMIT|SIDE/g, (word) => {
    if (word === "PLACE") return placeOf(difference);
    if (word === "LIMIT") return limitWords(is ?? "");
    if (word === "SIDE") return is ?? "";
    const text = (word === "OLD" ? was : is) ?? "";
    return quote(change === "method-renamed" ? JSON.stringify(text) : text);
  });
}

/** The subject of a difference: "`Tool.title`", "`params.name` of `tools/call`". */
export function placeOf({ subject: { kind, name }, path }: Difference): string {
  if (kind === "protocol") return path === "" ? "the protocol" : quote(path.replace(/^errors\./, ""));
  if (path === "") return quote(name);
  if (kind === "message") return `${quote(path)} of ${quote(name)}`;
  return quote(`${name}${/^[[{]/.test(path) ? "" : "."}${path}`);
}

/** A limit in words: "at most 100" for `maximum 100`. */
export function limitWords(limit: string): string {
  const [, end, unit, count = ""] = /^(min|max)(imum|Items|Length) (\S+)$/.exec(limit) ?? [];
  if (end === undefined) return limit;
  const noun = unit === "Items" ? " items long" : unit === "Length" ? " characters long" : "";
  return `at ${end === "min" ? "least" : "most"} ${count}${noun}`;
}

/** What a schema says about a deprecated declaration, or about one of its own members. */
function deprecationOf(protocol: Protocol, { subject, path }: Difference): string | null {
  const message = protocol.messages.find(({ method }) => method === subject.name);
  const declaration = index(protocol).get(message?.name ?? subject.name);
  const members = declaration?.kind === "interface" ? declaration.properties : [];
  const doc = path === "" ? declaration?.doc : members.find(({ name }) => name === path)?.doc;
  const text = doc === undefined ? null : tagOf(doc, "deprecated");
  return text === null || text === "" ? null : `the schema says: ${quote(text)}`;
}
