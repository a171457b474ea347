import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTransforms } from "../../src/commands/migrate/calls.js";
import { root } from "../repository.js";
import { migrated } from "./migrated.js";

describe("a call in a handler", () => {
  it.each(callTransforms.map(({ id, example }) => [id, ...example] as const))(
    "becomes what the example of its transform says: %s",
    async (_, before, after) => {
      const { of, places } = await migrated({
        "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, async (extra) => {
  ${before}
  return { content: [] };
});
`,
      });
      expect(places).toEqual([]);
      expect(of("server.ts")).toContain(`{ ${after} return { content: [] }; }`);
    },
  );

  it.each(["log", "log-message", "progress", "report-progress"])(
    "stays as it is, and is named, if its object has members that are not written out: %s",
    async (id) => {
      const [before = ""] =
        callTransforms.find((one) => one.id === id)?.example ?? [];
      const call = before.replace("({", "({ ...more,");
      const { of, places } = await migrated({
        "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, async (extra) => {
  ${call}
  return { content: [] };
});
`,
      });
      expect(of("server.ts")).toContain(`{ ${call} return { content: [] }; }`);
      expect(places[0]).toMatch(
        /^(?:server\.sendLoggingMessage is not converted|the context has no \w+)$/,
      );
    },
  );

  it.each<[before: string, after: string]>([
    [
      `server.sendLoggingMessage({ logger: "shop", data: 1, level: "info" });`,
      `extra.log("info", 1, "shop");`,
    ],
    [
      `server.server.sendLoggingMessage({ level: "info" });`,
      `extra.log("info");`,
    ],
    [
      `extra.sendNotification({ method: "notifications/message", params: { logger: "shop", data: 1, level } });`,
      `extra.log(level, 1, "shop");`,
    ],
    [
      `server.server.notification({ method: 'notifications/progress', params: { progressToken, message: "half", progress: 1 } });`,
      `extra.progress(1, undefined, "half");`,
    ],
    [
      `extra.sendNotification({ method: "notifications/progress", params: { progress: 1, more } });`,
      `extra.notify("notifications/progress", { progress: 1, more });`,
    ],
    [
      `extra.sendNotification({ method: "notifications/message" });`,
      `extra.notify("notifications/message");`,
    ],
    [`extra.reportProgress({ progress: 1 });`, `extra.progress(1);`],
    [
      `extra.mcpReq.notify({ method: "notifications/message" });`,
      `extra.notify("notifications/message");`,
    ],
    [
      `extra.mcpReq.send({ method: "roots/list" }, schema);`,
      `extra.request("roots/list");`,
    ],
    ...["mcpReq", "session"].map((member): [string, string] => [
      `extra.${member}.requestSampling(question);`,
      `extra.request("sampling/createMessage", question);`,
    ]),
    [
      `f(extra.closeSSEStream, extra.mcpReq.id, extra.mcpReq._meta, extra.http.authInfo);`,
      `f(extra.release, extra.requestId, extra.meta, extra.auth);`,
    ],
    [
      `server.server.elicitInput({ mode: "form", requestedSchema: form, message }, { timeout: 9 });`,
      `extra.elicit(message, form, { timeout: 9 });`,
    ],
    [
      `server.server.elicitInput({ mode: 'form', requestedSchema: form, message });`,
      `extra.elicit(message, form);`,
    ],
    ...[`mode: "url"`, `mode`, `mode: "form-2"`, `mode: "a form"`].map(
      (mode): [string, string] => [
        `server.server.elicitInput({ ${mode}, message, requestedSchema: form });`,
        `extra.request("elicitation/create", { ${mode}, message, requestedSchema: form });`,
      ],
    ),
    [
      `server.server.elicitInput({ mode: "url", message, url }, { timeout: 9 });`,
      `extra.request("elicitation/create", { mode: "url", message, url }, { timeout: 9 });`,
    ],
    [
      `server.server.createMessage(question, { timeout: 9 });`,
      `extra.request("sampling/createMessage", question, { timeout: 9 });`,
    ],
    [
      `server.server.listRoots(undefined, { timeout: 9 });`,
      `extra.request("roots/list", undefined, { timeout: 9 });`,
    ],
    [
      `server.server.request({ params: { a: 1 }, method: "a/b" }, schema);`,
      `extra.request("a/b", { a: 1 });`,
    ],
  ])(
    "has each of its members where the new one takes it: %s",
    async (before, after) => {
      const { of, places } = await migrated({
        "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, async (extra) => {
  await ${before}
  return { content: [] };
});
`,
      });
      expect(places).toEqual([]);
      expect(of("server.ts")).toContain(`{ await ${after} return`);
    },
  );

  it("is on the page with its id and its example", () => {
    const page = readFileSync(
      join(root, "src/commands/migrate/INSIDE.md"),
      "utf8",
    );
    const rows = page.match(/(?<=\n\| `)[\w-]+` +\| `.+` +\| `.+`(?= +\|\n)/g);
    expect(rows?.map((row) => row.split(/` +\| `|`$/).slice(0, 3))).toEqual(
      callTransforms.map(({ id, example }) => [id, ...example]),
    );
  });

  const ask = `server.server.elicitInput({ message: "Sure?", requestedSchema: form })`;
  const asked = `context.elicit("Sure?", form)`;
  it.each([
    [
      "a tool without arguments",
      `server.registerTool("a", {}, async () => ${ask});`,
      `handler: (_args, context) => (async (context) => ${asked})(context),`,
    ],
    [
      "a tool with arguments",
      `server.registerTool("a", { inputSchema: z.object({}) }, async ({ x }) => ${ask});`,
      `handler: async ({ x }, context) => ${asked},`,
    ],
    [
      "a parameter without parentheses",
      `server.registerTool("a", { inputSchema: z.object({}) }, args => ${ask});`,
      `handler: (args, context) => ${asked},`,
    ],
    [
      "a handler of a request",
      `server.server.setRequestHandler("a/b", async (request) => ${ask});`,
      `"a/b": async (params, context) => context.request("elicitation/create", { message: "Sure?", requestedSchema: form }),`,
    ],
    [
      "a context that a pattern takes apart",
      `server.registerTool("a", {}, async ({ signal, _meta, sendRequest: send }) => send({ method: "roots/list" }, { signal, _meta }));`,
      `(async (context) => context.request("roots/list"))(context),`,
    ],
    [
      "members that a pattern takes out",
      `server.registerTool("a", {}, async ({ authInfo, signal }) => f({ signal }, authInfo?.token));`,
      `(async (context) => f({ signal: context.signal }, context.auth?.token))(context),`,
    ],
  ])("gets the context of its handler: %s", async (_, before, after) => {
    const { of, places } = await migrated({
      "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1.0.0" });
${before}
`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(after);
    expect(of("server.ts").includes("questions: serverQuestions,")).toBe(
      /elicitInput|roots/.test(before),
    );
  });
});
