import { finished } from "../finished.js";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  formatDiagnostic,
  SchemaError,
} from "../../src/generator/diagnostics.js";
import { constantIn } from "../../src/generator/ir/constraint/form.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { readSchema } from "../../src/api.js";
import { bundled, readPath } from "../../src/generator/read/index.js";
import { bundledFacts, readFacts } from "../../src/generator/read/facts.js";
import { directory, mcpgen, smallSchema } from "../cli/support.js";
import { put } from "../files.js";
import { revision, revisions } from "./typescript/reading.js";

const schema = JSON.parse(
  readFileSync("src/generator/ir/facts.schema.json", "utf8"),
) as {
  readonly properties: Readonly<Record<string, unknown>>;
};
const validate = new Ajv2020({ strict: true }).compile(schema);
const names = Object.keys(schema.properties).filter(
  (name) => name !== "$schema",
);

const factsOf = (protocol: Protocol): object =>
  Object.fromEntries(
    Object.entries(protocol).filter(([name]) => names.includes(name)),
  );
const fileOf = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`schema/${name}/facts.json`, "utf8")) as Record<
    string,
    unknown
  >;

/**
 * Reads a schema in a folder with the given files, and returns its diagnostics
 * as text.
 */
async function reading(files: Record<string, string>, named?: string) {
  const folder = directory(files);
  const diagnostics = new Diagnostics();
  const path = join(folder, "schema.ts");
  const protocol = await readPath(
    path,
    named === undefined ? {} : { revision: named },
    diagnostics,
  );
  const reports = finished(diagnostics.list).map((entry) =>
    formatDiagnostic(entry).replaceAll(folder, "."),
  );
  return { protocol, reports };
}

const legacy = `
  export interface InitializeRequest { method: "initialize" }
  export interface ReadRequest { method: "resources/read" }
  export interface EmptyResult { [key: string]: unknown }
  export type ClientRequest = InitializeRequest | ReadRequest;
`;
const modern =
  'export interface RequestParams { _meta: { "org.example/protocolVersion": string } }';

describe("the facts of a bundled revision", () => {
  it("are those in its facts.json, each of them, and nothing is assumed", async () => {
    for (const protocol of await revisions()) {
      const { $schema, ...facts } = fileOf(protocol.revision);
      expect($schema).toBe("../../src/generator/ir/facts.schema.json");
      expect(facts).toEqual(factsOf(protocol));
      expect(Object.keys(facts)).toEqual(names);
    }
  });

  it("replace no code that every revision with that row declares", async () => {
    const ranges = new Map<string, boolean>();
    for (const { declarations, replacedCodes } of await revisions()) {
      const codes = new Set(
        declarations.map(
          ({ kind, schema }) => kind === "constant" && constantIn(schema),
        ),
      );
      for (const { from, to, becomes } of replacedCodes) {
        const key = `${from} ${to} ${becomes}`;
        const numbers = Array.from(
          { length: to - from + 1 },
          (_, index) => from + index,
        );
        ranges.set(
          key,
          (ranges.get(key) ?? false) ||
            numbers.some((code) => !codes.has(code)),
        );
      }
    }
    expect([...ranges].filter(([, isUsed]) => !isUsed)).toEqual([]);
  });

  it("name a header only if a message or the transport of the revision uses it", async () => {
    for (const { headers, messages, opening } of await revisions()) {
      const repeated = messages.some(
        (message) =>
          message.kind === "request" && message.headerMember !== null,
      );
      expect(headers.name !== undefined).toBe(repeated);
      expect(
        headers.session !== undefined || headers.resume !== undefined,
      ).toBe(opening === "initialize" && Object.keys(headers).length > 0);
    }
  });
});

