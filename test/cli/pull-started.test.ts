import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pull, token } from "./pulling.js";
import { directory, ended, mcpgen, start } from "./support.js";

describe("a server that mcpgen pull starts", () => {
  // Repeats its variables and arguments in its instructions, and prints a line that is not a message.
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
    const stdio = ["--stdio", "node server.cjs --api-key abc123 --mode fast", "--env", "PLACE"];
    const ended = await mcpgen(["pull", "--no-color", ...stdio], {
      directory: place,
      environment: { PLACE: "here" },
    });
    expect([ended.code, ended.err]).toEqual([3, expect.stringContaining("MG737")]);
    expect(ended.err).toMatch(/^starting "node" "server.cjs" "--api-key" "…" "--mode" "fast"\n/);
    const open = ["--stdio", "node server.cjs", "--env", "PLACE"];
    const again = await mcpgen(["pull", "--no-color", ...open], {
      directory: place,
      environment: { PLACE: "local" },
    });
    expect([again.code, again.err]).toEqual([
      0,
      expect.stringContaining("MG736 warning: the server sent an invalid message"),
    ]);
    expect(readFileSync(join(place, "server-con.mcp.json"), "utf8")).toContain('"instructions": "local  ');
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
      const { code, err } = await pull(place, "--stdio", "node open.cjs", "-o", "open.mcp.json", ...args);
      expect(code, err).toBe(0);
      const snapshot: unknown = JSON.parse(readFileSync(join(place, "open.mcp.json"), "utf8"));
      return JSON.parse((snapshot as { readonly instructions: string }).instructions);
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
          args: ["../server.cjs", "${MODE:-slow}"],
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
      expect.stringContaining('starting "node" "../server.cjs" "${MODE:-slow}"'),
    ]);
    expect(readFileSync(join(place, "x.json"), "utf8")).toContain('"here 1234 sub slow"');
    const named = await pull(place, "--config", ".mcp.json#local", "-o", "y.json");
    expect(named.code, named.err).toBe(0);
  });

  it.each([
    ["unset", "MG735", "the environment variable NOWHERE is not set"],
    ["locl", "MG705", "did you mean local?"],
    ["broken", "MG734", 'it has neither a "command" nor a "url"'],
    ["nowhere.json#local", "MG705", "use --url <url> or --stdio <command>"],
  ])("is reported if its entry is missing or cannot be used: %s", async (name, code, words) => {
    const { code: exit, err } = await pull(directory(config), "--config", name);
    expect([exit, err]).toEqual([2, expect.stringContaining(code)]);
    expect(err).toContain(words);
  });

  it("leaves no file if it never answers and the run is interrupted", async () => {
    const place = directory({ "mute.cjs": "process.stdin.resume(); console.error('up');" });
    const child = start(["pull", "--stdio", "node mute.cjs", "-o", "x.json"], { directory: place });
    const result = ended(child);
    // Only once, because a second interrupt kills the process before it can end.
    const onText = (text: Buffer): void => {
      if (!/^up$/m.test(text.toString())) return;
      child.stderr?.off("data", onText);
      child.kill("SIGINT");
    };
    child.stderr?.on("data", onText);
    expect(await result).toMatchObject({ code: 130 });
    expect(existsSync(join(place, "x.json"))).toBe(false);
  });
});
