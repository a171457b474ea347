import { describe, expect, it } from "vitest";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { parseDoc } from "../../../src/generator/read/typescript/jsdoc.js";
import { unknown } from "../../ir/schemas.js";
import { read } from "./reading.js";

const rows: { given: string; text: string; tags?: [string, string][] }[] = [
  { given: "/** One line. */", text: "One line." },
  { given: "/**\n * Two lines\n * joined.\n */", text: "Two lines joined." },
  { given: "/**\r\n * Windows\r\n * lines.\r\n */", text: "Windows lines." },
  { given: "/**\n * One.\n *\n *\n * Two.\n */", text: "One.\n\nTwo." },
  {
    given: "/**\n * A list:\n * - one\n *   and more\n * - two\n */",
    text: "A list:\n- one and more\n- two",
  },
  {
    given: '/**\n * ```json\n * { "a": 1 }\n * ```\n * After.\n */',
    text: '```json\n{ "a": 1 }\n```\nAfter.',
  },
  {
    given:
      "/**\n *\n * Before\n *\n *   ```\n *\n *   a\n *   ```\n * after\n * it.\n *\n */",
    text: "Before\n\n  ```\n\n  a\n  ```\nafter it.",
  },
  {
    given:
      "/**\n * 1. one\n * more\n * 2) two\n * + three\n * * four\n * 5.five\n */",
    text: "1. one more\n2) two\n+ three\n* four 5.five",
  },
  {
    given: "/**\n * ```\n * @internal\n * ```\n */",
    text: "```\n@internal\n```",
  },
  {
    given: "/** See {@link Tool} and {@link ListToolsRequest | tools/list}. */",
    text: "See Tool and tools/list.",
  },
  {
    given: "/** By {@link https://example.com/a | the rules}. */",
    text: "By the rules.",
  },
  {
    given: "/** By {@link https://example.com/a the rules}. */",
    text: "By the rules.",
  },
  { given: "/** Shown {@includeCode ./a.json} here. */", text: "Shown here." },
  {
    given: "/**\n * Text.\n * @example\n * gone\n * @see also gone\n */",
    text: "Text.",
  },
  { given: "/** @internal */", text: "", tags: [["internal", ""]] },
  {
    given: "/**\n * @category `tools/call`\n */",
    text: "",
    tags: [["category", "`tools/call`"]],
  },
  {
    given: "/**\n * @category   Errors\n * @deprecated   Old. */",
    text: "",
    tags: [
      ["category", "Errors"],
      ["deprecated", "Old."],
    ],
  },
  {
    given: "/** @TJS-type number */",
    text: "",
    tags: [["TJS-type", "number"]],
  },
  {
    given:
      "/**\n * Old.\n * @deprecated Since then,\n * for a reason.\n * @category Errors\n */",
    text: "Old.",
    tags: [
      ["deprecated", "Since then, for a reason."],
      ["category", "Errors"],
    ],
  },
  { given: "/** @description Told by a tag. */", text: "Told by a tag." },
  { given: "/** an@address is no tag */", text: "an@address is no tag" },
  { given: "/**   */", text: "" },
];

/** Tags that only readers need. */
const prose =
  "alpha author beta default defaultValue example experimental includeCode packageDocumentation privateRemarks public remarks see since todo version";

describe("a doc comment in schema.ts", () => {
  it.each(prose.split(" "))("loses the tag @%s with its text", (name) => {
    expect(parseDoc(`/**\n * Text.\n * @${name} gone\n */`)).toEqual({
      doc: { text: "Text.", tags: [] },
      unknown: [],
    });
  });

  it.each(rows)("gives text and tags: $given", ({ given, text, tags = [] }) => {
    expect(parseDoc(given)).toEqual({
      doc: { text, tags: tags.map(([name, value]) => ({ name, text: value })) },
      unknown: [],
    });
  });

  it("is reported if it has unknown tags", () => {
    expect(parseDoc("/**\n * @patern ^a$\n * @wire yes\n */").unknown).toEqual([
      "patern",
      "wire",
    ]);
  });
});

describe("the doc comment of a declaration", () => {
  it.each([
    ["directly above it", "/** Doc. */\nexport interface X {}"],
    [
      "above a line comment",
      "/** Doc. */\n// Combined.\nexport interface X {}",
    ],
    [
      "above a directive",
      "/** Doc. */\n// eslint-disable-next-line x\nexport interface X {}",
    ],
    [
      "below a section comment",
      "/* Section */\n/** Doc. */\nexport interface X {}",
    ],
    [
      "below another doc comment",
      "/** Orphan. */\n\n/** Doc. */\nexport interface X {}",
    ],
    ["above a plain comment", "/** Doc. */ /* plain */\nexport interface X {}"],
  ])("is found %s", async (_, text) => {
    const { protocol } = await read(text);
    expect(protocol?.declarations[0]?.schema.doc.text).toBe("Doc.");
  });

  it("may be on its own line, but not on the line of the previous member", async () => {
    const { protocol } = await read(
      "export interface X { /** One. */ a: string; /** Not two. */\n b: string }",
    );
    expect(textsOf(protocol)).toEqual(["", "One.", ""]);
  });

  it("is not a plain comment", async () => {
    const { protocol } = await read(
      "/* Plain. */\n// Line.\n/**/\nexport interface X { /* Plain. */ a: string }",
    );
    expect(textsOf(protocol)).toEqual(["", ""]);
  });
});

/** The docs of the first interface and of its members. */
function textsOf(protocol: Protocol | null): string[] {
  const schema = protocol?.declarations[0]?.schema ?? unknown;
  return [
    schema,
    ...propertiesIn(schema).map((property) => property.schema),
  ].map(({ doc }) => doc.text);
}
