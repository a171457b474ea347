import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { McpError } from "@mcpgen/runtime";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { createServers } from "../generated/index.js";
import { tls } from "./update/tls.js";

/**
 * A server that wants a token, and its authorization server, both at one
 * origin.
 */
export class Protected {
  readonly url: string;
  readonly #origin: string;
  readonly #host: string | undefined;
  readonly #server: ReturnType<typeof createServer>;
  /** What the authorization server answers in place of a code. */
  refusal: string | undefined;
  /**
   * What both servers repeat wherever they can, from the token of a request: in
   * instructions, tools, results, errors and refusals.
   */
  repeated: ((token: string) => string) | undefined;
  /** The metadata of the authorization server: whole, without PKCE, or none. */
  publishes: "all" | "no PKCE" | "nothing" = "all";
  /**
   * What follows the origin in the issuer identifier that the MCP server names.
   */
  namedPath = "";
  /** The parameters of the requests for the page to sign in. */
  readonly pages: Readonly<Record<string, string>>[] = [];
  /** The Authorization headers of the requests for tokens. */
  readonly authentications: (string | undefined)[] = [];
  readonly live = new Set<string>();
  /** The scope that the server requires, and the scopes of the last tokens. */
  requiredScope: string | undefined;
  scopes: readonly string[] = [];
  /** False to issue tokens that the server then rejects. */
  isAccepting = true;
  canRevoke = true;
  readonly refreshable = new Set<string>();
  /** The grants of the requests for tokens, and the paths of the others. */
  readonly seen: string[] = [];
  readonly #codes = new Map<string, URLSearchParams>();
  #count = 0;

  private constructor(
    server: ReturnType<typeof createServer>,
    host: string | undefined,
  ) {
    this.#server = server;
    this.#origin = `${host === undefined ? "http://127.0.0.1" : `https://${host}`}:${(server.address() as AddressInfo).port}`;
    this.#host = host;
    this.url = `${this.#origin}/mcp`;
    server.on(
      "request",
      (request: IncomingMessage, response: ServerResponse) =>
        void this.#answer(request, response),
    );
  }

