import { McpError } from "@mcpgen/runtime";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { createBackend } from "./backends-server.js";
import { connect, createServers } from "./gen/index.js";

const keys = { weather: "weather-key", library: "library-key" };
type Name = keyof typeof keys;
const isName = (text: string): text is Name => Object.hasOwn(keys, text);

/**
 * One connection with each server, opened when it is needed first, and again
 * after it has closed.
 */
const clients = new Map<Name, ReturnType<typeof connect>>();
function clientOf(name: Name): ReturnType<typeof connect> {
  const headers = { authorization: `Bearer ${keys[name]}` };
  const forget = (): unknown => clients.delete(name);
  const client =
    clients.get(name) ??
    connect(http(`http://127.0.0.1:3000/${name}`, { headers }), {
      info: { name: "gateway", version: "1.0.0" },
      onClose: forget,
    });
  clients.set(name, client);
  client.catch(forget);
  return client;
}

async function toolsOf(server: Name) {
  const client = await clientOf(server);
  const list = [];
  for await (const tool of client.tools())
    list.push({ ...tool, name: `${server}_${tool.name}` });
  return list;
}

const servers = createServers({
  info: { name: "gateway", version: "1.0.0" },
  handlers: {
    async "tools/list"() {
      const lists = await Promise.allSettled(
        Object.keys(keys).filter(isName).map(toolsOf),
      );
      for (const list of lists)
        if (list.status === "rejected") console.error(String(list.reason));
      // The types are those of any revision. The gateway converts them for each
      // client.
      return {
        tools: lists.flatMap((list) =>
          list.status === "fulfilled" ? list.value : [],
        ),
      } as never;
    },
    async "tools/call"(
      { name, arguments: args = {} },
      { auth, signal, progress },
    ) {
      const [, server = "", tool = ""] = /^([^_]+)_(.+)$/.exec(name) ?? [];
      if (!isName(server))
        throw new McpError(-32602, `There is no tool "${name}".`);
      const client = await clientOf(server);
      const result = await client.callTool(
        { name: tool, arguments: args },
        {
          signal,
          onProgress: ({ progress: done, total, message }) =>
            progress(done, total, message),
          meta: { "example.com/user": auth?.principal },
        },
      );
      return result as never;
    },
  },
});

const users = new Map([["Bearer token-of-ada", "ada"]]);
const gateway = createHttpHandler(servers, {
  authenticate({ headers }) {
    const principal = users.get(headers.get("authorization") ?? "");
    return principal
      ? { principal }
      : new Response("Who are you?", { status: 401 });
  },
});
const routes = {
  "/mcp": gateway,
  "/weather": createBackend("weather", "forecast", keys.weather),
  "/library": createBackend("library", "search", keys.library),
};
const serving = await serveHttp(routes, { port: 3000, signals: true });
void serving.closed.then(async () => {
  for (const client of await Promise.all(clients.values()))
    await client.close();
});
