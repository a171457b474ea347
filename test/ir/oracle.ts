/**
 * The messages of each revision, written by hand from the pages of the
 * specification. Request: method, sender, results, capability, marks.
 * Notification: method, sender, capability, marks. Marks: P paginated, C
 * cancellable, K cacheable, A may ask for input, E embedded, D deprecated.
 */
export interface RevisionOracle {
  readonly revision: string;
  readonly opening: "initialize" | "per-request";
  readonly batches: boolean;
  readonly idlessErrors: boolean;
  readonly primedStreams: boolean;
  /** The error code of an unknown resource. */
  readonly resourceNotFound: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly (readonly [
    string,
    string,
    string,
    string | null,
    string,
  ])[];
  readonly notifications: readonly (readonly [
    string,
    string,
    string | null,
    string,
  ])[];
}

type Request = RevisionOracle["requests"][number];
type Notification = RevisionOracle["notifications"][number];

const legacyRequests: readonly Request[] = [
  ["initialize", "client", "InitializeResult", null, ""],
  ["logging/setLevel", "client", "EmptyResult", "server logging", "C"],
  ["ping", "either", "EmptyResult", null, "C"],
  ["prompts/get", "client", "GetPromptResult", "server prompts", "C"],
  ["prompts/list", "client", "ListPromptsResult", "server prompts", "PC"],
  ["resources/list", "client", "ListResourcesResult", "server resources", "PC"],
  ["resources/read", "client", "ReadResourceResult", "server resources", "C"],
  [
    "resources/subscribe",
    "client",
    "EmptyResult",
    "server resources.subscribe",
    "C",
  ],
  [
    "resources/templates/list",
    "client",
    "ListResourceTemplatesResult",
    "server resources",
    "PC",
  ],
  [
    "resources/unsubscribe",
    "client",
    "EmptyResult",
    "server resources.subscribe",
    "C",
  ],
  ["roots/list", "server", "ListRootsResult", "client roots", "C"],
  ["tools/list", "client", "ListToolsResult", "server tools", "PC"],
];

const legacyNotifications: readonly Notification[] = [
  ["notifications/cancelled", "either", null, ""],
  ["notifications/initialized", "client", null, ""],
  ["notifications/message", "server", "server logging", ""],
  ["notifications/progress", "either", null, ""],
  [
    "notifications/prompts/list_changed",
    "server",
    "server prompts.listChanged",
    "",
  ],
  [
    "notifications/resources/list_changed",
    "server",
    "server resources.listChanged",
    "",
  ],
  [
    "notifications/resources/updated",
    "server",
    "server resources.subscribe",
    "",
  ],
  [
    "notifications/roots/list_changed",
    "client",
    "client roots.listChanged",
    "",
  ],
  [
    "notifications/tools/list_changed",
    "server",
    "server tools.listChanged",
    "",
  ],
];

const callTool: Request = [
  "tools/call",
  "client",
  "CallToolResult",
  "server tools",
  "C",
];
const createMessage: Request = [
  "sampling/createMessage",
  "server",
  "CreateMessageResult",
  "client sampling",
  "C",
];
const complete: Request = [
  "completion/complete",
  "client",
  "CompleteResult",
  "server completions",
  "C",
];
const elicit: Request = [
  "elicitation/create",
  "server",
  "ElicitResult",
  "client elicitation",
  "C",
];

