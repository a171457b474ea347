import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, type Ended, mcpgen } from "./support.js";

async function run(place: string, ...args: string[]): Promise<Ended> {
  return await mcpgen([...args, "--no-color"], { directory: place });
}

/**
 * A server that lists a tool for each capability that the client declares, and
 * asks the client three questions.
 */
const eager = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  let declared = {};
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === "initialize") {
      declared = params.capabilities;
      send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "eager", version: "1" } } });
    } else if (method === "notifications/initialized") {
      if (declared.roots) send({ id: "r", method: "roots/list" });
      if (declared.elicitation) send({ id: "e", method: "elicitation/create", params: { message: "Who?", requestedSchema: { type: "object", properties: {} } } });
      if (declared.sampling) send({ id: "s", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
    } else if (method === "tools/list") {
      const tools = Object.keys(declared).map((name) => ({ name, inputSchema: { type: "object" } }));
      setTimeout(() => send({ id, result: { tools } }), 100);
    } else if (method === undefined) console.error(id, JSON.stringify(result ?? error.code));
    else if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
  });`;

describe("mcpgen pull of a server whose tools depend on the client's capabilities", () => {
  it("declares every client capability, and declines each request of the server", async () => {
    const place = directory({ "eager.cjs": eager });
    const { code, err } = await run(place, "pull", "--stdio", "node eager.cjs");
    expect(code, err).toBe(0);
    const { tools } = JSON.parse(
      readFileSync(join(place, "eager.mcp.json"), "utf8"),
    ) as {
      readonly tools: readonly { readonly name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual([
      "elicitation",
      "roots",
      "sampling",
      "tasks",
    ]);
    expect(err).toContain('r {"roots":[]}\n');
    expect(err).toContain('e {"action":"decline"}\n');
    expect(err).toContain("s -1\n");
    expect(err).not.toContain("MG736");
  });

  const eagerPlace = () => {
    const server = {
      snapshot: "e.mcp.json",
      source: { stdio: "node eager.cjs", capabilities: "none" },
    };
    const place = directory({
      "eager.cjs": eager,
      "mcpgen.config.json": JSON.stringify({ servers: [server] }),
    });
    return place;
  };

  it.each([
    [
      [
        "pull",
        "--stdio",
        "node eager.cjs",
        "--capabilities",
        "none",
        "-o",
        "e.mcp.json",
      ],
    ],
    [["pull"]],
  ])(
    "declares no client capability if a flag or the configuration sets capabilities to none: %j",
    async (args) => {
      const place = eagerPlace();
      expect((await run(place, ...args)).code).toBe(0);
      expect(
        JSON.parse(readFileSync(join(place, "e.mcp.json"), "utf8")),
      ).toMatchObject({ tools: [] });
    },
  );

  it("compares a server with its snapshot by the capabilities of the configuration or of a flag", async () => {
    const place = eagerPlace();
    expect((await run(place, "pull")).code).toBe(0);
    const same = await run(place, "check", "--live");
    expect([same.code, same.err]).toEqual([
      0,
      expect.stringContaining("the server is as in its snapshot"),
    ]);
    const full = await run(place, "check", "--live", "--capabilities", "all");
    expect([full.code, full.err]).toEqual([
      1,
      expect.stringContaining("tool sampling"),
    ]);
  });

  it("requires --live for --capabilities", async () => {
    const idle = await run(eagerPlace(), "check", "--capabilities", "all");
    expect([idle.code, idle.err]).toEqual([
      2,
      expect.stringContaining("--capabilities requires --live"),
    ]);
  });
});

describe("the command of a server that fails to start", () => {
  const starts = `require("node:fs").appendFileSync("starts", "x");`;

  it.each([
    [
      "with an error of its own",
      'console.error("KEY is not set"); process.exit(1);',
      "x",
    ],
    ["without a message", "process.exit(7);", "x"],
    [
      "because it expected another first message",
      'console.error("Error: ExpectedInitializeRequest"); process.exit(1);',
      "xx",
    ],
    [
      "because it ends at the first message",
      'process.stdin.once("data", () => process.exit(0));',
      "xx",
    ],
  ])(
    "is started again only if a legacy server may end that way: %s",
    async (_, text, times) => {
      const place = directory({ "server.cjs": starts + text });
      const { code, err } = await run(
        place,
        "pull",
        "--stdio",
        "node server.cjs",
      );
      expect([code, err]).toEqual([
        3,
        expect.stringMatching(
          /MG730 the server cannot be read: node ended with code \d/,
        ),
      ]);
      expect(readFileSync(join(place, "starts"), "utf8")).toBe(times);
    },
  );
});

describe("mcpgen --check of edited output", () => {
  const quick = ["--version", "2025-06-18", "--emit", "types"];

  it("suggests --force for the edited files, and that command works", async () => {
    const place = directory();
    expect((await run(place, ...quick, "--out", "gen")).code).toBe(0);
    writeFileSync(
      join(place, "gen/types.ts"),
      `${readFileSync(join(place, "gen/types.ts"), "utf8")}export type Mine = 1;\n`,
    );
    const checked = await run(place, ...quick, "--out", "gen", "--check");
    expect([checked.code, checked.err]).toEqual([
      1,
      expect.stringContaining(
        "the output is stale: run the same command with --force instead of --check to overwrite types.ts, or undo the edit\n",
      ),
    ]);
    expect((await run(place, ...quick, "--out", "gen")).err).toContain("MG804");
    expect((await run(place, ...quick, "--out", "gen", "--force")).code).toBe(
      0,
    );
    expect((await run(place, ...quick, "--out", "gen", "--check")).code).toBe(
      0,
    );
  });

  it("suggests the same command without --check if the output is only out of date", async () => {
    const place = directory();
    expect((await run(place, ...quick, "--out", "gen")).code).toBe(0);
    const checked = await run(
      place,
      "--version",
      "2025-03-26",
      "--emit",
      "types",
      "--out",
      "gen",
      "--check",
    );
    expect([checked.code, checked.err]).toEqual([
      1,
      expect.stringContaining(
        "the output is stale: run the same command without --check\n",
      ),
    ]);
  });

  it("suggests mcpgen --force if mcpgen check finds the edit, and that command works", async () => {
    const job = { out: "gen", version: "2025-06-18", emit: ["types"] };
    const place = directory({
      "mcpgen.config.json": JSON.stringify({ generate: [job] }),
    });
    expect((await run(place)).code).toBe(0);
    writeFileSync(join(place, "gen/types.ts"), "export type Mine = 1;\n");
    const checked = await run(place, "check");
    expect([checked.code, checked.err]).toEqual([
      1,
      expect.stringMatching(
        /\nrun mcpgen --force to overwrite gen\/types\.ts, or undo the edit\n$/,
      ),
    ]);
    expect((await run(place, "--force")).code).toBe(0);
    expect((await run(place, "check")).code).toBe(0);
  });
});

describe("the hints of the command line", () => {
  it("suggest a path instead of --schema for diff, which has no such flag", async () => {
    const { code, err } = await run(directory(), "diff", "latest", "nonsense");
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^MG704 unknown revision "nonsense"\n {4}hint: the known revisions are .*; a path has a dot or a slash\n$/,
      ),
    ]);
    const flag = await run(
      directory(),
      "--version",
      "nonsense",
      "--out",
      "gen",
    );
    expect(flag.err).toContain("--schema <path> reads any other schema");
  });

  it("report all missing snapshots together, with the command that pulls them", async () => {
    const names = ["a", "b", "c"];
    const servers = Object.fromEntries(
      names.map((name) => [name, { command: "node", args: [`${name}.mjs`] }]),
    );
    const place = directory({
      ".mcp.json": JSON.stringify({ mcpServers: servers }),
    });
    const init = await run(place, "init", "--yes");
    expect(init.err).toBe(
      "install what is missing:   npm install @mcpgen/runtime && npm install --save-dev mcpgen\n" +
        "mcpgen.config.ts: written\n  a.mcp.json into src/mcp/a\n  b.mcp.json into src/mcp/b\n  c.mcp.json into src/mcp/c\n" +
        "first pull the snapshots:  npx mcpgen pull\nthen generate:             npx mcpgen\n",
    );
    for (const args of [[], ["check"]]) {
      const { code, err } = await run(place, ...args);
      expect([code, err]).toEqual([
        2,
        "MG001 3 snapshots are missing: a.mcp.json, b.mcp.json, c.mcp.json\n    hint: run mcpgen pull first\n",
      ]);
    }
    const json = await run(place, "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      jobs: names.map((name) => ({ ok: false, out: `src/mcp/${name}` })),
    });
    const alone = await run(place, "stubs", "a.mcp.json", "--out", "gen");
    expect(alone.err).toContain("hint: create it first: mcpgen pull ");
  });

  it("list what init wrote in a folder without a server", async () => {
    const place = directory();
    const { code, err } = await run(place, "init", "--yes");
    expect([code, err]).toEqual([
      0,
      "install what is missing:   npm install @mcpgen/runtime && npm install --save-dev mcpgen\nmcpgen.config.ts: written\n" +
        "no server was found in .mcp.json, .cursor/mcp.json, .vscode/mcp.json, .gemini/settings.json, .zed/settings.json, opencode.json, opencode.jsonc, claude_desktop_config.json, so the configuration only has the protocol\n" +
        "  revision all into src/mcp\ngenerate it: npx mcpgen\n",
    ]);
  });

  it("list the parts of stubs in its help and after a wrong --emit", async () => {
    const place = directory();
    const { out } = await run(place, "stubs", "--help");
    expect(out.replace(/\s+/g, " ")).toContain(
      '--emit client, server, tools, adapters, mock, json-schemas; a new folder gets client, and server if the file has no "format" ',
    );
    expect(out).not.toContain("dispatch");
    const refused = await run(
      place,
      "stubs",
      "x.mcp.json",
      "--out",
      "gen",
      "--emit",
      "types",
    );
    expect(refused.err).toContain(
      '--emit must be one of client, server, tools, adapters, mock, json-schemas; found "types"',
    );
  });
});

describe("the hint of an error says what to do about its cause", () => {
  it("also if a server writes a banner instead of a message, and ends", async () => {
    const place = directory({ "banner.cjs": 'console.log("Server started");' });
    const { code, err } = await run(place, "pull", "node banner.cjs");
    expect(code).toBe(3);
    expect(err).toMatch(
      /MG736 warning: the server sent an invalid message: A line is not JSON: .*Server sta[^]*hint: a server should log to the standard error[^]*MG730/,
    );
  });

  it("also if a started server says nothing, without options of the library", async () => {
    const place = directory({ "silent.cjs": "process.stdin.resume();" });
    const command = ["pull", "node silent.cjs", "--timeout", "1"];
    const { code, err } = await run(place, ...command);
    expect(code).toBe(3);
    expect(err).toContain("hint: give it more time with --timeout <seconds>;");
    expect(err).toContain("NODE_EXTRA_CA_CERTS or HTTPS_PROXY, add --env");
    expect(err).not.toMatch(/`\w+`/);
  });

  it.each([
    [429, "the server limits how often it is called"],
    [500, "the address is right, and the server failed"],
    [503, "the address is right, and the server failed"],
    [404, "check that the server is running and that the URL is correct"],
  ])("also if a server answers %i", async (status, hint) => {
    const server = createServer((_, response) =>
      response.writeHead(status).end(),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const url = `http://127.0.0.1:${port}/mcp`;
      const { code, err } = await run(directory(), "pull", url);
      expect([code, err]).toEqual([3, expect.stringContaining(hint)]);
    } finally {
      server.close();
    }
  });

  it.each([
    ["a command without quotes", ["pull", "node", "server.js"]],
    ["a URL without its scheme", ["pull", "localhost:3000/mcp"]],
    ["a name that no file has", ["add", "weather"]],
  ])("also for %s", async (_, words) => {
    const { code, err } = await run(directory(), ...words);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        'a command goes in quotes, such as "node server.js", and a URL begins with http://',
      ),
    ]);
  });

  it.each([
    ["export const servers = 1;", "write ./a.mjs#servers\n"],
    ["export const a = 1, b = 2;", "it exports a, b; write ./a.mjs#name\n"],
    ["", "a program that serves is named as a command in quotes"],
  ])("also for a module with %j", async (text, hint) => {
    const place = directory({ "a.mjs": text });
    const { code, err } = await run(place, "pull", "./a.mjs");
    expect([code, err]).toEqual([2, expect.stringContaining(hint)]);
  });
});
