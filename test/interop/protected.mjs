// A server of ours behind `protect`, people who sign in to it, and requests by
// hand.
import { memoryStore, oauth } from "@mcpgen/auth";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { protect } from "@mcpgen/auth/protect";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { serveWebSocket } from "@mcpgen/runtime/websocket";
import { createServers, serverQuestions } from "../../generated/index.ts";
import { freePort } from "../free-port.ts";
import { makeServer, revisions } from "../runtime/kit/index.ts";

export const info = { name: "peer", version: "1.0.0" };
export const allScopes = ["mcp", "files", "files:read", "files:write"];
export const described = (revision) =>
  revisions.find((one) => one.revision === revision);
export const opensWithHandshake = (revision) =>
  described(revision).facts.opening === "initialize";

const caller = (_, { auth, revision }) => JSON.stringify({ auth, revision });
const confirm = (_, context) =>
  context.request("elicitation/create", {
    message: "Sure?",
    requestedSchema: { type: "object", properties: {} },
  });
const handlers = {
  ...tools([
    { name: "whoami", handler: caller },
    { name: "read", scopes: ["files:read"], handler: caller },
    { name: "write", scopes: ["files:write"], handler: caller },
    { name: "confirm", handler: confirm },
  ]),
  // A list that can change, so that clients may listen. The transport does not
  // know the scopes of its tools.
  ...tools(() => [{ name: "late", scopes: ["files:write"], handler: caller }]),
  "resources/list": () => ({ resources: [] }),
};

/**
 * Starts servers of all revisions, or of the named one, that accept tokens of
 * `as`: over Streamable HTTP and HTTP+SSE at `url`, over WebSocket at
 * `socketUrl`. `requests` are those that `protect` has checked.
 */
export async function startProtected(as, { revision, ...options } = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const requests = [];
  const scopes = {
    base: ["mcp"],
    methods: { "resources/list": ["files:read"] },
    implies: { files: ["files:read", "files:write"] },
  };
  const real = protect({
    resource: url,
    issuers: [as.issuer],
    scopes,
    ...options,
  });
  const guard = { protect: watched(real, requests) };
  const all = createServers({ info, questions: serverQuestions, handlers });
  const servers = revision
    ? makeServer(described(revision).protocol, { info, handlers })
    : all;
  const hasHandshake = revision === undefined || opensWithHandshake(revision);
  const handler = createHttpHandler(servers, {
    ...guard,
    ...(hasHandshake && { legacySse: createSseHandler(servers, guard) }),
  });
  // Clients of others may use a connection again long after the default of five
  // seconds, at the moment of its end.
  const serving = await serveHttp(handler, { port, keepAliveTimeout: 300_000 });
  const sockets = await serveWebSocket(servers, { ...guard, port: 0 });
  const close = () => Promise.all([serving.close(), sockets.close()]);
  return {
    url,
    socketUrl: sockets.url,
    notify: servers.notify,
    requests,
    close,
  };
}

/** A protection that writes down the requests that it checks. */
function watched(protection, requests) {
  const names = ["authorization", "dpop", "mcp-session-id"];
  return {
    admit: (request) => {
      const headers = names.flatMap((name) => {
        const value = request.header(name);
        return value === undefined ? [] : [[name, value]];
      });
      requests.push({
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(headers),
      });
      return protection.admit(request);
    },
    scopesOf: (method) => protection.scopesOf(method),
    refuse: (auth, refused) => protection.refuse(auth, refused),
    whenEnded: (auth, end) => protection.whenEnded(auth, end),
    routes: protection.routes,
  };
}

/** `auth` of a client of ours, and the `grant` that it holds. */
export function keptAuth(options) {
  const store = memoryStore();
  const own = { grant: undefined };
  const set = (key, value) => {
    if (value?.kind === "grant") own.grant = value;
    return store.set(key, value);
  };
  return Object.assign(own, {
    auth: oauth({ ...options, store: { ...store, set } }),
  });
}

/**
 * Signs in, and returns the headers for one request that is sent by hand or
 * opens a WebSocket, whose clients have no `auth`.
 */
export async function headersFor(auth, address, method = "POST") {
  const url = new URL(address);
  const request = { method, url };
  const authorization = auth.connect(url, () => {});
  for (let attempt = 1; ; attempt++) {
    const sent = await authorization.headers(request);
    const { status, headers, body } = await fetch(url, {
      method,
      headers: sent,
    });
    await body?.cancel();
    const header = (name) => headers.get(name) ?? undefined;
    authorization.answered?.(request, header);
    if (status !== 401) return authorization.headers(request);
    await authorization.challenged({
      ...request,
      status,
      header,
      sent,
      attempt,
      revision: undefined,
    });
  }
}

/** Sends one message by hand. */
export const post = (url, headers, message) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1000, ...message }),
  });

/** What a tool knows about its caller. */
export const tool = async (client, name) => {
  const { content } = await client.callTool({ name, arguments: {} });
  return JSON.parse(content[0].text);
};
export const whoami = (client) => tool(client, "whoami");