describe("the facts of another schema", () => {
  it("are those of the bundled revision with its name, without a note", async () => {
    const { protocol, reports } = await reading(
      { "schema.ts": legacy },
      "2025-03-26",
    );
    expect(reports).toEqual([]);
    expect(protocol?.headers).toEqual({
      session: "Mcp-Session-Id",
      resume: "Last-Event-ID",
    });
    expect(protocol?.primedStreams).toBe(false);
  });

  it("are those of the newest bundled revision with the same opening, with a note for each", async () => {
    const { protocol, reports } = await reading(
      { "schema.ts": legacy },
      "fork-1",
    );
    expect(factsOf(protocol as Protocol)).toEqual(
      factsOf(await revision("2025-11-25")),
    );
    expect(reports).toEqual([
      'MG407 note: the schema does not say which error codes only the prose defines; assumed as in 2025-11-25: RESOURCE_NOT_FOUND -32002\n    hint: write "errors" into a facts.json beside the schema',
      'MG407 note: the schema does not say which HTTP headers the revision has; assumed as in 2025-11-25: MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID\n    hint: write "headers" into a facts.json beside the schema',
      'MG407 note: the schema does not say whether a stream starts with an event id; assumed as in 2025-11-25: it does\n    hint: write "primedStreams" into a facts.json beside the schema',
      'MG407 note: the schema does not say which error codes a server must not send; assumed as in 2025-11-25: -32042, -32022 to -32020\n    hint: write "replacedCodes" into a facts.json beside the schema',
    ]);
  });

  it("are not those of the bundled revision with its name if the schema opens in another way", async () => {
    const { protocol, reports } = await reading(
      { "schema.ts": modern },
      "2025-03-26",
    );
    expect(protocol?.headers).toEqual((await revision("2026-07-28")).headers);
    expect(reports.map((text) => text.slice(0, 11))).toEqual([
      "MG407 note:",
      "MG407 note:",
      "MG407 note:",
    ]);
  });

  it("stay those of its revision if a fork leaves out types", async () => {
    const official = readFileSync("schema/2025-11-25/schema.ts", "utf8");
    const fork = official
      .replaceAll("ToolAnnotations", "Hints")
      .replaceAll("BaseMetadata", "Named");
    const { protocol } = await reading({ "schema.ts": fork }, "2025-11-25");
    expect(protocol?.headers).toEqual((await revision("2025-11-25")).headers);
  });

  it("are those of the facts.json beside it, and the rest is assumed", async () => {
    const facts = JSON.stringify({
      headers: { session: "X-Session" },
      primedStreams: false,
      replacedCodes: [],
    });
    const { protocol, reports } = await reading(
      { "schema.ts": legacy, "facts.json": facts },
      "fork-1",
    );
    expect(protocol).toMatchObject({
      headers: { session: "X-Session" },
      primedStreams: false,
      replacedCodes: [],
      errors: { RESOURCE_NOT_FOUND: -32002 },
    });
    expect(reports).toEqual([
      expect.stringContaining(
        "MG407 note: the schema does not say which error codes",
      ),
    ]);
  });

  it("have the opening of facts.json if the schema implies none", async () => {
    const files = {
      "schema.ts": "export interface X { a: string }",
      "facts.json": '{ "opening": "initialize" }',
    };
    const { protocol, reports } = await reading(files);
    expect(protocol?.opening).toBe("initialize");
    expect(reports.filter((text) => !text.startsWith("MG407"))).toEqual([]);
  });

  it("are found for a folder, by the program and by the library", async () => {
    const place = directory({
      "own/schema.ts": legacy,
      "own/facts.json": '{ "headers": {} }',
    });
    const { code, out } = await mcpgen(["ir", "own/schema.ts"], {
      directory: place,
    });
    expect({ code, headers: (JSON.parse(out) as Protocol).headers }).toEqual({
      code: 0,
      headers: {},
    });
    expect((await readSchema(join(place, "own"))).headers).toEqual({});
  });

  it("apply to a schema.json too", async () => {
    const place = directory({
      "own/schema.json": '{ "definitions": { "X": { "type": "string" } } }',
      "own/facts.json": '{ "opening": "per-request", "headers": {} }',
    });
    expect(await readSchema(join(place, "own"))).toMatchObject({
      opening: "per-request",
      headers: {},
    });
  });
});

