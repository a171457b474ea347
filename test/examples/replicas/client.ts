import {
  cluster,
  memorySharedStore,
  type SharedStore,
} from "@mcpgen/runtime/cluster";
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

const secret = "a secret of 32 bytes or more, the same in each process";

interface Settings {
  readonly sessions?: false;
  readonly stateKeys?: readonly string[];
  readonly cluster?: { readonly store?: SharedStore };
}

/** What each process of a server runs. */
function replica({
  sessions,
  stateKeys,
  cluster: options,
}: Settings): HttpHandler {
  const shared = options && {
    cluster: cluster({ secrets: [secret], ...options }),
  };
  const servers = createServers({
    info: { name: "shop", version: "1.0.0" },
    questions: serverQuestions,
    ...(stateKeys && { stateKeys }),
    ...shared,
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
  return createHttpHandler(servers, { sessions: sessions ?? true, ...shared });
}

/**
 * Two processes behind a balancer that takes turns. An old and a new client
 * call both tools.
 */
async function see(title: string, settings: Settings): Promise<void> {
  const [one, two] = [replica(settings), replica(settings)];
  let turn = 0;
  const balancer = (request: Request): Promise<Response> =>
    ((turn += 1) % 2 ? one : two)(request);
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
        const text =
          typeof result === "string" ? result : JSON.stringify(result.content);
        console.log(`${title}, ${revision}, ${name}: ${text}`);
      }
      await client.close();
    } catch (error) {
      console.log(
        `${title}, ${revision}: ${String(error).replaceAll(url, "the URL")}`,
      );
    }
  }
  await serving.close();
  await Promise.all([one.close(), two.close()]);
}

await see("sessions", {});
await see("no sessions", { sessions: false, stateKeys: [secret] });
await see("cluster", { cluster: {} });
await see("cluster with a store", { cluster: { store: memorySharedStore() } });
