import { createHash } from "node:crypto";
import { json, type Seen, type World } from "./world.js";

type Metadata = Record<string, unknown>;

/** An error response of the token endpoint. */
export const refused = (error: string, status = 400): Response =>
  json({ error }, status);

/**
 * An authorization server in memory. A test changes its members to make it
 * behave otherwise.
 */
export class AuthorizationServer {
  readonly issuer: string;
  readonly metadata: Metadata;
  /** The valid access tokens. */
  readonly live = new Set<string>();
  /** The valid refresh tokens, each with its scope. */
  readonly refreshable = new Map<string, string>();
  /**
   * The secrets of the registered clients, undefined for clients without one.
   */
  readonly clients = new Map<string, string | undefined>();
  /** Seconds until an access token expires. */
  lifetime: number | undefined = 3600;
  givesRefreshTokens = true;
  /** Replaces a response of the token endpoint. */
  tokenAnswer:
    | ((seen: Seen) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** Changes the parameters of the response to a sign-in. */
  answer: (params: URLSearchParams) => void = () => {};
  readonly registrations: Metadata[] = [];
  readonly #codes = new Map<string, URLSearchParams>();
  #count = 0;

  constructor(
    world: World,
    issuer = "https://as.example.com",
    more: Metadata = {},
  ) {
    this.issuer = issuer;
    this.metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      ...more,
    };
    const { origin, pathname } = new URL(issuer);
    const path = pathname === "/" ? "" : pathname;
    world.routes.set(
      `${origin}/.well-known/oauth-authorization-server${path}`,
      () => json(this.metadata),
    );
    world.routes.set(`${issuer}/register`, ({ body }) =>
      this.#register(JSON.parse(body) as Metadata),
    );
    world.routes.set(`${issuer}/authorize`, ({ url }) =>
      this.#authorize(url.searchParams),
    );
    world.routes.set(
      `${issuer}/token`,
      async (seen) => (await this.tokenAnswer?.(seen)) ?? this.#token(seen),
    );
    world.routes.set(`${issuer}/revoke`, ({ form }) => {
      this.refreshable.delete(String(form["token"]));
      return new Response(null, { status: 200 });
    });
  }

  /** The answer to a successful request for tokens. */
  issue(scope = ""): Response {
    const number = ++this.#count;
    const [access, refresh] = [`access-${number}`, `refresh-${number}`];
    this.live.add(access);
    if (this.givesRefreshTokens) this.refreshable.set(refresh, scope);
    return json({
      access_token: access,
      token_type: "Bearer",
      ...(this.lifetime !== undefined && { expires_in: this.lifetime }),
      ...(this.givesRefreshTokens && { refresh_token: refresh }),
    });
  }

  #register(metadata: Metadata): Response {
    this.registrations.push(metadata);
    const id = `client-${this.registrations.length}`;
    const secret =
      metadata["token_endpoint_auth_method"] === "none" ? undefined : "secret";
    this.clients.set(id, secret);
    return json(
      { client_id: id, ...(secret !== undefined && { client_secret: secret }) },
      201,
    );
  }

  #authorize(query: URLSearchParams): Response {
    const code = `code-${++this.#count}`;
    this.#codes.set(code, query);
    const target = new URL(String(query.get("redirect_uri")));
    target.searchParams.set("code", code);
    target.searchParams.set("state", String(query.get("state")));
    this.answer(target.searchParams);
    return new Response(null, {
      status: 302,
      headers: { location: target.href },
    });
  }

  #token({ form }: Seen): Response {
    if (form["grant_type"] === "authorization_code") {
      const query = this.#codes.get(String(form["code"]));
      this.#codes.delete(String(form["code"]));
      const hash = createHash("sha256")
        .update(String(form["code_verifier"]))
        .digest("base64url");
      const isBound =
        hash === query?.get("code_challenge") &&
        form["redirect_uri"] === query.get("redirect_uri");
      return isBound
        ? this.issue(query.get("scope") ?? "")
        : refused("invalid_grant");
    }
    if (form["grant_type"] === "refresh_token") {
      const scope = this.refreshable.get(String(form["refresh_token"]));
      // Rotation: each refresh token is valid once.
      this.refreshable.delete(String(form["refresh_token"]));
      return scope === undefined ? refused("invalid_grant") : this.issue(scope);
    }
    return form["grant_type"] === "client_credentials"
      ? this.issue(form["scope"])
      : refused("unsupported_grant_type");
  }
}
