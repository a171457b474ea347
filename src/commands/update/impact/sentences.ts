import { propertiesIn } from "../../../generator/ir/constraint/form.js";
import type { Difference } from "../../../generator/ir/change/model.js";
import { changeText } from "../../../generator/ir/report/render.js";
import { printable } from "../../../generator/ir/report/text.js";
import { index, tagOf } from "../../../generator/ir/lookup.js";
import type { Protocol } from "../../../generator/ir/model.js";

const maxLength = 120;

/**
 * Text of a schema as code inside a sentence. The text itself has no backticks,
 * so that a renderer can find it again.
 */
export function quote(text: string): string {
  return `\`${plain(text, maxLength)}\``;
}

/** Text on one line, without control characters and backticks. */
export function plain(text: string, max: number): string {
  return printable(text, max).replaceAll("`", "'");
}

/** A change by which its whole subject, or the member at its path, is gone. */
const removal =
  /^(request|notification|type|constant|(optional|required)-member)-removed/;

/**
 * What the author of a program reads about a change, and what to do, by the
 * kind of change and its new text. A word in capitals stands for a text of the
 * difference.
 */
const phrases: readonly (readonly [
  kind: RegExp,
  sentence: string,
  advice?: string,
])[] = [
  [
    /^(required-member-added|member-made-required)/,
    "PLACE is now required",
    "add NEW",
  ],
  [removal, "PLACE is removed"],
  [/^(type|constant)-renamed/, "OLD is renamed to PLACE", "write PLACE"],
  [/^method-renamed/, "OLD is renamed to NEW", "write NEW"],
  [
    /^(known-value|value|alternative)-added/,
    "PLACE can now be NEW",
    "handle NEW",
  ],
  [/^(known-value|value|alternative)-removed/, "PLACE can no longer be OLD"],
  [/^bound-tightened/, "PLACE must now be LIMIT"],
  [
    /^constant-changed/,
    "PLACE changes from OLD to NEW",
    "write the constant PLACE, or NEW",
  ],
  [/^error-code-changed/, "PLACE changes from OLD to NEW", "write NEW"],
  [/^tag-added/, "PLACE is deprecated"],
  [/^sender-removed client/, "only the client sends PLACE now"],
  [/^sender-removed server/, "only the server sends PLACE now"],
  [/^capability-condition-added/, "PLACE now needs a capability: NEW"],
  [
    /^carriage-changed embedded/,
    "PLACE is now sent inside a result, so the handler that sends it runs again with the answer",
    "wrap what must not run twice in `context.once`",
  ],
  [
    /^carriage-changed wire/,
    "PLACE is no longer sent inside a result, and its handler runs once",
  ],
  [
    /^opening-changed per-request/,
    "a connection now opens without `initialize`",
  ],
  [/^opening-changed initialize/, "a connection now opens with `initialize`"],
  [/^batches-added/, "a message can now be a batch: an array of messages"],
  [
    /^batches-removed/,
    "a message can no longer be a batch: an array of messages",
  ],
];

/** A difference as a sentence, without its full stop. */
export function sentenceOf(difference: Difference): string {
  const [, sentence] = phraseFor(difference);
  if (sentence !== undefined) return filled(sentence, difference);
  if (difference.before === null || difference.after === null)
    return `${placeOf(difference)}: ${changeText({ ...difference, path: "" }, quote)}`;
  return filled("PLACE changes from OLD to NEW", difference);
}

/**
 * What to write instead, as a sentence without its full stop; null if that is
 * not mechanical.
 */
export function adviceOf(
  before: Protocol,
  after: Protocol,
  difference: Difference,
): string | null {
  const { change, after: text } = difference;
  // A member for which the session engine has a default.
  const entry = after.engineDefaults.find(({ member }) =>
    text?.startsWith(`${member}: `),
  );
  if (change === "required-member-added" && typeof entry?.value === "string")
    return `add ${quote(`${entry.member}: ${JSON.stringify(entry.value)}`)}`;
  const [, , advice] = phraseFor(difference);
  if (advice !== undefined) return filled(advice, difference);
  if (change === "opening-changed") {
    const both = quote(`${before.revision},${after.revision}`);
    return `generate both revisions, ${both}, and use \`connect\` and \`createServers\`, to keep older peers`;
  }
  if (change === "tag-added") return deprecationOf(after, difference);
  // A deprecated type may also lose a value or a condition, of which its text
  // says nothing.
  return removal.test(change) ? deprecationOf(before, difference) : null;
}

function phraseFor({
  change,
  after,
}: Difference): (typeof phrases)[number] | readonly [] {
  return phrases.find(([kind]) => kind.test(`${change} ${after ?? ""}`)) ?? [];
}

function filled(phrase: string, difference: Difference): string {
  const { change, before, after } = difference;
  return phrase.replace(/PLACE|OLD|NEW|LIMIT/g, (word) => {
    if (word === "PLACE") return placeOf(difference);
    if (word === "LIMIT") return limitWords(after ?? "");
    const text = (word === "OLD" ? before : after) ?? "";
    return quote(change === "method-renamed" ? JSON.stringify(text) : text);
  });
}

/**
 * The subject of a difference: "`Tool.title`", "`params.name` of `tools/call`".
 */
export function placeOf({ subject: { kind, name }, path }: Difference): string {
  if (kind === "protocol")
    return path === "" ? "the protocol" : quote(path.replace(/^errors\./, ""));
  if (path === "") return quote(name);
  if (kind === "method") return `${quote(path)} of ${quote(name)}`;
  return quote(`${name}${/^[[{]/.test(path) ? "" : "."}${path}`);
}

/** A limit in words: "at most 100" for `maximum 100`. */
export function limitWords(limit: string): string {
  const [, end, unit, count = ""] =
    /^(min|max)(imum|Items|Length) (\S+)$/.exec(limit) ?? [];
  if (end === undefined) return quote(limit);
  const noun =
    unit === "Items" ? " item" : unit === "Length" ? " character" : "";
  const rest = noun === "" ? "" : `${noun}${count === "1" ? "" : "s"} long`;
  return `at ${end === "min" ? "least" : "most"} ${count}${rest}`;
}

/**
 * What a schema says about a deprecated declaration, or about one of its own
 * members.
 */
function deprecationOf(
  protocol: Protocol,
  { subject, path }: Difference,
): string | null {
  const message = protocol.messages.find(
    ({ method }) => method === subject.name,
  );
  const whole = index(protocol).get(message?.name ?? subject.name)?.schema;
  const members = whole === undefined ? [] : propertiesIn(whole);
  const part =
    path === "" ? whole : members.find(({ name }) => name === path)?.schema;
  const text = part === undefined ? null : tagOf(part.doc, "deprecated");
  return text === null || text === ""
    ? null
    : `the schema says: ${quote(text)}`;
}
