import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

const base = "http://127.0.0.1:3000";
const names = ["library", "shop", "archive"];

const revisionCache = new Map<string, string>();
const clients = new Map<string, Awaited<ReturnType<typeof connect>>>();
const opened = await Promise.allSettled(
  names.map(async (name) => {
    const client = await connect(http(`${base}/${name}`), {
      info: { name: "guide", version: "1.0.0" },
      probeTimeout: 5_000,
      revisionCache,
      onClose: () => clients.delete(name),
    });
    clients.set(name, client);
  }),
);
for (const one of opened)
  if (one.status === "rejected")
    console.log(String(one.reason).replaceAll(base, "the host"));
console.log(names.filter((name) => clients.has(name)));

const routes = new Map<string, { server: string; tool: string }>();
for (const server of names)
  for await (const { name: tool } of clients.get(server)?.tools() ?? []) {
    const name = `${server}_${tool}`.replace(/[^\w-]/g, "_").slice(0, 64);
    if (routes.has(name))
      console.log(`${server} has a second tool with the name ${name}.`);
    else routes.set(name, { server, tool });
  }
console.log([...routes.keys()]);

async function call(name: string, args: Record<string, unknown>) {
  const { server = "", tool = "" } = routes.get(name) ?? {};
  const client = clients.get(server);
  if (!client) throw new Error(`No server has the tool ${name} now.`);
  const { content } = await client.callTool({ name: tool, arguments: args });
  return content;
}
const search = ["library_search", "shop_search"].map((name) =>
  call(name, { words: "bread" }),
);
for (const content of await Promise.all(search)) console.log(content);

await Promise.all([...clients.values()].map((client) => client.close()));
