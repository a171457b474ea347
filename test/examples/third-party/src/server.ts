import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { ToolError } from "@mcpgen/runtime";
import { type FeatureContext, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { protect, type ProtectedAuth } from "@mcpgen/auth/protect";
import { errors } from "oidc-provider";
import {
  claimsOf,
  createAuthorizationServer,
  type MetadataFetch,
  scopes,
} from "./authorization-server.js";
import { consent } from "./consent.js";
import { createServers } from "./gen/index.js";
import { escape, isSafe, sendPage } from "./pages.js";
import { Sessions } from "./sessions.js";
import { callback, type Parts } from "./sign-in.js";
import { ThirdParty, type ThirdPartyOptions } from "./third-party.js";
import { Vault } from "./vault.js";

export interface ServerOptions {
  /**
   * The origin under which clients reach this server; https, or http on this
   * machine.
   */
  readonly origin: string;
  readonly port: number;
  /** At least 32 random bytes, with which everything in `folder` is sealed. */
  readonly key: Uint8Array;
  readonly folder: string;
  readonly thirdParty: ThirdPartyOptions;
  /**
   * Reads the metadata documents of clients; by default a `fetch` that refuses
   * addresses of private networks.
   */
  readonly fetch?: MetadataFetch | undefined;
}

/**
 * Starts an MCP server that is its own authorization server, at one origin.
 * Returns a function that stops it.
 */
export async function start(
  options: ServerOptions,
): Promise<() => Promise<void>> {
  const { origin, port, key, folder, fetch } = options;
  for (const url of [origin, options.thirdParty.issuer])
    if (!isSafe(url))
      throw new TypeError(
        `${url} must be an https URL, or an http URL of this machine.`,
      );
  if (new URL(origin).origin !== origin)
    throw new TypeError(`${origin} must be an origin, without a path.`);
  const resource = `${origin}/mcp`;
  const vault = new Vault(folder, key);
  const thirdParty = new ThirdParty(
    options.thirdParty,
    `${origin}/third-party/callback`,
  );
  const sessions = new Sessions(thirdParty, vault);
  const provider = createAuthorizationServer({
    issuer: origin,
    resource,
    vault,
    sessions,
    fetch,
  });
  const parts = { resource, provider, vault, thirdParty, sessions };

  const servers = createServers({
    info: { name: "third-party", version: "1.0.0" },
    handlers: tools([whoami(parts)]),
  });
  const protection = protect({
    resource,
    issuers: [origin],
    scopes: Object.keys(scopes),
    verify: (token) => claimsOf(provider, sessions, token),
    // `sessions` remembers for a few seconds what the third party has
    // confirmed.
    recheckTime: 0,
  });
  const handler = createHttpHandler(servers, { protect: protection });
  const routes: Record<
    string,
    (request: IncomingMessage, response: ServerResponse) => unknown
  > = {
    "/mcp": nodeListener(handler),
    "/third-party/callback": (request, response) =>
      callback(parts, request, response),
  };
  for (const [path, metadata] of Object.entries(protection.routes))
    routes[path] = nodeListener(metadata);
  const authorize = provider.callback();
  const server = createServer(async (request, response) => {
    response
      .setHeader("content-security-policy", "frame-ancestors 'none'")
      .setHeader("x-frame-options", "DENY");
    const path = request.url?.replace(/\?.*$/, "") ?? "";
    try {
      if (path.startsWith("/consent/")) await consent(parts, request, response);
      else await (routes[path] ?? authorize)(request, response);
    } catch (error) {
      showError(response, error);
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const timer = setInterval(() => vault.sweep(), 3_600_000).unref();
  return async () => {
    clearInterval(timer);
    await handler.close();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
}

/** Shows what the person can do something about, and prints the rest. */
function showError(response: ServerResponse, error: unknown): void {
  const isKnown = error instanceof errors.OIDCProviderError;
  if (!isKnown)
    console.error(
      error instanceof Error
        ? `${error.name}: ${error.message}`
        : "unknown error",
    );
  const reason = isKnown
    ? (error.error_description ?? error.message)
    : "something is wrong with this server";
  sendPage(
    response,
    isKnown ? error.statusCode : 500,
    "The sign-in has failed",
    `<p>${escape(reason)}</p>`,
  );
}

/**
 * A tool that calls the third party with the third party's own token. The token
 * of the MCP client stays here.
 */
const whoami = ({ sessions, thirdParty }: Parts) => ({
  name: "whoami",
  description: "Tells who you are at the third party.",
  inputSchema: { type: "object", properties: {} },
  async handler(_: unknown, { auth }: FeatureContext): Promise<string> {
    const { claims } = auth as ProtectedAuth;
    const tokens = await sessions
      .tokensOf(String(claims["grant"]))
      .catch(() => undefined);
    const profile =
      tokens && (await thirdParty.profile(tokens).catch(() => undefined));
    if (!profile)
      throw new ToolError("The third party does not say who you are.");
    return `${profile.name ?? profile.sub}, ${profile.email ?? "without an e-mail address"}`;
  },
});
