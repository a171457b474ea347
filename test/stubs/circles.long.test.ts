import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, snapshotOf } from "./project.js";

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });
const text = { type: "string" };
const number = { type: "number" };
const object = (properties: object, ...required: string[]): object => ({
  type: "object",
  properties,
  required,
});

/**
 * A base that lists its children, which extend it, as generators of OpenAPI
 * documents write a discriminator.
 */
const withDiscriminator = (list: "oneOf" | "anyOf"): object => ({
  Pet: {
    ...object({ kind: text }, "kind"),
    [list]: [ref("Cat"), ref("Dog")],
    discriminator: { propertyName: "kind" },
  },
  Cat: {
    allOf: [
      ref("Pet"),
      object({ kind: { const: "cat" }, lives: number }, "lives"),
    ],
  },
  Dog: {
    allOf: [
      ref("Pet"),
      object({
        kind: { const: "dog" },
        tricks: { type: "array", items: text },
      }),
    ],
  },
});
/**
 * The same in three levels: what extends the middle one has the members of
 * both.
 */
const inLevels: object = {
  Being: { ...object({ id: text }, "id"), oneOf: [ref("Pet")] },
  Pet: {
    allOf: [ref("Being"), object({ kind: text }, "kind")],
    oneOf: [ref("Cat"), ref("Dog")],
  },
  Cat: {
    allOf: [
      ref("Pet"),
      object({ kind: { const: "cat" }, lives: number }, "lives"),
    ],
  },
  Dog: { allOf: [ref("Pet"), object({ kind: { const: "dog" } })] },
};

interface Case {
  readonly definitions: object;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}
const pets: Pick<Case, "right" | "wrong"> = {
  right: [
    '{ pet: { kind: "cat", lives: 9 } }',
    '{ pet: { kind: "dog", tricks: ["sit"] } }',
    '{ pet: { kind: "dog" } }',
    '{ cat: { kind: "cat", lives: 9 } }',
  ],
  wrong: [
    "{ pet: { lives: 9 } }",
    "{ pet: { kind: 5 } }",
    '{ pet: { kind: "cat" } }',
    '{ cat: { kind: "cat" } }',
    "{ cat: { lives: 9 } }",
  ],
};
const cases: Readonly<Record<string, Case>> = {
  "a base that lists its children with oneOf": {
    definitions: withDiscriminator("oneOf"),
    ...pets,
  },
  "a base that lists its children with anyOf": {
    definitions: withDiscriminator("anyOf"),
    ...pets,
  },
  "bases in three levels": {
    definitions: inLevels,
    right: [
      '{ cat: { id: "1", kind: "cat", lives: 9 } }',
      '{ pet: { id: "1", kind: "dog" } }',
      '{ pet: { id: "1", kind: "cat", lives: 9 } }',
    ],
    wrong: [
      '{ cat: { kind: "cat", lives: 9 } }',
      '{ pet: { kind: "dog" } }',
      '{ cat: { id: "1", kind: "cat" } }',
    ],
  },
  "two schemas that extend each other": {
    definitions: {
      Pet: { allOf: [ref("Cat"), object({ kind: text }, "kind")] },
      Cat: { allOf: [ref("Pet"), object({ lives: number }, "lives")] },
    },
    right: [
      '{ cat: { kind: "cat", lives: 9 } }',
      '{ pet: { kind: "cat", lives: 9 } }',
    ],
    wrong: [
      "{ cat: { lives: 9 } }",
      '{ cat: { kind: "cat" } }',
      '{ pet: { kind: "cat" } }',
      "{ pet: { lives: 9 } }",
    ],
  },
  "a schema among its own alternatives": {
    definitions: {
      Pet: { anyOf: [ref("Pet"), object({ kind: text }, "kind")] },
      Cat: object({ lives: number }),
    },
    right: ['{ pet: { kind: "cat" } }', "{ cat: { lives: 9 } }"],
    wrong: ['{ cat: { lives: "9" } }'],
  },
  "a schema that excludes itself": {
    definitions: {
      Pet: { ...object({ kind: text }, "kind"), not: ref("Pet") },
      Cat: object({ lives: number }),
    },
    right: ['{ pet: { kind: "cat" } }'],
    wrong: ["{ pet: { kind: 5 } }"],
  },
};

describe("schemas that refer to themselves on the same value", () => {
  it.each(Object.entries(cases))(
    "check what is not circular, and their types accept right calls: %s",
    async (_, given) => {
      const tool = {
        name: "keep",
        inputSchema: {
          ...object({ pet: ref("Pet"), cat: ref("Cat") }),
          $defs: given.definitions,
        },
      };
      const { files, reports } = await project(snapshotOf({ tools: [tool] }), {
        emit: ["client"],
      });
      expect(reports.map(({ code }) => code)).toEqual(
        reports.map(() => "MG308"),
      );
      expect(
        reports.filter(({ message }) => message.includes("circular")),
      ).not.toEqual([]);
      const isKeepInput = (await load(files, "validators.ts"))[
        "isKeepInput"
      ] as (value: unknown) => boolean;
      const valueOf = (code: string): unknown =>
        JSON.parse(code.replaceAll(/(\w+):/g, '"$1":'));
      expect(given.right.filter((code) => !isKeepInput(valueOf(code)))).toEqual(
        [],
      );
      expect(given.wrong.filter((code) => isKeepInput(valueOf(code)))).toEqual(
        [],
      );
      const program = given.right
        .map((code, i) => `export const c${i}: KeepInput = ${code};`)
        .join("\n");
      expect(
        compile(
          new Map([
            ...files,
            [
              "use.ts",
              `import type { KeepInput } from "./types.js";\n${program}\n`,
            ],
          ]),
        ),
      ).toEqual([]);
    },
  );
});
