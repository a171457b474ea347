import { oauth, type OAuthOptions } from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { refused, type Setup, setUp } from "./kit/index.js";

// Metadata of real servers, as threads on GitHub describe it, with the names
// and addresses of that time. It is reduced to the relevant members and served
// from memory: no test sends a request to these servers.

/** A server whose metadata causes errors in clients. */
interface Troublesome {
  readonly name: string;
  readonly threads: string;
  readonly url: string;
  /**
   * The authorization server in its metadata, and the URL of the metadata if
   * not at its path. None: a server of revision 2025-03-26.
   */
  readonly issuer?: string;
  readonly resourceMetadata?: string;
  /** The `resource` of its metadata, if it is another one than its URL. */
  readonly resource?: string;
  /**
   * The URL of the metadata of the authorization server, and its members
   * besides the endpoints.
   */
  readonly metadata: readonly [
    url: string,
    members: Readonly<Record<string, unknown>>,
  ];
  /** Responses of other URLs instead of 404. */
  readonly statuses?: Readonly<Record<string, number>>;
  /** Other peculiarities. */
  readonly special?: (setup: Setup) => void;
  /**
   * The outcome of a sign-in: success, or an error with this reason and this
   * text for the user.
   */
  readonly verdict:
    "works" | "issuer" | "registration" | "resource" | "metadata" | "grant";
  readonly says?: string;
  /** The options with which it works, if there are any. */
  readonly wayOut?: OAuthOptions;
}

const wellKnown = "/.well-known/oauth-authorization-server";
const none = { registration_endpoint: undefined };

/**
 * An authorization server whose metadata names another issuer. The option in
 * the error message solves it.
 */
const renamed = (
  name: string,
  threads: string,
  url: string,
  issuer: string,
  named: string,
  more: Partial<Troublesome> = {},
): Troublesome => {
  const { origin, pathname } = new URL(issuer);
  return {
    name,
    threads,
    url,
    issuer,
    metadata: [
      `${origin}${wellKnown}${pathname.replace(/\/$/, "")}`,
      { issuer: named },
    ],
    verdict: "issuer",
    // The line that accepts another origin is not shown: it would help an
    // attacker.
    says:
      new URL(named).origin === origin
        ? `issuers: { "${issuer}": "${named}" }`
        : `names another issuer, "${named}". Its operator must correct it`,
    wayOut: { issuers: { [issuer]: named } },
    ...more,
  };
};

