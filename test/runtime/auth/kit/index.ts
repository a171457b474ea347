import type { ClientSettings } from "@mcpgen/runtime";
import {
  type Login,
  oauth,
  type OAuth,
  type OAuthOptions,
  type Redirect,
} from "@mcpgen/auth";
import { createHttpHandler, http } from "@mcpgen/runtime/http";
import { afterTest } from "../../kit/closing.js";
import {
  type AnyClient,
  legacy,
  makeClient,
  makeServer,
  type Revision,
  text,
} from "../../kit/index.js";
import { AuthorizationServer } from "./authorization-server.js";
import { World } from "./world.js";

export { AuthorizationServer, refused } from "./authorization-server.js";
export { json, type Seen, World } from "./world.js";

/**
 * An MCP server that requires a token. A test changes its members to change its
 * behaviour.
 */
export class ProtectedServer {
  readonly url: string;
  readonly world: World;
  /** The authorization server whose tokens it accepts. */
  as: AuthorizationServer;
  /** Its metadata, at the URL of the challenge. */
  metadata: Record<string, unknown>;
  /** The challenge of a 401. */
  challenge: string;
  /**
   * Returns a response that replaces that of the server, for a request with a
   * valid token.
   */
  refusal: (authorization: string, body: string) => Response | undefined = () =>
    undefined;

  constructor(
    world: World,
    as: AuthorizationServer,
    url = "https://mcp.example.com/mcp",
    { protocol }: Revision = legacy,
  ) {
    this.url = url;
    this.world = world;
    this.as = as;
    const { origin, pathname } = new URL(url);
    const metadataUrl = `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
    this.metadata = { resource: url, authorization_servers: [as.issuer] };
    this.challenge = `Bearer resource_metadata="${metadataUrl}"`;
    world.routes.set(metadataUrl, () => Response.json(this.metadata));
    const tools = {
      tools: [{ name: "echo", inputSchema: { type: "object" } }],
    };
    const server = makeServer(protocol, {
      handlers: {
        "tools/list": () => ({ ...tools }),
        "tools/call": () => text("called"),
      },
    });
    const handler = createHttpHandler(
      server as never,
      { allowedHosts: [new URL(url).hostname] } as never,
    );
    world.routes.set(url, async ({ headers, body }, init) => {
      const authorization = headers.get("authorization") ?? "";
      if (!this.as.live.has(authorization.replace(/^(Bearer|DPoP) /, "")))
        return new Response(null, {
          status: 401,
          headers: { "www-authenticate": this.challenge },
        });
      return (
        this.refusal(authorization, body) ?? handler(new Request(url, init))
      );
    });
  }
}

/** A person who signs in at once, with a counter. */
export class Person implements Login {
  count = 0;
  readonly pages: URL[] = [];
  uri = "http://127.0.0.1:33418/callback";
  preferred: string | undefined;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  redirectUri = (preferred?: string): Redirect => {
    this.preferred = preferred;
    let answer!: (params: URLSearchParams) => void;
    return {
      uri: this.uri,
      answer: new Promise((resolve) => (answer = resolve)),
      open: async (page) => {
        this.count++;
        this.pages.push(new URL(page));
        const { headers } = await this.#world.fetch(page);
        // A page without a redirect gives no response.
        const location = headers.get("location");
        if (location !== null) answer(new URL(location).searchParams);
      },
      close: () => {},
    };
  };

  /** The parameters of the last page. */
  get pageParams(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.pages.at(-1)?.searchParams ?? []);
  }
}

/** A server, its authorization server, and a person. */
export interface Setup {
  readonly world: World;
  readonly as: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly person: Person;
  /** Options of `oauth` for this world. */
  options(more?: OAuthOptions): OAuthOptions;
  /** Connects a client, which signs in by default. */
  connect(auth?: OAuth, settings?: ClientSettings): Promise<AnyClient>;
}

export function setUp({
  revision = legacy,
  url,
  issuer,
}: { revision?: Revision; url?: string; issuer?: string } = {}): Setup {
  const world = new World();
  const as = new AuthorizationServer(world, issuer);
  const server = new ProtectedServer(world, as, url, revision);
  const person = new Person(world);
  const options = (more: OAuthOptions = {}): OAuthOptions => ({
    login: person,
    fetch: world.fetch,
    ...more,
  });
  return {
    world,
    as,
    server,
    person,
    options,
    connect: async (auth = oauth(options()), settings = {}) => {
      const transport = http(server.url, { auth, fetch: world.fetch });
      const client = await makeClient(revision.protocol, transport, settings);
      afterTest(() => client.close());
      return client;
    },
  };
}
