import { describe, expect, it } from "vitest";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import { diff } from "../../../src/generator/ir/diff/index.js";
import {
  renderJson,
  renderMarkdown,
  renderText,
} from "../../../src/generator/ir/report/render.js";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { revision, revisions } from "../../read/typescript/reading.js";
import { notes, protocolOf } from "../made.js";
import { iface, literal, member } from "../schemas.js";

const old = notes({
  sent: 'id: string; mode: "x"',
  beside: "export interface Gone { a: string }",
});
const fresh = notes({
  sent: '/** @internal */ id?: string; mode: "x" | "y"; after: string',
  answered: "text: string; more?: boolean",
  beside: "export interface Come { b: string }",
});

describe("the report of two equal protocols", () => {
  it("is empty as text and Markdown, and an empty list as JSON", async () => {
    for (const protocol of await revisions()) {
      const comparison = diff(protocol, protocol);
      expect(renderText(comparison)).toBe("");
      expect(renderMarkdown(comparison)).toBe("");
      expect(JSON.parse(renderJson(comparison))).toMatchObject({
        format: 2,
        basis: "whole",
        differences: [],
      });
    }
  });
});

it("the text report is grouped by method and type, and names the sides that break on their own line", async () => {
  expect(renderText(diff(await protocolOf(old), await protocolOf(fresh))))
    .toBe(`made -> made
Compared in full, including inheritance, names and tags.
Types: 1 added, 1 removed, 0 renamed; methods: 0 added, 0 removed, 0 renamed; changes: 3 breaking, 1 compatible, 3 that change no message.
Marks: ! breaking, + compatible.

types removed (1)
  Gone

types added (1)
  Come

type Sent
  ! id: made optional: id: string became id?: string
      breaks an old server that receives this
  ! mode: value added: "y"
      breaks an old server that receives this
  ! after: required member added: after: string
      breaks an old client that sends this

type GetNoteResult
  + more: optional member added: more?: boolean

Not listed: 1 change of a tag, a base or a derived fact that change no message (--json lists them).
`);
});

it("the Markdown report has a list of changes for each method and type", async () => {
  expect(renderMarkdown(diff(await protocolOf(old), await protocolOf(fresh))))
    .toBe(`## \`made\` to \`made\`

Compared in full, including inheritance, names and tags. Types: 1 added, 1 removed, 0 renamed; methods: 0 added, 0 removed, 0 renamed; changes: 3 breaking, 1 compatible, 3 that change no message.

**Types removed (1):** \`Gone\`

**Types added (1):** \`Come\`

### Type \`Sent\`

- **breaking** \`id\`: made optional: \`id: string\` became \`id?: string\` (breaks an old server that receives this)
- **breaking** \`mode\`: value added: \`"y"\` (breaks an old server that receives this)
- **breaking** \`after\`: required member added: \`after: string\` (breaks an old client that sends this)

### Type \`GetNoteResult\`

- **compatible** \`more\`: optional member added: \`more?: boolean\`

Not listed: 1 change of a tag, a base or a derived fact that change no message (--json lists them).
`);
});

it("the reports list a new or former deprecation with its reason, and hide other tags", async () => {
  const tagged = (tags: string): Promise<Protocol> =>
    protocolOf(notes({ sent: `${tags} id: string` }));
  const [plain, deprecated] = [
    await tagged("/** @internal */"),
    await tagged("/** @deprecated Use the name. */"),
  ];
  for (const comparison of [diff(plain, deprecated), diff(deprecated, plain)]) {
    expect(comparison.differences).toHaveLength(2);
    const text = renderText(comparison);
    expect(text.match(/@[a-z]+/g)).toEqual(["@deprecated"]);
    expect(text).toContain("Not listed: 1 change of a tag");
  }
});

const newestReports = async () => {
  const comparison = diff(
    await revision("2025-11-25"),
    await revision("2026-07-28"),
  );
  return [renderText(comparison), renderMarkdown(comparison)] as const;
};

it("the reports name headers and error codes as they are on the wire", async () => {
  const [text, markdown] = await newestReports();
  expect(text).toContain("  + HTTP header removed: Last-Event-ID\n");
  expect(text).toContain(
    "  ! RESOURCE_NOT_FOUND: error code: -32002 became -32602\n",
  );
  expect(markdown).toContain(
    "\n- **compatible** HTTP header removed: `Last-Event-ID`\n",
  );
  for (const each of [text, markdown])
    expect(each).not.toMatch(/headers\.|errors\.|wellKnown\.|traits\./);
});

it("the reports name a side that breaks both ways once", async () => {
  const [text] = await newestReports();
  expect(text).toContain(
    "      breaks an old client that sends or receives this and an old server that sends or receives this\n",
  );
});

it("the JSON report contains the whole comparison and is the same on every run", async () => {
  const comparison = diff(
    await revision("2025-06-18"),
    await revision("2025-11-25"),
  );
  const text = renderJson(comparison);
  expect(text.endsWith("}\n")).toBe(true);
  expect(JSON.parse(text)).toEqual(comparison);
  expect(
    renderJson(
      diff(await revision("2025-06-18"), await revision("2025-11-25")),
    ),
  ).toBe(text);
});

it("the reports escape text of a schema", async () => {
  const evil = [
    "`",
    "``` |",
    "|",
    "\n# heading",
    "\u001b[31m",
    "\u202e",
    "\u2028",
    "<script>",
    "a\r\nb",
  ];
  const protocol = await protocolOf(notes({}));
  for (const name of evil) {
    const doc = { text: "", tags: [{ name: "deprecated", text: name }] };
    const added = member(name, { ...literal(name), doc }, true);
    const declarations = protocol.declarations.map((declaration) =>
      declaration.name === "Sent"
        ? iface("Sent", [], [...propertiesIn(declaration.schema), added])
        : declaration,
    );
    const comparison = diff(
      { ...protocol, revision: name },
      { ...protocol, declarations },
    );
    const text = renderText(comparison);
    const markdown = renderMarkdown(comparison);
    for (const printed of [text, markdown])
      expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028]/);
    const plain = text.split("\n").length;
    const benign = renderText(
      diff(
        { ...protocol, revision: "b" },
        { ...protocol, declarations: renamed(declarations, name) },
      ),
    );
    expect(plain).toBe(benign.split("\n").length);
    // Outside of code, each line has only words of ours.
    for (const line of markdown.split("\n"))
      expect(line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "")).toMatch(
        /^[-#*\w\s:;,.()]*$/,
      );
  }
});

function renamed<T>(value: T, from: string): T {
  const asJson = JSON.stringify(value).replaceAll(
    JSON.stringify(from),
    '"benign"',
  );
  return JSON.parse(asJson) as T;
}
