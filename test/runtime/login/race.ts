import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import type { TokenStore } from "@mcpgen/auth";
import { fileStore } from "@mcpgen/auth/login";
import { bundle } from "../kit/bundle.js";
import { makeServer, modern } from "../kit/index.js";

const program = bundle("signed-in-client");

/** The outcome of a race. */
export interface Race {
  /**
   * The standard output of each process, or the signal that ended it, or its
   * standard error.
   */
  readonly ends: readonly string[];
  readonly refreshes: number;
  /** Refresh tokens that were used twice, which revokes the grant. */
  readonly reuses: number;
  /** Requests to sign in a person. */
  readonly logins: number;
}

/**
 * Runs processes that share a folder of tokens, which last `lifetime` seconds.
 * A refresh token counts once, and a second use ends all. The first process is
 * killed in a lock if `isKilled`.
 */
export async function race({
  processes,
  calls,
  pause,
  lifetime,
  isKilled = false,
  shared,
}: {
  processes: number;
  calls: number;
  pause: number;
  lifetime: number;
  isKilled?: boolean;
  /**
   * Another store than a folder, and the module whose function `open` returns
   * it.
   */
  shared?: { readonly store: TokenStore; readonly module: string };
}): Promise<Race> {
  const counts = { refreshes: 0, reuses: 0, logins: 0 };
  const live = new Map<string, number>();
  let refreshToken: string | undefined = "refresh-0";
  const handler = createHttpHandler(
    makeServer(modern.protocol, {
      handlers: {
        "tools/list": () => ({
          tools: [{ name: "echo", inputSchema: { type: "object" } }],
        }),
      },
    }) as never,
  );
  const serveMcp = nodeListener(handler);
  const refresh = (form: URLSearchParams): [number, object] => {
    if (form.get("refresh_token") !== refreshToken) {
      counts.reuses++;
      refreshToken = undefined;
      live.clear();
      return [400, { error: "invalid_grant" }];
    }
    counts.refreshes++;
    const token = `access-${counts.refreshes}`;
    refreshToken = `refresh-${counts.refreshes}`;
    live.set(token, Date.now() + lifetime * 1000);
    return [
      200,
      {
        access_token: token,
        token_type: "Bearer",
        expires_in: lifetime,
        refresh_token: refreshToken,
      },
    ];
  };
  const answer = async (
    request: IncomingMessage,
  ): Promise<[number, object]> => {
    const path = new URL(request.url ?? "/", origin).pathname;
    if (path === "/.well-known/oauth-protected-resource/mcp")
      return [200, { resource: url, authorization_servers: [origin] }];
    if (path === "/.well-known/oauth-authorization-server")
      return [200, metadata];
    if (path === "/token")
      return refresh(new URLSearchParams(await readAll(request)));
    if (path === "/authorize") counts.logins++;
    return [404, {}];
  };
  const server = createServer(
    (request: IncomingMessage, response: ServerResponse) => {
      const token =
        /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      if (request.url === "/mcp") {
        if (Date.now() < (live.get(token) ?? 0))
          return void serveMcp(request, response);
        response.writeHead(401, { "www-authenticate": "Bearer" }).end();
        return;
      }
      void answer(request).then(([status, body]) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body)),
      );
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    code_challenge_methods_supported: ["S256"],
  };
  const folder = await mkdtemp(join(tmpdir(), "mcpgen-race-"));
  await (shared?.store ?? fileStore({ folder })).set(
    JSON.stringify(["grant", url, ""]),
    {
      kind: "grant",
      id: "one",
      issuer: origin,
      resource: url,
      clientId: "caller",
      accessToken: "access-0",
      refreshToken,
      since: 0,
      expires: 1,
      scopes: [],
    },
  );
  const ends = await Promise.all(
    Array.from({ length: processes }, async (_, i) => {
      const task = {
        url,
        folder,
        module: shared?.module,
        calls,
        pause,
        isKilled: isKilled && i === 0,
      };
      const child = spawn(process.execPath, [
        await program,
        JSON.stringify(task),
      ]);
      const [out, errors] = [readAll(child.stdout), readAll(child.stderr)];
      const [, signal] = (await once(child, "close")) as [
        number,
        NodeJS.Signals | null,
      ];
      return signal ?? ((await out) || (await errors));
    }),
  );
  server.closeAllConnections();
  server.close();
  return { ends, ...counts };
}
