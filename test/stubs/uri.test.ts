import fc from "fast-check";
import { parseTemplate } from "url-template";
import { beforeAll, describe, expect, it } from "vitest";
import { parseTemplate as partsOf } from "../../src/generator/read/snapshot/template.js";
import { load } from "../view/generated.js";
import { fixture, project } from "./project.js";
import { runs } from "../whole.js";

type Value = string | number | boolean | string[] | Record<string, string>;
type Values = Readonly<Record<string, Value>>;

const names = ["a", "b", "c_1", "d.e"] as const;
// One UTF-16 code unit each: the standard counts a prefix in characters, the
// other implementation in code units.
const text = fc.string({
  unit: fc.constantFrom(..."abz09-._~ !*'(),;/?#[]@:$&+=éß漢"),
  maxLength: 6,
});
const full = text.filter((one) => one !== "");
// Implementations differ on reserved characters in keys.
const key = fc.string({
  unit: fc.constantFrom(..."abcÄé "),
  minLength: 1,
  maxLength: 3,
});
const value: fc.Arbitrary<Value> = fc.oneof(
  text,
  fc.constantFrom("", "50%20", "%41", "a b", "/x?y#z", "!*'()", 0, 7, true),
  // The other implementation differs from the standard for lists and maps of
  // empty texts, and for a percent sign that does not begin an escape; the rows
  // below have them.
  fc.array(full, { minLength: 1, maxLength: 3 }),
  fc
    .dictionary(key, full, { minKeys: 1, maxKeys: 3 })
    .map((map) => ({ ...map })),
);
const variable = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom("", "", "*", ":1", ":3", ":20"),
  )
  .map(([name, modifier]) => ({ name, modifier }));
const expression = fc
  .tuple(
    fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&"),
    fc.array(variable, { minLength: 1, maxLength: 3 }),
  )
  .map(([operator, list]) => ({ operator, list }));
const literals = fc.constantFrom("", "x:", "/p/", "-", "é");
const template = fc.array(fc.tuple(literals, expression), {
  minLength: 1,
  maxLength: 3,
});

/** The standard defines prefixes of strings only. */
const isDefined = (
  parts: readonly { list: readonly { name: string; modifier: string }[] }[],
  values: Values,
): boolean =>
  parts.every(({ list }) =>
    list.every(
      ({ name, modifier }) =>
        !modifier.startsWith(":") || typeof values[name] === "string",
    ),
  );

describe("expand of the generated uri.ts", () => {
  let expand: (template: string, variables: Values) => string;
  beforeAll(async () => {
    const { files } = await project(fixture("weather"), { emit: ["client"] });
    expand = (await load(files, "uri.ts"))["expand"] as typeof expand;
  });

  it("expands random templates as another implementation of RFC 6570 does", () => {
    let compared = 0;
    fc.assert(
      fc.property(
        template,
        fc.dictionary(fc.constantFrom(...names), value),
        (pieces, values) => {
          fc.pre(
            isDefined(
              pieces.map(([, one]) => one),
              values,
            ),
          );
          const source = pieces
            .map(([before, { operator, list }]) => {
              const variables = list
                .map(({ name, modifier }) => name + modifier)
                .join(",");
              return `${before}{${operator}${variables}}`;
            })
            .join("");
          compared += 1;
          // Only a template that the generator accepts is in generated code.
          expect(typeof partsOf(source)).toBe("object");
          expect(expand(source, values), source).toBe(
            parseTemplate(source).expand(structuredClone(values) as never),
          );
        },
      ),
      { numRuns: runs(3_000), seed: 1 },
    );
    expect(compared).toBeGreaterThan(runs(1_000));
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
    ["{%41.b}", "c"],
    ["{?%41.b*}", "?%41.b=c"],
  ])("expands %s to %j, as RFC 6570 does", (source, expected) => {
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
      "%41.b": "c",
      keys: { semi: ";", dot: ".", comma: "," },
    };
    expect(expand(source, values)).toBe(expected);
  });
});
