// One process of the server under test: `node program.mjs '<ProgramConfig>'`.
// Commands come as lines of JSON.
import { shiftClock } from "./clock.js";
import { createHash } from "node:crypto";
import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { replayStore } from "@mcpgen/auth/protect";
import { cluster } from "@mcpgen/runtime/cluster";
import { valkey } from "@mcpgen/runtime/cluster/valkey";
import {
  type FeatureContext,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { tasks } from "@mcpgen/runtime/tasks";
import { createServers, serverQuestions } from "../../generated/index.js";
import { connectEngine } from "./engines.mjs";
import type { ToolRecord } from "./evidence.js";
import type { Command, ProgramConfig } from "./server.js";

const config = JSON.parse(process.argv[2] ?? "{}") as ProgramConfig;
/**
 * The version of the resource is the length of this file, which any process may
 * extend.
 */
const truth = join(config.folder, "truth");
const records = join(config.folder, "records");
const write = (record: Omit<ToolRecord, "pid">): void =>
  appendFileSync(
    records,
    `${JSON.stringify({ ...record, pid: process.pid })}\n`,
  );

type Args = Readonly<Record<string, unknown>>;

/** A tool that keeps a record of its beginning and end itself. */
const recorded =
  (work: (id: string, context: FeatureContext) => unknown) =>
  async (args: Args, context: FeatureContext): Promise<string> => {
    const id = String(args["id"]);
    const principal = context.auth?.principal ?? "";
    write({ id, at: "begin", principal });
    const result = await work(id, context);
    write({ id, at: "end", principal });
    return JSON.stringify({ id, principal, ...(result as object) });
  };

const inputSchema = {
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
} as const;

const { secrets, engine } = config;
const store =
  engine && valkey(await connectEngine(engine.library, engine.port));
const shared = secrets && cluster({ secrets, ...(store && { store }) });

const servers = createServers({
  info: { name: "cluster", version: "1.0.0" },
  questions: serverQuestions,
  ...(shared && { cluster: shared }),
  capabilities: { resources: { subscribe: true }, logging: {} },
  handlers: {
    ...resources([
      {
        uri: "truth://score",
        name: "score",
        read: () => String(statSync(truth).size),
      },
    ]),
    ...tools([
      { name: "bump", inputSchema, handler: recorded(() => pause(5)) },
      {
        name: "climb",
        inputSchema,
        handler: recorded(async (_, { progress }) => {
          for (let step = 1; step <= 10; step++) {
            progress(step, 10);
            await pause(50);
          }
        }),
      },
      {
        name: "ask",
        inputSchema,
        async handler(args: Args, context: FeatureContext) {
          const requestedSchema = {
            type: "object",
            properties: { answer: { type: "string" } },
          };
          const question = { message: args["id"], requestedSchema };
          // An answer may be sent to a process that is killed. Then the
          // question must end before it counts as a hang.
          const options = { timeout: 8000 };
          const { content } = (await context.request(
            "elicitation/create",
            question,
            options,
          )) as {
            readonly content?: Readonly<Record<string, unknown>>;
          };
          return recorded(() => ({ answer: content?.["answer"] }))(
            args,
            context,
          );
        },
      },
      {
        name: "work",
        inputSchema,
        execution: { taskSupport: "optional" },
        handler: recorded(() => pause(500)),
      },
      {
        name: "steps",
        inputSchema,
        restart: true,
        execution: { taskSupport: "optional" },
        handler: recorded(async (id, { once, auth }) => {
          for (const step of [1, 2, 3])
            await once(`step ${step}`, async () => {
              write({
                id,
                at: `step ${step}`,
                principal: auth?.principal ?? "",
              });
              await pause(200);
            });
        }),
      },
      {
        name: "change",
        inputSchema,
        handler: (args: Args) => (
          servers.notify.resourceUpdated(String(args["id"])),
          "changed"
        ),
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
    ...tasks({
      pollInterval: 100,
      list: true,
      ...(config.requesterTasks && {
        limits: { requesterTasks: config.requesterTasks },
      }),
    }),
  },
});

const handler = createHttpHandler(servers, {
  ...(shared && { cluster: shared }),
  authenticate: (request) => {
    const [, principal] =
      request.headers.get("authorization")?.split(" ") ?? [];
    return principal === undefined ? {} : { principal };
  },
});
const health = (): Response => new Response("ready");
const proofs = store && replayStore(store);
/** Spends a proof, as `dpop` does with that of a request. */
const spend = async (request: Request): Promise<Response> => {
  const proof = createHash("sha256")
    .update(new URL(request.url).search)
    .digest("base64url");
  return Response.json(
    (await proofs?.add(proof, Date.now() + 60_000)) ?? false,
  );
};
const serving = await serveHttp(
  { "/mcp": handler, "/health": health, "/spend": spend },
  { port: config.port, keepAliveTimeout: 125_000, signals: true },
);
// The connections to the engine would keep the process.
void serving.closed.then(() => process.exit());

const commands = createInterface(process.stdin);
commands.on("line", (line) => {
  const { block = 0, clock } = JSON.parse(line) as Command;
  if (clock !== undefined) shiftClock(clock);
  const end = performance.now() + block;
  while (performance.now() < end);
});
// The test has ended without a word.
commands.on("close", () => process.exit());
