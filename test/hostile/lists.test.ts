import { describe, expect, it } from "vitest";
import { compareSnapshots } from "../../src/ir/snapshot/diff/index.js";
import { project, readText, snapshotOf } from "../stubs/project.js";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";

const object = (properties: Readonly<Record<string, unknown>>): object => ({ type: "object", properties });

describe("a server that lists what no project can hold", () => {
  it("leaves a schema with an enumeration of 130,000 values unchecked, and says so", async () => {
    const values = Array.from({ length: 130_000 }, (_, i) => `v${i}`);
    const text = (list: readonly string[]): string =>
      snapshotOf({ tools: [{ name: "big", inputSchema: object({ value: { enum: list } }) }] });
    const { reports, files } = await project(text(values));
    expect(reports).toMatchObject([{ code: "MG304", severity: "warning" }]);
    expect(reports[0]?.message).toContain("more than 10000 values");
    expect(files.get("types.ts")).toContain("BigInput");
    const [was, is] = [await readText(text(values)), await readText(text(values.slice(1)))];
    if (was.snapshot === null || is.snapshot === null) throw new Error("no snapshot");
    expect(compareSnapshots(was.snapshot, is.snapshot).drifts.length).toBeGreaterThan(0);
  });

  it("writes a description of 1 MB, with a comment that loses no word", async () => {
    const words = Array.from({ length: 130_000 }, (_, i) => `word${i}`);
    const tools = [{ name: "long", description: words.join(" "), inputSchema: { type: "object" } }];
    const { files } = await project(snapshotOf({ tools }));
    const comment = /\/\*\*\n((?: *\*.*\n)*?) *\*\//.exec(files.get("client.ts")?.slice(0) ?? "");
    expect(comment).not.toBeNull();
    const found = (files.get("client.ts") ?? "").match(/word\d+/g) ?? [];
    expect(new Set(found).size).toBe(words.length);
  });

  it("gives a template that is no RFC 6570 a diagnostic, and no stub in any file", async () => {
    const resourceTemplates = [
      { name: "broken", uriTemplate: "bad://{unclosed" },
      { name: "whole", uriTemplate: "good://{name}" },
    ];
    const capabilities = { resources: { subscribe: true }, completions: {} };
    const { all, reports } = await project(snapshotOf({ capabilities, resourceTemplates }));
    expect(reports).toMatchObject([{ code: "MG309", severity: "warning" }]);
    expect(compile(all)).toEqual([]);
    expect(all.get("index.ts")).toContain("WholeVariables");
    for (const [path, text] of all) {
      if (!path.startsWith("protocol/"))
        expect(text, path).not.toMatch(/\bbrokenTemplate\b|\bBrokenVariables\b/i);
    }
  });
});

describe("names that every object or every module has already", () => {
  const inherited = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
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
  const members = Object.fromEntries(names.map((name) => [name, { type: "string", minLength: 2 }]));
  const schema = { ...object(members), required: globals, additionalProperties: false };

  it("compile as names of tools, members, prompts, arguments, resources and variables", async () => {
    const { all } = await project(
      snapshotOf({
        capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} },
        tools: names.map((name) => ({ name, inputSchema: schema, outputSchema: schema })),
        prompts: names.map((name) => ({ name, arguments: names.map((argument) => ({ name: argument })) })),
        resources: names.map((name) => ({ name, uri: `fixed://${name}` })),
        resourceTemplates: names.map((name) => ({
          name: `${name} template`,
          uriTemplate: `made://${name}/{${name}}{?${names.join(",")}}`,
        })),
      }),
    );
    expect(compile(all)).toEqual([]);
    const locals = new RegExp(`\\b(?:const|let|function|class|import \\{) (?:${globals.join("|")})\\b`);
    for (const [path, text] of all) expect(text, path).not.toMatch(locals);
  });

  it("are undefined for a handler if the URI omits the variable", async () => {
    const resourceTemplates = [{ name: "one", uriTemplate: "one://{id}{?toString,constructor}" }];
    const { files } = await project(snapshotOf({ capabilities: { resources: {} }, resourceTemplates }));
    const { match } = (await load(files, "uri.ts")) as {
      match: (parts: readonly unknown[], uri: string) => Readonly<Record<string, unknown>> | undefined;
    };
    const variable = (name: string): object => ({ name, explode: false, prefix: null });
    const parts = [
      "one://",
      { operator: "", variables: [variable("id")] },
      { operator: "?", variables: [variable("toString"), variable("constructor")] },
    ];
    const found = match(parts, "one://7?toString=x");
    expect([found?.["id"], found?.["toString"], found?.["constructor"]]).toEqual(["7", "x", undefined]);
  });
});
