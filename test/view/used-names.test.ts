import { describe, expect, it } from "vitest";
import {
  fromLayout,
  code,
  identifier,
  literal,
} from "../../src/generator/view/typescript/code.js";
import {
  group,
  hardline,
  ifBreak,
  indent,
} from "../../src/generator/view/typescript/layout.js";
import { usedNames } from "../../src/generator/view/typescript/used-names.js";

const names = ["fail", "inside", "isObject", "own"];

describe("the names that validators import", () => {
  it("are the functions that guards call, wherever the call is in a layout", () => {
    const body = fromLayout([
      "if (!",
      group(["isObject", "(", indent(["value"]), ")"]),
      ")",
      indent([hardline, "return ", ifBreak("fail(", "inside("), '"x");']),
    ]);
    expect([...usedNames([body], names)]).toEqual([
      "fail",
      "inside",
      "isObject",
    ]);
  });

  it("do not include a name that is only in a literal or in a longer name", () => {
    const bodies = ["isObject", "don't own", 'say "inside"', "\\", "own'"].map(
      (text) =>
        code`return fail(${literal(text)}, ${identifier("owner")}, ${literal(text)});`,
    );
    expect([...usedNames(bodies, names)]).toEqual(["fail"]);
  });

  it("are found behind a quote that has no end on its line", () => {
    const body = fromLayout([
      "// it's fail(",
      hardline,
      "'own' + isObject(",
      hardline,
      '// inside 1" of',
    ]);
    expect([...usedNames([body], names)]).toEqual([
      "fail",
      "inside",
      "isObject",
    ]);
  });

  it("are all of them where the first guards use all", () => {
    const bodies = ["fail(own)", "isObject(inside)", "other()"].map((text) =>
      fromLayout([text]),
    );
    expect([...usedNames(bodies, names)]).toEqual(names);
  });

  it("are none without a guard", () => {
    expect(usedNames([], names).size).toBe(0);
  });
});
