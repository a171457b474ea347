import type { Protocol } from "../../src/generator/ir/model.js";
import { bundled, type Edit, revised } from "./kit.js";

const base = "2025-06-18";

/** A change of the protocol that the programs of `programs/` use. */
export interface ProtocolChange {
  /** The word for it in the comments of the programs. */
  readonly name: string;
  readonly before: () => Promise<Protocol>;
  readonly after: () => Promise<Protocol>;
}

function change(
  name: string,
  after: readonly Edit[],
  before: readonly Edit[] = [],
): ProtocolChange {
  return {
    name,
    before: () => revised(base, base, before),
    after: () => revised(base, base, after),
  };
}

const batches: readonly Edit[] = [
  [
    "JSONRPCResponse | JSONRPCError;\n",
    "JSONRPCResponse | JSONRPCError | JSONRPCBatch;\n\n/** Several messages. */\nexport type JSONRPCBatch = (JSONRPCRequest | JSONRPCNotification)[];\n",
  ],
];

export const changes: readonly ProtocolChange[] = [
  change("members", [
    ["  isError?: boolean;", "  hasFailed?: boolean;"],
    ["  annotations?: ToolAnnotations;", "  hints?: ToolAnnotations;"],
    ["  nextCursor?: Cursor;", "  cursorOfNextPage?: Cursor;"],
    ["  structuredContent?: { [key: string]: unknown };\n", ""],
    [
      "  /** The tool only reads and changes nothing. Default: false. */\n  readOnlyHint?: boolean;\n",
      "",
    ],
    ["  model: string;", "  modelName: string;"],
  ]),
  change("methods", [
    ['  method: "roots/list";', '  method: "roots/read";'],
    ["ContentBlock", "Block"],
    [setLevel(), ""],
    ["  | SetLevelRequest\n", ""],
    [toolsChanged(), ""],
    ["  | ToolListChangedNotification\n", ""],
    ["  | PingRequest\n  | InitializeRequest", "  | InitializeRequest"],
  ]),
  change("required", [
    [
      "  model: string;",
      "  model: string;\n  /** Name of the provider. */\n  provider: string;",
    ],
    [
      "decide whether to read them. */\n  description?:",
      "decide whether to read them. */\n  description:",
    ],
    [
      "  /** Arguments of the tool, by name",
      "  /** The caller. */\n    caller: string;\n    /** Arguments of the tool, by name",
    ],
    [
      "unrelated to protocol revisions. */\n",
      "unrelated to protocol revisions. */\n  vendor: string;\n",
    ],
  ]),
  change("values", [
    [
      '  "debug" | "info" | "notice" | "warning"',
      '  "verbose" | "debug" | "info" | "warning"',
    ],
    [
      "AudioContent | ResourceLink | EmbeddedResource;",
      "AudioContent | VideoContent | ResourceLink | EmbeddedResource;",
    ],
    [
      "// Model selection\n",
      '/** A film. */\nexport interface VideoContent {\n  type: "video";\n  url: string;\n}\n\n// Model selection\n',
    ],
    [
      "revisions. */\n  version: string;",
      'revisions. */\n  version: "1.0.0" | "2.0.0";',
    ],
    ['"none" | "thisServer" | "allServers"', '"none" | "thisServer"'],
    [
      "export type RequestId = string | number;",
      "export type RequestId = string;",
    ],
    [
      'export type Role = "user" | "assistant";',
      'export type Role = "user" | "assistant" | "system";',
    ],
    ['"accept" | "decline" | "cancel"', '"accept" | "decline" | "dismiss"'],
  ]),
  change("limits", [
    [
      "    /** Requested maximum length of the message in tokens. It may be shorter. */\n",
      "    /**\n     * Requested maximum length.\n     *\n     * @maximum 100\n     */\n",
    ],
    [
      "   * Importance, from 0 (optional) to 1 (required).\n   *\n   * @TJS-type number\n   * @minimum 0\n",
      "   * Importance, from 0.5 (optional) to 1 (required).\n   *\n   * @TJS-type number\n   * @minimum 0.5\n",
    ],
    [
      "     * @TJS-type number\n     */\n    progress: number;",
      "     * @TJS-type integer\n     */\n    progress: number;",
    ],
    [
      "  /** Preferred models, best first. They take precedence over the priorities. */\n",
      "  /**\n   * Preferred models.\n   *\n   * @maxItems 1\n   */\n",
    ],
    [
      "    /** Suggested values, best first. At most 100. */\n",
      "    /**\n     * Suggested values.\n     *\n     * @maxItems 10\n     */\n",
    ],
    [
      "   * @format byte\n   */\n  blob: string;",
      "   * @format uri\n   */\n  blob: string;",
    ],
    [
      "  /** Time of the last change, in ISO 8601, for example `2025-06-18T09:00:00Z`. */\n",
      "  /**\n   * Time of the last change.\n   *\n   * @format date-time\n   */\n",
    ],
    ["  size?: number;", "  size?: number | null;"],
  ]),
  change("codes", [
    ["METHOD_NOT_FOUND = -32601", "METHOD_NOT_FOUND = -32051"],
    [
      "/** The receiver failed for an internal reason. */\nexport const INTERNAL_ERROR = -32603;\n",
      "",
    ],
    ["INVALID_PARAMS", "BAD_PARAMS"],
    ['JSONRPC_VERSION = "2.0"', 'JSONRPC_VERSION = "2.1"'],
  ]),
  change("deprecated", [
    [
      " * @category `logging/setLevel`\n */\nexport interface SetLevelRequest",
      " * @category `logging/setLevel`\n * @deprecated Use `notifications/message` instead.\n */\nexport interface SetLevelRequest",
    ],
    [
      " * @category `sampling/createMessage`\n */\nexport interface CreateMessageRequest",
      " * @category `sampling/createMessage`\n * @deprecated Call a model instead.\n */\nexport interface CreateMessageRequest",
    ],
    [
      " * @category `notifications/message`\n */\nexport interface LoggingMessageNotification",
      " * @category `notifications/message`\n * @deprecated Write to stderr instead.\n */\nexport interface LoggingMessageNotification",
    ],
    [
      " * @category `tools/list`\n */\nexport interface ToolAnnotations",
      " * @category `tools/list`\n * @deprecated Use icons instead.\n */\nexport interface ToolAnnotations",
    ],
    [
      "   * member, and the object is valid for the schema.\n   */\n",
      "   * member, and the object is valid for the schema.\n   *\n   * @deprecated Use `content` instead.\n   */\n",
    ],
  ]),
  change("batches", [], batches),
  {
    name: "move",
    before: () => bundled(base),
    after: () => bundled("2026-07-28"),
  },
];

function setLevel(): string {
  return `export interface SetLevelRequest extends Request {
  /** Method name. Sent by the client; the result is \`EmptyResult\`. Requires \`logging\`. */
  method: "logging/setLevel";
  /** The new minimum severity. */
  params: {
    /** Minimum severity of the log messages to send. */
    level: LoggingLevel;
  };
}
`;
}

function toolsChanged(): string {
  return `export interface ToolListChangedNotification extends Notification {
  /** Method name. Sent by the server if it declared \`tools.listChanged\`. */
  method: "notifications/tools/list_changed";
}
`;
}
