import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it } from "vitest";
import { everythingServer } from "../runtime/kit/everything.ts";
import { bundle } from "../runtime/kit/bundle.ts";
import { makeServer, revisions } from "../runtime/kit/index.ts";
import { clients } from "./peers.mjs";

const text = ({ content }) => content[0].text;
const program = await bundle("everything-server");
const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The transports, with a function that starts a server of one revision. */
const carriers = [
  {
    carrier: "stdio",
    fits: () => true,
    reach: async ({ revision }) => ({
      command: [process.execPath, program, revision],
    }),
  },
  ...[true, false].map((sessions) => ({
    carrier: `HTTP ${sessions ? "with" : "without"} sessions`,
    fits: ({ headers, opening }) =>
      headers.session !== undefined || (sessions && opening === "per-request"),
    isAlone: !sessions,
    reach: async ({ revision }) => {
      const { protocol } = revisions.find((one) => one.revision === revision);
      const handler = createHttpHandler(
        makeServer(protocol, everythingServer),
        { sessions },
      );
      // On a busy machine a client may use a connection again after the default
      // of five seconds, at the moment of its end.
      const serving = await serveHttp(handler, {
        port: 0,
        keepAliveTimeout: 300_000,
      });
      closing.push(() => serving.close());
      return { http: serving.url };
    },
  })),
];

const table = clients.flatMap((peer) =>
  carriers.flatMap(({ carrier, fits, reach, isAlone = false }) =>
    revisions
      .filter(({ facts }) => peer.speaks(facts) && fits(facts))
      .map(({ revision, facts }) => ({
        name: peer.name,
        carrier,
        revision,
        facts,
        peer,
        reach,
        isAlone,
      })),
  ),
);

describe.each(table)(
  "a client of $name with our server over $carrier at $revision",
  ({ peer, reach, facts, isAlone }) => {
    const open = async (handlers = {}) => {
      const client = await peer.open(await reach(facts), facts, handlers);
      closing.push(() => client.close());
      return client;
    };

    it("connects, lists and calls tools, reads a resource, gets a prompt and completes an argument", async () => {
      const client = await open();
      expect(client.server()).toMatchObject({
        name: "everything",
        version: "2.0.0",
      });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("echo");
      const values = Array.from({ length: 50 }, (_, i) => `${i} \u2028 é 🎲`);
      const calls = values.map((value) =>
        client.callTool({ name: "echo", arguments: { value } }),
      );
      expect((await Promise.all(calls)).map(text)).toEqual(values);
      const { contents } = await client.readResource({ uri: "file:///story" });
      expect(contents[0].text).toContain("stormy");
      const { messages } = await client.getPrompt({
        name: "greet",
        arguments: { who: "Ada" },
      });
      expect(messages[0].content.text).toBe("Greet Ada.");
      const ref = { type: "ref/prompt", name: "greet" };
      const { completion } = await client.complete({
        ref,
        argument: { name: "who", value: "A" },
      });
      expect(completion.values).toEqual(["Ad", "Ark"]);
    });

    it("receives progress, cancels a call, and gets an error without the message of the exception", async () => {
      const client = await open();
      const received = [];
      // These clients drop progress that arrives together with the answer, so
      // the tool answers after the last one was received.
      const onprogress = ({ progress }) => {
        if (received.push(progress) === 3)
          void client.callTool({ name: "finishClimb" });
      };
      await client.callTool({ name: "climb" }, { onprogress });
      expect(received).toEqual([1, 2, 3]);
      const controller = new AbortController();
      const call = client.callTool(
        { name: "wait" },
        { signal: controller.signal },
      );
      setTimeout(() => controller.abort(), 50);
      await expect(call).rejects.toThrow(/abort/i);
      await expect(client.callTool({ name: "fail" })).rejects.toThrow(
        /Internal error/,
      );
      expect(
        text(
          await client.callTool({
            name: "echo",
            arguments: { value: "still here" },
          }),
        ),
      ).toBe("still here");
    });

    it.each(isAlone ? [] : [true])(
      "answers the requests of the server",
      async () => {
        const client = await open({
          sample: () => ({
            model: "m",
            role: "assistant",
            content: { type: "text", text: "Ada" },
          }),
          roots: () => ({ roots: [{ uri: "file:///a" }] }),
          ...(asksUser(facts) && {
            elicit: () => ({
              action: "accept",
              content: { name: "Eve", count: 2 },
            }),
          }),
        });
        expect(text(await client.callTool({ name: "sample" }))).toBe("Ada");
        expect(text(await client.callTool({ name: "roots" }))).toBe(
          "file:///a",
        );
        if (asksUser(facts))
          expect(text(await client.callTool({ name: "elicit" }))).toContain(
            '"name":"Eve"',
          );
      },
    );

    it.each(isAlone || !facts.wellKnown.setLevel ? [] : [true])(
      "receives log messages from the level that it set",
      async () => {
        const received = [];
        const client = await open({
          log: ({ level }) => void received.push(level),
        });
        await client.setLevel("error");
        await client.callTool({ name: "log" });
        expect(received).toEqual(["error"]);
      },
    );
  },
);

const asksUser = ({ revision }) => {
  const { protocol } = revisions.find((one) => one.revision === revision);
  return Object.hasOwn(
    protocol.clientQuestions.incomingRequests,
    "elicitation/create",
  );
};
