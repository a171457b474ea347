import { isSessionError, McpError, memoryPair, serve } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  type AnyHandlers,
  clientWire,
  errorOf,
  failure,
  join,
  type Json,
  legacyRevisions,
  makeClient,
  makeServer,
  serveWire,
  shakeHands,
  text,
  textOf,
  turns,
} from "../kit/index.js";
import { carelessly } from "../kit/careless.js";
import { where } from "../kit/where.js";

describe.each(legacyRevisions)("the client's features in $revision", (one) => {
  const { protocol, revision } = one;
  const hears = (method: string): boolean =>
    Object.hasOwn(protocol.clientQuestions.incomingRequests, method);
  const since = (date: string): boolean => revision >= date;
  const outcomeOf = async (
    handlers: AnyHandlers,
    method: string,
    params: Json,
    capabilities: Json = {},
  ): Promise<string> => {
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": async (_, { request }) => {
            const answer = request(method, params);
            return text(
              await answer.then(
                JSON.stringify,
                (error: Error) => `${error.name}: ${error.message}`,
              ),
            );
          },
        },
      },
      client: { handlers, capabilities },
    });
    return textOf(await client.callTool({ name: "x" }));
  };
  const block = { type: "text", text: "hi" };
  const sampled = (content: unknown): Json => ({
    role: "assistant",
    content,
    model: "none",
  });
  const sample = { messages: [], maxTokens: 9 };

  it("SAMP-08 may return one block, and several blocks only in revisions that allow them", async () => {
    const one = { "sampling/createMessage": () => sampled(block) };
    expect(
      JSON.parse(await outcomeOf(one, "sampling/createMessage", sample)),
    ).toEqual(sampled(block));
    const many = { "sampling/createMessage": () => sampled([block, block]) };
    const answer = await carelessly(protocol.clientQuestions, () =>
      outcomeOf(many, "sampling/createMessage", sample),
    );
    if (since("2025-11-25"))
      expect(JSON.parse(answer)).toEqual(sampled([block, block]));
    else
      expect(answer).toMatch(
        /^ValidationError: sampling\/createMessage result: content/,
      );
  });

  const tools = [{ name: "t", inputSchema: { type: "object" } }];
  const asking = { "sampling/createMessage": () => sampled(block) };
  it.each(
    where(since("2025-11-25")).flatMap(() => [
      { tools },
      { toolChoice: {} },
      { includeContext: "thisServer" },
    ]),
  )(
    "SAMP-04 SAMP-06 get no sampling request with %j, which was not declared",
    async (more) => {
      const outcome = await outcomeOf(asking, "sampling/createMessage", {
        ...sample,
        ...more,
      });
      expect(outcome).toMatch(/^SessionError: /);
    },
  );

  it.each(where(since("2025-11-25")))(
    "SAMP-04 SAMP-06 get a sampling request with tools or context that were declared",
    async () => {
      const handlers = asking;
      expect(
        await outcomeOf(handlers, "sampling/createMessage", {
          ...sample,
          includeContext: "none",
        }),
      ).toMatch(/^\{/);
      const declared = { sampling: { tools: {}, context: {} } };
      const params = { ...sample, tools, includeContext: "allServers" };
      expect(
        await outcomeOf(handlers, "sampling/createMessage", params, declared),
      ).toMatch(/^\{/);
    },
  );

  it.each(where(since("2025-11-25")))(
    "SAMP-04 ELIC-02 include a -32602 response to a request beyond the declared capabilities",
    async () => {
      const { wire } = await clientWire(one, {
        handlers: {
          "sampling/createMessage": () => sampled(block),
          "elicitation/create": () => ({ action: "cancel" }),
        },
      });
      const url = {
        mode: "url",
        message: "?",
        url: "https://x.y",
        elicitationId: "1",
      };
      expect(
        errorOf(
          await wire.ask(1, "sampling/createMessage", {
            ...sample,
            toolChoice: {},
          }),
        )["code"],
      ).toBe(-32602);
      expect(
        errorOf(await wire.ask(2, "elicitation/create", url))["code"],
      ).toBe(-32602);
    },
  );

  it.each(where(hears("elicitation/create")))(
    "ELIC-03 include a form if an elicitation has no mode",
    async () => {
      const requestedSchema = { type: "object", properties: {} };
      const handlers = {
        "elicitation/create": (params: Json) => ({
          action: "accept",
          content: { mode: `${String(params["mode"])}` },
        }),
      };
      const params = { message: "?", requestedSchema };
      expect(await outcomeOf(handlers, "elicitation/create", params)).toContain(
        '"mode":"undefined"',
      );
    },
  );

  it.each(
    where(hears("notifications/elicitation/complete") || since("2025-11-25")),
  )(
    "ELIC-10 ELIC-11 receive the pages to open in an error, and a notification when one is complete",
    async () => {
      const done: unknown[] = [];
      const elicitations = [
        { mode: "url", message: "?", url: "https://x.y", elicitationId: "1" },
      ];
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": () => {
            throw new McpError(-32042, "open these first", { elicitations });
          },
        },
      });
      const open = async (capabilities: Json): Promise<AnyClient> => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(serverTransport, server);
        const handlers = {
          "notifications/elicitation/complete": (params: Json) =>
            void done.push(params),
        };
        return makeClient(protocol, clientTransport, {
          handlers,
          capabilities,
        });
      };
      const client = await open({ elicitation: { url: {} } });
      await open({ elicitation: { form: {} } });
      await turns();
      const error = await failure(client.callTool({ name: "x" }));
      expect(error).toMatchObject({ code: -32042, data: { elicitations } });
      server.notify["elicitationComplete"]?.({ elicitationId: "1" });
      await turns();
      expect(done).toEqual([{ elicitationId: "1" }]);
    },
  );

  it("ROOT-05 let a server request the roots again after they have changed", async () => {
    const seen: unknown[] = [];
    let roots = [{ uri: "file:///a" }];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "notifications/roots/list_changed": async (_, { request }) =>
            void seen.push(await request("roots/list")),
        },
      },
      client: {
        handlers: { "roots/list": () => ({ roots }) },
        capabilities: { roots: { listChanged: true } },
      },
    });
    roots = [{ uri: "file:///b" }];
    await client.rootsListChanged?.();
    await turns();
    expect(seen).toEqual([{ roots }]);
  });

  it("LIFE-06 do not receive a request that the revision does not have", async () => {
    const errors: Error[] = [];
    const server = makeServer(protocol, {
      onError: (error) => errors.push(error),
      handlers: { "tools/call": (_, { request }) => request("no/such") },
    });
    const wire = await serveWire(server);
    await shakeHands(wire, revision);
    expect(
      errorOf(await wire.ask(1, "tools/call", { name: "x" }))["code"],
    ).toBe(-32603);
    expect(isSessionError(errors[0]) && errors[0].reason).toBe("method");
  });
});
