import { tools } from "@mcpgen/runtime/features";
import {
  createHttpHandler,
  http,
  type HttpHandler,
  serveHttp,
} from "@mcpgen/runtime/http";
import {
  clientQuestions,
  connect,
  createServers,
  serverQuestions,
} from "./gen/index.js";

function release(stateKeys: string[]): HttpHandler {
  const servers = createServers({
    info: { name: "shop", version: "1.0.0" },
    questions: serverQuestions,
    stateKeys,
    stateLifetime: 3_600_000,
    handlers: {
      ...tools([
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
  });
  return createHttpHandler(servers, { sessions: false });
}

/** The server is replaced while the user thinks. */
async function order(before: HttpHandler, after: HttpHandler): Promise<string> {
  let current = before;
  const serving = await serveHttp((request: Request) => current(request), {
    port: 3000,
  });
  const client = await connect(http(serving.url), {
    info: { name: "guide", version: "1.0.0" },
    capabilities: { elicitation: {} },
    questions: clientQuestions,
    handlers: {
      "elicitation/create"() {
        current = after;
        return { action: "accept" };
      },
    },
  });
  const result = await client.callTool({ name: "order" }).catch(String);
  await client.close();
  await serving.close();
  return typeof result === "string" ? result : JSON.stringify(result.content);
}

const oldKey = "the key of last year, 32 bytes or more";
const newKey = "the key of this year, 32 bytes or more";
console.log(
  "only the new key:",
  await order(release([oldKey]), release([newKey])),
);
console.log(
  "both keys:",
  await order(release([oldKey]), release([newKey, oldKey])),
);
