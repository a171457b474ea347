import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { project, snapshotOf } from "./project.js";

describe("the types of a project", () => {
  it("are wider if the compiler could not combine all alternatives, and accept right calls", async () => {
    const union = (letter: string): object => ({
      oneOf: Array.from({ length: 60 }, (_, i) => ({
        type: "object",
        properties: {
          [letter]: { const: i },
          [`${letter}${i}`]: { type: "string" },
        },
        required: [letter],
      })),
    });
    const unions = ["a", "b", "c"].map(union);
    const references = ["a", "b", "c"].map((letter) => ({
      $ref: `#/$defs/${letter}`,
    }));
    const tools = [
      { name: "inline", inputSchema: { type: "object", allOf: unions } },
      {
        name: "named",
        inputSchema: {
          allOf: references,
          $defs: { a: unions[0], b: unions[1], c: unions[2] },
        },
      },
      {
        name: "mixed",
        inputSchema: {
          allOf: [...unions, { oneOf: [{ type: "string" }, ...unions] }],
        },
      },
    ];
    const { files } = await project(snapshotOf({ tools }), {
      emit: ["client"],
    });
    const call = '{ a: 1, a1: "x", b: 2, b2: "x", c: 3, c3: "x" }';
    const program = ["Inline", "Named", "Mixed"].map(
      (name) => `export const call${name}: t.${name}Input = ${call};`,
    );
    const source = `import type * as t from "./types.js";\n${program.join("\n")}\n`;
    expect(compile(new Map([...files, ["use.ts", source]]))).toEqual([]);
    expect(files.get("types.ts")).toContain("c3?: string");
  });
});
