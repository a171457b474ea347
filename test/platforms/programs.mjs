/**
 * The programs of the suite: a server and a client of both eras, as a user
 * writes them for a platform.
 */

/** Makes the servers, and what a client does with any of them. */
export const shared = `
import { http } from "@mcpgen/runtime/http";
import { connect, createServers } from "./gen/index.js";

const inputSchema = { type: "object" };
export const servers = (where) => createServers({
  info: { name: where, version: "1.0.0" },
  handlers: {
    "tools/list": () => ({ tools: [{ name: "where", inputSchema }, { name: "count", inputSchema }, { name: "wait", inputSchema }] }),
    "tools/call": async ({ name }, { progress, signal }) => {
      if (name === "count") for (const step of [1, 2, 3]) progress(step, 3);
      // Workers end a request that waits for nothing but a signal.
      if (name === "wait")
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 10_000);
          signal.addEventListener("abort", () => resolve(clearTimeout(timer)));
        });
      return { content: [{ type: "text", text: where }] };
    },
  },
});

/** Calls a server in each way. Returns what came of it. */
export async function call(revision, url, options) {
  const info = { name: "caller", version: "1.0.0" };
  const client = await connect(http(url, options), { info, revisions: [revision] });
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: "where" });
  const steps = [];
  await client.callTool({ name: "count" }, { onProgress: ({ progress }) => steps.push(progress) });
  const stop = new AbortController();
  const waiting = client.callTool({ name: "wait" }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("stopped")), 50);
  const stopped = await waiting.then(() => "not stopped", (error) => error.message);
  const after = await Promise.all([1, 2, 3].map(() => client.callTool({ name: "where" })));
  await client.close();
  return { revision: client.revision, tools: tools.length, where: content[0].text, steps, stopped, after: after.length };
}
`;

/** Serves over stdio, or over HTTP: then it prints the address. */
export const server = `
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { servers } from "./shared.js";

const made = servers(String(process.pid));
if (process.argv[2] === "http") {
  const handler = createHttpHandler(made, { allowedOrigins: ["*"] });
  console.log((await serveHttp(handler, { port: 0 })).url);
} else await serveStdio(made);
`;

/** Prints what came of the calls of a server over HTTP. */
export const client = `
import { call } from "./shared.js";

const [revision, url] = process.argv.slice(2);
console.log(JSON.stringify(await call(revision, url)));
`;

/** Prints the process id of a server over stdio. */
export const stdioClient = `
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const [revision] = process.argv.slice(2);
const info = { name: "caller", version: "1.0.0" };
const client = await connect(stdio("node", ["server.js"]), { info, revisions: [revision] });
const { content } = await client.callTool({ name: "where" });
console.log(client.revision, content[0].text);
await client.close();
`;

/**
 * A Worker: a server at /mcp. At /call, a client calls the server that the
 * query names.
 */
export const worker = `
import { createHttpHandler } from "@mcpgen/runtime/http";
import { call, servers } from "./shared.js";

const handler = createHttpHandler(servers("a Worker"), { sessions: false });
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/mcp") return handler(request);
    const came = call(searchParams.get("revision"), searchParams.get("url"));
    return Response.json(await came.catch((error) => ({ error: String(error?.stack) })));
  },
};
`;

/** A page: a client, and a server that it calls without a network. */
export const page = `
import { createHttpHandler } from "@mcpgen/runtime/http";
import { call, servers } from "./shared.js";

globalThis.callServer = (revision, url) => call(revision, url);
globalThis.callPage = (revision) => {
  const handler = createHttpHandler(servers("a page"));
  const fetch = (url, init) => handler(new Request(url, init));
  return call(revision, "http://localhost/mcp", { fetch });
};
`;
