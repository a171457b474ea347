import { describe, expect, it } from "vitest";
import { Anchors } from "../../src/commands/docs/view/anchors.js";
import { code, example, text } from "../../src/commands/docs/view/markdown.js";
import { hostile } from "../hostile/corpus.js";
import { invisible } from "../hostile/syntax.js";
import { parsed, permissiveHtml, plainText } from "./making.js";

/**
 * Texts that mean something in Markdown, in one of its dialects, or to a
 * program that builds a site of it.
 */
const marked = [
  "**bold** _em_ ~~gone~~ `code`",
  "[a](javascript:alert(1)) ![b](http://127.0.0.1/x.png) <http://a.b> [c]: http://d.e",
  "http://a.b/c www.example.com me@example.com @user #1 $x$",
  "# heading",
  "- item",
  "1. item",
  "> quote",
  "    code",
  "```js\nalert(1)\n```",
  "~~~\nx",
  "a\n===",
  "a\n---\nb",
  "| a | b |\n| - | - |\n| c | d |",
  "::: danger\nx",
  "{{ constructor.constructor('alert(1)')() }}",
  "<script>alert(1)</script> <b onclick=x>",
  "<!-- @include: /etc/passwd -->",
  "<<< @/secret",
  "[^1] [[toc]] :smile:",
  "&lt;b&gt; &#60;",
  "a`b``c```d",
];

