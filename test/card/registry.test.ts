import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cardFiles } from "../../src/commands/card/card.js";
import { schemas } from "../../src/commands/card/formats.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";
import { root } from "../repository.js";
import { fixture, readText } from "../stubs/project.js";
import { refusedBy, registryFormat } from "./registry.js";

const base = {
  version: "1.2.3",
  mcpName: "io.github.example/weather",
  description: "Tells the weather.",
};
const package_ = { ...base, name: "@example/weather", bin: "main.js" };
const http = { type: "streamable-http", url: "https://example.com/mcp" };
const sse = { type: "sse", url: "https://example.com/sse" };

async function serverOf(manifest: object): Promise<JsonRecord> {
  const { snapshot } = await readText(fixture("weather"));
  if (snapshot === null) throw new Error("The fixture is broken.");
  const { root: scope, list } = new Diagnostics();
  const [server] = cardFiles(snapshot, manifest as JsonRecord, scope);
  expect(list).toEqual([]);
  return server?.content ?? {};
}

describe("server.json", () => {
  it("names the newest format of the registry with a date", () => {
    expect(registryFormat.id).toBe(
      `https://static.modelcontextprotocol.io/schemas/${registryFormat.date}/server.schema.json`,
    );
    expect(schemas.server).toBe(registryFormat.id);
  });

  it.each(["src/commands/card/README.md", "src/commands/card/INSIDE.md"])(
    "has the date of its format on %s",
    (path) => {
      const page = readFileSync(join(root, path), "utf8");
      expect(page).toContain(registryFormat.date);
    },
  );

  it("is checked by the schema as it was published", () => {
    const hash = createHash("sha256").update(registryFormat.text).digest("hex");
    const page = readFileSync(
      join(root, "test/fixtures/registry/README.md"),
      "utf8",
    );
    expect(page).toContain(`\`${hash}\``);
  });

  it.each([
    ["a package", package_],
    ["a package and a URL", { ...package_, mcpRemotes: [http] }],
    ["a URL alone", { ...base, mcpRemotes: [http] }],
    [
      "a private package with a URL",
      { ...package_, private: true, mcpRemotes: http },
    ],
    ["a URL over HTTP+SSE", { ...base, mcpRemotes: [sse] }],
    ["several URLs", { ...base, mcpRemotes: [http, sse] }],
    [
      "a URL with variables and headers",
      {
        ...base,
        mcpRemotes: [
          {
            type: "streamable-http",
            url: "https://{tenant}.example.com/mcp",
            variables: { tenant: { description: "Yours", isRequired: true } },
            headers: [{ name: "X-Key", isSecret: true }],
          },
        ],
      },
    ],
    [
      "a page and a folder of a repository",
      {
        ...package_,
        homepage: "https://example.com",
        repository: {
          url: "git+https://gitlab.com/a/b/c.git",
          directory: "packages/server",
        },
      },
    ],
    [
      "the longest texts",
      { ...package_, version: "1".repeat(255), description: "x".repeat(100) },
    ],
  ])("of %s is what the format accepts", async (_, manifest) => {
    expect(refusedBy(await serverOf(manifest))).toEqual([]);
  });

  it.each([
    ["version", undefined],
    ["name", "weather"],
    ["description", "x".repeat(101)],
    ["packages", [{ registryType: "npm" }]],
    ["remotes", [{ type: "stdio" }]],
    ["websiteUrl", "no URL"],
  ])(
    "would not be accepted with the member %s of the value %j",
    async (member, value) => {
      const server = await serverOf(package_);
      const content = JSON.parse(
        JSON.stringify({ ...server, [member]: value }),
      ) as unknown;
      expect(refusedBy(content)).not.toEqual([]);
    },
  );
});
