import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { bundle } from "../../kit/bundle.js";
import { info, legacy } from "../../kit/index.js";
import { body, head, Raw, usual } from "../kit/raw.js";
import { result, Script } from "../kit/script.js";

/**
 * Of the heap, 64 MB, and of the bytes, which are fewer than a limit allows.
 */
const scale = Math.min(4, Number(process.env["MCPGEN_SOAK"] ?? 1));
/** The number of small chunks. */
const count = 600_000 * scale;
const program = bundle("small-chunks");
const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

/**
 * Starts a process with a heap of so many megabytes. `said` has what it has
 * written so far.
 */
async function start(heap: number, ...args: readonly (string | number)[]) {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heap}`, await program, ...args.map(String)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.push(child);
  const run = {
    said: "",
    child,
    code: once(child, "close").then(([code]) => code as number | null),
  };
  child.stdout
    .setEncoding("utf8")
    .on("data", (text) => (run.said += String(text)));
  return run;
}

const spaces = Buffer.from("1\r\n \r\n".repeat(10_000));

describe("text in chunks of one byte", () => {
  it("HTTP-21 does not fill the memory of an HTTP server", async () => {
    const run = await start(64 * scale, "server");
    await once(run.child.stdout as NodeJS.ReadableStream, "data");
    const port = Number(/port (\d+)/.exec(run.said)?.[1]);
    const attack = async (): Promise<Raw> => {
      const raw = new Raw(port).write(
        head([...usual, "Transfer-Encoding: chunked"]),
      );
      for (let sent = 0; sent < count && !raw.closed; sent += 10_000)
        if (!raw.socket.write(spaces))
          await Promise.race([once(raw.socket, "drain"), raw.ended]);
      return raw;
    };
    const attackers = await Promise.all([attack(), attack()]);
    for (const raw of attackers) {
      raw.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
      await raw.until(/\r\n\r\n[^]*\}/);
      expect(raw.statuses).toEqual([200]);
      raw.socket.destroy();
    }
  });

  it.each([
    ["a JSON body", 64 * scale, "application/json", " ", "", ""],
    [
      "the lines of an event",
      24 * scale,
      "text/event-stream",
      "data:\n",
      "data:",
      "\n\n",
    ],
  ])(
    "does not fill the memory of an HTTP client, as %s",
    async (_, heap, type, filler, first, last) => {
      const chunk = (one: string): string =>
        `${Buffer.byteLength(one).toString(16)}\r\n${one}\r\n`;
      const part = Buffer.from(chunk(filler).repeat(10_000));
      const flood = async (
        response: ServerResponse,
        text: string,
      ): Promise<void> => {
        response.writeHead(200, {
          "content-type": type,
          "mcp-session-id": "s",
          connection: "close",
        });
        response.flushHeaders();
        const { socket } = response;
        if (!socket) return;
        socket.on("error", () => {});
        for (let sent = 0; sent < count && !socket.destroyed; sent += 10_000)
          if (!socket.write(part))
            await Promise.race([once(socket, "drain"), once(socket, "close")]);
        socket.end(`${chunk(first + text + last)}0\r\n\r\n`);
      };
      const script = await Script.open((seen, response) => {
        const { facts } = legacy;
        if (seen.body?.["method"] !== "initialize")
          return void response.writeHead(seen.body ? 202 : 405).end();
        const answer = {
          protocolVersion: facts.revision,
          capabilities: {},
          serverInfo: info,
        };
        void flood(response, JSON.stringify(result(seen, answer)));
      });
      const run = await start(heap, "client", script.url);
      expect(await run.code).toBe(0);
      expect(run.said).toBe("connected\n");
    },
  );

  it.each([
    ["of a web server", 28 * scale, "web", count, /"result":/],
    ["of a stdio peer", 64 * scale, "stdio", count, /"initialize"/],
    [
      "of a client that reads the documents of an authorization server",
      28,
      "auth",
      261_000,
      /"initialize"/,
    ],
    [
      "of a server that reads the documents of an authorization server",
      28,
      "issuer",
      261_000,
      /"initialize"/,
    ],
  ])("does not fill the memory %s", async (_, heap, way, size, expected) => {
    const run = await start(heap, way, size);
    expect(await run.code).toBe(0);
    expect(run.said).toMatch(expected);
  });
});