describe("text in Markdown", () => {
  it.each([
    [text("a < b_c & d"), "a &#60; b&#95;c & d"],
    [
      text("a\u202eb\u0000c"),
      "a\\u{202e}b\\u{0}c"
        .replaceAll("\\", "&#92;")
        .replaceAll("{", "&#123;")
        .replaceAll("}", "&#125;"),
    ],
    [code("a`b"), "`` a`b ``"],
    [code("a\u202eb"), "`a\\u{202e}b`"],
    [code(" "), "_without a name_"],
    [code("<!-- x"), "`<`&#33;`-- x`"],
    [code("{{x}}"), "`{`&#123;`x}}`"],
    [code("a{%b%}{#c{{{"), "`a{`&#37;`b%}{`&#35;`c{`&#123;`{`"],
    [text("{{x}} {%"), "&#123;`{`x&#125;&#125; &#123;%"],
    [text("{{{{"), "&#123;`{`&#123;`{`"],
    [
      new Anchors().prose("export const x\nimport y").join(""),
      "expor&#116; const x\\\nimpor&#116; y",
    ],
    [
      new Anchors().prose("1. a\n12) b\n- c\n::: d").join(""),
      "1&#46; a\\\n12&#41; b\\\n&#45; c\\\n&#58;:: d",
    ],
    [new Anchors().prose("{{`a``b`").join(""), "&#123;`{`a`b`"],
    [
      example("Example", "{{ x }} {% y %} <!-- z").at(-1),
      '```json\n"{\\u007b x }} {\\u0025 y %} \\u003c!-- z"\n```',
    ],
    [example("Example", "````").at(-1), '`````json\n"````"\n`````'],
  ])(
    "is printed with everything escaped that has a meaning: row %#",
    (value, expected) => {
      expect(value).toBe(expected);
    },
  );

  it.each([...hostile, ...marked].map((words) => [words]))(
    "is shown by any renderer as it is, in one paragraph without tags: %j",
    (words) => {
      const paragraphs = new Anchors().prose(words);
      const html = permissiveHtml(paragraphs.join("\n\n"));
      const { tags } = parsed(html);
      expect(new Set(tags.map(({ name }) => name))).toEqual(
        new Set(
          ["p", "br", "code", "em"].filter((name) =>
            html.includes(`<${name}>`),
          ),
        ),
      );
      expect(html).not.toMatch(/\{\{/);
      expect(paragraphs.join("")).not.toMatch(/<!--|<<</);
      expect(invisible.exec(html)).toBeNull();
    },
  );

  it.each([...hostile, ...marked].map((words) => [words]))(
    "is shown as code without any other tag: %j",
    (words) => {
      const html = permissiveHtml(`x ${code(words)}`);
      expect(
        parsed(html).tags.every(({ name }) =>
          ["p", "code", "em"].includes(name),
        ),
      ).toBe(true);
      expect(html).not.toMatch(/\{\{/);
      expect(code(words)).not.toMatch(/<!--|\{[{%#]/);
    },
  );

  it.each([
    [{ a: [1, null, "x"], ["__proto__"]: 5, b: {} }],
    [[]],
    ["\u2028<!-- `````"],
    [[[{}]]],
    [{ "```": "~~~\n```" }],
  ])(
    "that is JSON gives the same JSON if a reader copies its text: %j",
    (value) => {
      const [title = "", json = ""] = example("Example", value);
      expect(title).toBe("**Example**");
      expect(json).not.toContain("<!--");
      expect(JSON.parse(plainText(permissiveHtml(json)))).toEqual(value);
    },
  );
});

describe("an anchor", () => {
  it("depends only on the name, and names with the same anchor are numbered", () => {
    const anchors = new Anchors();
    const names = [
      "get_weather",
      "Get_Weather",
      "get weather",
      "get-weather",
      "",
      " ",
      "日本",
      "x".repeat(200),
    ];
    const ids = names.map((name) => anchors.claim("tool", name));
    expect(ids.slice(0, 5)).toEqual([
      "tool-get_weather",
      "tool-Get_Weather-2",
      "tool-get-weather",
      "tool-get-weather-2",
      "tool-x",
    ]);
    expect(new Set(ids.map((anchor) => anchor.toLowerCase())).size).toBe(
      names.length,
    );
    expect(ids.every((anchor) => /^[\w-]{1,70}$/.test(anchor))).toBe(true);
    expect(names.map((name) => anchors.claim("tool", name))).toEqual(ids);
  });

  it.each([
    ["é à", "tool-e-a"],
    ["-a-", "tool-a"],
    ["a/b/{c}", "tool-a-b-c"],
    ["x".repeat(61), `tool-${"x".repeat(60)}`],
  ])("has letters, digits and single dashes: %j", (name, anchor) => {
    expect(new Anchors().claim("tool", name)).toBe(anchor);
  });

  it("is linked from code in prose by methods, types, constants, tools and prompts, and by nothing else", () => {
    const kinds = ["method", "type", "constant", "tool", "prompt"] as const;
    const others = ["resource", "template"] as const;
    const anchors = new Anchors();
    for (const kind of [...kinds, ...others]) anchors.claim(kind, `a ${kind}`);
    for (const kind of kinds)
      expect(anchors.prose(`\`a ${kind}\``)).toEqual([
        `[\`a ${kind}\`](#${kind}-a-${kind})`,
      ]);
    for (const kind of others)
      expect(anchors.prose(`\`a ${kind}\``)).toEqual([`\`a ${kind}\``]);
    expect(anchors.link("tool", "a tool", "b")).toBe("[`b`](#tool-a-tool)");
    expect(anchors.link("tool", "none", "b")).toBe("`b`");
  });

  it("and prose that are very long take linear time", () => {
    const lines = ["1111", "-", "`", "` ", "a.", "{{", "<!", "a\u00a0"].map(
      (part) => part.repeat(100_000),
    );
    const anchors = new Anchors();
    for (const line of lines) {
      expect(anchors.prose(line).join("").length).toBeGreaterThan(0);
      expect(anchors.claim("tool", line).length).toBeLessThan(80);
    }
  });

  it("is linked from code in prose that names an entry", () => {
    const anchors = new Anchors();
    anchors.claim("method", "tools/call");
    expect(anchors.prose("a\r\n  b \rc\r\n\r\nd")).toEqual([
      "a\\\nb\\\nc",
      "d",
    ]);
    const deprecated = { name: "deprecated", text: "Use\n  `tools/call`." };
    expect(anchors.doc({ text: "A.", tags: [deprecated] })).toEqual([
      "A.",
      "**Deprecated.** Use [`tools/call`](#method-tools-call).",
    ]);
    expect(anchors.doc({ text: "A.", tags: [] })).toEqual(["A."]);
    expect(
      anchors.prose("See `tools/call` and `<b>`.\n\nMore,\nand more."),
    ).toEqual([
      "See [`tools/call`](#method-tools-call) and `<b>`.",
      "More,\\\nand more.",
    ]);
  });
});
