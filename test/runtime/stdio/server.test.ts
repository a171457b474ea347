import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { serve } from "@mcpgen/runtime";
import { serveStdio, stdio, StdioServerTransport } from "@mcpgen/runtime/stdio";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connect } from "../../../generated/index.js";
import { bundle } from "../kit/bundle.js";
import { everythingServer } from "../kit/everything.js";
import {
  type AnyContext,
  errorOf,
  info,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  text,
  textOf,
  turns,
} from "../kit/index.js";
import { isWhole } from "../../whole.js";
import { until } from "../kit/watch.js";

const everything = bundle("everything-server");
const hanging = bundle("hanging-server");
const cleaning = bundle("cleaning-server");
const changing = bundle("mortal-server");
const printing = bundle("printing-server");
const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

async function start(
  program: Promise<string>,
  ...args: readonly string[]
): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, [await program, ...args]);
  // A server that ends may leave what it was sent unread.
  child.stdin.on("error", () => {});
  children.push(child);
  return child;
}

/** The lines that a process writes until it ends, and its exit code. */
async function endOf(
  child: ChildProcessWithoutNullStreams,
): Promise<{ lines: Json[]; code: number | null }> {
  let out = "";
  child.stdout
    .setEncoding("utf8")
    .on("data", (chunk) => (out += String(chunk)));
  const code = await new Promise<number | null>((resolve) =>
    child.on("close", resolve),
  );
  const lines = out === "" ? [] : out.replace(/\n$/, "").split("\n");
  return { lines: lines.map((line) => JSON.parse(line) as Json), code };
}

const hello = (id: number, capabilities: Json = {}): string =>
  `${JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: {
      protocolVersion: legacy.revision,
      capabilities,
      clientInfo: info,
    },
  })}\n`;