export const oracle: readonly RevisionOracle[] = [
  {
    revision: "2024-11-05",
    opening: "initialize",
    batches: false,
    idlessErrors: false,
    primedStreams: false,
    resourceNotFound: -32002,
    headers: {},
    requests: [
      ...legacyRequests,
      callTool,
      createMessage,
      // The next revision added the capability.
      ["completion/complete", "client", "CompleteResult", null, "C"],
    ],
    notifications: legacyNotifications,
  },
  {
    revision: "2025-03-26",
    opening: "initialize",
    batches: true,
    idlessErrors: false,
    primedStreams: false,
    resourceNotFound: -32002,
    headers: { session: "Mcp-Session-Id", resume: "Last-Event-ID" },
    requests: [...legacyRequests, callTool, createMessage, complete],
    notifications: legacyNotifications,
  },
  {
    revision: "2025-06-18",
    opening: "initialize",
    batches: false,
    idlessErrors: false,
    primedStreams: false,
    resourceNotFound: -32002,
    headers: {
      session: "Mcp-Session-Id",
      version: "MCP-Protocol-Version",
      resume: "Last-Event-ID",
    },
    requests: [...legacyRequests, callTool, createMessage, complete, elicit],
    notifications: legacyNotifications,
  },
  {
    revision: "2025-11-25",
    opening: "initialize",
    batches: false,
    idlessErrors: true,
    primedStreams: true,
    resourceNotFound: -32002,
    headers: {
      session: "Mcp-Session-Id",
      version: "MCP-Protocol-Version",
      resume: "Last-Event-ID",
    },
    requests: [
      ...legacyRequests,
      complete,
      [
        "tools/call",
        "client",
        "CallToolResult CreateTaskResult",
        "server tools",
        "C",
      ],
      [
        "sampling/createMessage",
        "server",
        "CreateMessageResult CreateTaskResult",
        "client sampling",
        "C",
      ],
      [
        "elicitation/create",
        "server",
        "ElicitResult CreateTaskResult",
        "client elicitation",
        "C",
      ],
      [
        "tasks/cancel",
        "either",
        "CancelTaskResult",
        "receiver tasks.cancel",
        "C",
      ],
      ["tasks/get", "either", "GetTaskResult", "receiver tasks", "C"],
      ["tasks/list", "either", "ListTasksResult", "receiver tasks.list", "PC"],
      ["tasks/result", "either", "GetTaskPayloadResult", "receiver tasks", "C"],
    ],
    notifications: [
      ...legacyNotifications,
      [
        "notifications/elicitation/complete",
        "server",
        "client elicitation.url",
        "",
      ],
      ["notifications/tasks/status", "either", "receiver tasks", ""],
    ],
  },
  {
    revision: "2026-07-28",
    opening: "per-request",
    batches: false,
    idlessErrors: true,
    primedStreams: false,
    resourceNotFound: -32602,
    headers: {
      version: "MCP-Protocol-Version",
      method: "Mcp-Method",
      name: "Mcp-Name",
      param: "Mcp-Param-",
    },
    requests: [
      complete,
      [
        "elicitation/create",
        "server",
        "ElicitResult",
        "client elicitation",
        "E",
      ],
      [
        "prompts/get",
        "client",
        "GetPromptResult InputRequiredResult",
        "server prompts",
        "CA",
      ],
      ["prompts/list", "client", "ListPromptsResult", "server prompts", "PCK"],
      [
        "resources/list",
        "client",
        "ListResourcesResult",
        "server resources",
        "PCK",
      ],
      [
        "resources/read",
        "client",
        "ReadResourceResult InputRequiredResult",
        "server resources",
        "CKA",
      ],
      [
        "resources/templates/list",
        "client",
        "ListResourceTemplatesResult",
        "server resources",
        "PCK",
      ],
      ["roots/list", "server", "ListRootsResult", "client roots", "ED"],
      [
        "sampling/createMessage",
        "server",
        "CreateMessageResult",
        "client sampling",
        "ED",
      ],
      ["server/discover", "client", "DiscoverResult", null, "CK"],
      [
        "subscriptions/listen",
        "client",
        "SubscriptionsListenResult",
        null,
        "C",
      ],
      [
        "tools/call",
        "client",
        "CallToolResult InputRequiredResult",
        "server tools",
        "CA",
      ],
      ["tools/list", "client", "ListToolsResult", "server tools", "PCK"],
    ],
    notifications: [
      ["notifications/cancelled", "either", null, ""],
      ["notifications/message", "server", "server logging", "D"],
      ["notifications/progress", "server", null, ""],
      [
        "notifications/prompts/list_changed",
        "server",
        "server prompts.listChanged",
        "",
      ],
      [
        "notifications/resources/list_changed",
        "server",
        "server resources.listChanged",
        "",
      ],
      [
        "notifications/resources/updated",
        "server",
        "server resources.subscribe",
        "",
      ],
      ["notifications/subscriptions/acknowledged", "server", null, ""],
      [
        "notifications/tools/list_changed",
        "server",
        "server tools.listChanged",
        "",
      ],
    ],
  },
];
