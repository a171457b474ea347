// What the main page says of the official SDK beside mcpgen: "Beside the
// official SDK".
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { tools } from "@mcpgen/runtime/features";
import * as client2 from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server as Server1 } from "@modelcontextprotocol/sdk/server/index.js";
import { Server as Server2 } from "@modelcontextprotocol/server";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { createServers, serverQuestions } from "../../generated/index.ts";
import { project, revision, snapshotOf } from "../stubs/project.ts";

// Inside this folder, so that programs find the SDKs.
const cache = fileURLToPath(new URL("node_modules/.cache/", import.meta.url));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "beside-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}
write("package.json", '{ "type": "module" }');

/** The messages of the compiler about a program. */
function compile(name, text) {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
    typeRoots: [
      fileURLToPath(new URL("../../node_modules/@types", import.meta.url)),
    ],
  };
  const diagnostics = ts.getPreEmitDiagnostics(
    ts.createProgram([write(name, text)], options),
  );
  return diagnostics.map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

describe("one call with a misspelled tool, a misspelled argument and text for a number", () => {
  it.each([
    ["version 1", "@modelcontextprotocol/sdk/client/index.js"],
    ["version 2", "@modelcontextprotocol/client"],
  ])("compiles with %s of the official SDK", (name, from) => {
    const program = `import { Client } from "${from}";
      const client = new Client({ name: "caller", version: "1.0.0" });
      await client.callTool({ name: "get_summ", arguments: { a: "19", bb: 23 } });`;
    expect(compile(`${name.replace(" ", "-")}.ts`, program)).toEqual([]);
  });

  it("does not compile with the stubs of its server, whose compiler names each mistake", async () => {
    const numbers = { a: { type: "number" }, b: { type: "number" } };
    const tool = {
      name: "get_sum",
      inputSchema: {
        type: "object",
        properties: numbers,
        required: ["a", "b"],
        additionalProperties: false,
      },
    };
    const { files } = await project(
      snapshotOf({ capabilities: { tools: {} }, tools: [tool] }),
      {
        emit: ["client"],
        protocol: await revision("2025-11-25"),
      },
    );
    for (const [path, text] of files) write(`made/${path}`, text);
    const call = (expression) =>
      compile(
        "stubs.ts",
        `import type { MadeClient } from "./made/client.js"; declare const client: MadeClient; await client.tools.${expression};`,
      );
    expect(call("getSum({ a: 19, b: 23 })")).toEqual([]);
    expect(call('getSumm({ a: "19", bb: 23 })')).toEqual([
      "Property 'getSumm' does not exist on type 'MadeTools'. Did you mean 'getSum'?",
    ]);
    expect(call('getSum({ a: "19", b: 23 })')).toEqual([
      "Type 'string' is not assignable to type 'number'.",
    ]);
    expect(call("getSum({ a: 19, bb: 23 })")).toEqual([
      expect.stringContaining("'bb' does not exist in type 'GetSumInput'"),
    ]);
  });
});

const question = {
  message: "Sure?",
  requestedSchema: { type: "object", properties: {} },
};

/**
 * What the tool `book` answers to a client of version 2 of the SDK that accepts
 * every question, in a revision.
 */
async function book(transport, pin) {
  const mode = pin === undefined ? "legacy" : { pin };
  const client = new client2.Client(
    { name: "caller", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: {},
  }));
  await client.connect(transport);
  try {
    const { content } = await client.callTool({ name: "book", arguments: {} });
    return content[0].text;
  } finally {
    await client.close();
  }
}

describe("a tool that asks the user", () => {
  const eras = [
    ["before 2026-07-28", undefined],
    ["of 2026-07-28", "2026-07-28"],
  ];
  const server = (ask) => `
    import { inputRequired, Server } from "@modelcontextprotocol/server";
    import { serveStdio } from "@modelcontextprotocol/server/stdio";
    serveStdio(() => {
      const server = new Server({ name: "peer", version: "1.0.0" }, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/call", async (request, context) => {
        const question = ${JSON.stringify(question)};
        ${ask}
        return { content: [{ type: "text", text: answer.action }] };
      });
      return server;
    });`;
  const waiting = write(
    "elicit.mjs",
    server("const answer = await context.mcpReq.elicitInput(question);"),
  );
  const returning = write(
    "return.mjs",
    server(`const answer = context.mcpReq.inputResponses?.sure;
        if (answer === undefined)
          return inputRequired({ inputRequests: { sure: inputRequired.elicit({ mode: "form", ...question }) } });`),
  );
  const start = (file) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [file],
      stderr: "ignore",
    });

  it("gets an answer with elicitInput of version 2 of the SDK from a client before 2026-07-28, and fails for a client of 2026-07-28", async () => {
    expect(await book(start(waiting))).toBe("accept");
    await expect(book(start(waiting), "2026-07-28")).rejects.toThrow(
      "Server-to-client requests are not available on protocol revision 2026-07-28",
    );
  });

  it.each(eras)(
    "gets an answer with inputRequired of version 2 of the SDK from a client %s",
    async (_, pin) => {
      expect(await book(start(returning), pin)).toBe("accept");
    },
  );

  it.each(eras)(
    "gets an answer with one handler of ours from a client %s",
    async (_, pin) => {
      const servers = createServers({
        info: { name: "ours", version: "1.0.0" },
        stateKeys: ["a key for tests, of 32 bytes or more"],
        questions: serverQuestions,
        handlers: tools([
          {
            name: "book",
            inputSchema: { type: "object" },
            handler: async (_args, context) =>
              (await context.request("elicitation/create", question)).action,
          },
        ]),
      });
      const serving = await serveHttp(createHttpHandler(servers), { port: 0 });
      try {
        const transport = new client2.StreamableHTTPClientTransport(
          new URL(serving.url),
        );
        expect(await book(transport, pin)).toBe("accept");
      } finally {
        await serving.close();
      }
    },
  );
});

describe("tasks", () => {
  it("have functions in version 1 of the official SDK, and none in version 2", () => {
    const info = { name: "peer", version: "1.0.0" };
    expect(typeof new Server1(info).experimental.tasks.getTask).toBe(
      "function",
    );
    expect(new Server2(info)).not.toHaveProperty("experimental");
    expect(
      Object.keys(client2).filter(
        (name) => /Task/.test(name) && !name.startsWith("is"),
      ),
    ).toEqual([]);
  });
});
