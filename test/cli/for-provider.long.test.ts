import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "./support.js";

const inputSchema = {
  type: "object",
  properties: { words: { type: "string" } },
};
const snapshot = JSON.stringify({
  format: 1,
  server: { name: "library", version: "1" },
  revision: "2025-11-25",
  capabilities: {},
  tools: [{ name: "find.books", inputSchema }],
});
const stubs = (...flags: string[]): string[] => [
  "stubs",
  "a.mcp.json",
  "--out",
  "out",
  ...flags,
];

describe("mcpgen stubs --for", () => {
  it("writes tools for a provider, and others when the flag or the configuration names another one", async () => {
    const servers = [
      { snapshot: "a.mcp.json", out: "out", emit: ["tools"], for: "openai" },
    ];
    const place = directory({
      "a.mcp.json": snapshot,
      "mcpgen.config.json": JSON.stringify({ servers }),
    });
    const tools = (): string =>
      readFileSync(join(place, "out/tools.ts"), "utf8");
    const strict = await mcpgen(
      stubs("--emit", "tools", "--for", "openai-strict"),
      { directory: place },
    );
    expect(strict.code).toBe(0);
    expect(tools()).toMatch(/name: "find_books"[^]*required: \["words"\]/);
    expect(await mcpgen([], { directory: place })).toMatchObject({ code: 0 });
    expect(tools()).toContain('name: "find_books"');
    expect(tools()).not.toContain("required:");
    expect(await mcpgen(["check"], { directory: place })).toMatchObject({
      code: 0,
    });
  });

  it("refuses an unknown provider, and a project without tools", async () => {
    const place = directory({ "a.mcp.json": snapshot });
    const run = async (...flags: string[]): Promise<string> =>
      (await mcpgen(stubs(...flags, "--no-color"), { directory: place })).err;
    expect(await run("--emit", "tools", "--for", "acme")).toMatch(
      /^MG702 --for must be one of anthropic, .*; found "acme"/,
    );
    expect(await run("--emit", "client", "--for", "gemini")).toMatch(
      /^MG705 --for requires the part tools/,
    );
  });
});
