// The clients that sign in to a protected server: where they can, and how.
import * as v2 from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as Sse1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { http, sse } from "@mcpgen/runtime/http";
import { webSocket } from "@mcpgen/runtime/websocket";
import { clientQuestions, connect } from "../../generated/index.ts";
import {
  headersFor,
  info,
  keptAuth,
  opensWithHandshake,
} from "./protected.mjs";

const all = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
];
const withHandshake = all.slice(0, -1);
const noSse = "2026-07-28 does not have the transport.";
const unknown = "The client does not have 2026-07-28.";

/**
 * The revisions with which a client signs in over a transport, and why it does
 * not with the others. The README has this table too.
 */
export const table = [
  {
    client: "SDK v1",
    transport: "Streamable HTTP",
    revisions: withHandshake,
    gap: unknown,
  },
  {
    client: "SDK v1",
    transport: "HTTP+SSE",
    revisions: withHandshake,
    gap: unknown,
  },
  {
    client: "SDK v1",
    transport: "WebSocket",
    revisions: [],
    gap: "Its WebSocket client sends no token.",
  },
  { client: "SDK v2", transport: "Streamable HTTP", revisions: all, gap: "" },
  {
    client: "SDK v2",
    transport: "HTTP+SSE",
    revisions: withHandshake,
    gap: noSse,
  },
  {
    client: "SDK v2",
    transport: "WebSocket",
    revisions: [],
    gap: "It has no WebSocket client.",
  },
  { client: "mcpgen", transport: "Streamable HTTP", revisions: all, gap: "" },
  {
    client: "mcpgen",
    transport: "HTTP+SSE",
    revisions: withHandshake,
    gap: noSse,
  },
  { client: "mcpgen", transport: "WebSocket", revisions: all, gap: "" },
];

/** The rows of a client, or of all: one for each transport and revision. */
export const rowsOf = (...clients) =>
  table
    .filter(({ client }) => clients.length === 0 || clients.includes(client))
    .flatMap(({ client, transport, revisions }) =>
      revisions.map((revision) => ({ client, transport, revision })),
    );

/**
 * What the clients of the SDKs want from a program: a place for all that they
 * know, and a person with a browser.
 */
export function sdkProvider(person, more = {}) {
  const own = {};
  return Object.assign(own, {
    redirectUrl: person.uri,
    clientMetadata: {
      client_name: "peer",
      redirect_uris: [person.uri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => own.client,
    saveClientInformation: (client) => void (own.client = client),
    tokens: () => own.tokenSet,
    saveTokens: (tokens) => void (own.tokenSet = tokens),
    codeVerifier: () => own.verifier,
    saveCodeVerifier: (verifier) => void (own.verifier = verifier),
    discoveryState: () => own.discovery,
    saveDiscoveryState: (state) => void (own.discovery = state),
    redirectToAuthorization: async (page) =>
      void (own.answer = await person.visit(page)),
    ...more,
  });
}

/**
 * Connects a client of an SDK. Its transport says that it is not authorized,
 * and after the sign-in another one is needed.
 */
export async function openSdk(
  peer,
  transport,
  { url, revision, authProvider },
) {
  const Transport = peer.transports[transport];
  const make = () => new Transport(new URL(url), { authProvider });
  let carrier = make();
  let client = peer.make(revision);
  try {
    await client.connect(carrier);
  } catch (error) {
    if (!authProvider.answer) throw error;
    await carrier.finishAuth(peer.finish(authProvider.answer));
    authProvider.answer = undefined;
    carrier = make();
    client = peer.make(revision);
    await client.connect(carrier);
  }
  return {
    listTools: () => client.listTools(),
    callTool: (params) => client.callTool(params),
    finishAuth: () => carrier.finishAuth(peer.finish(authProvider.answer)),
    close: () => client.close(),
  };
}

/**
 * Connects a client of ours. One of WebSocket takes its token along when it
 * connects.
 */
export async function openOurs(
  transport,
  { url, socketUrl, revision, auth, handlers = {} },
) {
  const carrier =
    transport === "WebSocket"
      ? webSocket(socketUrl, { headers: await headersFor(auth, url, "GET") })
      : { "Streamable HTTP": http, "HTTP+SSE": sse }[transport](url, { auth });
  return connect(carrier, {
    info,
    mode: revision,
    questions: clientQuestions,
    handlers,
  });
}

export const sdk1 = {
  make: () => new Client1(info),
  finish: (params) => params.get("code"),
  transports: { "Streamable HTTP": Http1, "HTTP+SSE": Sse1 },
};
const modeOf = (revision) => {
  if (revision === "auto") return "auto";
  return opensWithHandshake(revision) ? "legacy" : { pin: revision };
};
export const sdk2 = {
  make: (revision) =>
    new v2.Client(info, {
      ...(revision !== "auto" && { supportedProtocolVersions: [revision] }),
      versionNegotiation: { mode: modeOf(revision) },
    }),
  finish: (params) => params,
  transports: {
    "Streamable HTTP": v2.StreamableHTTPClientTransport,
    "HTTP+SSE": v2.SSEClientTransport,
  },
};

/** How each client signs a person in to a server and connects. */
export const open = {
  "SDK v1": ({ url }, revision, transport, person) =>
    openSdk(sdk1, transport, {
      url,
      revision,
      authProvider: sdkProvider(person),
    }),
  "SDK v2": ({ url }, revision, transport, person) =>
    openSdk(sdk2, transport, {
      url,
      revision,
      authProvider: sdkProvider(person),
    }),
  mcpgen: (server, revision, transport, person) =>
    openOurs(transport, {
      ...server,
      revision,
      auth: keptAuth({ login: person }).auth,
    }),
};
