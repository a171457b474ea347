import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ts } from "ts-morph";
import { beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "../../src/generator/ir/model.js";
import { readSchema } from "../../src/api.js";
import document from "../../src/generator/ir/schema.json" with { type: "json" };
import { serialize } from "../../src/generator/ir/serialize.js";
import { revision, revisions } from "../read/typescript/reading.js";

interface Shape {
  readonly properties?: object;
  readonly required?: readonly string[];
}

const protocolShape: Shape = document;
const definitions = document.$defs as Readonly<Record<string, Shape>>;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  document,
);

let valid: Protocol;

beforeAll(async () => {
  valid = await revision("2026-07-28");
});

describe("the JSON Schema of the representation", () => {
  it("accepts the file of every bundled revision and of those that nobody has released", async () => {
    const madeUp = [
      "fixtures/made-up/schema.ts",
      "made-up/schema/lantern-2.ts",
      "made-up/schema/outline-1.ts",
    ];
    const others = madeUp.map((path) => readSchema(`test/${path}`));
    for (const protocol of [
      ...(await revisions()),
      ...(await Promise.all(others)),
    ]) {
      validate(JSON.parse(serialize(protocol)));
      expect(validate.errors).toBeNull();
    }
  });

  it("has the members of model.ts, and requires those that are not optional there", async () => {
    const text = await readFile("src/generator/ir/model.ts", "utf8");
    const source = ts.createSourceFile(
      "model.ts",
      text,
      ts.ScriptTarget.Latest,
    );
    const bases = new Map<string, string[]>();
    // In a file, declarations are JSON Schema.
    const other: Readonly<Record<string, readonly string[]>> = {
      declarations: ["$defs"],
      format: ["$schema", "mcpgen:format"],
    };
    let compared = 0;
    for (const statement of source.statements) {
      if (!ts.isInterfaceDeclaration(statement)) continue;
      const { text } = statement.name;
      const own = statement.members.map(
        (member) => member.name?.getText(source) ?? "",
      );
      const optional = new Set(
        own.filter((_, i) => statement.members[i]?.questionToken !== undefined),
      );
      const inherited = (statement.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap((type) => bases.get(type.getText(source)) ?? []),
      );
      const members = [...own, ...inherited];
      bases.set(text, members);
      if (text === "MessageBase" || text === "Declaration") continue;
      const isProtocol = text === "Protocol";
      const shape = isProtocol ? protocolShape : definitions[text];
      const named = members.flatMap((name) =>
        isProtocol ? (other[name] ?? [name]) : [name],
      );
      expect(Object.keys(shape?.properties ?? {}).sort(), text).toEqual(
        [...named].sort(),
      );
      expect([...(shape?.required ?? [])].sort(), text).toEqual(
        named.filter((name) => !optional.has(name)).sort(),
      );
      compared++;
    }
    expect(compared).toBe(12);
  });

  it("has exactly the definitions that it uses", () => {
    const used = [
      ...JSON.stringify(protocolShape).matchAll(/"#\/\$defs\/(\w+)"/g),
    ].map((match) => match[1]);
    expect(new Set(used)).toEqual(new Set(Object.keys(definitions)));
  });
});

describe("the JSON Schema of the representation, in Ajv", () => {
  const edits: readonly (readonly [
    idea: string,
    from: string | RegExp,
    to: string,
  ])[] = [
    ["another format", '"mcpgen:format": 2', '"mcpgen:format": 1'],
    [
      "a value that is not allowed",
      '"opening": "per-request"',
      '"opening": "door"',
    ],
    ["a missing member", / {2}"batches": \w+,\n/, ""],
    ["an unknown member", '"opening"', '"closing": 1,\n  "opening"'],
    ["a member of another type", /"batches": \w+/, '"batches": "no"'],
    [
      "an unknown kind of message",
      '"kind": "notification"',
      '"kind": "rumour"',
    ],
    [
      "an unknown kind of declaration",
      '"mcpgen:kind": "alias"',
      '"mcpgen:kind": "nickname"',
    ],
    ["an invalid hash", /"sha256": "\w+"/, '"sha256": "ABC"'],
    ["a declaration without a kind", '"mcpgen:kind": "alias",', ""],
  ];

  it.each(edits)("rejects a file with %s", (_, from, to) => {
    const text = serialize(valid);
    expect(text.replace(from, to)).not.toBe(text);
    expect(validate(JSON.parse(text.replace(from, to)))).toBe(false);
  });
});
