import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pull, token } from "./pulling.js";
import { directory, ended, mcpgen, start } from "./support.js";

describe("a server that mcpgen pull starts", () => {
  // Repeats its variables and arguments in its instructions, and prints a line
  // that is not a message.
  const program = `
    const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    console.log("Server is listening ${token}");
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "initialize") answer(id, {
        protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "con", version: "1" },
        instructions: [process.env.PLACE, process.env.GIVEN, process.cwd().split("/").at(-1), ...process.argv.slice(2)].join(" "),
      });
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
    });`;
  const files = { "server.cjs": program, "sub/.env": 'GIVEN="1234"\n' };

  it("gets the variables that --env names, after its command is printed without secrets", async () => {
    const place = directory(files);
    const stdio = [
      "--stdio",
      "node server.cjs --api-key abc123 --mode fast",
      "--env",
      "PLACE",
    ];
    const ended = await mcpgen(["pull", "--no-color", ...stdio], {
      directory: place,
      environment: { PLACE: "here" },
    });
    expect([ended.code, ended.err]).toEqual([
      3,
      expect.stringContaining("MG737"),
    ]);
    expect(ended.err).toMatch(
      /^starting "node" "server.cjs" "--api-key" "…" "--mode" "fast"\n/,
    );
    const open = ["--stdio", "node server.cjs", "--env", "PLACE"];
    const again = await mcpgen(["pull", "--no-color", ...open], {
      directory: place,
      environment: { PLACE: "local" },
    });
    expect([again.code, again.err]).toEqual([
      0,
      expect.stringContaining(
        "MG736 warning: the server sent an invalid message",
      ),
    ]);
    expect(readFileSync(join(place, "server-con.mcp.json"), "utf8")).toContain(
      '"instructions": "local  ',
    );
  });

  it("is named once for what it writes besides messages, with the number of the lines", async () => {
    const place = directory({
      "noisy.cjs": program.replace(
        /(console\.log\("Server.*?;)/,
        "$1 $1 console.log(5);",
      ),
    });
    const { code, err } = await mcpgen(
      ["pull", "--no-color", "--stdio", "node noisy.cjs", "--json"],
      {
        directory: place,
        environment: {},
      },
    );
    expect(code, err).toBe(0);
    expect(err.match(/the server sent an invalid message: .*/g)).toEqual([
      expect.stringMatching(/: A line is not JSON: .*, and 2 more like it$/),
    ]);
  });

  it("is blamed for it, since the person who calls it may not be its author", async () => {
    const place = directory({
      "noisy.cjs": program.replace(
        /(console\.log\("Server.*?;)/,
        "$1 console.error('a\\tb\\nc');",
      ),
    });
    const { code, err } = await pull(place, "--stdio", "node noisy.cjs");
    expect(code, err).toBe(0);
    expect(err).toContain(
      "    hint: a server should log to the standard error: tell its author\n",
    );
    // What it writes there has a mark.
    expect(err).toMatch(/^\| a\tb\n\| c$/m);
  });

  it("receives every client capability, and none with --capabilities none", async () => {
    const open = `
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        const answer = (rest) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
        if (method === "initialize") answer({ result: {
          protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "open", version: "1" },
          instructions: JSON.stringify(params.capabilities),
        } });
        else if (id !== undefined) answer({ error: { code: -32601, message: "no" } });
      });`;
    const place = directory({ "open.cjs": open });
    const declared = async (...args: string[]): Promise<unknown> => {
      const { code, err } = await pull(
        place,
        "--stdio",
        "node open.cjs",
        "-o",
        "open.mcp.json",
        ...args,
      );
      expect(code, err).toBe(0);
      const snapshot: unknown = JSON.parse(
        readFileSync(join(place, "open.mcp.json"), "utf8"),
      );
      return JSON.parse(
        (snapshot as { readonly instructions: string }).instructions,
      );
    };
    expect(await declared()).toMatchObject({
      elicitation: { form: {}, url: {} },
      roots: { listChanged: true },
      sampling: { tools: {} },
    });
    expect(await declared("--capabilities", "none")).toEqual({});
  });

  const config = {
    ".mcp.json": JSON.stringify({
      mcpServers: {
        local: {
          command: "node",
          args: ["../server.cjs", "${PACE:-slow}"],
          cwd: "sub",
          envFile: "sub/.env",
          env: { PLACE: "here" },
        },
        unset: { command: "node", args: ["${NOWHERE}"] },
        broken: {},
      },
    }),
  };

  it("is found by its name in a client's configuration file", async () => {
    const place = directory({ ...files, ...config });
    const result = await pull(place, "--config", "local", "-o", "x.json");
    expect([result.code, result.err]).toEqual([
      0,
      expect.stringContaining(
        'starting "node" "../server.cjs" "${PACE:-slow}"',
      ),
    ]);
    expect(readFileSync(join(place, "x.json"), "utf8")).toContain(
      '"here 1234 sub slow"',
    );
    const named = await pull(
      place,
      "--config",
      ".mcp.json#local",
      "-o",
      "y.json",
    );
    expect(named.code, named.err).toBe(0);
  });

  it.each([
    ["unset", "MG735", "the environment variable NOWHERE is not set"],
    ["locl", "MG705", "did you mean local?"],
    ["broken", "MG734", 'it has neither a "command" nor a "url"'],
    ["nowhere.json#local", "MG705", "a command goes in quotes"],
  ])(
    "is reported if its entry is missing or cannot be used: %s",
    async (name, code, words) => {
      const { code: exit, err } = await pull(
        directory(config),
        "--config",
        name,
      );
      expect([exit, err]).toEqual([2, expect.stringContaining(code)]);
      expect(err).toContain(words);
    },
  );

  it("leaves no file if it never answers and the run is interrupted", async () => {
    const place = directory({
      "mute.cjs": "process.stdin.resume(); console.error('up');",
    });
    const child = start(["pull", "--stdio", "node mute.cjs", "-o", "x.json"], {
      directory: place,
    });
    const result = ended(child);
    // Only once, because a second interrupt kills the process before it can
    // end.
    const onText = (text: Buffer): void => {
      if (!/^\| up$/m.test(text.toString())) return;
      child.stderr?.off("data", onText);
      child.kill("SIGINT");
    };
    child.stderr?.on("data", onText);
    expect(await result).toMatchObject({ code: 130 });
    expect(existsSync(join(place, "x.json"))).toBe(false);
  });
});

describe("a server of an older revision whose lists have faults", () => {
  const open = { type: "object", properties: { any: true, none: false } };
  const tools = [
    { name: "open", inputSchema: open },
    { name: "bad\u001b[2J", inputSchema: null },
    {
      name: "untitled",
      title: null,
      inputSchema: { type: "object", required: null },
    },
  ];
  const program = `
    const lists = { "tools/list": { tools: ${JSON.stringify(tools)} }, "prompts/list": { prompts: [{}, { name: "p" }] } };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const answer = (rest) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
      if (method === "initialize") answer({ result: {
        protocolVersion: "2025-06-18", capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: "faulty", version: "1" },
      } });
      else if (method in lists) answer({ result: lists[method] });
      else if (method === "tools/call") answer({ result: { content: [{ type: "text", text: "called " + params.name }] } });
      else if (id !== undefined) answer({ error: { code: -32601, message: "Method not found" } });
    });`;
  const warnings = [
    String.raw`MG736 warning: tools/list: tools[1] "bad\u001b[2J" is left out: inputSchema: expected an object, got null.`,
    `MG736 warning: tools/list: tools[2] "untitled": title is null and is read as absent.`,
    `MG736 warning: tools/list: tools[2] "untitled": inputSchema.required is null and is read as absent.`,
  ];
  const ofOthers = [
    "MG736 warning: prompts/list: prompts[0] is left out: name: expected a string, got nothing.",
    "MG736 warning: The server declares resources, but does not implement resources/list.",
  ];
  const place = (): string => directory({ "server.cjs": program });
  const server = ["--stdio", "node server.cjs"] as const;

  it("is pulled without the entries that cannot be read, with a warning that names each", async () => {
    const folder = place();
    const { code, err } = await pull(
      folder,
      ...server,
      "-o",
      "faulty.mcp.json",
    );
    expect(code, err).toBe(0);
    for (const warning of [...warnings, ...ofOthers])
      expect(err).toContain(warning);
    const snapshot: unknown = JSON.parse(
      readFileSync(join(folder, "faulty.mcp.json"), "utf8"),
    );
    expect(snapshot).toMatchObject({
      tools: [
        {
          name: "open",
          inputSchema: { properties: { any: {}, none: { not: {} } } },
        },
        { name: "untitled", inputSchema: { type: "object" } },
      ],
      prompts: [{ name: "p" }],
      resources: [],
    });
  });

  it("gets stubs and can be called", async () => {
    const folder = place();
    const stubs = await mcpgen(
      ["stubs", "--no-color", ...server, "--out", "gen"],
      { directory: folder },
    );
    expect(stubs.code, stubs.err).toBe(0);
    expect(stubs.err).toContain(warnings[0]);
    expect(readFileSync(join(folder, "gen/client.ts"), "utf8")).toContain(
      "untitled",
    );
    const call = await mcpgen(
      ["call", "--no-color", ...server, "open", "--arg", "any=1"],
      {
        directory: folder,
      },
    );
    expect(call.code, call.err).toBe(0);
    expect(call.out).toContain("called open");
    expect(call.err).toContain(warnings[0]);
  });
});
