import { describe, expect, it } from "vitest";
import type { Json } from "../../src/generator/ir/snapshot/model.js";
import { differences } from "./differences.js";

const text = { type: "string" };
const object = (
  properties: Json,
  required: readonly string[],
  rest?: Json,
): Json => ({
  type: "object",
  properties,
  required,
  ...(rest !== undefined && { additionalProperties: rest }),
});
const ab = { a: text, b: text };

/** What is told of a change to the side that sends the value. */
function told(was: Json, is: Json, sender: "client" | "server"): string[] {
  return differences(was, is, sender).map(
    ({ change, path, before, after, shift = "" }) =>
      `${change} ${path}: ${before} → ${after} ${shift}`.trim(),
  );
}

/** Both schemas, and what each side is told; the server the same without more. */
type Row = [
  was: Json,
  is: Json,
  client: readonly string[],
  server?: readonly string[],
];
const rows: Row[] = [
  // Members that go.
  [
    object(ab, ["a", "b"]),
    object({ b: text }, ["b"]),
    ["required-member-removed .a: string → null other"],
    ["required-member-removed .a: string → null"],
  ],
  [
    object(ab, ["b"]),
    object({ b: text }, ["b"]),
    ["optional-member-removed .a: string → null narrower"],
    ["optional-member-removed .a: string → null wider"],
  ],
  [
    object(ab, ["a"], false),
    object({ b: text }, [], false),
    ["required-member-removed .a: string → null other"],
  ],
  [
    object(ab, [], false),
    object({ b: text }, [], false),
    ["optional-member-removed .a: string → null narrower"],
  ],
  [
    object(ab, []),
    object({ b: text }, [], { type: "number" }),
    [
      "optional-member-removed .a: string → null narrower",
      "type-replaced .a: string → number",
      "type-narrowed {}: any → number",
    ],
    [
      "optional-member-removed .a: string → null wider",
      "type-replaced .a: string → number",
      "type-narrowed {}: any → number",
    ],
  ],
  // Members that come.
  [
    object({ b: text }, []),
    object(ab, []),
    ["optional-member-added .a: null → string"],
  ],
  [
    object({ b: text }, []),
    object(ab, ["a"]),
    ["required-member-added .a: null → string"],
  ],
  [
    object({ b: text }, [], false),
    object(ab, [], false),
    ["optional-member-added .a: null → string wider"],
  ],
  [
    object({ b: text }, [], false),
    object(ab, ["a"], false),
    ["required-member-added .a: null → string other"],
  ],
  // Annotations.
  [text, { ...text, deprecated: true }, ["deprecation-changed : null → true"]],
  [{ ...text, deprecated: true }, text, ["deprecation-changed : true → null"]],
  [
    { ...text, default: "a" },
    { type: ["string", "null"], default: "b" },
    ["type-widened : string → null | string", "default-changed : a → b"],
  ],
  [
    { ...text, title: "A", examples: ["a", "b"] },
    {
      anyOf: [{ ...text, title: "B", examples: ["b", "a"] }, { type: "null" }],
    },
    ["alternative-added : null → null", "words-changed : title A → title B"],
  ],
  [
    {
      anyOf: [{ ...text, title: "A" }, { type: "null" }],
    },
    { ...text, title: "A" },
    ["alternative-removed : null → null"],
  ],
  [
    { title: "A", anyOf: [text, { type: "null" }] },
    { ...text, title: "B" },
    ["alternative-removed : null → null", "words-changed : title A → title B"],
  ],
  [
    { allOf: [{ title: "A" }, { title: "B" }] },
    { title: "C" },
    [
      'words-changed : title ["A","B"] → title C',
      "restated : null → null harmless",
    ],
  ],
  [
    { ...text, description: "x" },
    { ...text, description: "y" },
    ["description-changed : x → y"],
  ],
  // What no type shows.
  [
    { ...text, $defs: { a: { description: "x" }, b: { description: "y" } } },
    { ...text, $defs: { a: { description: "z" }, b: { description: "y" } } },
    ["description-changed : x → z"],
  ],
  [
    text,
    { ...text, $defs: { a: { description: "x" } } },
    ["description-changed : null → x"],
  ],
  [{ allOf: [text] }, text, ["restated : null → null harmless"]],
  [{ ...text, examples: [1, 2] }, { examples: [2, 1], ...text }, []],
];

describe("a change of a schema", () => {
  it.each<Row>(rows)(
    "is reported to the side that sends the value: from %j to %j",
    (was, is, client, server = client) => {
      expect(told(was, is, "client")).toEqual(client);
      expect(told(was, is, "server")).toEqual(server);
    },
  );
});
