import { isSessionError, McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  clientWire,
  failure,
  join,
  type Json,
  metaFor,
  revisions,
} from "../kit/index.js";
import { where } from "../kit/where.js";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe.each(revisions)("a client of $revision", (one) => {
  const { facts, isModern } = one;

  it("VERS-06 META-03 META-08 sends the _meta that the revision requires, with the members of the caller", async () => {
    const { client, wire } = await clientWire(one, {
      handlers: { "roots/list": () => ({ roots: [] }) },
    });
    const _meta = { traceparent, "example.com/mine": { kept: true } };
    const calls = [
      client.callTool({ name: "x", _meta }),
      client.listTools({ _meta }),
      client.callTool({ name: "x" }),
    ];
    for (const call of calls) call.catch(() => {});
    const [called, listed, bare] = (await wire.rest()).map(
      ({ params }) => (params as Json)["_meta"],
    );
    const ours = isModern ? metaFor(one, { roots: {} }) : undefined;
    expect(called).toEqual({ ..._meta, ...ours });
    expect(listed).toEqual({ ..._meta, ...ours });
    expect(bare).toEqual(ours);
    await client.close();
  });

  it("COMP-04 sends the other arguments of a completion", async () => {
    const { client, wire } = await clientWire(one);
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "b", value: "" },
      context: { arguments: { a: "1" } },
    };
    client.complete(params).catch(() => {});
    expect((await wire.next())["params"]).toMatchObject(params);
    await client.close();
  });

  it("COMP-02 PAGE-04 COMP-03 sends a handler's McpError to the client unchanged", async () => {
    const refuse = (): never => {
      throw new McpError(
        facts.errors["INVALID_PARAMS"] as number,
        "no such cursor",
        { cursor: "x" },
      );
    };
    const handlers = { "tools/list": refuse, "completion/complete": refuse };
    const { client } = await join(one.protocol, { server: { handlers } });
    const expected = {
      name: "McpError",
      code: -32602,
      message: "no such cursor",
      data: { cursor: "x" },
    };
    expect(await failure(client.listTools({ cursor: "x" }))).toMatchObject(
      expected,
    );
    const params = {
      ref: { type: "ref/prompt", name: "?" },
      argument: { name: "a", value: "" },
    };
    expect(await failure(client.complete(params))).toMatchObject(expected);
  });

  it("PAGE-01 PAGE-02 PAGE-03 reads pages of any size, and sends cursors unchanged", async () => {
    const { client, wire } = await clientWire(one);
    const names: unknown[] = [];
    const reading = (async () => {
      for await (const { name } of client.tools({ _meta: { "x/y": 1 } }))
        names.push(name);
    })();
    const tool = (name: string): Json => ({
      name,
      inputSchema: { type: "object" },
    });
    const cursors = ["", "é =\u0000", '{"n":1}'];
    const pages = [[tool("a")], [], [tool("b"), tool("c")], [tool("d")]];
    for (const [i, tools] of pages.entries()) {
      const rest = { ttlMs: 0, cacheScope: "private", resultType: "complete" };
      const request = await wire.answer({
        tools,
        ...rest,
        ...(i < 3 && { nextCursor: cursors[i] }),
      });
      const params = request["params"] as Json;
      expect(params["cursor"]).toBe(i === 0 ? undefined : cursors[i - 1]);
      expect(params["_meta"]).toMatchObject({ "x/y": 1 });
    }
    await reading;
    expect(names).toEqual(["a", "b", "c", "d"]);
    expect(await wire.rest()).toEqual([]);
  });

  it.each([
    ["sends the same page and cursor again", ["A c", "A c"], "A"],
    ["sends the same cursor with another page", ["A c", "B c"], "AB"],
    ["always sends an empty cursor", ["AB ", "AB "], "AB"],
    ["sends an empty cursor before the last page", ["A ", "B"], "AB"],
    ["sends the cursors in a circle", ["A 1", "B 2", "A 1"], "ABA"],
    ["sends the same page under another cursor", ["A 1", "A 2", "B"], "AB"],
    ["sends no items and the same cursor", [" c", " c"], ""],
  ])(
    "PAGE-05 ends a list with one warning if a server %s",
    async (_, pages, names) => {
      const warnings: string[] = [];
      const { client, wire } = await clientWire(one, {
        onWarning: (warning) => warnings.push(warning),
      });
      const reading = (async () => {
        let read = "";
        for await (const { name } of client.tools()) read += name;
        return read;
      })();
      for (const page of pages) {
        const [letters = "", nextCursor] = page.split(" ");
        const tools = [...letters].map((name) => ({
          name,
          inputSchema: { type: "object" },
        }));
        const rest = {
          ttlMs: 0,
          cacheScope: "private",
          resultType: "complete",
        };
        await wire.answer({
          tools,
          ...rest,
          ...(nextCursor !== undefined && { nextCursor }),
        });
      }
      expect(await reading).toBe(names);
      const isCircle = pages.at(-1)?.includes(" ");
      expect(warnings).toEqual(
        isCircle
          ? [
              "tools/list: the server returned the same cursor twice, so the list ends here. It may be incomplete.",
            ]
          : [],
      );
      expect(await wire.rest()).toEqual([]);
    },
  );

  it("PAGE-05 rejects too many pages", async () => {
    const { client, wire } = await clientWire(one);
    const rest = {
      ttlMs: 0,
      cacheScope: "private",
      resultType: "complete",
      tools: [],
    };
    const read = async (options?: Json): Promise<void> => {
      for await (const tool of client.tools(undefined, options)) void tool;
    };
    const long = failure(read({ maxPages: 3 }));
    for (let i = 0; i < 3; i++)
      await wire.answer({ ...rest, nextCursor: String(i) });
    const error = await long;
    expect(isSessionError(error) && error.reason).toBe("pages");
    expect(error.message).toContain("more than 3 pages");
  });

  const gone = async () => {
    const { client, wire } = await clientWire(one);
    const rest = { ttlMs: 0, cacheScope: "private", resultType: "complete" };
    const tool = { name: "a", inputSchema: { type: "object" } };
    const reject = async (): Promise<void> => {
      const { id, params } = await wire.next();
      expect((params as Json)["cursor"]).toBe("gone");
      wire.send({
        jsonrpc: "2.0",
        id,
        error: { code: -32602, message: "no such cursor" },
      });
    };
    const read = async (): Promise<unknown[]> => {
      const names: unknown[] = [];
      for await (const { name } of client.tools()) names.push(name);
      return names;
    };
    return { client, wire, rest, tool, reject, read };
  };
  const late = {
    name: "SessionError",
    reason: "pages",
    cause: { code: -32602 },
  };

  it("reads a list once again from the start if the server rejects its own cursor before the first item", async () => {
    const { wire, rest, tool, reject, read } = await gone();
    const reading = read();
    await wire.answer({ ...rest, tools: [], nextCursor: "gone" });
    await reject();
    const again = await wire.answer({ ...rest, tools: [tool] });
    expect(Object.keys((again["params"] ?? {}) as Json)).not.toContain(
      "cursor",
    );
    expect(await reading).toEqual(["a"]);
  });

  it("fails if the server rejects its own cursor twice", async () => {
    const { wire, rest, reject, read } = await gone();
    const twice = failure(read());
    for (let i = 0; i < 2; i++) {
      await wire.answer({ ...rest, tools: [], nextCursor: "gone" });
      await reject();
    }
    expect(await twice).toMatchObject(late);
  });

  it("fails if the server rejects its own cursor after the first item", async () => {
    const { wire, rest, tool, reject, read } = await gone();
    const given = failure(read());
    await wire.answer({ ...rest, tools: [tool], nextCursor: "gone" });
    await reject();
    const error = await given;
    expect(error).toMatchObject(late);
    expect(error.message).toContain("Read it again from the start.");
    expect(await wire.rest()).toEqual([]);
  });

  it.each(where(facts.wellKnown.ping))(
    "PING-01 PING-02 PING-03 sends a ping only if the caller requests one",
    async () => {
      const { client, wire } = await clientWire(one);
      expect(await wire.rest()).toEqual([]);
      const pinging = client.ping?.();
      expect(await wire.answer({})).toMatchObject({ method: "ping" });
      expect(await pinging).toEqual({});
      expect((await failure(client.ping?.({}, { timeout: 5 }))).name).toBe(
        "TimeoutError",
      );
    },
  );

  it("COMPAT-20 rejects with the code of older servers for a missing resource", async () => {
    const { client, wire } = await clientWire(one);
    const reading = failure(client.readResource({ uri: "a:b" }));
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32002, message: "not found", data: { uri: "a:b" } },
    });
    expect(await reading).toMatchObject({ code: -32002, data: { uri: "a:b" } });
  });
});
