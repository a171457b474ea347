import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "./support.js";

const tool = {
  name: "find_books",
  description: "Finds books by their words.",
  inputSchema: {
    type: "object",
    properties: { words: { type: "string", description: "Words" } },
  },
  annotations: { readOnlyHint: true },
};
const snapshotOf = (tools: readonly object[]): string =>
  JSON.stringify({
    server: { name: "library", version: "1" },
    revision: "2025-11-25",
    tools,
  });
const refused = {
  ...tool,
  inputSchema: {
    ...tool.inputSchema,
    anyOf: [{ properties: { words: {} }, required: ["words"] }],
  },
};

describe("mcpgen lint", () => {
  const two = () =>
    directory({
      "clean.mcp.json": snapshotOf([tool]),
      "refused.mcp.json": snapshotOf([refused]),
    });

  it("prints the same advice for several rows once", async () => {
    const place = directory({
      "two.mcp.json": snapshotOf([refused, { ...refused, name: "other" }]),
    });
    const { err } = await mcpgen(["lint", "two.mcp.json"], {
      directory: place,
    });
    expect(err.match(/^MG913/gm)).toHaveLength(2);
    expect(err.match(/hint: write one object/g)).toHaveLength(1);
  });

  it("tells what it found in the order of the files, of which a later one has the name of an earlier one", async () => {
    const files = Object.fromEntries(
      ["b", "c", "a"].map((server) => [
        `${server}.mcp.json`,
        snapshotOf([refused]).replace("library", server),
      ]),
    );
    const words = ["lint", ...Object.keys(files)];
    const { err } = await mcpgen(words, { directory: directory(files) });
    const told = err.matchAll(/^(MG913|MG904 warning: \w).*\n.* server (\w)/gm);
    expect([...told].map(([, row, server]) => [row, server])).toEqual([
      ["MG913", "b"],
      ["MG913", "c"],
      ["MG913", "a"],
      ["MG904 warning: b", "c"],
      ["MG904 warning: b", "a"],
    ]);
  });

  it("exits with 0 for clean tools", async () => {
    const place = two();
    expect(
      await mcpgen(["lint", "clean.mcp.json"], { directory: place }),
    ).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringMatching(
        /^1 tool, about \d+ tokens: 0 errors, 0 warnings, 0 notes\n$/,
      ),
    });
  });

  it("exits with 1 for what a provider refuses, with the place and the remedy", async () => {
    const place = two();
    const { code, err } = await mcpgen(
      ["lint", "refused.mcp.json", "--no-color"],
      { directory: place },
    );
    expect(code).toBe(1);
    expect(err).toMatch(
      /^MG913 Anthropic and OpenAI: anyOf is refused at the top\n {4}in inputSchema, in tool find_books\n {4}hint: .*\n1 tool, /,
    );
  });

  it("prints what a provider refuses as JSON and Markdown", async () => {
    const place = two();
    const json = await mcpgen(["lint", "refused.mcp.json", "--json"], {
      directory: place,
    });
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      tools: 1,
      diagnostics: [{ code: "MG913", severity: "error" }],
    });
    const page = await mcpgen(["lint", "refused.mcp.json", "--markdown"], {
      directory: place,
    });
    expect(page.out).toMatch(
      /^## 1 tool, about \d+ tokens: 1 error, .*\n\n- \*\*error MG913\*\* /,
    );
    // What the Markdown says is not said again.
    expect(page.err).not.toContain("MG913");
  });

  it.each([
    [["--for", "gemini"], 0],
    [["--for", "openai-strict", "--ignore", "MG913,MG916"], 0],
    [["--ignore", "MG913 find_books"], 0],
    [["--ignore", "MG913 another"], 1],
    [["--for", "gemini", "--budget", "10"], 1],
  ])(
    "counts only the providers, the budget and the rules that the flags %j name, and exits with %i",
    async (args, code) => {
      const place = directory({ "a.mcp.json": snapshotOf([refused]) });
      expect(
        await mcpgen(["lint", "a.mcp.json", ...args], { directory: place }),
      ).toMatchObject({ code });
    },
  );

  it("names the providers if a flag names an unknown one", async () => {
    const place = directory({ "a.mcp.json": snapshotOf([refused]) });
    const unknown = await mcpgen(["lint", "a.mcp.json", "--for", "acme"], {
      directory: place,
    });
    expect(unknown).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG702 --for must be one of anthropic, .*; found "acme"/,
      ),
    });
  });

  it.each(["0", "-1", "1.5", "x"])("refuses the budget %s", async (budget) => {
    const place = directory({ "a.mcp.json": snapshotOf([tool]) });
    expect(
      await mcpgen(["lint", "a.mcp.json", `--budget=${budget}`], {
        directory: place,
      }),
    ).toMatchObject({
      code: 2,
      err: "MG702 --budget must be a number of tokens\n    hint: for example --budget 5000\n",
    });
  });

  it("runs no code of a configuration for files, and reads the settings of one in JSON", async () => {
    const files = {
      "a.mcp.json": snapshotOf([refused]),
      "b.mcp.json": snapshotOf([tool]),
    };
    const code = directory({
      ...files,
      "mcpgen.config.ts": 'throw new Error("run");',
    });
    const settings = directory({
      ...files,
      "mcpgen.config.json": JSON.stringify({ lint: { ignore: ["MG913"] } }),
    });
    const codeOf = async (place: string, ...words: string[]) =>
      (await mcpgen(["lint", ...words], { directory: place })).code;
    expect(await codeOf(code, "b.mcp.json")).toBe(0);
    expect(await codeOf(code, "b.mcp.json", "a.mcp.json")).toBe(1);
    expect(await codeOf(code)).toBe(2);
    expect(await codeOf(code, "b.mcp.json", "other")).toBe(2);
    expect(await codeOf(settings, "a.mcp.json")).toBe(0);
  });

  it("runs the code of a configuration if it names no file of a server, or something else", async () => {
    const place = directory({
      "b.mcp.json": snapshotOf([tool]),
      "mcpgen.config.ts": 'throw new Error("it ran");',
    });
    for (const words of [[], ["b.mcp.json", "other"]])
      expect(
        (await mcpgen(["lint", ...words], { directory: place })).err,
      ).toContain("it ran");
  });

  it("says once what the reader of a server says of its schemas", async () => {
    const pattern = { type: "string", pattern: "(", description: "Words" };
    const inputSchema = { type: "object", properties: { words: pattern } };
    const place = directory({
      "a.mcp.json": snapshotOf([{ ...tool, inputSchema }]),
    });
    const { err } = await mcpgen(["lint", "a.mcp.json"], { directory: place });
    expect(err.match(/\bMG30[567]\b/g)).toHaveLength(1);
  });

  it("takes a budget of one token", async () => {
    const place = directory({ "a.mcp.json": snapshotOf([tool]) });
    const { err } = await mcpgen(["lint", "a.mcp.json", "--budget=1"], {
      directory: place,
    });
    expect(err).toMatch(/^MG941 /);
  });

  it("says that no server is given", async () => {
    expect((await mcpgen(["lint"], { directory: directory() })).err).toMatch(
      /^MG705 no server is given/,
    );
  });

  it("reads a running server", async () => {
    const server = `
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
        if (method === "initialize") send({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "library", version: "1" } } });
        else if (method === "tools/list") send({ result: { tools: [${JSON.stringify(refused)}] } });
        else if (id !== undefined) send({ error: { code: -32601, message: "no" } });
      });`;
    const place = directory({
      "server.cjs": server,
      "a.mcp.json": snapshotOf([refused]),
    });
    const live = await mcpgen(["lint", "--stdio", "node server.cjs"], {
      directory: place,
    });
    expect(live).toMatchObject({
      code: 1,
      err: expect.stringContaining("MG913"),
    });
  });

  describe("of the servers of the configuration", () => {
    const config = (lint: object | undefined): string =>
      JSON.stringify({ servers: [{ snapshot: "a.mcp.json" }], lint });
    const configured = (lint: object | undefined) =>
      directory({
        "a.mcp.json": snapshotOf([refused]),
        "mcpgen.config.json": config(lint),
      });

    it("fails, and so does their check", async () => {
      const own = configured({});
      expect(await mcpgen(["lint"], { directory: own })).toMatchObject({
        code: 1,
      });
      const check = await mcpgen(["check", "--json"], { directory: own });
      expect([check.code, JSON.parse(check.out)]).toMatchObject([
        1,
        { lint: { tools: 1, diagnostics: [{ code: "MG913" }] } },
      ]);
      const page = await mcpgen(["check", "--markdown"], { directory: own });
      expect(page.out).toMatch(
        /\n## 1 tool, about \d+ tokens: 1 error, .*\n\n- \*\*error MG913\*\* tool find/,
      );
      expect(page.err).not.toContain("MG913");
    });

    it.each([{ ignore: ["MG913"] }, undefined])(
      "is left out of their check with the option %j",
      async (lint) => {
        expect(
          await mcpgen(["check"], { directory: configured(lint) }),
        ).toMatchObject({ code: 0 });
      },
    );
  });
});
