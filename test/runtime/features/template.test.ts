import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTemplate } from "../../../src/runtime/features/template.js";
import { runs } from "../../whole.js";

const match = (
  template: string,
  uri: string,
): Record<string, string> | undefined => readTemplate(template).match(uri);

/** Expands one expression as RFC 6570 specifies; the matcher is the inverse. */
const operators: Readonly<
  Record<
    string,
    readonly [first: string, between: string, named: boolean, whole: boolean]
  >
> = {
  "": ["", ",", false, false],
  "+": ["", ",", false, true],
  "#": ["#", ",", false, true],
  ".": [".", ".", false, false],
  "/": ["/", "/", false, false],
  ";": [";", ";", true, false],
  "?": ["?", "&", true, false],
  "&": ["&", "&", true, false],
};

function expand(
  template: string,
  values: Readonly<Record<string, string>>,
): string {
  return template.replace(
    /\{([+#./;?&]?)([^}]*)\}/g,
    (_, operator: string, list: string) => {
      const [first, between, named, whole] = operators[
        operator
      ] as (typeof operators)[string] & object;
      const encode = (value: string): string => {
        const coded = encodeURIComponent(value).replace(
          /[!'()*]/g,
          (char) => `%${char.charCodeAt(0).toString(16)}`,
        );
        return whole
          ? encodeURI(value).replace(/%25([\da-f]{2})/gi, "%$1")
          : coded;
      };
      const known = list
        .split(",")
        .filter((name) => Object.hasOwn(values, name));
      const texts = known.map((name) => {
        const value = encode(values[name] as string);
        return !named
          ? value
          : operator === ";" && value === ""
            ? name
            : `${name}=${value}`;
      });
      return texts.length === 0 ? "" : first + texts.join(between);
    },
  );
}

describe("readTemplate", () => {
  it.each([
    ["file:///{name}", "file:///a.txt", { name: "a.txt" }],
    ["file:///{name}", "file:///a%20b%2Fc", { name: "a b/c" }],
    ["file:///{name}", "file:///", { name: "" }],
    ["file:///{name}", "file:///a/b", undefined],
    ["file:///{name}", "file:///a?x", undefined],
    ["file:///{name}", "http:///a", undefined],
    ["file:///{name}", "file:///a%ZZ", undefined],
    ["file:///{+path}", "file:///a/b/c.txt", { path: "a/b/c.txt" }],
    ["file:///{+path}/{name}", "file:///a/b/c", { path: "a/b", name: "c" }],
    ["map://{x,y}", "map://1,2", { x: "1", y: "2" }],
    ["map://{x,y}", "map://1", { x: "1" }],
    ["map://{x,y}", "map://1,2,3", undefined],
    ["page{#part}", "page#one,two/three", { part: "one,two/three" }],
    ["page{#part}", "page", {}],
    ["name{.type}", "name.tar", { type: "tar" }],
    ["name{.a,b}", "name.tar.gz", { a: "tar", b: "gz" }],
    ["x{/a,b}", "x/1/2", { a: "1", b: "2" }],
    ["x{/a,b}/z", "x/1/2/z", { a: "1", b: "2" }],
    ["x{;a,b}", "x;a=1;b", { a: "1", b: "" }],
    ["find{?q,limit}", "find?q=a%26b&limit=3", { q: "a&b", limit: "3" }],
    ["find{?q,limit}", "find?limit=3", { limit: "3" }],
    ["find{?q,limit}", "find?limit=3&q=x", { limit: "3", q: "x" }],
    ["find{?q,limit}", "find", {}],
    ["find{?q,limit}", "find?q=1&q=2", undefined],
    ["find{?q,limit}", "find?other=1", undefined],
    ["find?fixed=1{&q}", "find?fixed=1&q=2", { q: "2" }],
    ["test://template/{id}/data", "test://template/123/data", { id: "123" }],
    ["a{x}b{y}c", "a1b2b3c", { x: "1", y: "2b3" }],
    ["{a}.txt", "b.txt.txt", { a: "b.txt" }],
    ["{+a}x{b}", "1x/2x3", { a: "1x/2", b: "3" }],
    ["x{/path*}", "x/1/2%2F3", { path: "1/2/3" }],
    ["x{/path*}/z", "x/1/2/z", { path: "1/2" }],
    ["x{.all*}", "x.tar.gz", { all: "tar.gz" }],
    ["{list*}", "1,2", { list: "1,2" }],
    ["{id:3}/{id}", "abc/abc", { id: "abc" }],
    ["find{?tag*,q}", "find?tag=a&tag=b&q=c", { tag: "a,b", q: "c" }],
    ["find{?tag*}", "find?other=b", undefined],
    ["{a}/{a}", "1/1", { a: "1" }],
    ["{a}/{a}", "1/2", undefined],
    ["{toString}{?x}", "a", { toString: "a" }],
    ["{id:9999}", "abc", { id: "abc" }],
    ["{a%20b}", "c", { "a%20b": "c" }],
    ["x{;a,b*}", "x;a=1;b=2;b=3", { a: "1", b: "2,3" }],
    ["x{;a,b*}", "x;a=1;a=2;b=3", undefined],
    ["x{;a,b}", "x;a=%ZZ", undefined],
    ["x{?a}", "x?a=b=c", { a: "b=c" }],
    ["plain", "plain", {}],
    ["plain", "plainer", undefined],
  ])(
    "for the template %s and the URI %s returns %j",
    (template, uri, values) => {
      expect(match(template, uri)).toEqual(values);
    },
  );

  it.each([
    ["{a", "it has an unpaired brace"],
    ["a}", "it has an unpaired brace"],
    ["{}", "{} is not an expression"],
    ["{a b}", "{a b} is not an expression"],
    ["{=a}", "{=a} is not an expression"],
    ["{|a}", "{|a} is not an expression"],
    ["{a,b c}", "{a,b c} is not an expression"],
    ["{a b,c}", "{a b,c} is not an expression"],
    ["{a,}", "{a,} is not an expression"],
    ["{*a}", "{*a} is not an expression"],
    ["{%zz}", "{%zz} is not an expression"],
    ["{a:10000}", "{a:10000} is not an expression"],
    ["{a:0}", "{a:0} is not an expression"],
    ["{a*:3}", "{a*:3} is not an expression"],
  ])("rejects the template %s: %s", (template, why) => {
    expect(() => readTemplate(template)).toThrow(
      new TypeError(
        `The URI template ${JSON.stringify(template)} cannot be used: ${why}.`,
      ),
    );
  });

  it("RES-07 reverses the expansion of RFC 6570 for any values", () => {
    const value = fc.string({ unit: "grapheme", maxLength: 8 });
    // With these templates, the characters of a value are never read as
    // separators.
    const templates = fc.constantFrom(
      "a:/{x}/{y}/{z}",
      "a:/{x}{/y,z}",
      "a:/{x}{?y,z}",
      "a:/{x}{;y,z}",
      "a:/{x,y,z}",
      "a:/?x=1{&x,y,z}",
      "a:/{x}/{+y}",
      "a:/{x}/{y}{#z}",
    );
    fc.assert(
      fc.property(
        templates,
        fc.record({ x: value, y: value, z: value }),
        (template, all) => {
          const { variables, match: undo } = readTemplate(template);
          const values = Object.fromEntries(
            variables.map((name) => [name, all[name as "x"]]),
          );
          expect(undo(expand(template, values))).toEqual(values);
        },
      ),
    );
  });

  it("returns only values that expand to the same URI", () => {
    const piece = fc.constantFrom(
      "{a}",
      "{+b}",
      "{.c}",
      "{/d}",
      "{e,f}",
      "{#g}",
      "x",
      "/",
      ".",
      ",",
      "#",
    );
    const uri = fc.string({
      unit: fc.constantFrom(..."x/.,?;=gh12#&"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(piece, { maxLength: 6 }),
        uri,
        (pieces, text) => {
          const template = pieces.join("");
          const values = match(template, text);
          if (values)
            expect(decodeURIComponent(expand(template, values))).toBe(text);
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it("reads a URI of at most 8,192 characters", () => {
    const { match: read } = readTemplate("a:{+rest}");
    const rest = "x".repeat(8190);
    expect(read(`a:${rest}`)).toEqual({ rest });
    expect(read(`a:${rest}x`)).toBeUndefined();
  });

  it("takes time proportional to the length of the URI, for any template", () => {
    const template = readTemplate(
      `${Array.from({ length: 40 }, (_, i) => `{+v${i}}a`).join("")}b`,
    );
    for (let round = 0; round < 5; round++)
      expect(template.match("a".repeat(8192))).toBeUndefined();
    expect(template.match("a".repeat(9000))).toBeUndefined();
  });
});
