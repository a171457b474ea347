import fc from "fast-check";
import { parseTemplate } from "url-template";
import { beforeAll, describe, expect, it } from "vitest";
import { parseTemplate as partsOf } from "../../src/read/snapshot/template.js";
import { load } from "../view/generated.js";
import { fixture, project } from "./project.js";

type Value = string | number | boolean | string[] | Record<string, string>;
type Values = Readonly<Record<string, Value>>;

const names = ["a", "b", "c_1", "d.e"] as const;
// Each is one UTF-16 unit: the standard cuts a prefix by characters, and the other implementation by units.
const text = fc.string({ unit: fc.constantFrom(..."abz09-._~ !*'(),;/?#[]@:$&+=éß漢"), maxLength: 6 });
const full = text.filter((one) => one !== "");
// Whether a reserved character in a key may stay is told differently by different readers of the standard.
const key = fc.string({ unit: fc.constantFrom(..."abcÄé "), minLength: 1, maxLength: 3 });
const value: fc.Arbitrary<Value> = fc.oneof(
  text,
  fc.constantFrom("", "50%20", "%41", "a b", "/x?y#z", "!*'()", 0, 7, true),
  // Lists and maps of empty texts, and a sign of percent that begins no escape, the other implementation treats otherwise
  // than the standard's algorithm; the rows below have them.
  fc.array(full, { minLength: 1, maxLength: 3 }),
  fc.dictionary(key, full, { minKeys: 1, maxKeys: 3 }).map((map) => ({ ...map })),
);
const variable = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom("", "", "*", ":1", ":3", ":20"))
  .map(([name, modifier]) => ({ name, modifier }));
const expression = fc
  .tuple(
    fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&"),
    fc.array(variable, { minLength: 1, maxLength: 3 }),
  )
  .map(([operator, list]) => ({ operator, list }));
const literals = fc.constantFrom("", "x:", "/p/", "-", "é");
const template = fc.array(fc.tuple(literals, expression), { minLength: 1, maxLength: 3 });

/** A prefix is of texts alone: of anything else the standard says nothing. */
const isDefined = (
  parts: readonly { list: readonly { name: string; modifier: string }[] }[],
  values: Values,
): boolean =>
  parts.every(({ list }) =>
    list.every(({ name, modifier }) => !modifier.startsWith(":") || typeof values[name] === "string"),
  );

describe("expand", () => {
  let expand: (parts: unknown, variables: Values) => string;
  beforeAll(async () => {
    const { files } = await project(fixture("weather"), { emit: ["client"] });
    expand = (await load(files, "uri.ts"))["expand"] as typeof expand;
  });

  it("makes of every template and its variables what another implementation of RFC 6570 makes", () => {
    let compared = 0;
    fc.assert(
      fc.property(template, fc.dictionary(fc.constantFrom(...names), value), (pieces, values) => {
        fc.pre(
          isDefined(
            pieces.map(([, one]) => one),
            values,
          ),
        );
        const source = pieces
          .map(([before, { operator, list }]) => {
            const variables = list.map(({ name, modifier }) => name + modifier).join(",");
            return `${before}{${operator}${variables}}`;
          })
          .join("");
        compared += 1;
        expect(expand(partsOf(source), values), source).toBe(
          parseTemplate(source).expand(structuredClone(values) as never),
        );
      }),
      { numRuns: 3_000, seed: 1 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });

  it.each([
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{+path}/here", "/foo/bar/here"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{/var:1,var}", "/v/value"],
    ["{;x,y,empty}", ";x=1024;y=768;empty"],
    ["{?x,empty}", "?x=1024&empty="],
    ["{&list*}", "&list=red&list=green&list=blue"],
    ["{?keys*}", "?semi=%3B&dot=.&comma=%2C"],
    ["{+keys}", "semi,;,dot,.,comma,,"],
    ["X{.list*}", "X.red.green.blue"],
    ["{;keysOfNothing*}", ";a"],
    ["{+percent}", "%25a"],
    ["{nothing}", ""],
  ])("expands %s as the standard does: %s", (source, wanted) => {
    const values = {
      var: "value",
      hello: "Hello World!",
      path: "/foo/bar",
      empty: "",
      x: "1024",
      y: "768",
      list: ["red", "green", "blue"],
      keysOfNothing: { a: "" },
      percent: "%a",
      keys: { semi: ";", dot: ".", comma: "," },
    };
    expect(expand(partsOf(source), values)).toBe(wanted);
  });
});
