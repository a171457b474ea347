import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ts } from "ts-morph";
import { beforeAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/diagnostics.js";
import type { Protocol } from "../../src/ir/model.js";
import { serialize } from "../../src/ir/serialize.js";
import { protocolShape, type Shape } from "../../src/ir/shape.js";
import { readIr } from "../../src/read/ir/index.js";
import { revision, revisions } from "../read/typescript/reading.js";

const definitions = (protocolShape as Shape & { $defs: Record<string, Shape> }).$defs;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(protocolShape);

let valid: Protocol;

beforeAll(async () => {
  valid = await revision("2026-07-28");
});

describe("the JSON Schema of the representation", () => {
  it("accepts every bundled revision", async () => {
    for (const protocol of await revisions()) {
      validate(protocol);
      expect(validate.errors).toBeNull();
    }
  });

  it("has the members of model.ts, and requires those that are not optional there", async () => {
    const text = await readFile("src/ir/model.ts", "utf8");
    const source = ts.createSourceFile("model.ts", text, ts.ScriptTarget.Latest);
    const bases = new Map<string, string[]>();
    let compared = 0;
    for (const statement of source.statements) {
      if (!ts.isInterfaceDeclaration(statement)) continue;
      const own = statement.members.map((member) => member.name?.getText(source) ?? "");
      const optional = new Set(own.filter((_, i) => statement.members[i]?.questionToken !== undefined));
      const inherited = (statement.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap((type) => bases.get(type.getText(source)) ?? []),
      );
      const members = [...own, ...inherited];
      bases.set(statement.name.text, members);
      if (statement.name.text === "MessageBase") continue;
      const shape = statement.name.text === "Protocol" ? protocolShape : definitions[statement.name.text];
      expect(Object.keys(shape?.properties ?? {}).sort(), statement.name.text).toEqual([...members].sort());
      expect([...(shape?.required ?? [])].sort(), statement.name.text).toEqual(
        members.filter((name) => !optional.has(name)).sort(),
      );
      compared++;
    }
    expect(compared).toBe(18);
  });

  it("has the kinds of types in model.ts, each with its members", async () => {
    const text = await readFile("src/ir/model.ts", "utf8");
    const source = ts.createSourceFile("model.ts", text, ts.ScriptTarget.Latest);
    const alias = source.statements.find(
      (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === "Type",
    ) as ts.TypeAliasDeclaration;
    const kinds = (alias.type as ts.UnionTypeNode).types.map((arm) => {
      const members = (arm as ts.TypeLiteralNode).members as ts.NodeArray<ts.PropertySignature>;
      const kind = members[0]?.type?.getText(source).replaceAll('"', "") ?? "";
      return [kind, members.map(({ name }) => name.getText(source))];
    });
    const shapes = (definitions["Type"]?.oneOf ?? []).map(({ $ref = "" }) => {
      const shape = definitions[$ref.slice("#/$defs/".length)];
      return [shape?.properties?.["kind"]?.const, Object.keys(shape?.properties ?? {})];
    });
    expect(shapes).toEqual(kinds);
  });

  it("has exactly the definitions that it uses", () => {
    const used = [...JSON.stringify(protocolShape).matchAll(/"#\/\$defs\/(\w+)"/g)].map((match) => match[1]);
    expect(new Set(used)).toEqual(new Set(Object.keys(definitions)));
  });
});

describe("the text of a representation", () => {
  it("does not depend on the order in which members were set", () => {
    const shuffled = JSON.parse(JSON.stringify(valid), (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as Protocol;
    expect(Object.keys(shuffled)[0]).not.toBe("format");
    expect(serialize(shuffled)).toBe(serialize(valid));
  });

  it("is indented by two spaces, begins with the format and ends with a newline", () => {
    const text = serialize(valid);
    expect(text.startsWith('{\n  "format": 1,\n  "revision": "2026-07-28",\n')).toBe(true);
    expect(text.endsWith("\n}\n")).toBe(true);
  });

  it("is the same after it is read and written again, for every revision", async () => {
    for (const protocol of await revisions()) {
      const diagnostics = new Diagnostics();
      const back = readIr(serialize(protocol), { file: "x.ir.json" }, diagnostics);
      expect(diagnostics.list).toEqual([]);
      expect(back).toEqual(protocol);
      expect(back === null ? null : serialize(back)).toBe(serialize(protocol));
    }
  });
});

describe("an edited representation", () => {
  const faults = (text: string): string[] => {
    const diagnostics = new Diagnostics();
    expect(readIr(text, { file: "x.ir.json" }, diagnostics)).toBeNull();
    return diagnostics.list.map(
      ({ code, location, message }) => `${location?.line ?? "-"} ${code} ${message}`,
    );
  };
  const edited = (from: string | RegExp, to: string): string => serialize(valid).replace(from, to);

  const rows: { idea: string; given: () => string; want: string[] }[] = [
    {
      idea: "another format",
      given: () => edited('"format": 1', '"format": 2'),
      want: ["2 MG601 this file has format 2, and this version of mcpgen reads format 1"],
    },
    {
      idea: "a value that is not allowed",
      given: () => edited('"opening": "per-request"', '"opening": "door"'),
      want: ['9 MG602 expected "initialize" or "per-request", got "door"'],
    },
    {
      idea: "a missing member",
      given: () => edited(/ {2}"batches": \w+,\n/, ""),
      want: ['1 MG602 the member "batches" is missing'],
    },
    {
      idea: "an unknown member",
      given: () => edited('"opening"', '"closing": 1,\n  "opening"'),
      want: ['9 MG602 unknown member "closing"'],
    },
    {
      idea: "a member of another type",
      given: () => edited(/"batches": \w+/, '"batches": "no"'),
      want: ['10 MG602 expected a boolean, got "no"'],
    },
    {
      idea: "an unknown kind",
      given: () => edited('"kind": "alias"', '"kind": "nickname"'),
      want: [
        expect.stringMatching(
          /MG602 expected an object whose "kind" is one of "interface", "alias", "constant", got .*$/,
        ) as string,
      ],
    },
    {
      idea: "an invalid hash",
      given: () => edited(/"sha256": "\w+"/, '"sha256": "ABC"'),
      want: ['7 MG602 expected a string that matches ^[0-9a-f]{64}$, got "ABC"'],
    },
    {
      idea: "two errors at once",
      given: () =>
        edited(/"batches": \w+/, '"batches": 1').replace('"revision": "2026-07-28"', '"revision": null'),
      want: ["3 MG602 expected a string, got null", "10 MG602 expected a boolean, got 1"],
    },
    {
      idea: "a reference without a target",
      given: () => edited('"name": "JSONObject"\n', '"name": "Nope"\n'),
      want: ['- MG502 a reference names "Nope", which is not declared'],
    },
    { idea: "a text that is not an object", given: () => "[]", want: ["1 MG602 expected an object, got []"] },
    {
      idea: "a text that is not JSON",
      given: () => '{ "format": 1, ',
      want: [expect.stringContaining("1 MG201 ") as string],
    },
  ];

  it.each(rows)("is refused with the location: $idea", ({ given, want }) => {
    expect(faults(given())).toEqual(want);
  });

  it("is refused exactly if Ajv rejects it with the JSON Schema", () => {
    const small = { ...valid, declarations: valid.declarations.slice(0, 12), messages: [], wellKnown: {} };
    const text = JSON.stringify({ ...small, messages: valid.messages.slice(0, 3) });
    expect(validate(JSON.parse(text))).toBe(true);
    let refused = 0;
    for (const broken of mutations(JSON.parse(text))) {
      const diagnostics = new Diagnostics();
      readIr(JSON.stringify(broken), { file: "x.ir.json" }, diagnostics);
      const shapely = diagnostics.list.every(({ code }) => code !== "MG601" && code !== "MG602");
      expect(shapely, JSON.stringify(broken)).toBe(validate(broken));
      if (!shapely) refused++;
    }
    expect(refused).toBeGreaterThan(400);
  });

  it("may be read under another revision", () => {
    const diagnostics = new Diagnostics();
    expect(readIr(serialize(valid), { file: "x.ir.json", revision: "mine" }, diagnostics)?.revision).toBe(
      "mine",
    );
  });

  it("is refused with the location if an unknown member is called __proto__", () => {
    expect(faults(edited('"opening"', '"__proto__": {},\n  "opening"'))).toEqual([
      '9 MG602 unknown member "__proto__"',
    ]);
  });
});

/** Copies of the value with one member removed, null, of another type or added, at every path in turn. */
function* mutations(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) {
    yield null;
    yield typeof value === "string" ? 7 : "seven";
    return;
  }
  yield [];
  yield null;
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 4).entries()) {
      for (const inner of mutations(item))
        yield value.map((other: unknown, at) => (at === index ? inner : other));
    }
    return;
  }
  yield { ...value, extra: true };
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    yield rest;
    for (const inner of mutations(member)) yield { ...value, [name]: inner };
  }
}
