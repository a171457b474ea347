import { describe, expect, it } from "vitest";
import { compareSnapshots } from "../../src/generator/ir/snapshot/diff/index.js";
import { readTemplate } from "../../src/runtime/features/template.js";
import { project, readText, snapshotOf } from "../stubs/project.js";
import { compile } from "../view/compile.js";

const object = (properties: Readonly<Record<string, unknown>>): object => ({
  type: "object",
  properties,
});

describe("a project from a snapshot with an extreme list", () => {
  it("does not check an enumeration of 130,000 values, and has a diagnostic", async () => {
    const values = Array.from({ length: 130_000 }, (_, i) => `v${i}`);
    const text = (list: readonly string[]): string =>
      snapshotOf({
        tools: [
          { name: "big", inputSchema: object({ value: { enum: list } }) },
        ],
      });
    const { reports, files } = await project(text(values));
    expect(reports).toMatchObject([{ code: "MG304", severity: "warning" }]);
    expect(reports[0]?.message).toContain("more than 10000 values");
    expect(files.get("types.ts")).toContain("BigInput");
    const [was, is] = [
      await readText(text(values)),
      await readText(text(values.slice(1))),
    ];
    if (was.snapshot === null || is.snapshot === null)
      throw new Error("no snapshot");
    expect(
      compareSnapshots(was.snapshot, is.snapshot).differences.length,
    ).toBeGreaterThan(0);
  });

  it("has every word of a description of 1 MB in its comment", async () => {
    const words = Array.from({ length: 130_000 }, (_, i) => `word${i}`);
    const tools = [
      {
        name: "long",
        description: words.join(" "),
        inputSchema: { type: "object" },
      },
    ];
    const { files } = await project(snapshotOf({ tools }));
    const comment = /\/\*\*\n((?: *\*.*\n)*?) *\*\//.exec(
      files.get("client.ts")?.slice(0) ?? "",
    );
    expect(comment).not.toBeNull();
    const written = (files.get("client.ts") ?? "").match(/word\d+/g) ?? [];
    expect(new Set(written).size).toBe(words.length);
  });

  it("has a diagnostic but no stub for a template that is not RFC 6570", async () => {
    const resourceTemplates = [
      { name: "broken", uriTemplate: "bad://{unclosed" },
      { name: "whole", uriTemplate: "good://{name}" },
    ];
    const capabilities = { resources: { subscribe: true }, completions: {} };
    const { all, reports } = await project(
      snapshotOf({ capabilities, resourceTemplates }),
    );
    expect(reports).toMatchObject([{ code: "MG309", severity: "warning" }]);
    expect(compile(all)).toEqual([]);
    expect(all.get("types.ts")).toContain("WholeVariables");
    for (const [path, text] of all) {
      if (!path.startsWith("protocol/"))
        expect(text, path).not.toMatch(
          /\bbrokenTemplate\b|\bBrokenVariables\b/i,
        );
    }
  });
});

describe("names that every object inherits or that are global", () => {
  const inherited = [
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "__proto__",
  ];
  const globals = [
    "globalThis",
    "fetch",
    "process",
    "console",
    "structuredClone",
    "window",
    "self",
    "setTimeout",
  ];
  const names = [...inherited, ...globals];
  const members = Object.fromEntries(
    names.map((name) => [name, { type: "string", minLength: 2 }]),
  );
  const schema = {
    ...object(members),
    required: globals,
    additionalProperties: false,
  };

  it("compile as names of tools, members, prompts, arguments, resources and variables", async () => {
    const { all } = await project(
      snapshotOf({
        capabilities: {
          tools: {},
          prompts: {},
          resources: { subscribe: true },
          completions: {},
        },
        tools: names.map((name) => ({
          name,
          inputSchema: schema,
          outputSchema: schema,
        })),
        prompts: names.map((name) => ({
          name,
          arguments: names.map((argument) => ({ name: argument })),
        })),
        resources: names.map((name) => ({ name, uri: `fixed://${name}` })),
        resourceTemplates: names.map((name) => ({
          name: `${name} template`,
          uriTemplate: `made://${name}/{${name}}{?${names.join(",")}}`,
        })),
      }),
    );
    expect(compile(all)).toEqual([]);
    const locals = new RegExp(
      `\\b(?:const|let|function|class|import \\{) (?:${globals.join("|")})\\b`,
    );
    for (const [path, text] of all) expect(text, path).not.toMatch(locals);
  });

  it("are undefined as variables of a template if the URI omits them", () => {
    const variables = readTemplate("one://{id}{?toString,constructor}").match(
      "one://7?toString=x",
    );
    expect([
      variables?.["id"],
      variables?.["toString"],
      variables?.["constructor"],
    ]).toEqual(["7", "x", undefined]);
  });
});
