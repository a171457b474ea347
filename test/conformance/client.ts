import {
  clientCredentials,
  enterprise,
  type Login,
  type OtherGrant,
  oauth,
  workloadIdentity,
} from "@mcpgen/auth";
import { http } from "@mcpgen/runtime/http";
import {
  listSkills,
  loadSkill,
  type SkillClient,
} from "@mcpgen/runtime/skills";
import {
  clientQuestions,
  connect,
  type Clients,
  protocols,
  type Revision,
} from "../../generated/index.js";

// The client for the official conformance suite, which names a scenario and the
// URL of its server.

const [url = ""] = process.argv.slice(2);
const {
  MCP_CONFORMANCE_SCENARIO: scenario = "",
  MCP_CONFORMANCE_CONTEXT: context = "{}",
} = process.env;
const version = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "";
const isKnown = (revision: string): revision is Revision =>
  Object.hasOwn(protocols, revision);
const revisions = isKnown(version)
  ? [version]
  : (Object.keys(protocols) as Revision[]);

type Client = Clients[Revision];
type Issuers = { readonly authorization_servers?: readonly string[] };
type Arguments = Readonly<Record<string, unknown>>;

const options = {
  info: { name: "mcpgen-conformance", version: "1.0.0" },
  // The suite runs all clients of a revision at once, and ends those that take
  // too long.
  probeTimeout: 300_000,
  timeout: 300_000,
  onError: (error: Error) => void process.stderr.write(`${String(error)}\n`),
  onWarning: (warning: string) => void process.stderr.write(`${warning}\n`),
  questions: clientQuestions,
  handlers: {
    "sampling/createMessage": () => ({
      model: "test",
      role: "assistant" as const,
      content: { type: "text" as const, text: "Paris" },
    }),
    "roots/list": () => ({
      roots: [{ uri: "file:///project", name: "project" }],
    }),
    // The client fills missing fields with their defaults.
    "elicitation/create": (params: object) => ({
      action: "accept" as const,
      content: answers(params),
    }),
  },
};

/** A value for each field that has no default. */
function answers(params: {
  readonly requestedSchema?: object;
}): Record<string, string | number | boolean> {
  const { properties = {} } = (params.requestedSchema ?? {}) as {
    properties?: Readonly<Record<string, Arguments>>;
  };
  const values: Record<string, string | number | boolean> = {};
  for (const [name, { type, default: fallback }] of Object.entries(
    properties,
  )) {
    if (fallback !== undefined) continue;
    values[name] = type === "boolean" ? true : type === "string" ? "Ada" : 1;
  }
  return values;
}

const call = (
  client: Client,
  name: string,
  args: Arguments = {},
): Promise<unknown> =>
  client
    .callTool({ name, arguments: { ...args } })
    .catch((error: unknown) => options.onError(error as Error));

/** The client, which is generated with the extension when the suite runs. */
const asSkillClient = (client: Client): SkillClient =>
  client as unknown as SkillClient;

/**
 * The actions of a scenario after the session is open; by default, the client
 * lists the tools.
 */
const scenarios: Readonly<
  Record<string, (client: Client) => Promise<unknown>>
