import { memoryPair, serve } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { createServers } from "../../../generated/index.js";
import {
  failure,
  info,
  type Json,
  makeClient,
  makeServer,
  metaFor,
  modern,
  resultOf,
  revisions,
  serveWire,
} from "../kit/index.js";
import { wired } from "./kit.js";

describe("createServers", () => {
  describe("omits members that a revision does not have, and keeps members that no revision has", () => {
    const tool = {
      name: "t",
      title: "T",
      inputSchema: { type: "object" as const },
      outputSchema: { type: "object" as const },
    };
    const result = {
      content: [{ type: "text" as const, text: "1" }],
      structuredContent: { n: 1 },
      isError: false,
      mine: { kept: true },
    };
    const open = () =>
      createServers({
        info,
        handlers: {
          "tools/call": () => result,
          "tools/list": () => ({ tools: [tool, tool] }),
        },
      });
    it.each(revisions)(
      "at $revision",
      async ({ revision, protocol, isModern }) => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(serverTransport, open());
        const client = await makeClient(protocol, clientTransport);
        const called = await client.callTool({ name: "t" });
        const [listed] = (await client.listTools())["tools"] as readonly Json[];
        const has = revision >= "2025-06-18";
        expect(Object.hasOwn(called, "structuredContent"), revision).toBe(has);
        expect(called).toMatchObject({
          content: result.content,
          isError: false,
          mine: { kept: true },
        });
        expect(
          Object.keys(listed as Json).includes("outputSchema"),
          revision,
        ).toBe(has);
        expect(Object.keys(listed as Json).includes("title"), revision).toBe(
          has,
        );
        expect(called["resultType"]).toBe(isModern ? "complete" : undefined);
        await client.close();
      },
    );

    it.each(revisions)(
      "without a change of the objects of the handler at $revision",
      async ({ protocol }) => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(serverTransport, open());
        const client = await makeClient(protocol, clientTransport);
        await client.callTool({ name: "t" });
        await client.listTools();
        expect(Object.keys(result)).toEqual([
          "content",
          "structuredContent",
          "isError",
          "mine",
        ]);
        expect(Object.keys(tool)).toEqual([
          "name",
          "title",
          "inputSchema",
          "outputSchema",
        ]);
        await client.close();
      },
    );
  });

  it("LIFE-12 LIFE-13 LIFE-14 gives the same answers on every connection", async () => {
    const servers = createServers({
      info,
      handlers: { "tools/list": () => ({ tools: [] }) },
    });
    const lists: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const wire = await serveWire(servers);
      lists.push(
        resultOf(await wire.ask(1, "tools/list", { _meta: metaFor(modern) })),
      );
    }
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  it("rejects a handler for a method that no revision has", () => {
    const handlers = { "tools/cal": () => ({}) };
    expect(() => createServers({ info, handlers: handlers as never })).toThrow(
      /tools\/cal/,
    );
    expect(() =>
      makeServer(modern.protocol, {
        handlers: { "resources/subscribe": () => ({}) },
      }),
    ).toThrow(/resources\/subscribe.*2026-07-28/);
  });
});

describe("tables of another format", () => {
  it("are rejected with an error that names both versions", async () => {
    const { clientSide } = modern.protocol;
    const revision = { ...clientSide.revision, format: 2 };
    const { openClient } = await import("@mcpgen/runtime");
    const { clientTransport } = wired();
    const error = await failure(
      openClient({ ...clientSide, revision } as never, clientTransport, {
        info,
      }),
    );
    expect(error.message).toMatch(/format 2.*format 1/);
  });
});
