import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";
import {
  type Patterns,
  select,
} from "../../src/generator/ir/snapshot/select.js";
import { readText, snapshotOf } from "../stubs/project.js";

const { snapshot } = await readText(
  snapshotOf({
    tools: ["add", "add_all", "list", "b*c"].map((name) => ({
      name,
      inputSchema: {
        properties: { a: { $ref: "#/$defs/a" } },
        $defs: { a: {} },
      },
      outputSchema: {},
    })),
    prompts: ["ask", "add"].map((name) => ({ name, arguments: [] })),
    resources: [
      { name: "home", uri: "note:///home" },
      { name: "work", uri: "note:///w" },
    ],
    resourceTemplates: [{ name: "page", uriTemplate: "note:///{page}" }],
  }),
);
if (snapshot === null) throw new Error("the snapshot is not read");
const whole: Snapshot = snapshot;

/** What is selected, by names, and the patterns that match nothing. */
function selected(include: Patterns, exclude: Patterns = {}) {
  const { snapshot: part, unmatched } = select(whole, include, exclude);
  const { tools, prompts, resources, templates } = part;
  return {
    names: [tools, prompts, resources, templates].map((list) =>
      list.map(({ name }) => name).join(),
    ),
    unmatched: unmatched.map(({ pattern }) => pattern),
    definitions: part.definitions.map(({ key }) => key),
  };
}

const all = ["add,add_all,b*c,list", "add,ask", "home,work", "page"];

describe("the part of a server that a configuration selects", () => {
  it.each<[include: Patterns, exclude: Patterns, names: readonly string[]]>([
    [{}, {}, all],
    [{ tools: [] }, {}, ["", ...all.slice(1)]],
    [{ tools: ["list", "add"] }, {}, ["add,list", ...all.slice(1)]],
    [{}, { tools: ["add"] }, ["add_all,b*c,list", ...all.slice(1)]],
    [{ tools: ["add*"] }, { tools: ["add"] }, ["add_all", ...all.slice(1)]],
    [{ prompts: ["ask"] }, {}, [all[0] ?? "", "ask", ...all.slice(2)]],
    [{ resources: ["home"] }, {}, [...all.slice(0, 2), "home", ""]],
    [{ resources: ["note:///w"] }, {}, [...all.slice(0, 2), "work", ""]],
    [{ resources: ["page"] }, {}, [...all.slice(0, 2), "", "page"]],
    [{}, { resources: ["note:///*"] }, [...all.slice(0, 2), "", ""]],
    [{}, { resources: ["*{page}"] }, [...all.slice(0, 3), ""]],
  ])(
    "has what %j includes and %j does not exclude",
    (include, exclude, names) => {
      expect(selected(include, exclude)).toMatchObject({
        names,
        unmatched: [],
      });
    },
  );

  it("has the definitions of what is in it", () => {
    expect(selected({ tools: ["list"], prompts: ["ask"] }).definitions).toEqual(
      [
        "tool list input",
        "tool list input/$defs/a",
        "tool list output",
        "prompt ask input",
      ],
    );
  });

  it("tells each pattern that matches nothing once, sorted, with the names that exist", () => {
    const include = {
      tools: ["\u{1f600}", "x", "\uffee", "add"],
      prompts: ["list"],
    };
    const exclude = { tools: ["x", "A*"], resources: ["ask"] };
    const { unmatched } = select(whole, include, exclude);
    expect(unmatched.map(({ pattern }) => pattern)).toEqual([
      "A*",
      "ask",
      "list",
      "x",
      "\uffee",
      "\u{1f600}",
    ]);
    const namesOf = (wanted: string): unknown =>
      unmatched.find(({ pattern }) => pattern === wanted)?.names;
    expect(namesOf("x")).toEqual(["add", "add_all", "b*c", "list"]);
    expect(namesOf("list")).toEqual(["add", "ask"]);
    expect(namesOf("ask")).toEqual([
      "home",
      "note:///home",
      "work",
      "note:///w",
      "page",
      "note:///{page}",
    ]);
  });

  it.each<[pattern: string, name: string, isLike: boolean]>([
    ["add", "add", true],
    ["add", "add_all", false],
    ["add", "Add", false],
    ["", "add", false],
    ["*", "add", true],
    ["**", "add", true],
    ["a*", "add", true],
    ["a*", "b", false],
    ["*d", "add", true],
    ["*a", "add", false],
    ["add*", "add", true],
    ["*add", "add", true],
    ["a*d", "add", true],
    ["ad*dd", "add", false],
    ["ad*dd", "addd", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "acb", false],
    ["a*b*c", "ac", false],
    ["a*bc*c", "abc", false],
    ["a*bc*c", "abcc", true],
    ["a*b*b*c", "abc", false],
    ["a*b*b*c", "abbc", true],
    ["a*b*d*c", "adbc", false],
    ["*a*a*", "a", false],
    ["*a*a*", "aa", true],
    ["a.c", "abc", false],
  ])("the pattern %j is one of %j: %s", (pattern, name, isLike) => {
    const one = {
      ...whole,
      tools: whole.tools.slice(0, 1).map((tool) => ({ ...tool, name })),
    };
    expect(select(one, { tools: [pattern] }, {}).snapshot.tools).toHaveLength(
      isLike ? 1 : 0,
    );
  });
});
