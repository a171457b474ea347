import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { printFile } from "../../src/generator/emit/print.js";
import {
  callCode,
  type Code,
  code,
  identifier,
  jsonCode,
  literal,
  literalText,
  propertyKey,
} from "../../src/generator/view/typescript/code.js";
import {
  docComment,
  docOf,
  paragraphs,
  prose,
} from "../../src/generator/view/typescript/doc.js";
import { hostile } from "../hostile/corpus.js";
import { invisible } from "../hostile/syntax.js";

function textOf({ layout }: Code): string {
  return printFile([layout]);
}

describe("a literal", () => {
  it.each([
    ["plain", '"plain"'],
    ['say "it"', "'say \"it\"'"],
    ["it's", '"it\'s"'],
    [`"it's"`, "'\"it\\'s\"'"],
    ["a\\b", '"a\\\\b"'],
    ["a\nb\tc", '"a\\nb\\tc"'],
    ["\u2028\u2029\u0085\u00a0", '"\\u2028\\u2029\\u0085\\u00a0"'],
    ["\u202e\u2066\u200b\ufeff", '"\\u202e\\u2066\\u200b\\ufeff"'],
    ["\ud800", '"\\ud800"'],
    ["\u{e0001}", '"\\udb40\\udc01"'],
    ["ünïcödé 😀", '"ünïcödé 😀"'],
    ["${x} `y`", '"${x} `y`"'],
    ["</script>", '"</script>"'],
    [1e21, "1e21"],
    [-0.5, "-0.5"],
    [true, "true"],
    [null, "null"],
  ])("of the value %j is written as %s", (value, text) => {
    expect(literalText(value)).toBe(text);
  });

  it.each(hostile.map((text) => [text]))(
    "of hostile text evaluates to the same text: %j",
    (text) => {
      const written = literalText(text);
      expect(runInNewContext(written)).toBe(text);
      expect(invisible.exec(written)).toBeNull();
      expect(written).not.toContain("\n");
    },
  );
});

describe("the key of a member", () => {
  it.each([
    ["name", "name"],
    ["$ref", "$ref"],
    ["class", "class"],
    ["a b", '"a b"'],
    ["0", '"0"'],
    ["", '""'],
    ["ünïcödé", '"ünïcödé"'],
    ["__proto__", '["__proto__"]'],
  ])("called %j is written as %s", (name, text) => {
    expect(textOf(propertyKey(name))).toBe(text);
  });

  it("sets a member of that name, even __proto__, and never the prototype", () => {
    for (const name of hostile) {
      const object = runInNewContext(
        `(${textOf(jsonCode({ first: 1, [name]: 2 }))})`,
      ) as object;
      expect(Object.keys(object)).toContain(name);
      expect(Object.getOwnPropertyDescriptor(object, name)?.value).toBe(2);
    }
  });

  it("keeps every key of a nested JSON value", () => {
    const value = JSON.parse(
      '{"__proto__":{"a":[1,"*/",null,{"b c":[]}]},"constructor":{},"then":true}',
    ) as unknown;
    const read = runInNewContext(
      `JSON.stringify(${textOf(jsonCode(value))})`,
    ) as string;
    expect(read).toBe(JSON.stringify(value));
  });
});

describe("an identifier", () => {
  it.each(["a b", "a-b", "", "1a", "a\u3164b", "a\u200bb", "x;y"])(
    "must not be %j",
    (name) => {
      expect(() => identifier(name)).toThrow("is not an identifier");
    },
  );

  it.each(["ünïcödé", "获取天气", "हिन्दी", "𞤢𞤣"])("may be %j", (name) => {
    expect(textOf(identifier(name))).toBe(name);
  });

  it("can be part of a code template", () => {
    expect(textOf(code`const ${identifier("a")} = ${literal("*/")};`)).toBe(
      'const a = "*/";',
    );
  });
});

describe("a piece of code with calls in it", () => {
  it("keeps the texts between them in their order", () => {
    const call = (name: string): Code => callCode(identifier(name), [code`x`]);
    expect(textOf(code`a || ${call("b")} || c || ${call("d")};`)).toBe(
      "a || b(x) || c || d(x);",
    );
  });
});

