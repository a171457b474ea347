/**
 * What users of servers and clients come with, and where a page answers it:
 * tasks, and questions that users of other SDKs ask. A page is a path of the
 * repository, with the anchor of its section. A program is a file beside the
 * page that a test runs.
 */
export interface Row {
  readonly number: number;
  readonly what: string;
  readonly page: string;
  /** Undefined if the answer needs no program. */
  readonly program?: string;
}

/** The row of a guide: its folder in `test/examples`, with an anchor. */
const guide = (
  number: number,
  what: string,
  place: string,
  program?: string,
): Row => ({
  number,
  what,
  page: `test/examples/${place.replace(/(#|$)/, "/README.md$1")}`,
  ...(program !== undefined && {
    program: `test/examples/${place.replace(/#.*/, "")}/${program}`,
  }),
});

export const taskCount = 65;
export const tasks: readonly Row[] = [
  {
    number: 1,
    what: "take a snapshot of a server",
    page: "src/cli/commands/pull/README.md",
  },
  {
    number: 2,
    what: "generate a typed client of it",
    page: "src/cli/commands/stubs/README.md#generate-a-client-and-a-server",
  },
  {
    number: 3,
    what: "call a server with types",
    page: "README.md#call-a-server-with-types",
  },
  guide(4, "write a server", "tools#declare-tools", "server.ts"),
  guide(
    5,
    "the compiler's error for wrong arguments",
    "schemas#cure-the-compilers-errors",
  ),
  guide(6, "add a server to a host", "hosts"),
  guide(7, "mcpgen or the official SDK", "official-sdk#decide-whether-to-move"),
  guide(8, "tools", "tools", "client.ts"),
  guide(
    9,
    "annotations of a tool",
    "tools#tell-hosts-what-a-tool-may-change",
    "server.ts",
  ),
  guide(10, "content of a result", "content", "client.ts"),
  guide(11, "zod", "zod", "schemas.ts"),
  guide(
    12,
    "structured output",
    "schemas#read-a-structured-result",
    "client.ts",
  ),
  guide(
    13,
    "unions, dates, zod 3, raw shapes",
    "zod#a-union-as-inputschema",
    "schemas.ts",
  ),
  guide(14, "resources", "resources", "client.ts"),
  guide(
    15,
    "resource templates",
    "resources#read-a-resource-of-a-template",
    "client.ts",
  ),
  guide(16, "subscriptions", "subscriptions", "client.ts"),
  guide(17, "prompts", "prompts", "client.ts"),
  guide(18, "completions", "completions", "client.ts"),
  guide(
    19,
    "pages of a long list",
    "lists#read-all-pages-of-a-list",
    "client.ts",
  ),
  guide(
    20,
    "changes of a list",
    "lists#receive-the-notifications",
    "client.ts",
  ),
  guide(
    21,
    "tools added at run time",
    "lists#add-tools-at-run-time-and-announce-them",
    "server.ts",
  ),
  guide(22, "elicitation", "elicitation", "client.ts"),
  guide(23, "progress", "progress#report-progress", "client.ts"),
  guide(24, "cancellation", "progress#cancel-a-call", "client.ts"),
  guide(25, "long work as a task", "tasks", "client.ts"),
  { number: 26, what: "MCP Apps", page: "src/runtime/apps/README.md" },
  guide(27, "icons, titles and _meta", "icons", "client.ts"),
  guide(28, "log, time, limit and deny every call", "wrap", "client.ts"),
  guide(
    29,
    "headers and tenants in a tool",
    "caller#take-the-caller-from-the-headers",
    "client.ts",
  ),
  guide(30, "tools per caller", "caller#offer-tools-per-caller", "client.ts"),
  guide(31, "_meta of a request", "caller#metadata-of-a-request", "client.ts"),
  guide(32, "a database that is opened and closed", "state", "client.ts"),
  guide(33, "sampling, roots, logging", "sampling", "client.ts"),
  guide(34, "a server on stdio", "stdio", "client.ts"),
  guide(35, "a server over HTTP", "http", "client.ts"),
  guide(36, "a server in a framework", "frameworks", "express.ts"),
  guide(37, "workers and serverless", "serverless", "worker.ts"),
  guide(38, "WebSocket", "websocket", "client.ts"),
  { number: 39, what: "require tokens", page: "src/auth/protect/README.md" },
  guide(40, "an authorization server of one's own", "third-party"),
  guide(41, "pages of other sites", "cors", "client.ts"),
  guide(42, "what to check before a server is deployed", "deploy"),
  guide(43, "proxies and TLS", "proxies", "tls-server.ts"),
  guide(
    44,
    "sticky sessions and replicas",
    "replicas#sticky-sessions-and-replicas",
    "client.ts",
  ),
  guide(
    45,
    "announcements of several processes",
    "replicas#announcements-and-what-else-lives-in-one-process",
  ),
  guide(46, "health", "health#health-on-the-same-port", "client.ts"),
  guide(
    47,
    "a graceful stop",
    "health#what-happens-at-sigterm-and-cleanup",
    "server.ts",
  ),
  guide(48, "limits and sizing", "limits", "client.ts"),
  guide(49, "logs, metrics, traces", "metrics", "client.ts"),
  guide(50, "containers and Kubernetes", "containers"),
  guide(51, "secrets and upgrades", "upgrades", "client.ts"),
  guide(52, "connect to a server", "lifecycle", "client.ts"),
  guide(53, "time limits of calls", "progress#limit-the-time", "client.ts"),
  {
    number: 54,
    what: "sign in to a server",
    page: "src/auth/client/README.md",
  },
  guide(55, "many servers", "many-servers", "client.ts"),
  guide(56, "cache, retries, a lost session", "recovery", "cache-client.ts"),
  guide(57, "browser bundles and HTTP proxies", "browsers", "client.ts"),
  guide(58, "give tools to a model", "models"),
  {
    number: 59,
    what: "drift in CI",
    page: "src/cli/commands/check/README.md#drift-in-ci",
  },
  guide(60, "monorepo, bundlers, CommonJS", "monorepo"),
  {
    number: 61,
    what: "configuration and new revisions",
    page: "src/commands/update/README.md",
  },
  guide(62, "check and route messages", "messages", "client.ts"),
  guide(63, "a gateway: several servers as one", "compose", "server.ts"),
  guide(64, "test a server", "testing", "memory-test.ts"),
  guide(65, "move from FastMCP and from SDK v2", "move"),
];
/** Tasks that no page answers yet. */
export const missingTasks: readonly number[] = [];

