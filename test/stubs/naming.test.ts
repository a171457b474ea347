import { describe, expect, it } from "vitest";
import { stubParts } from "../../src/generator/stubs/parts.js";
import { compile } from "../view/compile.js";
import { project, snapshotOf } from "./project.js";

describe("the name of a server in its project", () => {
  it.each([
    ["weather", "Weather"],
    ["weather-server", "Weather"],
    ["weather-mcp-server", "Weather"],
    ["WeatherServer", "Weather"],
    ["mcp-servers/everything", "Everything"],
    ["secure-filesystem-server", "SecureFilesystem"],
    ["Server of Time", "OfTime"],
    ["mcp", "Mcp"],
    ["mcp-server", "Server"],
    ["漢字", "漢字"],
    ["🎉", "Mcp"],
    ["7 seas", "_7Seas"],
    ["then", "Then"],
  ])(
    "leaves out words such as mcp and server: %s becomes %s",
    async (name, stem) => {
      const { files } = await project(
        snapshotOf({ server: { name, version: "1.0.0" } }),
      );
      expect(files.get("server.ts")).toContain(
        `export function create${stem}Server(`,
      );
      expect(files.get("client.ts")).toContain(
        `export function create${stem}Client(`,
      );
    },
  );
});

const object = { type: "object", properties: { a: { type: "string" } } };

/** A schema whose definitions have these names. */
const referring = (definitions: readonly string[]): object => ({
  type: "object",
  properties: Object.fromEntries(
    definitions.map((part, i) => [`p${i}`, { $ref: `#/$defs/${part}` }]),
  ),
  $defs: Object.fromEntries(definitions.map((part) => [part, object])),
});

describe("the names that the index file of a project exports", () => {
  const tool = (name: string, definitions: readonly string[]): object => ({
    name,
    inputSchema: referring(definitions),
    outputSchema: object,
  });
  const suffixes = [
    "Schema",
    "JsonSchema",
    "SchemaSchema",
    "JsonSchemaSchema",
    "SchemaJsonSchema",
  ];
  const long = "x".repeat(40);

  it.each([
    ["end like those of its validators", "weather", suffixes],
    ["end like those of its own JSON Schemas", "weather", ["JsonSchema"]],
    [
      "begin like a guard",
      "is",
      ["is", "Input", "InputSchema", "OutputSchema"],
    ],
    [
      "are longer than an identifier may be",
      long,
      [long, `${long}2`, ...suffixes],
    ],
  ])(
    "are distinct if definitions of tools %s",
    async (_, name, definitions) => {
      const tools = [
        tool(name, definitions),
        tool(`is-${name}`, definitions),
        tool(`${name}-input`, ["Schema"]),
      ];
      const { files } = await project(snapshotOf({ tools }), {
        emit: ["client", "json-schemas"],
      });
      expect(compile(files)).toEqual([]);
    },
  );
});

describe("the names of a project that begin with that of its server", () => {
  /** The files of a server whose name is that of the arguments of its tool. */
  const files = async (definitions: readonly string[]) =>
    (
      await project(
        snapshotOf({
          server: { name: "say-input", version: "1.0.0" },
          capabilities: busy,
          tools: [{ name: "say", inputSchema: referring(definitions) }],
          prompts: [{ name: "ask" }],
          resources: [{ name: "home", uri: "a:b" }],
          resourceTemplates: [{ name: "page", uriTemplate: "a:{page}" }],
        }),
        { emit: stubParts },
      )
    ).all;
  const busy = {
    completions: {},
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    tools: { listChanged: true },
  };

  it("are none of a type of its tools, whatever the definitions of these are called", async () => {
    const exported = async (definitions: readonly string[]) =>
      [...(await files(definitions)).values()].flatMap((text) =>
        [...text.matchAll(/^export (?:type|interface) SayInput(\w+)/gm)].map(
          ([, suffix = ""]) => suffix,
        ),
      );
    const own = await exported([]);
    expect(own).toContain("Client");
    const all = await exported(own);
    expect(all).toHaveLength(2 * own.length);
    expect(new Set(all).size).toBe(all.length);
  });
});