describe("a broken facts.json", () => {
  const rows: readonly (readonly [text: string, ...want: string[]])[] = [
    [
      '{\n  "headers": { "session": "a b" }\n}',
      './facts.json:2:27 MG409 found "a b", expected ^[A-Za-z0-9!#$%&\'*+.^_`|~-]+$\n    in headers.session\n    hint: mcpgen/facts.schema.json describes the file',
    ],
    [
      '{ "primedStream": true }',
      './facts.json:1:3 MG409 unknown key "primedStream"\n    hint: did you mean primedStreams?',
    ],
    [
      '{ "headers": { "trace": "X" } }',
      './facts.json:1:16 MG409 unknown key "trace"\n    in headers\n    hint: the keys here are version, session, resume, method, name, param',
    ],
    [
      '{ "primedStreams": "yes" }',
      './facts.json:1:20 MG409 found "yes", expected boolean\n    in primedStreams\n    hint: mcpgen/facts.schema.json describes the file',
    ],
    [
      '{ "errors": { "RESOURCE_NOT_FOUND": 1.5 } }',
      "./facts.json:1:37 MG409 found 1.5, expected integer\n    in errors.RESOURCE_NOT_FOUND\n    hint: mcpgen/facts.schema.json describes the file",
    ],
    [
      '{ "replacedCodes": [{ "from": 1 }] }',
      './facts.json:1:21 MG409 the key "to" is missing\n    in replacedCodes[0]\n    hint: every entry here needs this key',
      './facts.json:1:21 MG409 the key "becomes" is missing\n    in replacedCodes[0]\n    hint: every entry here needs this key',
    ],
    [
      '{ "replacedCodes": [{ "from": 2, "to": 1, "becomes": 0 }] }',
      "./facts.json:1:21 MG409 found a range from 2 to 1, expected the lower code first\n    hint: swap them",
    ],
    [
      "[]",
      "./facts.json:1:1 MG409 found [], expected object\n    hint: mcpgen/facts.schema.json describes the file",
    ],
    [
      "{",
      "./facts.json:1:2 MG201 expected the name of a member, got the end of the text\n    hint: write valid JSON",
    ],
    [
      '{ "headers": {}, "headers": {} }',
      './facts.json:1:18 MG202 the member "headers" is declared twice\n    hint: keep one of them',
    ],
    [
      "",
      "./facts.json:1:1 MG006 the file is empty\n    hint: write a schema into it",
    ],
    [
      '{ "opening": "per-request" }',
      './facts.json:1:14 MG409 found the opening "per-request", expected "initialize": the schema has an initialize request\n    hint: write "initialize", or change the schema',
    ],
  ];

  it.each(rows)("is reported with its position: %s", async (text, ...want) => {
    const { protocol, reports } = await reading(
      { "schema.ts": legacy, "facts.json": text },
      "2025-11-25",
    );
    expect(protocol).toBeNull();
    expect(reports).toEqual(want);
  });

  it("is reported if a schema with metadata on every request has another opening", async () => {
    const { protocol, reports } = await reading({
      "schema.ts": modern,
      "facts.json": '{ "opening": "initialize" }',
    });
    expect(protocol).toBeNull();
    expect(reports[0]).toBe(
      './facts.json:1:14 MG409 found the opening "initialize", expected "per-request": the schema has a protocol version in the metadata of requests\n    hint: write "per-request", or change the schema',
    );
  });

  it("is refused exactly if Ajv rejects it with the published schema", async () => {
    const good = fileOf("2025-11-25");
    let refused = 0;
    for (const [name, value] of Object.entries(good)) {
      const wrong = [
        null,
        7,
        "seven",
        [],
        {},
        { x: 1 },
        [{}],
        value,
        undefined,
      ];
      for (const other of wrong) {
        const facts = { ...good, [name]: other };
        const text = JSON.stringify(facts);
        const isRead =
          (await readFacts(
            { text, file: "facts.json", sha256: "" },
            new Diagnostics(),
          )) !== null;
        expect(isRead, text).toBe(validate(JSON.parse(text)));
        if (!isRead) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(30);
  });

  it("makes the library throw its diagnostics", async () => {
    const place = directory({
      "own/schema.ts": legacy,
      "own/facts.json": "{}}",
    });
    await expect(readSchema(join(place, "own"))).rejects.toThrow(SchemaError);
  });
});

describe("the JSON Schema of facts", () => {
  it("is published as facts.schema.json of the package", () => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
      exports: Record<string, string>;
    };
    expect(
      JSON.parse(readFileSync(exports["./facts.schema.json"] ?? "", "utf8")),
    ).toEqual(schema);
  });

  it("accepts the facts of every bundled revision", async () => {
    const all = await bundled();
    for (const { revision: name } of all) {
      validate(fileOf(name));
      expect(validate.errors).toBeNull();
    }
    expect([...(await bundledFacts(new Diagnostics())).keys()]).toEqual(
      all.map((entry) => entry.revision),
    );
  });
});

describe("files that were generated with a facts.json", () => {
  it("are stale after it is changed or deleted", async () => {
    const place = directory({
      "own/schema.ts": smallSchema,
      "own/facts.json": '{ "headers": {} }',
    });
    const args = ["--schema", "own", "--out", "gen"];
    expect(await mcpgen(args, { directory: place })).toMatchObject({ code: 0 });
    expect(
      await mcpgen([...args, "--check"], { directory: place }),
    ).toMatchObject({ code: 0 });
    put(
      join(place, "own/facts.json"),
      '{ "headers": { "version": "X-Version" } }',
    );
    expect(
      await mcpgen([...args, "--check"], { directory: place }),
    ).toMatchObject({ code: 1 });
    expect(await mcpgen(args, { directory: place })).toMatchObject({ code: 0 });
    expect(readFileSync(join(place, "gen/dispatch.ts"), "utf8")).toContain(
      'version: "X-Version"',
    );
    rmSync(join(place, "own/facts.json"));
    expect(
      await mcpgen([...args, "--check"], { directory: place }),
    ).toMatchObject({ code: 1 });
  });
});