export const questionCount = 25;
export const questions: readonly Row[] = [
  guide(
    1,
    "sticky sessions and replicas",
    "replicas#sticky-sessions-and-replicas",
    "client.ts",
  ),
  guide(
    2,
    "a time-out although progress arrives",
    "progress#a-time-out-although-progress-arrives",
  ),
  guide(
    3,
    "CORS hides Mcp-Session-Id",
    "cors#mcp-session-id-is-hidden",
    "client.ts",
  ),
  guide(
    4,
    "TS2589 with zod",
    "zod#ts2589-type-instantiation-is-excessively-deep",
    "schemas.ts",
  ),
  guide(
    5,
    "a union as inputSchema",
    "zod#a-union-as-inputschema",
    "schemas.ts",
  ),
  guide(6, "console.log breaks stdio", "stdio#consolelog-on-stdio"),
  guide(
    7,
    "headers or the user in a tool",
    "caller#take-the-caller-from-the-headers",
    "client.ts",
  ),
  guide(
    8,
    "a body that express.json() has read",
    "frameworks#express-with-a-body-that-expressjson-has-read",
    "express.ts",
  ),
  guide(9, "CommonJS", "monorepo#commonjs"),
  guide(
    10,
    "recovery after a server's restart",
    "recovery#recover-after-a-servers-restart",
    "restart-client.ts",
  ),
  guide(
    11,
    "SIGTERM and cleanup",
    "health#what-happens-at-sigterm-and-cleanup",
    "server.ts",
  ),
  guide(12, "traces and metrics", "metrics", "client.ts"),
  guide(
    13,
    "authorization of a composed proxy",
    "compose#authorization-of-a-composed-proxy",
    "server.ts",
  ),
  guide(
    14,
    "forward the caller's header to an API",
    "caller#forward-the-callers-header-to-an-api",
    "client.ts",
  ),
  guide(
    15,
    "health on the same port",
    "health#health-on-the-same-port",
    "client.ts",
  ),
  guide(16, "tools per user", "caller#offer-tools-per-caller", "client.ts"),
  guide(
    17,
    "tools added at run time",
    "lists#add-tools-at-run-time-and-announce-them",
    "server.ts",
  ),
  guide(18, "z.date()", "zod#a-date-zdate", "schemas.ts"),
  guide(
    19,
    "a raw shape as in SDK v1",
    "zod#a-raw-shape-as-in-sdk-v1",
    "schemas.ts",
  ),
  guide(20, "zod 3", "zod#zod-3", "schemas.ts"),
  guide(
    21,
    "a URI template with a query",
    "resources#a-uri-template-with-a-query",
    "client.ts",
  ),
  guide(22, "OAuth behind a proxy", "proxies#oauth-behind-a-proxy"),
  guide(
    23,
    "elicitation on several replicas",
    "replicas#elicitation-on-several-replicas",
    "client.ts",
  ),
  guide(24, "tools for LangChain and the AI SDK", "models#langchain"),
  guide(25, "large bodies (413)", "limits#large-bodies-413", "client.ts"),
];
/** Questions that no page answers yet. */
export const missingQuestions: readonly number[] = [];
