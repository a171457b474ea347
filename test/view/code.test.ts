import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { printFile } from "../../src/emit/print.js";
import {
  type Code,
  code,
  identifier,
  jsonCode,
  literal,
  literalText,
  propertyKey,
} from "../../src/view/typescript/code.js";
import { docComment, docOf, paragraphs, prose } from "../../src/view/typescript/doc.js";
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
  ])("of %j is %s", (value, text) => {
    expect(literalText(value)).toBe(text);
  });

  it.each(hostile.map((text) => [text]))("of hostile text is that text again when it is read: %j", (text) => {
    const written = literalText(text);
    expect(runInNewContext(written)).toBe(text);
    expect(invisible.exec(written)).toBeNull();
    expect(written).not.toContain("\n");
  });
});

describe("a member's key", () => {
  it.each([
    ["name", "name"],
    ["$ref", "$ref"],
    ["class", "class"],
    ["a b", '"a b"'],
    ["0", '"0"'],
    ["", '""'],
    ["ünïcödé", '"ünïcödé"'],
    ["__proto__", '["__proto__"]'],
  ])("of %j is %s", (name, text) => {
    expect(textOf(propertyKey(name))).toBe(text);
  });

  it("gives an object that very member and no prototype of its own", () => {
    for (const name of hostile) {
      const object = runInNewContext(`(${textOf(jsonCode({ first: 1, [name]: 2 }))})`) as object;
      expect(Object.keys(object)).toContain(name);
      expect(Object.getOwnPropertyDescriptor(object, name)?.value).toBe(2);
    }
  });

  it("brings a whole JSON value back", () => {
    const value = JSON.parse(
      '{"__proto__":{"a":[1,"*/",null,{"b c":[]}]},"constructor":{},"then":true}',
    ) as unknown;
    const read = runInNewContext(`JSON.stringify(${textOf(jsonCode(value))})`) as string;
    expect(read).toBe(JSON.stringify(value));
  });
});

describe("an identifier", () => {
  it.each(["a b", "a-b", "", "1a", "ünïcödé", "a\u200bb", "x;y"])("is not made of %j", (name) => {
    expect(() => identifier(name)).toThrow("is not an identifier");
  });

  it("composes with text of ours alone", () => {
    expect(textOf(code`const ${identifier("a")} = ${literal("*/")};`)).toBe('const a = "*/";');
  });
});

describe("a doc comment", () => {
  const written = (...lines: string[]): string => lines.join("\n");

  it.each([
    [["One."], [], "/** One. */"],
    [[], [], null],
    [["  ", "\n"], [], null],
    [["One.", "Two."], [], written("/**", " * One.", " *", " * Two.", " */")],
    [["One."], ["@deprecated use two"], written("/**", " * One.", " *", " * @deprecated use two", " */")],
    [["ends */ here"], [], "/** ends *\\/ here */"],
    [["opens /* here"], [], "/** opens /\\* here */"],
    [["*\u200b/ hidden"], [], "/** *\\/ hidden */"],
    [["a\u2028b\u2029c\r\nd"], [], "/** a b c d */"],
    [["@deprecated not so"], [], "/** \\@deprecated not so */"],
    [["{@link x}"], [], "/** { \\@link x} */"],
    [["*", "/"], [], written("/**", " * *", " *", " * /", " */")],
    [
      ["x"],
      ["@deprecated @internal {@link y} */"],
      written("/**", " * x", " *", " * @deprecated \\@internal { \\@link y} *\\/", " */"),
    ],
  ] as const)("of %j and %j is safe and plain", (text, tags, comment) => {
    const made = docComment(text, tags);
    expect(made === null ? null : textOf(made)).toBe(comment);
  });

  it("breaks long prose between words and never within one", () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`);
    const made = docComment([words.join(" ")]);
    const lines = made === null ? [] : textOf(made).split("\n");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(
      lines
        .slice(1, -1)
        .map((line) => line.slice(3))
        .join(" "),
    ).toBe(words.join(" "));
  });

  it.each(hostile.map((text) => [text]))("of hostile text is one comment and nothing besides: %j", (text) => {
    const made = docComment(paragraphs(text), [`@deprecated ${text}`]);
    const comment = made === null ? "/** */" : textOf(made);
    expect(comment.startsWith("/**")).toBe(true);
    expect(comment.indexOf("*/")).toBe(comment.length - 2);
    expect(invisible.exec(comment)).toBeNull();
    expect(invisible.exec(textOf(prose(text)))).toBeNull();
    expect(textOf(prose(text))).not.toMatch(/\*\/|\/\*/);
  });

  it("has the text of the schema, then its deprecation, and no other tag", () => {
    const tags = [
      { name: "internal", text: "" },
      { name: "deprecated", text: "since ever" },
      { name: "format", text: "uri" },
    ];
    const made = docOf({ text: "One.\n\nTwo.", tags });
    expect(made === null ? null : textOf(made)).toBe(
      written("/**", " * One.", " *", " * Two.", " *", " * @deprecated since ever", " */"),
    );
    expect(docOf({ text: "", tags: [] })).toBeNull();
  });
});