  /**
   * Starts it on this machine, under the name of a host with TLS if there is
   * one.
   */
  static async start(host?: string): Promise<Protected> {
    const server =
      host === undefined ? createServer() : createSecureServer(tls);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Protected(server, host);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url ?? "/", this.#origin);
    const json = (value: unknown, status = 200): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(value));
    switch (url.pathname) {
      case "/mcp":
        return this.#serve(request, response);
      case "/.well-known/oauth-protected-resource/mcp":
        return json({
          resource: this.url,
          authorization_servers: [this.#origin + this.namedPath],
        });
      case "/.well-known/oauth-authorization-server":
      case `/.well-known/oauth-authorization-server${this.namedPath}`:
        if (this.publishes === "nothing") return json({}, 404);
        return json({
          issuer: this.#origin,
          ...this.#endpoints("authorize", "token", "register"),
          device_authorization_endpoint: `${this.#origin}/device`,
          ...(this.canRevoke && {
            revocation_endpoint: `${this.#origin}/revoke`,
          }),
          registration_endpoint: `${this.#origin}/register`,
          ...(this.publishes === "all" && {
            code_challenge_methods_supported: ["S256"],
          }),
          token_endpoint_auth_methods_supported: [
            "none",
            "client_secret_basic",
            "private_key_jwt",
          ],
          token_endpoint_auth_signing_alg_values_supported: ["ES256"],
        });
      case "/register":
        return json({ client_id: "registered" }, 201);
      case "/authorize":
        return this.#authorize(url.searchParams, response);
      case "/device":
        return json({
          device_code: "device",
          user_code: "ABCD-EFGH",
          verification_uri: `${this.#origin}/enter`,
          expires_in: 60,
          interval: 1,
        });
      case "/token":
        return json(
          ...this.#token(
            new URLSearchParams(await readAll(request)),
            request.headers.authorization,
          ),
        );
      // The identity of a job, as GitHub Actions gives it.
      case "/identity":
        return json({ value: "jwt-of-the-platform" });
      case "/revoke": {
        const token =
          new URLSearchParams(await readAll(request)).get("token") ?? "";
        this.seen.push("revoke");
        this.refreshable.delete(token);
        return json({});
      }
      default:
        return json({}, 404);
    }
  }

  #endpoints(...names: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      names.map((name) => [
        `${name === "authorize" ? "authorization" : name}_endpoint`,
        `${this.#origin}/${name}`,
      ]),
    );
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const token =
      /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!this.live.has(token)) {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return;
    }
    const scope = this.requiredScope;
    if (scope !== undefined && !this.scopes.includes(scope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
      response.writeHead(403, { "www-authenticate": challenge }).end();
      return;
    }
    const text = this.repeated && `Use ${this.repeated(token)}.`;
    const tool = {
      ...(text !== undefined && { description: text }),
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    } as const;
    const named = this.repeated?.(token) ?? "";
    const servers = createServers({
      info: { name: "protected", version: "1.0.0" },
      ...(text !== undefined && { instructions: text }),
      handlers: {
        "tools/list": () => ({
          tools: ["echo", ...(/^[\w-]+$/.exec(named) ?? [])].map((name) => ({
            name,
            ...tool,
          })),
        }),
        "tools/call": ({ arguments: given = {} }) => {
          if (given["fails"] === true) throw new McpError(-32000, text ?? "no");
          return { content: [{ type: "text", text: text ?? "yes" }] };
        },
      },
    });
    nodeListener(
      createHttpHandler(
        servers,
        this.#host === undefined ? {} : { allowedHosts: [this.#host] },
      ),
    )(request, response);
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    this.pages.push(Object.fromEntries(query));
    const target = new URL(String(query.get("redirect_uri")));
    const code = `code-${++this.#count}`;
    this.scopes = (query.get("scope") ?? "").split(" ");
    this.#codes.set(code, query);
    target.searchParams.set("state", String(query.get("state")));
    if (this.refusal === undefined) target.searchParams.set("code", code);
    else target.searchParams.set("error", this.refusal);
    response.writeHead(302, { location: target.href }).end();
  }

  #token(
    form: URLSearchParams,
    authorization: string | undefined,
  ): [body: unknown, status?: number] {
    const grant = form.get("grant_type") ?? "";
    this.seen.push(grant);
    this.authentications.push(authorization);
    const grants: Readonly<Record<string, () => boolean>> = {
      authorization_code: () =>
        this.#codes.get(form.get("code") ?? "")?.get("code_challenge") ===
        createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url"),
      refresh_token: () =>
        this.refreshable.delete(form.get("refresh_token") ?? ""),
      client_credentials: () =>
        authorization === `Basic ${btoa("robot:s3cret-of-the-robot")}` ||
        form.has("client_assertion"),
      "urn:ietf:params:oauth:grant-type:device_code": () => true,
      "urn:ietf:params:oauth:grant-type:jwt-bearer": () =>
        form.get("assertion") === "jwt-of-the-platform",
    };
    if (this.refusal !== undefined || grants[grant]?.() !== true)
      return [
        {
          error: this.refusal ?? "invalid_grant",
          error_description: this.repeated && `Use ${this.repeated("")}.`,
        },
        400,
      ];
    const number = ++this.#count;
    const [access, refresh] = [
      `access-token-${number}-of-the-test`,
      `refresh-token-${number}-of-the-test`,
    ];
    if (this.isAccepting) this.live.add(access);
    this.refreshable.add(refresh);
    return [
      {
        access_token: access,
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: refresh,
      },
    ];
  }
}

/**
 * The environment of a person at a screen, whose browser visits each page and
 * follows where it leads.
 */
export function withBrowser(folder: string): Record<string, string> {
  const programs = join(folder, "programs");
  mkdirSync(programs, { recursive: true });
  const script = `#!${process.execPath}\nfetch(process.argv.at(-1)).then((response) => response.text());\n`;
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(programs, name), script);
    chmodSync(join(programs, name), 0o755);
  }
  return {
    ...withoutBrowser(folder),
    PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}`,
    DISPLAY: ":0",
  };
}

/** The environment of a job without a screen, with settings of its own. */
export function withoutBrowser(folder: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(folder, "settings"),
    APPDATA: join(folder, "settings"),
    HOME: folder,
    SSH_CONNECTION: "",
    SSH_TTY: "",
    DISPLAY: "",
    WAYLAND_DISPLAY: "",
  };
}