const call = (id: number, value: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "echo", arguments: { value } } })}\n`;

describe("a server on stdio", () => {
  it("STDIO-09 STDIO-16 answers all requests before the end of input, then ends", async () => {
    const child = await start(everything, legacy.revision);
    const value = "x".repeat(20_000);
    child.stdin.end(
      hello(1) +
        Array.from({ length: 200 }, (_, i) => call(i + 2, value)).join(""),
    );
    const { lines, code } = await endOf(child);
    expect(lines.map(({ id }) => id)).toEqual(
      Array.from({ length: 201 }, (_, i) => i + 1),
    );
    expect(JSON.stringify(lines[200])).toContain(value);
    expect(code).toBe(0);
  });

  it
    .skipIf(process.platform === "win32")
    .each<[string, (child: ChildProcessWithoutNullStreams) => void]>([
      ["the end of input", (child) => child.stdin.end()],
      ["SIGINT while the input is open", (child) => child.kill("SIGINT")],
      ["SIGTERM while the input is open", (child) => child.kill("SIGTERM")],
      [
        "the end of input and SIGTERM at once",
        (child) => child.stdin.end(() => child.kill("SIGTERM")),
      ],
    ])(
    "calls `onEnd` once at %s, while open calls still end, and waits for it (STDIO-09)",
    async (_, end) => {
      const child = await start(cleaning);
      let log = "";
      child.stderr.on("data", (chunk) => (log += String(chunk)));
      const ends = endOf(child);
      child.stdin.write(hello(1));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      child.stdin.write(
        call(2, "0") + call(3, "0").replace("tools/call", "ping"),
      );
      // The call is open once the ping after it is answered.
      await new Promise((resolve) => child.stdout.once("data", resolve));
      end(child);
      const { lines, code } = await ends;
      expect(lines.map(({ id }) => id)).toEqual([1, 3, 2]);
      expect(lines[2]).toMatchObject({ result: text("done") });
      expect(log).toBe("cleanup begins\ncleanup is done\nserved\n");
      expect(code).toBe(0);
    },
  );

  it.each([[], ["false"]])(
    "goes on when its host has closed only stderr, with `console` %j",
    async (...args) => {
      const child = await start(printing, ...args);
      child.stderr.destroy();
      let answered = 0;
      child.stdout.on("data", (chunk) => {
        answered += String(chunk).split('"jsonrpc"').length - 1;
      });
      child.stdin.write(hello(1));
      for (const id of [2, 3, 4]) {
        child.stdin.write(call(id, ""));
        await until(() => expect(answered).toBe(id));
      }
      child.stdin.end();
      const [code] = (await once(child, "exit")) as [number];
      expect(code).toBe(0);
    },
  );

  it.runIf(isWhole)(
    "lets a call that takes longer than a second end after the end of input, and answers it (STDIO-09)",
    async () => {
      const child = await start(cleaning);
      child.stdin.end(hello(1) + call(2, "1200"));
      const { lines, code } = await endOf(child);
      expect(lines[1]).toMatchObject({ id: 2, result: text("done") });
      expect(code).toBe(0);
    },
  );

  it.runIf(isWhole)(
    "STDIO-09 exits although a handler and a timer are still active",
    async () => {
      const child = await start(hanging);
      child.stdin.end(hello(1) + call(2, "x"));
      const { lines, code } = await endOf(child);
      expect(lines.map(({ id }) => id)).toEqual([1]);
      expect(code).toBe(0);
    },
  );

  it("STDIO-03 writes what the console prints to stderr while it serves, and says so once", async () => {
    const child = await start(printing);
    let log = "";
    child.stderr.on("data", (chunk) => (log += String(chunk)));
    let out = "";
    child.stdout.on("data", (chunk) => (out += String(chunk)));
    child.stdin.end(hello(1) + call(2, "x") + call(3, "x"));
    await new Promise((resolve) => child.on("close", resolve));
    const lines = out.trimEnd().split("\n");
    expect(lines.pop()).toBe("after");
    expect(lines.map((line) => (JSON.parse(line) as Json)["id"])).toEqual([
      1, 2, 3,
    ]);
    for (const words of [
      "log 1",
      "info",
      "debug",
      "'dir'",
      "'table'",
      "group",
      "  inside",
      "count: 2",
      "time: ",
    ])
      expect(log).toContain(words);
    expect(
      log.match(/console\.\w+ writes to stderr.*console: false/g),
    ).toHaveLength(1);
    expect(log.match(/^(?:error|warn)$/gm)).toHaveLength(4);
  });

  it("leaves the console as it is with `console: false`", async () => {
    const child = await start(printing, "false");
    let [out, log] = ["", ""];
    child.stdout.on("data", (chunk) => (out += String(chunk)));
    child.stderr.on("data", (chunk) => (log += String(chunk)));
    child.stdin.end(hello(1) + call(2, "x"));
    await new Promise((resolve) => child.on("close", resolve));
    expect(out).toContain("log 1\ninfo\n");
    expect(log.trimEnd().split("\n")).toEqual(["error", "warn"]);
  });

  it
    .skipIf(process.platform === "win32")
    .each<[string, (child: ChildProcessWithoutNullStreams) => void]>([
      ["SIGTERM", (child) => child.kill("SIGTERM")],
      ["the end of input", (child) => child.stdin.end()],
    ])(
    "ends every stream with its result and a cancellation on %s, then the process (SUBS-08, CANC-10, STDIO-09)",
    async (_name, end) => {
      const child = await start(changing, modern.revision);
      const ends = endOf(child);
      const notifications = { toolsListChanged: true };
      const ids = ["a", 2];
      const acknowledged = new Promise<void>((resolve) => {
        let seen = "";
        child.stdout.on("data", (chunk) => {
          seen += String(chunk);
          if (seen.split("\n").length > ids.length) resolve();
        });
      });
      for (const id of ids) {
        const params = { notifications, _meta: metaFor(modern) };
        child.stdin.write(
          `${JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params })}\n`,
        );
      }
      await acknowledged;
      end(child);
      const { lines, code } = await ends;
      const [last, rest] = [
        lines.slice(ids.length),
        lines.slice(0, ids.length),
      ];
      expect(
        rest.every(
          ({ method }) => method === "notifications/subscriptions/acknowledged",
        ),
      ).toBe(true);
      for (const id of ids) {
        const result = last.findIndex((line) => line["id"] === id);
        expect(last[result]).toMatchObject({
          result: { resultType: "complete" },
        });
        const cancelled = last.findIndex(
          ({ params }) => (params as Json | undefined)?.["requestId"] === id,
        );
        expect(last[cancelled]).toMatchObject({
          method: "notifications/cancelled",
        });
        expect(cancelled).toBeGreaterThan(result);
      }
      expect(last).toHaveLength(2 * ids.length);
      expect(code).toBe(0);
    },
  );

  it("STDIO-03 STDIO-06 JRPC-07 answers a line that is not JSON with a parse error, and continues", async () => {
    const child = await start(everything, legacy.revision);
    child.stdin.end(
      `${hello(1)}\r\n{"jsonrpc": \nnull\n\n${call(2, "é\u2028")}`,
    );
    const { lines } = await endOf(child);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatchObject({ error: { code: -32700 } });
    expect(lines[2]).toMatchObject({ error: { code: -32600 } });
    expect(lines[3]).toMatchObject({ id: 2, result: text("é\u2028") });
  });

  it("STDIO-02 reads a last line without a line feed, and drops a byte order mark before the first", async () => {
    const child = await start(everything, legacy.revision);
    child.stdin.end(`\uFEFF${hello(1)}${call(2, "last").trimEnd()}`);
    const { lines, code } = await endOf(child);
    expect(lines).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: text("last") },
    ]);
    expect(code).toBe(0);
  });

  it("STDIO-06 skips blank lines without parsing them", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const input = new PassThrough();
    const messages: unknown[] = [];
    const ended = new Promise<void>((resolve) =>
      new StdioServerTransport({ input, output: new PassThrough() }).start({
        message: (message) => messages.push(message),
        malformed: (error) => messages.push(error),
        ended: resolve,
        closed: () => {},
      }),
    );
    input.end(`${"\n \r\n\t\n".repeat(100_000)}{"a":1}\n`);
    await ended;
    expect(messages).toEqual([{ a: 1 }]);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it("COMPAT-13 serves both eras in one process, with messages in any order", async () => {
    const child = await start(everything, modern.revision, legacy.revision);
    const params = {
      name: "echo",
      arguments: { value: "new" },
      _meta: metaFor(modern),
    };
    const modernCall = JSON.stringify({
      jsonrpc: "2.0",
      id: "m",
      method: "tools/call",
      params,
    });
    child.stdin.end(
      `${modernCall}\n${hello(1)}${call(2, "old")}${modernCall.replace('"m"', '"n"')}\n`,
    );
    const { lines } = await endOf(child);
    const results = new Map(
      lines.map((line) => [line["id"], line["result"] as Json]),
    );
    expect(results.get("m")).toMatchObject({
      resultType: "complete",
      ...text("new"),
    });
    expect(results.get(1)).toMatchObject({ protocolVersion: legacy.revision });
    expect(results.get(2)).toEqual(text("old"));
    expect(results.get("n")).toMatchObject({
      resultType: "complete",
      ...text("new"),
    });
  });

  it("STDIO-04 STDIO-14 COMPAT-10 serves many conversations of one client in one process, and is probed once", async () => {
    const program = stdio(process.execPath, [
      await everything,
      modern.revision,
      legacy.revision,
    ]);
    const sent: Json[] = [];
    const { send } = program;
    program.send = function (message, options) {
      sent.push(message as Json);
      return send.call(this, message, options);
    };
    await using client = await connect(program, { info });
    const calls = Array.from({ length: 20 }, (_, i) =>
      client.callTool({
        name: "echo",
        arguments: { value: `conversation ${i}` },
      }),
    );
    expect(
      new Set(
        (await Promise.all(calls)).map((result) => textOf(result as Json)),
      ).size,
    ).toBe(20);
    expect(
      sent.filter(({ method }) => method === "server/discover"),
    ).toHaveLength(1);
    // STDIO-04: only messages are written to its stdin.
    expect(sent.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  });

  it("keeps running if the client disconnects in the middle of a response", async () => {
    const child = await start(everything, legacy.revision);
    child.stdin.write(hello(1));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdout.destroy();
    child.stdin.end(call(2, "x".repeat(1_000_000)));
    const code = await new Promise<number | null>((resolve) =>
      child.on("exit", resolve),
    );
    expect(code).toBe(0);
  });

  it("STDIO-16 stops reading while its responses are not read, and loses none", async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1000 });
    let started = 0;
    const server = makeServer(legacy.protocol, {
      handlers: {
        "tools/call": () => {
          started++;
          return text("x".repeat(2000));
        },
      },
    });
    const done = serveStdio(server, { input, output });
    input.write(hello(1));
    for (let i = 0; i < 50; i++) {
      input.write(call(i + 2, ""));
      await turns(1);
    }
    const before = started;
    expect(before).toBeLessThan(50);
    expect(input.isPaused()).toBe(true);
    let out = "";
    output.on("data", (chunk) => (out += String(chunk)));
    input.end();
    await done;
    expect(out.trim().split("\n")).toHaveLength(51);
  });

  it("sends all responses before it closes", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = new StdioServerTransport({ input, output });
    const { close, closed } = await serve(
      transport,
      makeServer(legacy.protocol, everythingServer),
    );
    input.write(hello(1));
    await turns();
    await close();
    await closed;
    expect(String(output.read())).toContain(
      `"protocolVersion":"${legacy.revision}"`,
    );
  });

  it("limits the length of a line, and answers with an error above it", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const done = serveStdio(makeServer(modern.protocol), {
      input,
      output,
      limits: { messageBytes: 100 },
    });
    input.end(`${JSON.stringify({ text: "x".repeat(200) })}\n`);
    await done;
    expect(errorOf(JSON.parse(String(output.read())) as Json)).toMatchObject({
      code: -32700,
    });
  });
});

describe.each([
  ["its input breaks", "input"],
  ["its output breaks", "output"],
] as const)("a server over streams of which %s", (_, name) => {
  it("reads text as it reads bytes, and aborts its calls with the cause", async () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    streams.input.setEncoding("utf8");
    let said = "";
    streams.output.on("data", (chunk) => (said += String(chunk)));
    let signal: AbortSignal | undefined;
    const handlers = {
      "tools/call": ({ name: tool }: Json, context: AnyContext) => {
        if (tool !== "wait") return text(String(tool));
        ({ signal } = context);
        return new Promise((resolve) =>
          signal?.addEventListener("abort", resolve),
        );
      },
    };
    const server = makeServer(legacy.protocol, { handlers });
    const served = serveStdio(server, streams);
    const line = (id: number, tool: string): string =>
      `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool } })}\n`;
    streams.input.write(hello(1));
    streams.input.write(line(2, "h\u00e4h"));
    streams.input.write(line(3, "wait"));
    await until(() => signal !== undefined && said.includes("h\u00e4h"));
    const cause = new Error("broken");
    streams[name].destroy(cause);
    await served;
    expect(signal?.reason).toMatchObject({
      name: "TransportError",
      message: "The client disconnected.",
      cause,
    });
  });
});

it("a server rejects its questions, whose answers it can no longer get, once its input ends", async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  let said = "";
  streams.output.on("data", (chunk) => (said += String(chunk)));
  let rejected: unknown;
  const handlers = {
    "tools/call": async (_: Json, { request }: AnyContext) => {
      await request("roots/list").catch((error: unknown) => (rejected = error));
      return text("asked");
    },
  };
  const server = makeServer(legacy.protocol, { handlers });
  const served = serveStdio(server, streams);
  streams.input.write(hello(1, { roots: {} }));
  streams.input.write(
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
  );
  streams.input.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "x" } })}\n`,
  );
  await until(() => said.includes('"roots/list"'));
  streams.input.end();
  await served;
  expect(rejected).toMatchObject({
    name: "TransportError",
    message: "The peer disconnected.",
    mayHaveRun: true,
  });
  expect(said).toContain("asked");
});