const servers: readonly Troublesome[] = [
  renamed(
    "Google Workspace, whose metadata add a slash",
    "github/copilot-cli#4606, modelcontextprotocol/python-sdk#1919",
    "https://calendarmcp.googleapis.com/mcp/v1",
    "https://accounts.google.com/",
    "https://accounts.google.com",
    {
      metadata: [
        `https://accounts.google.com${wellKnown}`,
        {
          issuer: "https://accounts.google.com",
          token_endpoint_auth_methods_supported: [
            "client_secret_post",
            "client_secret_basic",
          ],
          ...none,
        },
      ],
      // An issuer with a slash is accepted, but this server has no
      // registration.
      verdict: "registration",
      says: "client.id",
      wayOut: {
        client: {
          id: "ours",
          secret: "s",
          issuer: "https://accounts.google.com",
        },
      },
    },
  ),
  renamed(
    "Indeed, whose metadata lack a slash",
    "NousResearch/hermes-agent#95508",
    "https://mcp.indeed.com/mcp",
    "https://secure.indeed.com/",
    "https://secure.indeed.com",
    { verdict: "works" },
  ),
  renamed(
    "Expo, whose metadata have a slash too many",
    "expo/expo#49054",
    "https://mcp.expo.dev/mcp",
    "https://mcp.expo.dev",
    "https://mcp.expo.dev/",
    { verdict: "works" },
  ),
  renamed(
    "Atlassian, whose metadata drop the path",
    "atlassian/atlassian-mcp-server#205",
    "https://mcp.atlassian.com/v1/mcp/authv2",
    "https://auth.atlassian.com/tenant-of-the-test",
    "https://auth.atlassian.com",
  ),
  renamed(
    "Zephyr, whose metadata add a path",
    "SmartBear/smartbear-mcp#682",
    "https://zephyr.mcp.smartbear.com/mcp",
    "https://app.tm4j.smartbear.com",
    "https://app.tm4j.smartbear.com/backend/oauthproxy",
  ),
  renamed(
    "Skyvern, whose metadata are those of its provider",
    "Skyvern-AI/skyvern#8263",
    "https://api.skyvern.com/mcp/",
    "https://api.skyvern.com",
    "https://clerk.skyvern.com",
    { resource: "https://api.skyvern.com/mcp" },
  ),
  renamed(
    "Context7, whose metadata are those of its provider",
    "upstash/context7#2723",
    "https://mcp.context7.com/mcp/oauth",
    "https://context7.com",
    "https://clerk.context7.com",
  ),
  renamed(
    "Salesforce, whose metadata are those of its page to sign in",
    "forcedotcom/mcp-hosted#44",
    "https://api.salesforce.com/platform/mcp/v1/platform/sobject-reads",
    "https://api.salesforce.com:443/platform/mcp/v1/platform/sobject-reads",
    "https://login.salesforce.com",
  ),
  {
    name: "Atlassian of before, its own authorization server under another name",
    threads: "atlassian/atlassian-mcp-server#148",
    url: "https://mcp.atlassian.com/v1/mcp",
    metadata: [
      `https://mcp.atlassian.com${wellKnown}`,
      { issuer: "https://cf.mcp.atlassian.com" },
    ],
    verdict: "works",
  },
  {
    name: "monday.com, whose answers have another issuer",
    threads: "mondaycom/mcp#453, NousResearch/hermes-agent#96107",
    url: "https://mcp.monday.com/mcp",
    issuer: "https://auth.monday.com/mcp",
    metadata: [
      `https://auth.monday.com${wellKnown}/mcp`,
      {
        issuer: "https://auth.monday.com/mcp",
        authorization_response_iss_parameter_supported: true,
      },
    ],
    special: ({ as }) =>
      (as.answer = (params) => params.set("iss", "https://auth.monday.com")),
    verdict: "issuer",
    says: 'issuers: { "https://auth.monday.com/mcp": "https://auth.monday.com" }',
    wayOut: {
      issuers: { "https://auth.monday.com/mcp": "https://auth.monday.com" },
    },
  },
  {
    name: "Namecheap, whose answers have the issuer of its page to sign in, and do not announce it",
    threads: "openai/codex#38944",
    url: "https://mcp.namecheap.com/mcp",
    issuer: "https://mcp.namecheap.com",
    resource: "https://mcp.namecheap.com/",
    metadata: [
      `https://mcp.namecheap.com${wellKnown}`,
      { issuer: "https://mcp.namecheap.com" },
    ],
    special: ({ as }) =>
      (as.answer = (params) => params.set("iss", "https://www.namecheap.com")),
    verdict: "issuer",
    says: 'it names another issuer, "https://www.namecheap.com". Its operator must correct it',
    wayOut: {
      issuers: { "https://mcp.namecheap.com": "https://www.namecheap.com" },
    },
  },
  {
    name: "Cloudflare of before, which announces an issuer in its answers and sends none",
    threads: "cloudflare/mcp-server-cloudflare#449",
    url: "https://mcp.cloudflare.com/mcp",
    issuer: "https://mcp.cloudflare.com",
    metadata: [
      `https://mcp.cloudflare.com${wellKnown}`,
      {
        issuer: "https://mcp.cloudflare.com",
        authorization_response_iss_parameter_supported: true,
      },
    ],
    // Only the server can fix it: without the issuer, a response may come from
    // any server.
    verdict: "issuer",
    says: "iss",
  },
  {
    name: "Retool, which answers 401 at the path of the metadata",
    threads: "modelcontextprotocol/typescript-sdk#2783",
    url: "https://hashnote.retool.com/mcp",
    issuer: "https://hashnote.retool.com",
    resourceMetadata:
      "https://hashnote.retool.com/.well-known/oauth-protected-resource",
    statuses: {
      "https://hashnote.retool.com/.well-known/oauth-protected-resource/mcp": 401,
    },
    metadata: [
      `https://hashnote.retool.com${wellKnown}`,
      { issuer: "https://hashnote.retool.com" },
    ],
    verdict: "works",
  },
  {
    name: "Superhuman, whose authorization server is another host that answers 403 at wrong addresses",
    threads: "modelcontextprotocol/typescript-sdk#2783, #2784",
    url: "https://docs.superhuman.com/apis/mcp",
    issuer: "https://id.superhuman.com",
    statuses: { [`https://id.superhuman.com${wellKnown}/apis/mcp`]: 403 },
    metadata: [
      `https://id.superhuman.com${wellKnown}`,
      { issuer: "https://id.superhuman.com" },
    ],
    verdict: "works",
  },
  {
    name: "Cognito, which answers 400 at wrong addresses, and does not say that it supports PKCE",
    threads: "modelcontextprotocol/typescript-sdk#804, vercel/ai#18674",
    url: "https://mcp.example.com/mcp",
    issuer: "https://cognito-idp.us-west-2.amazonaws.com/us-west-2_pool",
    statuses: {
      [`https://cognito-idp.us-west-2.amazonaws.com${wellKnown}/us-west-2_pool`]: 400,
      "https://cognito-idp.us-west-2.amazonaws.com/.well-known/openid-configuration/us-west-2_pool": 400,
    },
    metadata: [
      "https://cognito-idp.us-west-2.amazonaws.com/us-west-2_pool/.well-known/openid-configuration",
      {
        issuer: "https://cognito-idp.us-west-2.amazonaws.com/us-west-2_pool",
        code_challenge_methods_supported: undefined,
        ...none,
      },
    ],
    // The specification forbids the client to continue.
    verdict: "metadata",
    says: "PKCE",
    wayOut: {
      issuers: {
        "https://cognito-idp.us-west-2.amazonaws.com/us-west-2_pool": {
          pkce: "S256",
        },
      },
      client: { id: "ours" },
    },
  },
  {
    name: "Keycloak, whose realm has a document of OpenID Connect below its path alone",
    threads: "modelcontextprotocol/inspector#2296, epam/ai-dial-core#1685",
    url: "https://mcp.example.com/mcp",
    issuer: "https://keycloak.example.com:9090/realms/tenant",
    metadata: [
      "https://keycloak.example.com:9090/realms/tenant/.well-known/openid-configuration",
      {
        issuer: "https://keycloak.example.com:9090/realms/tenant",
        code_challenge_methods_supported: ["plain", "S256"],
        scopes_supported: ["openid", "offline_access"],
      },
    ],
    special: ({ as }) => {
      // Its responses also contain an id token for another audience.
      as.tokenAnswer = async () => {
        const answer = (await as.issue().json()) as object;
        return Response.json({
          ...answer,
          id_token: "x.y.z",
          "not-before-policy": 0,
          session_state: "s",
        });
      };
    },
    verdict: "works",
  },
  {
    name: "GitLab, whose issuer is not the address of its MCP server",
    threads: "openai/codex#40885",
    url: "https://gitlab.com/api/v4/mcp",
    issuer: "https://gitlab.com",
    metadata: [
      `https://gitlab.com${wellKnown}`,
      { issuer: "https://gitlab.com" },
    ],
    verdict: "works",
  },
  {
    name: "GitHub, which registers nobody and answers with forms, errors with status 200 among them",
    threads: "modelcontextprotocol/typescript-sdk#759, #1342",
    url: "https://api.githubcopilot.com/mcp/",
    issuer: "https://github.com/login/oauth",
    metadata: [
      `https://github.com${wellKnown}/login/oauth`,
      { issuer: "https://github.com/login/oauth", ...none },
    ],
    special: ({ as }) => {
      as.metadata["token_endpoint_auth_methods_supported"] = [
        "client_secret_post",
      ];
      as.tokenAnswer = ({ form }) => {
        as.live.add("gho_1");
        const isKnown = form["client_secret"] === "s";
        return new Response(
          isKnown
            ? "access_token=gho_1&scope=repo%2Cgist&token_type=bearer"
            : "error=incorrect_client_credentials&error_description=The+client_id+is+wrong",
          {
            headers: {
              "content-type":
                "application/x-www-form-urlencoded; charset=utf-8",
            },
          },
        );
      };
    },
    verdict: "registration",
    says: "client.id",
    wayOut: {
      client: {
        id: "ours",
        secret: "s",
        issuer: "https://github.com/login/oauth",
      },
    },
  },
  {
    name: "GitHub, for a client with a wrong secret",
    threads: "modelcontextprotocol/typescript-sdk#1342",
    url: "https://mcp.example.com/mcp",
    issuer: "https://as.example.com",
    metadata: [
      `https://as.example.com${wellKnown}`,
      { issuer: "https://as.example.com" },
    ],
    special: ({ as }) => {
      as.tokenAnswer = () =>
        Response.json({
          error: "incorrect_client_credentials",
          error_description: "The client_id is wrong.",
        });
    },
    verdict: "grant",
    says: "The client_id is wrong.",
  },
  {
    name: "Entra behind metadata that name PKCE, which takes no resource",
    threads: "punkpeye/mcp-remote#217, anthropics/claude-code#73460",
    url: "https://org.crm.dynamics.com/api/mcp",
    issuer: "https://login.microsoftonline.com/tenant/v2.0",
    metadata: [
      "https://login.microsoftonline.com/tenant/v2.0/.well-known/openid-configuration",
      {
        issuer: "https://login.microsoftonline.com/tenant/v2.0",
        code_challenge_methods_supported: ["S256"],
      },
    ],
    special: ({ as }) => {
      as.answer = (params) => params.set("session_state", "x");
      as.tokenAnswer = ({ form }) =>
        form["resource"] === undefined ? undefined : refused("invalid_target");
    },
    verdict: "grant",
    says: "invalid_target",
    wayOut: { resource: false, scopes: ["api://app/mcp.tools"] },
  },
  {
    name: "Entra, which does not say that it supports PKCE",
    threads:
      "modelcontextprotocol/typescript-sdk#832, modelcontextprotocol/csharp-sdk#730",
    url: "https://mcp.example.com/mcp",
    issuer: "https://login.microsoftonline.com/tenant/v2.0",
    metadata: [
      "https://login.microsoftonline.com/tenant/v2.0/.well-known/openid-configuration",
      {
        issuer: "https://login.microsoftonline.com/tenant/v2.0",
        code_challenge_methods_supported: undefined,
      },
    ],
    verdict: "metadata",
    says: "PKCE",
    wayOut: {
      issuers: {
        "https://login.microsoftonline.com/tenant/v2.0": {
          pkce: "S256",
          resource: false,
        },
      },
    },
  },
  {
    name: "a server behind a proxy, whose metadata have the address that the proxy uses",
    threads: "anomalyco/opencode#7135",
    url: "https://mcp.example.com/mcp",
    issuer: "https://as.example.com",
    resource: "http://localhost:8000/mcp",
    metadata: [
      `https://as.example.com${wellKnown}`,
      { issuer: "https://as.example.com" },
    ],
    // The token would be for another server: only the operator can fix it.
    verdict: "resource",
    says: "http://localhost:8000/mcp",
  },
];

