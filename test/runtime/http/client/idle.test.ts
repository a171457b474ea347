import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { failure, legacy } from "../../kit/index.js";
import { call, done, open, opening } from "../kit/client.js";
import {
  open as openModern,
  opening as openingModern,
} from "../kit/client-modern.js";
import {
  type Answer,
  cached,
  json,
  legacyScript,
  paramsOf,
  result,
  Script,
} from "../kit/script.js";
import { until } from "../../kit/watch.js";
import { isWhole } from "../../../whole.js";

/**
 * A server that breaks each connection at its second request, after it wrote
 * some text.
 */
async function breaking(
  script: Script,
  methods: readonly string[],
  written = "",
): Promise<void> {
  const { answer } = script;
  if (script.methods[0] === "initialize")
    await (
      await script.until(({ method }) => method === "GET")
    ).cut;
  const used = new WeakSet<Socket>();
  script.answer = (seen, response, count) => {
    const { socket } = response;
    const isReused = socket !== null && used.has(socket);
    if (socket) used.add(socket);
    if (!isReused || !methods.includes(String(seen.body?.["method"])))
      return answer(seen, response, count);
    socket.end(written);
  };
}

const lists: Answer = (seen, response) => {
  const method = seen.body?.["method"];
  const value =
    method === "tools/list"
      ? { tools: [] }
      : method === "resources/read"
        ? { contents: [] }
        : {};
  json(response, result(seen, method === "tools/call" ? done : value));
};

describe("an idle connection of a client over HTTP", () => {
  it("that the server closed costs no list, read or ping, which is sent once more", async () => {
    const script = await opening(lists);
    const safe = ["tools/list", "resources/read", "ping"];
    const client = await open(script);
    await breaking(script, safe);
    await client.callTool(call);
    expect(await client.listTools()).toEqual({ tools: [] });
    expect(await client.readResource({ uri: "a://b" })).toEqual({
      contents: [],
    });
    await client["ping"]?.();
    expect(
      script.methods.filter((method) => safe.includes(method)),
    ).toHaveLength(6);
  });

  it("that the server closed costs no list of the modern era", async () => {
    const script = await openingModern((seen, response) => {
      json(response, result(seen, { tools: [], ...cached }));
    });
    const client = await openModern(script);
    await breaking(script, ["tools/list"]);
    for (let i = 0; i < 3; i++)
      expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(
      script.methods.filter((method) => method === "tools/list"),
    ).toHaveLength(5);
  });

  it("that the server closed rejects the call of a tool, which may not have run and is not sent again", async () => {
    const script = await opening(lists);
    const client = await open(script);
    await breaking(script, ["tools/call"]);
    await client.listTools();
    const error = await failure(client.callTool(call));
    expect(error).toMatchObject({ name: "TransportError", isRetryable: true });
    expect(error.message).toBe(
      "The server closed the connection, which was idle before, when the request was sent. The request may not have run.",
    );
    expect(
      script.methods.filter((method) => method === "tools/call"),
    ).toHaveLength(1);
    expect(await client.callTool(call)).toEqual(done);
  });

  it("that broke within an answer rejects the call of a tool, which may have run and is not sent again", async () => {
    const script = await opening(lists);
    const client = await open(script);
    await breaking(script, ["tools/call"], "HTTP/1.1 200 OK\r\n");
    await client.listTools();
    const error = await failure(client.callTool(call));
    expect(error).toMatchObject({
      name: "TransportError",
      isRetryable: false,
      mayHaveRun: true,
    });
    expect(
      script.methods.filter((method) => method === "tools/call"),
    ).toHaveLength(1);
  });

  it.runIf(isWhole)(
    "is closed before the server closes it: one second before the announced time, or after four",
    async () => {
      const closed: string[] = [];
      const waiting: (() => void)[] = [];
      const names = ["60", "none", "2", "1"];
      const calls: Answer = (seen, response) => {
        const name = String(paramsOf(seen)["name"]);
        if (name !== "none")
          response.setHeader("keep-alive", `timeout=${name}`);
        response.socket?.on("end", () => closed.push(name));
        // Each call has a connection of its own.
        waiting.push(() => json(response, result(seen, done)));
        if (waiting.length === names.length)
          for (const answer of waiting) answer();
      };
      const script = await Script.open(legacyScript(legacy.revision, calls), {
        keepAliveTimeout: 0,
      });
      const client = await open(script);
      await Promise.all(names.map((name) => client.callTool({ name })));
      await until(() => expect(closed).toEqual(["1", "2", "none"]));
    },
  );
});

it.each([
  [1000, 3],
  [60_000, 1],
])(
  "a client over HTTP keeps no idle connection that its server closes within a second: of a server that closes them after %i ms it uses %i for three calls",
  async (keepAliveTimeout, count) => {
    const sockets = new Set<unknown>();
    const script = await Script.open(
      legacyScript(legacy.revision, (seen, response) => {
        if (seen.method === "POST") sockets.add(response.socket);
        json(response, result(seen, done));
      }),
      { keepAliveTimeout },
    );
    const client = await open(script);
    for (let i = 0; i < 3; i++) await client.callTool(call);
    expect(sockets.size).toBe(count);
  },
);
