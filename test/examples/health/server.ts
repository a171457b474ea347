import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

/** This takes the place of a pool of connections. */
const database = {
  isOpen: true,
  close: () => Promise.resolve(void (database.isOpen = false)),
};
let isReady = false;

const servers = createServers({
  info: { name: "slow", version: "1.0.0" },
  drainTime: 20_000,
  handlers: {
    ...tools([
      {
        name: "work",
        async handler() {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return database.isOpen ? "done" : "The database is closed.";
        },
      },
    ]),
  },
});

const handler = createHttpHandler(servers);
const serving = await serveHttp(
  {
    "/mcp": handler,
    "/healthz": () => new Response("ok"),
    "/readyz": () =>
      isReady
        ? new Response("ready")
        : new Response("not ready", { status: 503 }),
  },
  { port: 3000 },
);
isReady = true;

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  isReady = false;
  // Give the balancer time to notice, as long as it takes for two of its
  // checks.
  await new Promise((resolve) =>
    setTimeout(resolve, Number(process.env["NOTICE_TIME"] ?? 0)),
  );
  await serving.close();
  await database.close();
}
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
