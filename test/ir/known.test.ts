import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { format, resolveConfig } from "prettier";
import { knownOf, mergeMessages } from "../../src/generator/ir/known.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { read, revisions } from "../read/typescript/reading.js";

const file = fileURLToPath(
  new URL("../../src/generator/ir/known.json", import.meta.url),
);
const rewrite =
  "npx vitest run --config test/vitest.config.ts --root . test/ir/known --update";

describe("the members of all bundled revisions (src/generator/ir/known.json)", () => {
  it("are those that the schemas define", async () => {
    const all = (await revisions()).map(knownOf);
    const text = await format(JSON.stringify(mergeMessages(all)), {
      ...(await resolveConfig(file)),
      filepath: file,
    });
    await expect(
      text,
      `a schema has changed; run ${rewrite}, then npm run build and npm run generate`,
    ).toMatchFileSnapshot(file);
  });
});

describe("the members of a revision", () => {
  const schema = (member: string, method: string): string => `
    export interface AskRequest { method: "${method}"; params: { ${member}: { a: string } } }
    export interface AskResult { ${member}: { a: string } }
    export type ClientRequest = AskRequest;
    export type ServerResult = AskResult;`;

  it("tell the kinds of an object that a text names, and the members of any other", async () => {
    const { protocol } = await read(`
      export interface A { type: "a"; x: string }
      export interface B { type: 1; y: string }
      export interface C { type: "c" | 2; z: string }
      export interface AskRequest { method: "ask" }
      export interface AskResult { c: A | B | C }
      export type ClientRequest = AskRequest;`);
    const plain = { members: {} };
    expect(knownOf(protocol as Protocol).results["ask"]?.members["c"]).toEqual({
      members: { type: plain, y: plain, z: plain },
      kinds: { a: { members: { type: plain, x: plain } } },
    });
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "may have a name that every object inherits: %s",
    async (name) => {
      const { protocol } = await read(schema(`"${name}"`, name));
      const own = knownOf(protocol as Protocol);
      const merged = mergeMessages([
        own,
        knownOf((await read(schema("b", "ask"))).protocol as Protocol),
        own,
      ]);
      expect(Object.keys(merged.results)).toEqual([name, "ask"]);
      expect(Object.entries(merged.results[name]?.members ?? {})).toEqual([
        [name, { members: { a: { members: {} } } }],
      ]);
    },
  );
});