/** A world with this server. */
function build(one: Troublesome): Setup {
  const setup = setUp({ url: one.url, issuer: "https://engine.example.com" });
  const { world, as, server } = setup;
  const { origin, pathname } = new URL(one.url);
  const atPath = `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
  const published = world.routes.get(atPath);
  world.routes.delete(atPath);
  world.routes.delete(
    "https://engine.example.com/.well-known/oauth-authorization-server",
  );
  server.challenge = "Bearer";
  if (one.issuer !== undefined && published)
    world.routes.set(one.resourceMetadata ?? atPath, published);
  server.metadata["authorization_servers"] = [one.issuer];
  if (one.resource !== undefined) server.metadata["resource"] = one.resource;
  one.special?.(setup);
  const [address, members] = one.metadata;
  world.routes.set(address, () =>
    Response.json({ ...as.metadata, ...members }),
  );
  for (const [url, status] of Object.entries(one.statuses ?? {}))
    world.routes.set(url, () => new Response("<p>No", { status }));
  return setup;
}

describe("the metadata of servers that cause trouble", () => {
  it.each(servers)(
    "leads to the expected sign-in or error: $name ($threads)",
    async (one) => {
      const { connect } = build(one);
      if (one.verdict === "works") {
        expect(await (await connect()).listTools()).toMatchObject({
          tools: [{ name: "echo" }],
        });
        return;
      }
      const error = await failure(connect());
      expect(error).toMatchObject({
        name: "AuthorizationError",
        reason: one.verdict,
      });
      expect(error.message).toContain(one.says);
    },
  );

  it.each(servers.filter(({ wayOut }) => wayOut))(
    "works with the documented options: $name",
    async (one) => {
      const { options, connect } = build(one);
      const client = await connect(oauth(options(one.wayOut)));
      expect(await client.listTools()).toMatchObject({
        tools: [{ name: "echo" }],
      });
    },
  );
});
