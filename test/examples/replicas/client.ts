import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, http, type HttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { clientQuestions, connect, createServers, serverQuestions } from "./gen/index.js";

/** What each process of a server runs. */
function replica(options: { sessions: boolean; stateKeys?: string[] }): HttpHandler {
  const { sessions, stateKeys } = options;
  const servers = createServers({
    info: { name: "shop", version: "1.0.0" },
    questions: serverQuestions,
    ...(stateKeys && { stateKeys }),
    handlers: {
      ...tools([
        { name: "count", handler: () => "12 in stock" },
        {
          name: "order",
          async handler(_args, context) {
            const { action } = await context.request("elicitation/create", {
              message: "Order now?",
              requestedSchema: { type: "object", properties: {} },
            });
            return action === "accept" ? "ordered" : "not ordered";
          },
        },
      ]),
    },
    onError: () => {},
    onWarning: () => {},
  });
  return createHttpHandler(servers, { sessions });
}

/** Two processes behind a balancer that takes turns, and a function that calls both tools as an old and as a new client. */
async function see(title: string, one: HttpHandler, two: HttpHandler): Promise<void> {
  let turn = 0;
  const balancer = (request: Request): Promise<Response> => ((turn += 1) % 2 ? one : two)(request);
  const serving = await serveHttp(balancer, { port: 3000 });
  const { url } = serving;
  for (const revision of ["2025-11-25", "2026-07-28"] as const) {
    try {
      const client = await connect(http(url), {
        info: { name: "guide", version: "1.0.0" },
        revisions: [revision],
        capabilities: { elicitation: {} },
        questions: clientQuestions,
        handlers: { "elicitation/create": () => ({ action: "accept" }) },
        onWarning: () => {},
      });
      for (const name of ["count", "order"]) {
        const result = await client.callTool({ name }).catch(String);
        const text = typeof result === "string" ? result : JSON.stringify(result.content);
        console.log(`${title}, ${revision}, ${name}: ${text}`);
      }
      await client.close();
    } catch (error) {
      console.log(`${title}, ${revision}: ${String(error).replaceAll(url, "the URL")}`);
    }
  }
  await serving.close();
}

const keys = ["a secret of 32 bytes or more, the same in each process"];
await see("sessions", replica({ sessions: true }), replica({ sessions: true }));
await see("no sessions", replica({ sessions: false }), replica({ sessions: false }));
await see(
  "with keys",
  replica({ sessions: false, stateKeys: keys }),
  replica({ sessions: false, stateKeys: keys }),
);
