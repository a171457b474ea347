import type { Progress } from "@mcpgen/runtime";
import { createHttpHandler, http } from "@mcpgen/runtime/http";
import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { taskOutcome, tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { createServers, serverQuestions } from "../../../generated/index.js";
import {
  type AnyContext,
  type ClientOptions,
  type Json,
  makeClient,
  modernRevisions,
  revisions,
  textOf,
} from "../kit/index.js";
import { where } from "../kit/where.js";

const place = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    n: { type: "integer" },
  },
};
const handler = createHttpHandler(
  createServers({
    info: { name: "test", version: "1.0.0" },
    questions: serverQuestions,
    handlers: {
      ...tools([
        { name: "place", inputSchema: place, handler: (args) => args },
        {
          name: "ask",
          execution: { taskSupport: "optional" },
          handler: async (_args, context) => {
            const { progress, request } = context as unknown as AnyContext;
            progress(1);
            const answer = await request("elicitation/create", {
              message: "Who?",
              requestedSchema: {
                type: "object",
                properties: { who: { type: "string" } },
              },
            });
            progress(2);
            return String((answer["content"] as Json)["who"]);
          },
        },
      ]),
      ...resources([
        {
          uriTemplate: "test://{id}",
          name: "test",
          read: ({ id }) => String(id),
        },
      ]),
      ...prompts([{ name: "p", get: () => "hi" }]),
      ...tasks({ pollInterval: 10 }),
    },
  }),
);

/** The requests that were sent. */
const sent: Request[] = [];
const open = async (
  one: (typeof revisions)[number],
  options: ClientOptions = {},
) =>
  makeClient(
    one.protocol,
    http("http://127.0.0.1/mcp", {
      fetch: (url, init) => {
        const request = new Request(url, init);
        sent.push(request.clone());
        return handler(request);
      },
    }),
    options,
  );

const speaksHttp = revisions.filter(
  ({ facts }) => facts.headers.session ?? facts.headers.method,
);
const elicitation = {
  "elicitation/create": () => ({ action: "accept", content: { who: "Ada" } }),
};

describe.each(speaksHttp)("features over HTTP at $revision", (one) => {
  const { facts, protocol } = one;

  it("are listed and used", async () => {
    const client = await open(one);
    expect(
      textOf(await client.callTool({ name: "place", arguments: { n: 1 } })),
    ).toBe('{"n":1}');
    expect(await client.readResource({ uri: "test://7" })).toMatchObject({
      contents: [{ text: "7" }],
    });
    expect(await client.getPrompt({ name: "p" })).toMatchObject({
      messages: [{ role: "user" }],
    });
    await client.close();
  });

  it.each(
    where(
      Object.hasOwn(
        protocol.clientQuestions.incomingRequests,
        "elicitation/create",
      ),
    ),
  )("let a tool request input from the client", async () => {
    const client = await open(one, { handlers: elicitation });
    expect(textOf(await client.callTool({ name: "ask" }))).toBe("Ada");
    await client.close();
  });

  it.each(where(facts.wellKnown.taskResult))(
    "TASK-08 TASK-09 PROG-06 let a task request input and send progress while the client waits for its result",
    async () => {
      const updates: Progress[] = [];
      const client = await open(one, { handlers: elicitation });
      const params = { name: "ask", task: {} };
      const created = await client.callTool(params, {
        onProgress: (progress) => updates.push(progress),
      });
      const result = await taskOutcome(client as never, created as never);
      expect(textOf(result as Json)).toBe("Ada");
      expect(updates.map(({ progress }) => progress)).toContain(2);
      await client.close();
    },
  );
});

describe.each(modernRevisions)("features over HTTP at $revision", (one) => {
  it("HDR-06 HDR-10 check the arguments that headers repeat", async () => {
    const client = await open(one);
    await client.listTools();
    const args = { region: "eu", n: 1 };
    expect(
      textOf(await client.callTool({ name: "place", arguments: args })),
    ).toBe(JSON.stringify(args));
    const last = sent.at(-1) as Request;
    const name = `${String(one.facts.headers.param)}Region`;
    expect(last.headers.get(name)).toBe("eu");
    const headers = new Headers(last.headers);
    headers.delete(name);
    const answer = await handler(
      new Request(last.url, {
        method: "POST",
        headers,
        body: await last.text(),
      }),
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: one.facts.errors["HEADER_MISMATCH"] },
    });
    await client.close();
  });
});
