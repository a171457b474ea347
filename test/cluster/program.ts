// One process of the server under test: `node program.mjs '<ProgramConfig>'`. Commands come as lines of JSON.
import { shiftClock } from "./clock.js";
import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { resources, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers, serverQuestions } from "../../generated/index.js";
import type { Command, ProgramConfig, ToolRecord } from "./server.js";

const config = JSON.parse(process.argv[2] ?? "{}") as ProgramConfig;
/** The version of the resource is the length of this file, which any process may extend. */
const truth = join(config.folder, "truth");
const records = join(config.folder, "records");
const write = (record: Omit<ToolRecord, "pid">): void =>
  appendFileSync(records, `${JSON.stringify({ ...record, pid: process.pid })}\n`);

/** A tool that keeps a record of its beginning and end itself. */
const recorded =
  <Args extends { id: string }, C extends { auth?: { principal?: string } | undefined }>(
    work: (args: Args, context: C) => unknown,
  ) =>
  async (args: Args, context: C): Promise<string> => {
    const principal = context.auth?.principal ?? "";
    write({ id: args.id, at: "begin", principal });
    const result = await work(args, context);
    write({ id: args.id, at: "end", principal });
    return JSON.stringify({ id: args.id, principal, ...(result as object) });
  };

const inputSchema = {
  type: "object",
  properties: { id: { type: "string" }, steps: { type: "integer" } },
  required: ["id"],
} as const;

const servers = createServers({
  info: { name: "cluster", version: "1.0.0" },
  questions: serverQuestions,
  capabilities: { resources: { subscribe: true }, logging: {} },
  handlers: {
    ...resources([{ uri: "truth://score", name: "score", read: () => String(statSync(truth).size) }]),
    ...tools([
      { name: "bump", inputSchema, handler: recorded(() => pause(5)) },
      {
        name: "climb",
        inputSchema,
        handler: recorded(async ({ steps = 10 }: { id: string; steps?: number }, { progress }) => {
          for (let step = 1; step <= steps; step++) {
            progress(step, steps);
            await pause(50);
          }
        }),
      },
      {
        name: "ask",
        inputSchema,
        handler: recorded(async ({ id }, { request }) => {
          const { content } = await request("elicitation/create", {
            message: id,
            requestedSchema: { type: "object", properties: { answer: { type: "string" } } },
          });
          return { answer: content?.["answer"] };
        }),
      },
      {
        name: "score",
        inputSchema,
        handler: recorded(() => {
          appendFileSync(truth, ".");
          servers.notify.resourceUpdated("truth://score");
        }),
      },
    ]),
  },
});

const handler = createHttpHandler(servers, {
  authenticate: (request) => {
    const [, principal] = request.headers.get("authorization")?.split(" ") ?? [];
    return principal === undefined ? {} : { principal };
  },
});
await serveHttp(
  {
    "/mcp": handler,
    "/health": () => new Response("ready"),
    "/usage": () => Response.json(process.resourceUsage()),
  },
  { port: config.port, keepAliveTimeout: 125_000, signals: true },
);

const commands = createInterface(process.stdin);
commands.on("line", (line) => {
  const { block = 0, clock } = JSON.parse(line) as Command;
  if (clock !== undefined) shiftClock(clock);
  const end = performance.now() + block;
  while (performance.now() < end);
});
// The test has ended without a word.
commands.on("close", () => process.exit());