> = {
  tools_call: async (client) => {
    await client.listTools();
    await call(client, "add_numbers", { a: 5, b: 3 });
  },
  // The server of this scenario only supports the handshake.
  "request-metadata": async () => {},
  "elicitation-sep1034-client-defaults": (client) =>
    call(client, "test_client_elicitation_defaults"),
  "sse-retry": (client) => call(client, "test_reconnection"),
  "sep-2322-client-request-state": async (client) => {
    await client.listTools();
    for (const name of [
      "test_mrtr_echo_state",
      "test_mrtr_no_state",
      "test_mrtr_unrelated",
      "test_mrtr_no_result_type",
    ])
      await call(client, name);
  },
  "http-standard-headers": async (client) => {
    for await (const { name } of client.tools()) await call(client, name);
    for await (const { uri } of client.resources())
      await client.readResource({ uri });
    for await (const { name } of client.prompts())
      await client.getPrompt({ name });
  },
  "http-custom-headers": async (client) => {
    await client.listTools();
    const { toolCalls } = JSON.parse(context) as {
      toolCalls: readonly {
        readonly name: string;
        readonly arguments: Arguments;
      }[];
    };
    for (const one of toolCalls) await call(client, one.name, one.arguments);
  },
  "http-invalid-tool-headers": async (client) => {
    for await (const { name } of client.tools())
      await call(client, name, { region: "us" });
  },
  ...Object.fromEntries(
    [
      "scope-step-up",
      "scope-retry-limit",
      "authorization-server-migration",
    ].map((name) => [
      `auth/${name}`,
      async (client: Client) => {
        await client.listTools();
        await call(client, "test-tool");
      },
    ]),
  ),
  "sep-2640-client-no-prefetch": async (client) => {
    for await (const { uri } of listSkills(asSkillClient(client)))
      process.stdout.write(`${uri}\n`);
  },
  ...Object.fromEntries(
    ["digest", "size", "frontmatter"].map((what) => [
      `sep-2640-client-verify-${what}`,
      async (client: Client) => {
        for await (const entry of listSkills(asSkillClient(client))) {
          const skill = await loadSkill(asSkillClient(client), entry);
          await skill.read("references/FORMS.md");
        }
      },
    ]),
  ),
  "json-schema-2020-12-preservation": async (client) => {
    const { tools } = await client.listTools();
    const schema = tools.find(
      ({ name }) => name === "json_schema_2020_12_tool",
    )?.inputSchema;
    await call(client, "json_schema_echo", { schema });
  },
};

/**
 * Signs in at once: the authorization server of the suite redirects to the
 * answer without a page.
 */
const login: Login = {
  redirectUri: () => {
    let answer!: (params: URLSearchParams) => void;
    return {
      uri: "http://127.0.0.1:33418/callback",
      answer: new Promise((resolve) => (answer = resolve)),
      open: async (page) => {
        const { headers } = await fetch(page, { redirect: "manual" });
        answer(new URL(headers.get("location") ?? "").searchParams);
      },
      close: () => {},
    };
  },
};

const settings = JSON.parse(context) as Readonly<Record<string, string>>;
const {
  client_id: id = "",
  client_secret: secret = "",
  private_key_pem: key = "",
  signing_algorithm: alg = "",
} = settings;

/**
 * The issuer that the credentials of a scenario belong to. The suite gives
 * credentials without it, so it is taken from the metadata of the suite's own
 * server. A real client must never do that: it would send its secret to
 * whomever a server names.
 */
const issuer = await issuerOfSuite();
async function issuerOfSuite(): Promise<string> {
  if (id === "" && settings["valid_jwt"] === undefined) return "";
  const { origin, pathname } = new URL(url);
  const metadata = `${origin}/.well-known/oauth-protected-resource`;
  for (const address of [metadata + pathname, metadata]) {
    const response = await fetch(address);
    if (response.ok)
      return (
        ((await response.json()) as Issuers).authorization_servers?.[0] ??
        origin
      );
  }
  return origin;
}

/**
 * The way in which a scenario obtains tokens; by default, a person signs in.
 */
const grants: Readonly<Record<string, () => OtherGrant>> = {
  "auth/client-credentials-basic": () =>
    clientCredentials({ id, secret, issuer }),
  "auth/client-credentials-jwt": () =>
    clientCredentials({ id, key, alg, issuer }),
  "auth/enterprise-managed-authorization": () =>
    enterprise({
      idp: {
        issuer: String(settings["idp_issuer"]),
        tokenEndpoint: String(settings["idp_token_endpoint"]),
        client: { id: String(settings["idp_client_id"]) },
      },
      subject: () => ({ token: String(settings["idp_id_token"]) }),
      client: { id, secret },
      issuer,
    }),
  "auth/wif-jwt-bearer": () =>
    workloadIdentity({
      issuer,
      assertion: () => String(settings["valid_jwt"]),
    }),
};

const auth = oauth({
  client: {
    name: "mcpgen-conformance",
    ...(id && { id, ...(secret && { secret, issuer }) }),
    metadataUrl: "https://conformance-test.local/client-metadata.json",
  },
  login: grants[scenario]?.() ?? login,
  dpop: scenario.startsWith("auth/dpop"),
});

const client: Client = await connect(http(url, { auth }), {
  ...options,
  revisions,
});
await (scenarios[scenario] ?? ((it) => it.listTools()))(client);
await client.close();
