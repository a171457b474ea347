import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { stdio } from "@mcpgen/runtime/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { clientQuestions, connect } from "../../generated/index.ts";
import { revisions } from "../runtime/kit/index.ts";

const program = fileURLToPath(new URL("sdk-server.mjs", import.meta.url));
const text = ({ content }) => content[0].text;
const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a server that prints its URL. */
async function started(version, carrier) {
  const child = spawn(process.execPath, [program, version, carrier], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  closing.push(() => child.kill());
  const [url] = await once(createInterface(child.stdout), "line");
  return url;
}

const isModern = (revision) =>
  revisions.find((one) => one.revision === revision).isModern;
const all = revisions.map(({ revision }) => revision);
const legacy = all.filter((revision) => !isModern(revision));
const table = [
  ...["v1", "v2"].map((version) => ({
    peer: `SDK ${version}`,
    carrier: "stdio",
    speaks: version === "v1" ? legacy : all,
    reach: async () => stdio(process.execPath, [program, version, "stdio"]),
  })),
  {
    peer: "SDK v1",
    carrier: "Streamable HTTP",
    speaks: legacy.filter((revision) => revision !== legacy.at(-1)),
    reach: async () => http(await started("v1", "http")),
  },
  {
    // Without sessions, it sends no requests and no notifications in legacy
    // revisions.
    peer: "SDK v2",
    carrier: "Streamable HTTP",
    speaks: all.filter((revision) => revision !== legacy.at(-1)),
    isAlone: (revision) => !isModern(revision),
    reach: async () => http(await started("v2", "http")),
  },
  {
    peer: "SDK v1",
    carrier: "HTTP+SSE",
    speaks: legacy,
    reach: async () => sse(await started("v1", "sse")),
  },
  {
    peer: "SDK v1",
    carrier: "HTTP+SSE after a fallback",
    speaks: legacy.slice(-1),
    reach: async () => http(await started("v1", "sse")),
  },
];

const rows = table.flatMap(({ speaks, isAlone = () => false, ...row }) =>
  speaks.map((revision) => ({ ...row, revision, isAlone: isAlone(revision) })),
);

describe.each(rows)(
  "our client with a server of $peer over $carrier at $revision",
  ({ reach, revision, isAlone }) => {
    const faults = [];
    const open = async (handlers = {}) => {
      const client = await connect(await reach(), {
        info: { name: "interop", version: "1.0.0" },
        revisions: [revision],
        onError: (error) => faults.push(error),
        questions: clientQuestions,
        handlers,
      });
      closing.push(() => client.close());
      return client;
    };
    afterEach(() => {
      const [fault] = faults.splice(0);
      if (fault) throw fault;
    });

    it("connects, lists tools by page and calls them, reads a resource, gets a prompt and completes an argument", async () => {
      const client = await open();
      expect(client.revision).toBe(revision);
      const names = [];
      for await (const { name } of client.tools()) names.push(name);
      expect(names).toEqual(["echo", "climb", "ask", "log", "wait", "fail"]);
      const values = Array.from({ length: 50 }, (_, i) => `${i} \u2028 é 🎲`);
      const calls = values.map((value) =>
        client.callTool({ name: "echo", arguments: { value } }),
      );
      expect((await Promise.all(calls)).map(text)).toEqual(values);
      expect(
        (await client.readResource({ uri: "file:///story" })).contents[0].text,
      ).toContain("stormy");
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
      expect(completion.values).toEqual(["Ada"]);
    });

    it("receives progress, cancels a call, and gets the error of a call", async () => {
      const client = await open();
      const received = [];
      await client.callTool(
        { name: "climb" },
        { onProgress: ({ progress }) => received.push(progress) },
      );
      expect(received).toEqual([1, 2, 3]);
      const controller = new AbortController();
      const call = client.callTool(
        { name: "wait" },
        { signal: controller.signal },
      );
      setTimeout(() => controller.abort(new Error("enough")), 50);
      await expect(call).rejects.toThrow("enough");
      await expect(client.callTool({ name: "fail" })).rejects.toThrow(
        /it failed|Internal/,
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

    it.each(isAlone || !asksUser(revision) ? [] : [true])(
      "answers the requests of the server",
      async () => {
        const client = await open({
          "elicitation/create": () => ({
            action: "accept",
            content: { name: "Eve" },
          }),
        });
        expect(text(await client.callTool({ name: "ask" }))).toBe("Eve");
      },
    );

    it.each(isAlone || isModern(revision) ? [] : [true])(
      "receives log messages",
      async () => {
        const received = [];
        const client = await open({
          "notifications/message": ({ level }) => void received.push(level),
        });
        await client.callTool({ name: "log" });
        expect(received).toEqual(["error"]);
      },
    );
  },
);

function asksUser(revision) {
  const { protocol } = revisions.find((one) => one.revision === revision);
  return Object.hasOwn(
    protocol.clientQuestions.incomingRequests,
    "elicitation/create",
  );
}