describe("a JSON value", () => {
  it.each([
    [
      [
        [1, 2],
        [3, 4],
      ],
      "[\n  [1, 2],\n  [3, 4],\n]",
    ],
    [[[1, 2]], "[[1, 2]]"],
    [[[1, 2], [3]], "[[1, 2], [3]]"],
    [[[1, 2], 3], "[[1, 2], 3]"],
  ])("has one row a line if it is a table: %j", (value, text) => {
    expect(textOf(jsonCode(value))).toBe(text);
  });
});

describe("a doc comment", () => {
  const written = (...lines: string[]): string => lines.join("\n");

  it.each([
    [["One."], [], "/** One. */"],
    [[], [], null],
    [["  ", "\n"], [], null],
    [["One.", "Two."], [], written("/**", " * One.", " *", " * Two.", " */")],
    [
      ["One."],
      ["@deprecated use two"],
      written("/**", " * One.", " *", " * @deprecated use two", " */"),
    ],
    [["ends */ here"], [], "/** ends *\\/ here */"],
    [["opens /* here"], [], "/** opens /\\* here */"],
    [["*\u200b/ hidden"], [], "/** *\\/ hidden */"],
    [["a\u2028b\u2029c\r\nd"], [], "/** a b c d */"],
    [
      [
        "One of:\n- first\n  goes on\r\n  * @nested */\n12) last\n3.5 is a number\n-x is not an item",
      ],
      [],
      written(
        "/**",
        " * One of:",
        " * - first goes on",
        " *   * \\@nested *\\/",
        " * 12) last 3.5 is a number -x is not an item",
        " */",
      ),
    ],
    [
      [`- ${"word ".repeat(20)}\n- end`],
      [],
      written(
        "/**",
        ` * -${" word".repeat(14)}`,
        ` *   word${" word".repeat(5)}`,
        " * - end",
        " */",
      ),
    ],
    [["@deprecated not so"], [], "/** \\@deprecated not so */"],
    [["{@link x}"], [], "/** { \\@link x} */"],
    [["*", "/"], [], written("/**", " * *", " *", " * /", " */")],
    [
      ["x"],
      ["@deprecated @internal {@link y} */"],
      written(
        "/**",
        " * x",
        " *",
        " * @deprecated \\@internal { \\@link y} *\\/",
        " */",
      ),
    ],
  ] as const)(
    "of the text %j and the tags %j is safe and readable",
    (text, tags, comment) => {
      const doc = docComment(text, tags);
      expect(doc === null ? null : textOf(doc)).toBe(comment);
    },
  );

  it("breaks long lines between words and never inside a word", () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`);
    const doc = docComment([words.join(" ")]);
    const lines = doc === null ? [] : textOf(doc).split("\n");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(
      lines
        .slice(1, -1)
        .map((line) => line.slice(3))
        .join(" "),
    ).toBe(words.join(" "));
  });

  it.each(hostile.map((text) => [text]))(
    "of hostile text is one comment and nothing else: %j",
    (text) => {
      const doc = docComment(paragraphs(text), [`@deprecated ${text}`]);
      const comment = doc === null ? "/** */" : textOf(doc);
      expect(comment.startsWith("/**")).toBe(true);
      expect(comment.indexOf("*/")).toBe(comment.length - 2);
      expect(invisible.exec(comment)).toBeNull();
      expect(invisible.exec(textOf(prose(text)))).toBeNull();
      expect(textOf(prose(text))).not.toMatch(/\*\/|\/\*/);
    },
  );

  it("has the text of the schema, its format and its @deprecated tag, and no other tag", () => {
    const tags = [
      { name: "internal", text: "" },
      { name: "deprecated", text: "since ever" },
      { name: "format", text: "uri" },
    ];
    const comment = docOf({ text: "One.\n\nTwo.", tags });
    expect(comment === null ? null : textOf(comment)).toBe(
      written(
        "/**",
        " * One.",
        " *",
        " * Two.",
        " *",
        " * Format: uri.",
        " *",
        " * @deprecated since ever",
        " */",
      ),
    );
    expect(docOf({ text: "", tags: [] })).toBeNull();
  });
});
