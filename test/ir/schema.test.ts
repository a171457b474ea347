import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ts } from "ts-morph";
import { beforeAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/diagnostics.js";
import type { Protocol } from "../../src/ir/model.js";
import { readSchema } from "../../src/api.js";
import { serialize } from "../../src/ir/serialize.js";
import { protocolShape, type Shape } from "../../src/read/ir/shape.js";
import { readIr } from "../../src/read/ir/index.js";
import { revision, revisions } from "../read/typescript/reading.js";

const definitions = (protocolShape as Shape & { $defs: Record<string, Shape> }).$defs;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(protocolShape);

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
    for (const protocol of [...(await revisions()), ...(await Promise.all(others))]) {
      validate(JSON.parse(serialize(protocol)));
      expect(validate.errors).toBeNull();
    }
  });

  it("has the members of model.ts, and requires those that are not optional there", async () => {
    const text = await readFile("src/ir/model.ts", "utf8");
    const source = ts.createSourceFile("model.ts", text, ts.ScriptTarget.Latest);
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
      const own = statement.members.map((member) => member.name?.getText(source) ?? "");
      const optional = new Set(own.filter((_, i) => statement.members[i]?.questionToken !== undefined));
      const inherited = (statement.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap((type) => bases.get(type.getText(source)) ?? []),
      );
      const members = [...own, ...inherited];
      bases.set(text, members);
      if (text === "MessageBase" || text === "Declaration") continue;
      const isProtocol = text === "Protocol";
      const shape = isProtocol ? protocolShape : definitions[text];
      const named = members.flatMap((name) => (isProtocol ? (other[name] ?? [name]) : [name]));
      expect(Object.keys(shape?.properties ?? {}).sort(), text).toEqual([...named].sort());
      expect([...(shape?.required ?? [])].sort(), text).toEqual(
        named.filter((name) => !optional.has(name)).sort(),
      );
      compared++;
    }
    expect(compared).toBe(12);
  });

  it("has exactly the definitions that it uses", () => {
    const used = [...JSON.stringify(protocolShape).matchAll(/"#\/\$defs\/(\w+)"/g)].map((match) => match[1]);
    expect(new Set(used)).toEqual(new Set(Object.keys(definitions)));
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
      given: () => edited('"mcpgen:format": 2', '"mcpgen:format": 3'),
      want: ["3 MG601 this file has format 3, and this version of mcpgen reads format 2"],
    },
    {
      idea: "the format of an earlier version",
      given: () => '{\n  "format": 1,\n  "revision": "2026-07-28"\n}',
      want: ["2 MG601 this file has format 1, and this version of mcpgen reads format 2"],
    },
    {
      idea: "a value that is not allowed",
      given: () => edited('"opening": "per-request"', '"opening": "door"'),
      want: ['10 MG602 expected "initialize" or "per-request", got "door"'],
    },
    {
      idea: "a missing member",
      given: () => edited(/ {2}"batches": \w+,\n/, ""),
      want: ['1 MG602 the member "batches" is missing'],
    },
    {
      idea: "an unknown member",
      given: () => edited('"opening"', '"closing": 1,\n  "opening"'),
      want: ['10 MG602 unknown member "closing"'],
    },
    {
      idea: "a member of another type",
      given: () => edited(/"batches": \w+/, '"batches": "no"'),
      want: ['11 MG602 expected a boolean, got "no"'],
    },
    {
      idea: "an unknown kind of message",
      given: () => edited('"kind": "notification"', '"kind": "rumour"'),
      want: [
        expect.stringMatching(
          /MG602 expected an object whose "kind" is one of "request", "notification", got .*$/,
        ) as string,
      ],
    },
    {
      idea: "an unknown kind of declaration",
      given: () => edited('"mcpgen:kind": "alias"', '"mcpgen:kind": "nickname"'),
      want: [
        expect.stringMatching(
          /MG602 expected "interface" or "alias" or "constant", got "nickname"$/,
        ) as string,
      ],
    },
    {
      idea: "an invalid hash",
      given: () => edited(/"sha256": "\w+"/, '"sha256": "ABC"'),
      want: ['8 MG602 expected a string that matches ^[0-9a-f]{64}$, got "ABC"'],
    },
    {
      idea: "two errors at once",
      given: () =>
        edited(/"batches": \w+/, '"batches": 1').replace('"revision": "2026-07-28"', '"revision": null'),
      want: ["4 MG602 expected a string, got null", "11 MG602 expected a boolean, got 1"],
    },
    {
      idea: "a reference without a target",
      given: () => edited('"$ref": "#/$defs/JSONObject"', '"$ref": "#/$defs/Nope"'),
      want: ['- MG502 a reference names "Nope", which is not declared'],
    },
    ...[
      { schema: '"type": "text"', want: /as "type", got "text"$/ },
      { schema: '"properties": []', want: /as "properties", got \[\]$/ },
      { schema: '"properties": { "a": 7 }', want: /expected an object or a boolean, got 7$/ },
      { schema: '"items": { "description": 7 }', want: /expected a string, got 7$/ },
      { schema: '"not": { "mcpgen:tags": [{ "name": "a" }] }', want: /the member "text" is missing$/ },
      { schema: '"mcpgen:unchecked": 7', want: /expected an array, got 7$/ },
      { schema: '"mcpgen:tag": []', want: /unknown keyword "mcpgen:tag"$/ },
      { schema: '"not": { "mcpgen:kind": "alias" }', want: /unknown keyword "mcpgen:kind"$/ },
      {
        schema: '"$ref": "#/properties/a"',
        want: /expected a reference to a declaration, .* got "#\/properties\/a"$/,
      },
      { schema: '"$ref": "other.json"', want: /expected a reference to a declaration, .* got "other.json"$/ },
      {
        schema: '"mcpgen:bases": [{ "name": "Result", "omit": ["a"] }]',
        want: /expected a schema without "mcpgen:bases", got/,
      },
    ].map(({ schema, want }) => ({
      idea: `the schema ${schema}`,
      given: () => edited('"mcpgen:kind": "alias",', `"mcpgen:kind": "alias", ${schema},`),
      want: [expect.stringMatching(new RegExp(`^\\d+ MG602 .*${want.source}`)) as string],
    })),
    {
      idea: "an inherited schema that is not that of the bases",
      given: () => edited('"omit": []', '"omit": ["method"]'),
      want: [
        expect.stringMatching(
          /^\d+ MG602 expected the members of an object, and in "allOf" the bases without omitted members, got/,
        ) as string,
      ],
    },
    {
      idea: "an interface that is not an object",
      given: () => edited(/("mcpgen:kind": "interface",[^]*?"type": )"object"/, '$1"string"'),
      want: [expect.stringMatching(/^\d+ MG602 expected the members of an object, and in "allOf"/) as string],
    },
    {
      idea: "a constant without a value",
      given: () => edited('"mcpgen:kind": "alias"', '"mcpgen:kind": "constant"'),
      want: [expect.stringMatching(/^\d+ MG602 expected a schema of one string or number, got/) as string],
    },
    { idea: "a text that is not an object", given: () => "[]", want: ["1 MG602 expected an object, got []"] },
    {
      idea: "a text that is not JSON",
      given: () => '{ "mcpgen:format": 2, ',
      want: [expect.stringContaining("1 MG201 ") as string],
    },
  ];

  it.each(rows)("is refused with the location: $idea", ({ given, want }) => {
    expect(faults(given())).toEqual(want);
  });

  it("is refused if Ajv rejects it with the JSON Schema, and only then outside of schemas", () => {
    const kinds = new Set(["JSONRPC_VERSION", "ProgressToken", "CancelledNotification", "Tool"]);
    const declarations = valid.declarations.filter(({ name }) => kinds.has(name));
    const small = { ...valid, declarations, messages: valid.messages.slice(0, 3), wellKnown: {} };
    const document = JSON.parse(serialize(small)) as unknown;
    expect(validate(document)).toBe(true);
    const counts = { refused: 0, inSchemas: 0 };
    for (const { value, path } of mutations(document)) {
      const diagnostics = new Diagnostics();
      readIr(JSON.stringify(value), { file: "x.ir.json" }, diagnostics);
      const isShapely = diagnostics.list.every(({ code }) => code !== "MG601" && code !== "MG602");
      const isInSchema = /\/(\$defs\/\w|params\/schema)/.test(path);
      if (isInSchema && !isShapely) counts.inSchemas += 1;
      else expect(isShapely, `${path}: ${JSON.stringify(value)}`).toBe(validate(value));
      if (!isShapely) counts.refused += 1;
    }
    expect(counts.refused).toBeGreaterThan(400);
    expect(counts.inSchemas).toBeGreaterThan(100);
  });

  it("may be read under another revision", () => {
    const diagnostics = new Diagnostics();
    expect(readIr(serialize(valid), { file: "x.ir.json", revision: "mine" }, diagnostics)?.revision).toBe(
      "mine",
    );
  });

  it("is refused with the location if an unknown member is called __proto__", () => {
    expect(faults(edited('"opening"', '"__proto__": {},\n  "opening"'))).toEqual([
      '10 MG602 unknown member "__proto__"',
    ]);
  });
});

/** A copy of a value that is changed at one path. */
interface Mutation {
  readonly value: unknown;
  readonly path: string;
}

/** Copies of the value with one member removed, null, of another type or added, at every path in turn. */
function* mutations(value: unknown, path = ""): Generator<Mutation> {
  if (typeof value !== "object" || value === null) {
    yield { value: null, path };
    yield { value: typeof value === "string" ? 7 : "seven", path };
    return;
  }
  yield { value: [], path };
  yield { value: null, path };
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 4).entries()) {
      for (const inner of mutations(item, `${path}/${index}`))
        yield { ...inner, value: value.map((other: unknown, at) => (at === index ? inner.value : other)) };
    }
    return;
  }
  yield { value: { ...value, extra: true }, path };
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    yield { value: rest, path };
    for (const inner of mutations(member, `${path}/${name}`))
      yield { ...inner, value: { ...value, [name]: inner.value } };
  }
}
