import { describe, expect, it } from "vitest";
import {
  type Impact,
  type ImpactLine,
  impactMarkdown,
  impactText,
} from "../../src/commands/update/impact/index.js";
import { quote } from "../../src/commands/update/impact/sentences.js";

const line: ImpactLine = {
  file: "src/a.ts",
  line: 3,
  column: 5,
  kind: "type",
  isBreaking: true,
  change: "`Tool.title`: the member `title` is renamed to `label`",
  advice: "write `label`",
  effects: [],
  code: "TS2339",
  message: "Property 'title' does not exist on type 'Tool'.",
};
const review: ImpactLine = {
  ...line,
  line: 9,
  kind: "behaviour",
  isBreaking: false,
  change: "type `Log`: tag added: `@deprecated`",
  advice: null,
  code: null,
  message: null,
};
const report: Impact = {
  format: 2,
  files: 1,
  lines: [line, { ...line, line: 4 }, review],
  notes: ["A note."],
};

describe("the report", () => {
  it("has one item for each change as Markdown, with its lines below it", () => {
    expect(impactMarkdown(report))
      .toBe(`The change touches 3 lines of the program: 2 lines must change, 1 line should be reviewed.

### Must change

- \`Tool.title\`: the member \`title\` is renamed to \`label\`
  - **to do:** write \`label\`
  - \`src/a.ts:3\` TS2339: Property 'title' does not exist on type 'Tool'.
  - \`src/a.ts:4\` TS2339: Property 'title' does not exist on type 'Tool'.

### Should be reviewed

- type \`Log\`: tag added: \`@deprecated\`
  - \`src/a.ts:9\`

A note.
`);
  });

  it("says that no file imports the generated files, or that no line changes", () => {
    expect(impactText({ ...report, files: 0, lines: [], notes: [] })).toBe(
      "No file of the program imports the generated files.\n",
    );
    expect(impactText({ ...report, lines: [], notes: [] })).toBe(
      "The change touches no line of the program.\n",
    );
  });

  it("escapes text of a hostile schema for Markdown and for a terminal", () => {
    const hostile =
      "`</code><img src=x>](http://evil)\n# title | \u001b[31m@everyone";
    const change = `type ${quote(hostile)}: removed`;
    const lines = [
      { ...line, change, message: hostile, file: `src/${hostile}.ts` },
    ];
    const markdown = impactMarkdown({ ...report, lines });
    const text = impactText({ ...report, lines });
    // eslint-disable-next-line no-control-regex
    expect(`${markdown}${text}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const outside = markdown.replace(
      /(`+) [^\n]*? \1|`[^`\n]*`|<code>[^<\n]*<\/code>/g,
      "",
    );
    expect(outside).not.toMatch(/<img|<\/code>|http:\/\/|@everyone/);
    expect(markdown.split("\n").filter((one) => one.startsWith("#"))).toEqual([
      "### Must change",
    ]);
  });
});
