import { describe, expect, it } from "vitest";
import { compile, render } from "../../src/generator/emit/render.js";
import {
  code,
  identifier,
  literal,
  nameList,
  objectCode,
  propertyKey,
} from "../../src/generator/view/typescript/code.js";
import { docComment, prose } from "../../src/generator/view/typescript/doc.js";

function fill(
  text: string,
  view: object,
  parts: Readonly<Record<string, string>> = {},
): string {
  return render(
    compile(
      "test.hbs",
      new Map([["test.hbs", text], ...Object.entries(parts)]),
    ),
    view,
  );
}

describe("the renderer of templates", () => {
  it.each([
    ["a string", "text"],
    ["a number", 1],
    ["undefined", undefined],
    ["a function", () => "text"],
    ["a big integer", 1n],
    ["a symbol", Symbol("text")],
  ])(
    "rejects a view with %s anywhere in it, even if no template uses it",
    (_, value) => {
      const refused =
        /A view contains a value of type \w+ instead of an emit value/;
      expect(() => fill("{{value}}", { value })).toThrow(refused);
      expect(() => fill("nothing", { value })).toThrow(refused);
      expect(() =>
        fill("{{#each list}}{{name}}{{/each}}", { list: [{ name: value }] }),
      ).toThrow(refused);
      expect(() =>
        fill("{{deep.inside}}", { deep: { inside: [value] } }),
      ).toThrow(refused);
    },
  );

  it("rejects a mustache whose name is not in the view", () => {
    expect(() => fill("{{missing}}", {})).toThrow(
      'test.hbs:1:3: "missing" is not defined here',
    );
    expect(() => fill("{{here.missing}}", { here: {} })).toThrow(/missing/);
  });

  it("rejects unknown helpers, and reads no inherited member", () => {
    expect(() => fill("{{shout value}}", { value: code`x` })).toThrow(
      /unknown helper shout/,
    );
    expect(fill("{{constructor}}{{toString}}", {})).toBe("");
    expect(() => fill("{{value.layout}}", { value: literal("x") })).toThrow(
      /layout/,
    );
    expect(() => fill("{{#each list}}", {})).toThrow(/cannot be parsed/);
  });

  it("renders nested partials with the view of the place that includes them", () => {
    const parts = {
      "partials/a/list.hbs": "{{#each list}}\n{{> a/row}}\n{{/each}}\n",
      "partials/a/row.hbs": "  {{name}};\n",
    };
    const list = ["a", "b"].map((name) => ({ name: identifier(name) }));
    expect(fill("first\n{{> a/list}}\nlast", { list }, parts)).toBe(
      "first\n  a;\n  b;\nlast",
    );
    expect(() => fill("{{> a/row}}", { list }, parts)).toThrow(
      'test.hbs > partials/a/row.hbs:1:5: "name" is not defined here',
    );
  });

  it("rejects a template that is missing, or that cannot be read", () => {
    expect(() => compile("a.hbs", new Map([["b.hbs", ""]]))).toThrow(
      /^a\.hbs: the template does not exist$/,
    );
    expect(() => fill("a\n{{shout b}}", { b: code`x` })).toThrow(
      /^test\.hbs:2:1: You specified knownHelpersOnly, but used the unknown helper shout$/,
    );
    expect(() => fill("a\nb {{#if}}", {})).toThrow(
      /^test\.hbs:2:1: the template cannot be parsed near "ab \{\{#if\}\}"$/,
    );
  });

  it("rejects a partial that is missing", () => {
    expect(() => fill("\n {{> a}}", {})).toThrow(
      "test.hbs:2:2: partials/a.hbs does not exist",
    );
    expect(() => fill("{{> a}}{{> b}}", {})).toThrow(
      "test.hbs:1:1: partials/a.hbs does not exist",
    );
    expect(() => fill("{{> constructor}}", {})).toThrow(
      "partials/constructor.hbs does not exist",
    );
  });

  it("rejects a partial that cannot be parsed", () => {
    expect(() =>
      fill("{{> a}}", {}, { "partials/a.hbs": "\n{{#if b}}" }),
    ).toThrow(
      'test.hbs > partials/a.hbs:2:1: the template cannot be parsed near "{{#if b}}"',
    );
  });

  it("rejects a partial with a computed name", () => {
    expect(() => fill("{{> (a)}}", {}, { "partials/a.hbs": "" })).toThrow(
      "test.hbs:1:1: the name of a partial must be constant",
    );
  });

  it("rejects a partial that includes itself", () => {
    const round = { "partials/a.hbs": "{{> b}}", "partials/b.hbs": "{{> a}}" };
    expect(() => fill("{{> a}}", {}, round)).toThrow(
      "test.hbs > partials/a.hbs > partials/b.hbs:1:1: partials/a.hbs includes itself",
    );
  });

  it("renders a triple mustache of a user's template as the same safe value", () => {
    expect(fill("const x = {{{value}}};", { value: literal("*/ <&>") })).toBe(
      'const x = "*/ <&>";',
    );
  });

  it("never interprets the text of a value as a template or as its own markers", () => {
    const value = literal("{{other}} {{{x}}} \u00000\u0000");
    expect(fill("{{value}} {{other}}", { value, other: code`y` })).toBe(
      '"{{other}} {{{x}}} \\u00000\\u0000" y',
    );
  });

  it("renders every kind of emit value", () => {
    const view = {
      literal: literal('say "it"'),
      identifier: identifier("name"),
      key: propertyKey("a b"),
      doc: docComment(["One.", "Two."]),
      prose: prose("a */ b"),
      isOn: true,
      isOff: false,
      none: null,
      list: [{ name: identifier("a") }, { name: identifier("b") }],
      empty: [],
    };
    const text = [
      "{{literal}} {{identifier}} {{key}} {{prose}}",
      "  {{doc}}",
      "{{#if isOn}}on{{else}}off{{/if}} {{#if isOff}}on{{else}}off{{/if}} {{#if none}}some{{else}}none{{/if}}",
      "{{#each list}}{{name}};{{/each}}{{#each empty}}x{{else}}nothing{{/each}}",
    ].join("\n");
    expect(fill(text, view)).toBe(
      [
        `'say "it"' name "a b" a *\\/ b`,
        "  /**",
        "   * One.",
        "   *",
        "   * Two.",
        "   */",
        "on off none",
        "a;b;nothing",
      ].join("\n"),
    );
  });
});

describe("a rendered line that is too long", () => {
  const long = Array.from({ length: 8 }, (_, i) =>
    identifier(`quiteALongName${i}`),
  );

  it("breaks at all lines of its outermost group, with the indentation of its template", () => {
    const text = fill("  import {{names}} from 'x';", {
      names: nameList(long),
    });
    expect(text).toBe(
      [
        "  import {",
        ...long.map(({ layout }) => `    ${String(layout)},`),
        "  } from 'x';",
      ].join("\n"),
    );
  });

  it("counts the text that follows on the line", () => {
    const object = objectCode([
      [propertyKey("member"), literal("x".repeat(60))],
    ]);
    expect(fill("{{object}}", { object })).toBe(
      `{ member: "${"x".repeat(60)}" }`,
    );
    expect(fill("{{object}} as const;", { object })).toBe(
      `{\n  member: "${"x".repeat(60)}",\n} as const;`,
    );
  });

  it("has no spaces at its end after it is broken", () => {
    const text = fill("{{a}} {{b}}", {
      a: code`a `,
      b: objectCode([[propertyKey("b"), code`${long[0] ?? code``} `]]),
    });
    for (const line of text.split("\n")) expect(line).toBe(line.trimEnd());
  });
});
