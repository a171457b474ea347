import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put } from "../files.js";
import { revisions } from "../repository.js";
import { directory, mcpgen, smallSchema } from "./support.js";

const hello = {
  protocolVersion: "2025-03-26",
  capabilities: {},
  clientInfo: { name: "c", version: "1" },
};
const welcome = {
  protocolVersion: "2025-03-26",
  capabilities: {},
  serverInfo: { name: "s", version: "1" },
};

/** Checks messages, one per line, against a revision. */
async function validate(
  revision: string,
  messages: readonly unknown[],
  flags: readonly string[] = [],
): Promise<{ code: number | null; lines: string[]; err: string }> {
  const at = directory();
  const input = messages
    .map((message) =>
      typeof message === "string" ? message : JSON.stringify(message),
    )
    .join("\n");
  const { code, out, err } = await mcpgen(["validate", revision, ...flags], {
    directory: at,
    input,
  });
  return { code, lines: out === "" ? [] : out.trimEnd().split("\n"), err };
}

const request = (id: unknown, method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const result = (id: unknown, value: unknown) => ({
  jsonrpc: "2.0",
  id,
  result: value,
});
const notification = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  method,
  params,
});

describe("mcpgen validate", () => {
  it("exits with 0 and prints nothing for a valid conversation with requests of both sides", async () => {
    const { code, lines, err } = await validate("2025-03-26", [
      request(1, "initialize", hello),
      result(1, welcome),
      notification("notifications/initialized"),
      "",
      request(2, "tools/call", { name: "echo" }),
      // The server sends a request with the same id while the client's request
      // is open.
      request(2, "roots/list"),
      result(2, { roots: [{ uri: "file:///a" }] }),
      result(2, { content: [{ type: "text", text: "hi" }] }),
      [
        request("a", "ping"),
        notification("notifications/cancelled", { requestId: 9 }),
      ],
      result("a", {}),
      request(3, "prompts/list"),
      { jsonrpc: "2.0", id: 3, error: { code: -32601, message: "no prompts" } },
    ]);
    expect(lines).toEqual([]);
    expect(code).toBe(0);
    expect(err).toBe("11 messages checked against 2025-03-26: all valid\n");
  });

  it("reports the line, the message, the path and the expected value of each issue", async () => {
    const { code, lines, err } = await validate("2025-03-26", [
      request(1, "tools/call", { name: "echo" }),
      result(1, { content: [{ type: "text", text: "hi" }, { type: "video" }] }),
      request(2, "tools/call", {}),
      notification("notifications/progress", { progressToken: 1 }),
    ]);
    expect(lines).toEqual([
      'line 2: tools/call result: content[1].type: expected "text", "image", "audio" or "resource", got "video"',
      "line 3: tools/call: params.name: expected a string, got nothing",
      "line 4: notifications/progress: params.progress: expected a number, got nothing",
    ]);
    expect(code).toBe(1);
    expect(err).toBe("4 messages checked against 2025-03-26: 3 invalid\n");
  });

  it("reports lines that are not messages of the revision", async () => {
    const { lines } = await validate("2025-06-18", [
      "{broken",
      "42",
      request(1, "tools/cal"),
      notification("notifications/tools/list_change"),
      result(77, {}),
      { jsonrpc: "2.0", id: 78, error: { code: 1, message: "m" } },
      [request(2, "ping")],
      { jsonrpc: "1.0", id: 3, method: "ping" },
      request(null, "ping"),
      request(1.5, "ping"),
      { jsonrpc: "2.0", id: 4, result: {}, error: {} },
    ]);
    expect(lines).toEqual([
      expect.stringMatching(/^line 1: it is not JSON: /),
      "line 2: a message must be an object",
      'line 3: "tools/cal" is not a request of 2025-06-18; did you mean tools/call?',
      'line 4: "notifications/tools/list_change" is not a notification of 2025-06-18; did you mean notifications/tools/list_changed?',
      "line 5: the result answers 77, but no earlier request has that id",
      "line 6: the error answers 78, but no earlier request has that id",
      "line 7: this revision has no batches",
      'line 8: "jsonrpc" must be "2.0"',
      "line 9: the id of a request must be a string or an integer",
      "line 10: the id of a request must be a string or an integer",
      "line 11: a response must have a result or an error, not both",
    ]);
  });

  it("rejects a request on the wire that the revision only sends inside a result", async () => {
    const { lines } = await validate("2026-07-28", [
      request(1, "roots/list", {}),
    ]);
    expect(lines).toEqual([
      "line 1: roots/list: is embedded in a result in this revision and is not a JSON-RPC message",
    ]);
  });

  it("accepts every type of result that a request may have", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = (id: number) =>
      request(id, "tools/call", { name: "x", _meta: meta });
    const { lines } = await validate("2026-07-28", [
      call(1),
      result(1, { resultType: "complete", content: [] }),
      call(2),
      result(2, { resultType: "input_required", requestState: "s" }),
      call(3),
      result(3, { resultType: "complete" }),
    ]);
    expect(lines).toEqual([
      expect.stringMatching(/^line 6: tools\/call result: content: expected /),
    ]);
  });

  it.each(["2025-06-18", "2026-07-28"])(
    "reports each result that is no object, and goes on: %s",
    async (revision) => {
      const results = [null, 7, "text", true, []];
      const { code, lines } = await validate(
        revision,
        results.flatMap((value, id) => [
          request(id, "tools/call", { name: "a" }),
          result(id, value),
        ]),
      );
      const about = lines.filter((line) => line.includes("result"));
      expect(about.map((line) => line.replace(/:.*, got/, ": got"))).toEqual([
        "line 2: got null",
        "line 4: got 7",
        'line 6: got "text"',
        "line 8: got true",
        "line 10: got an array",
      ]);
      expect(code).toBe(1);
    },
  );

  it("checks every line as one type with --type", async () => {
    const { code, lines } = await validate(
      "2025-11-25",
      [{ name: "a", inputSchema: { type: "object" } }, { name: "b" }, []],
      ["--type", "Tool"],
    );
    expect(code).toBe(1);
    expect(lines).toEqual([
      "line 2: Tool: inputSchema: expected an object, got nothing",
      "line 3: Tool: expected an object, got an array",
    ]);
  });

  it("prints one JSON object per issue with --json", async () => {
    const { lines } = await validate(
      "2025-03-26",
      [request(1, "tools/call", {})],
      ["--json", "--quiet"],
    );
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        line: 1,
        place: "tools/call",
        message: "params.name: expected a string, got nothing",
        path: ["params", "name"],
      },
    ]);
  });

  it("checks messages against an unknown schema, and leaves no temporary file", async () => {
    const at = directory({ "small.ts": smallSchema });
    // Other tests use the folder of this process at the same time.
    const temporary = directory();
    const environment = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
    const input = `${JSON.stringify(request(1, "greet/ask", {}))}\n`;
    const { code, out } = await mcpgen(["validate", "./small.ts", "-"], {
      directory: at,
      input,
      environment,
    });
    expect({ code, out }).toEqual({
      code: 1,
      out: "line 1: greet/ask: params.name: expected a string, got nothing\n",
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("checks a file of 200,000 messages in 40 MB of memory, and finds the invalid one", async () => {
    const at = directory();
    const lines: string[] = [];
    for (let id = 0; id < 100_000; id++) {
      lines.push(
        JSON.stringify(request(id, "ping")),
        JSON.stringify(result(id, {})),
      );
    }
    lines[150_001] = JSON.stringify(result(75_000, []));
    put(join(at, "long.jsonl"), `${lines.join("\n")}\n`);
    const { code, out, err } = await mcpgen(
      ["validate", "2025-03-26", "long.jsonl"],
      {
        directory: at,
        environment: { NODE_OPTIONS: "--max-old-space-size=40" },
      },
    );
    expect(out).toBe(
      "line 150002: ping result: expected an object, got an array\n",
    );
    // A run of more than five seconds prints how far it is.
    expect(err).toMatch(
      /(^|\n)200000 messages checked against 2025-03-26: 1 invalid\n$/,
    );
    expect(code).toBe(1);
  });

  it("escapes control characters of the input", async () => {
    const { lines } = await validate("2025-03-26", [
      request(1, "x\u001b[31m\u202e\u0085y"),
      request(2, "tools/call", { name: { "\u001b]0;title\u0007": 1 } }),
    ]);
    expect(lines.join("")).not.toMatch(/\p{C}/u);
    expect(lines[0]).toContain("is not a request of 2025-03-26");
  });

  it("reports a line that is not UTF-8, and continues with the next line", async () => {
    const at = directory();
    const ping = JSON.stringify(request(1, "ping"));
    writeFileSync(
      join(at, "x.jsonl"),
      Buffer.from(`"\xff"\n${ping}\n42\n`, "latin1"),
    );
    const { code, out } = await mcpgen(["validate", "2025-03-26", "x.jsonl"], {
      directory: at,
    });
    expect({ code, out }).toEqual({
      code: 1,
      out: "line 1: it is not valid UTF-8\nline 3: a message must be an object\n",
    });
  });

  it("accepts an empty file, and reports a missing file and a directory", async () => {
    const at = directory();
    const { code, out } = await mcpgen(
      ["validate", "2025-03-26", "broken.jsonl"],
      {
        directory: directory({ "broken.jsonl": "" }),
      },
    );
    expect({ code, out }).toEqual({ code: 0, out: "" });
    const child = mcpgen(["validate", "2025-03-26", "none.jsonl"], {
      directory: at,
    });
    expect(await child).toMatchObject({
      code: 2,
      err: "MG720 cannot read none.jsonl: no such file or directory (ENOENT)\n    hint: use a file of messages, or - for the standard input\n",
    });
    expect(
      (await mcpgen(["validate", "2025-03-26", "."], { directory: at })).err,
    ).toMatch(/it is a directory/);
  });

  for (const revision of revisions) {
    it(`includes the validators of ${revision}`, async () => {
      expect(
        (
          await validate(
            revision,
            [{ name: "a", inputSchema: { type: "object" } }],
            ["--type", "Tool"],
          )
        ).code,
      ).toBe(0);
    });
  }
});
