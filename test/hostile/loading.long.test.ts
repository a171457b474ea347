import { describe, expect, it } from "vitest";
import {
  objectSchema,
  reference,
  schemaOf,
} from "../../src/generator/ir/constraint/form.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { compile } from "../view/compile.js";
import { generated, validator, validators } from "../view/generated.js";
import { colliding, hostile } from "./corpus.js";
import { sample } from "./protocol.js";
import { filled, renamed, slotsOf } from "./slots.js";
import { touched } from "./touched.js";

const protocol = await sample();
const slots = slotsOf(protocol);

function everywhere(turn: number, into = slots): Protocol {
  return filled(
    protocol,
    into.map(
      (slot, i) => [slot, hostile[(turn + i) % hostile.length] ?? ""] as const,
    ),
  );
}

// Eight ways to put the whole corpus into the slots.
const turns = Array.from({ length: 8 }, (_, i) =>
  Math.floor((i * hostile.length) / 8),
);

describe("generated files with hostile text", () => {
  it("would fail this test if they changed a global or used one of Node.js", async () => {
    const files = new Map([
      [
        "index.ts",
        "Object.assign(Object.prototype, { pwned: 1 }); export const x = 1;",
      ],
    ]);
    expect(await touched(files)).not.toEqual([]);
    const outside = new Map([["index.ts", "export const x = process.pid;"]]);
    await expect(touched(outside)).rejects.toThrow("process is not defined");
  });

  it.each(turns)(
    "change no global when they are loaded: turn %i",
    async (turn) => {
      expect(await touched(generated([everywhere(turn)]).files)).toEqual([]);
    },
  );

  // The members that an interface omits from its base decide whether its own
  // members are compatible, so those names stay.
  const free = slots.filter(({ what }) => !what.endsWith("bases.omit"));

  it.each(turns)("compile with the strictest options: turn %i", (turn) => {
    expect(compile(generated([everywhere(turn, free)]).files)).toEqual([]);
  });

  it.each(colliding)(
    "have different names if types collide: %s, %s, %s",
    async (...names) => {
      const expected = protocol.declarations.slice(-names.length - 4, -4);
      const types = renamed(
        protocol,
        new Map(expected.map(({ name }, i) => [name, names[i] ?? ""])),
      );
      const { files } = generated([types]);
      expect(compile(files)).toEqual([]);
      expect(await touched(files)).toEqual([]);
    },
  );

  it.each(colliding)(
    "have different names if methods and members collide: %s, %s, %s",
    async (...names) => {
      const crowded = withMethods(protocol, names);
      const { files } = generated([crowded]);
      expect(compile(files)).toEqual([]);
      expect(await touched(files)).toEqual([]);
    },
  );

  it("check each member, whatever its name", async () => {
    const crowded = withMethods(protocol, []);
    const { schema } = validator(await validators(crowded), "Crowded");
    const names = [...new Set(hostile)];
    // `fromEntries` makes `__proto__` an ordinary member, as `JSON.parse` does.
    const valueWith = (wrong: string): unknown =>
      Object.fromEntries(
        names.map((name, i) => [
          name,
          name === wrong ? 5 : i % 3 === 0 ? { left: "" } : "",
        ]),
      );
    expect(schema.safeParse(valueWith("no such member")).success).toBe(true);
    for (const name of names) {
      const result = schema.safeParse(valueWith(name));
      expect(result.success ? null : result.error.issues[0]?.path[0]).toBe(
        name,
      );
    }
  });

  it.each([
    ["a/b", "a b", "a-b"],
    ["A", "a", "a_"],
    ["..", ".", ""],
    ["con", "CON", "nul"],
    ["runtime", "Runtime", "index"],
    ["__proto__", "constructor", "then"],
    [
      "*/ globalThis.pwned = 1; /*",
      '"; globalThis.pwned = 1; "',
      "\u2028\u202e",
    ],
    ["../../etc/passwd", "C:\\windows", "/absolute"],
  ])(
    "are in different folders for the revisions %j, %j and %j",
    async (...revisions) => {
      const { files } = generated(
        revisions.map((revision) => ({ ...protocol, revision })),
      );
      const paths = [...files.keys()];
      for (const path of paths)
        expect(path).toMatch(
          /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\/)?[a-z]+\.ts$/,
        );
      expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(
        paths.length,
      );
      expect(compile(files)).toEqual([]);
      expect(await touched(files)).toEqual([]);
    },
  );
});

/**
 * Adds requests that differ only in their methods, and a type with many
 * members.
 */
function withMethods(from: Protocol, names: readonly string[]): Protocol {
  const [request] = from.messages.filter(
    ({ method }) => method === "notes/list",
  );
  if (request === undefined) throw new Error("the sample has no such request");
  return {
    ...from,
    messages: [
      ...from.messages,
      ...names.map((name) => ({ ...request, method: name })),
    ],
    declarations: [
      ...from.declarations,
      {
        kind: "interface",
        name: "Crowded",
        bases: [],
        schema: objectSchema(
          [...new Set([...names, ...hostile])].map((name, i) => {
            const { checks } =
              i % 3 === 0
                ? reference("Either")
                : schemaOf([{ kind: "type", types: ["string"] }]);
            return {
              name,
              optional: i % 2 === 0,
              schema: schemaOf(checks, { text: name, tags: [] }),
            };
          }),
          null,
        ),
      },
    ],
  };
}
