import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "./support.js";

const tool = {
  name: "find_books",
  description: "Finds books by their words.",
  inputSchema: { type: "object", properties: { words: { type: "string", description: "Words" } } },
  annotations: { readOnlyHint: true },
};
const snapshotOf = (tools: readonly object[]): string =>
  JSON.stringify({ server: { name: "library", version: "1" }, revision: "2025-11-25", tools });
const refused = { ...tool, inputSchema: { ...tool.inputSchema, anyOf: [{ required: ["words"] }] } };

describe("mcpgen lint", () => {
  it("exits with 0 for clean tools, and with 1 for what a provider refuses, with the place and the remedy", async () => {
    const place = directory({
      "clean.mcp.json": snapshotOf([tool]),
      "refused.mcp.json": snapshotOf([refused]),
    });
    expect(await mcpgen(["lint", "clean.mcp.json"], { directory: place })).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringMatching(/^1 tool, about \d+ tokens: 0 errors, 0 warnings, 0 notes\n$/),
    });
    const { code, err } = await mcpgen(["lint", "refused.mcp.json", "--no-color"], { directory: place });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^MG913 Anthropic and OpenAI: anyOf is refused at the top\n {4}in inputSchema, in tool find_books\n {4}hint: .*\n1 tool, /,
    );
    const json = await mcpgen(["lint", "refused.mcp.json", "--json"], { directory: place });
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      tools: 1,
      diagnostics: [{ code: "MG913", severity: "error" }],
    });
    const page = await mcpgen(["lint", "refused.mcp.json", "--markdown"], { directory: place });
    expect(page.out).toMatch(/^## 1 tool, about \d+ tokens: 1 error, .*\n\n- \*\*error MG913\*\* /);
  });

  it("counts only the providers, the budget and the rules that the flags name", async () => {
    const place = directory({ "a.mcp.json": snapshotOf([refused]) });
    const lint = async (...args: string[]): Promise<number | null> =>
      (await mcpgen(["lint", "a.mcp.json", ...args], { directory: place })).code;
    expect(await lint("--for", "gemini")).toBe(0);
    expect(await lint("--for", "openai-strict", "--ignore", "MG913,MG916")).toBe(0);
    expect(await lint("--ignore", "MG913 find_books")).toBe(0);
    expect(await lint("--ignore", "MG913 another")).toBe(1);
    expect(await lint("--for", "gemini", "--budget", "10")).toBe(1);
    const unknown = await mcpgen(["lint", "a.mcp.json", "--for", "acme"], { directory: place });
    expect(unknown).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG702 .*"acme"\n {4}hint: the providers are anthropic, /),
    });
    expect((await mcpgen(["lint"], { directory: place })).err).toMatch(/^MG705 no server is given/);
  });

  it("reads a running server, and the servers of the configuration, whose check then fails too", async () => {
    const server = `
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
        if (method === "initialize") send({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "library", version: "1" } } });
        else if (method === "tools/list") send({ result: { tools: [${JSON.stringify(refused)}] } });
        else if (id !== undefined) send({ error: { code: -32601, message: "no" } });
      });`;
    const place = directory({ "server.cjs": server, "a.mcp.json": snapshotOf([refused]) });
    const live = await mcpgen(["lint", "--stdio", "node server.cjs"], { directory: place });
    expect(live).toMatchObject({ code: 1, err: expect.stringContaining("MG913") });
    const config = (lint: object | undefined): string =>
      JSON.stringify({ servers: [{ snapshot: "a.mcp.json" }], lint });
    const own = directory({ "a.mcp.json": snapshotOf([refused]), "mcpgen.config.json": config({}) });
    expect(await mcpgen(["lint"], { directory: own })).toMatchObject({ code: 1 });
    const check = await mcpgen(["check", "--json"], { directory: own });
    expect([check.code, JSON.parse(check.out)]).toMatchObject([
      1,
      { lint: { tools: 1, diagnostics: [{ code: "MG913" }] } },
    ]);
    const page = await mcpgen(["check", "--markdown"], { directory: own });
    expect(page.out).toMatch(/\n## 1 tool, about \d+ tokens: 1 error, .*\n\n- \*\*error MG913\*\* tool find/);
    const ignoring = directory({
      "a.mcp.json": snapshotOf([refused]),
      "mcpgen.config.json": config({ ignore: ["MG913"] }),
    });
    expect(await mcpgen(["check"], { directory: ignoring })).toMatchObject({ code: 0 });
    const without = directory({
      "a.mcp.json": snapshotOf([refused]),
      "mcpgen.config.json": config(undefined),
    });
    expect(await mcpgen(["check"], { directory: without })).toMatchObject({ code: 0 });
  });
});
