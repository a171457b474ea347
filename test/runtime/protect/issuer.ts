import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from "jose";

/**
 * The resource of the server in tokens and metadata. Its real address is
 * another one.
 */
export const resource = "https://mcp.example.com/mcp";

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** A key that an authorization server signs with. */
interface SigningKey extends Keys {
  readonly kid: string;
  readonly alg: string;
  readonly jwk: JWK;
}

/**
 * An authorization server that only publishes its metadata and its keys, over a
 * real socket.
 */
export class Issuer {
  readonly issuer: string;
  readonly #server: Server;
  /** The keys that it publishes; it signs with the last one. */
  keys: SigningKey[] = [];
  /** The paths of the requests that it got. */
  readonly requests: string[] = [];
  /** Replaces its responses if set. */
  answer:
    | ((
        path: string,
      ) => { readonly status: number; readonly text: string } | undefined)
    | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => {
      const path = request.url ?? "";
      this.requests.push(path);
      const { status, text } = this.answer?.(path) ?? this.#document(path);
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(text);
    });
  }

  static async start(): Promise<Issuer> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const issuer = new Issuer(server);
    await issuer.addKey();
    return issuer;
  }

  /** Publishes another key, and signs with it from now on. */
  async addKey(alg = "ES256"): Promise<SigningKey> {
    const pair = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${this.keys.length}-${alg}`;
    const key = {
      ...pair,
      alg,
      kid,
      jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" },
    };
    this.keys.push(key);
    return key;
  }

  /**
   * A token of a user for the server of the tests. A claim that is undefined is
   * left out.
   */
  async token(
    claims: Readonly<Record<string, unknown>> = {},
    header: Partial<JWTHeaderParameters> = {},
    key: SigningKey | undefined = this.keys.at(-1),
  ): Promise<string> {
    if (!key) throw new Error("The issuer has no key.");
    const now = Math.floor(Date.now() / 1000);
    const all = {
      iss: this.issuer,
      sub: "ada",
      client_id: "app",
      aud: resource,
      iat: now,
      exp: now + 300,
    };
    return new SignJWT({ ...all, ...claims })
      .setProtectedHeader({
        alg: key.alg,
        kid: key.kid,
        typ: "at+jwt",
        ...header,
      })
      .sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #document(path: string): { status: number; text: string } {
    const { issuer } = this;
    if (path === "/.well-known/oauth-authorization-server")
      return {
        status: 200,
        text: JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` }),
      };
    if (path === "/jwks")
      return {
        status: 200,
        text: JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }),
      };
    return { status: 404, text: "{}" };
  }
}
