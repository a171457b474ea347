import { describe, expect, it } from "vitest";
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

describe("the names that the index file of a project exports", () => {
  const object = { type: "object", properties: { a: { type: "string" } } };
  /** A tool whose definitions have these names. */
  const tool = (name: string, definitions: readonly string[]): object => ({
    name,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        definitions.map((part, i) => [`p${i}`, { $ref: `#/$defs/${part}` }]),
      ),
      $defs: Object.fromEntries(definitions.map((part) => [part, object])),
    },
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
