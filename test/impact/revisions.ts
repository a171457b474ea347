import type { Protocol } from "../../src/generator/ir/model.js";
import { type Edit, revised } from "./kit.js";

/** A method that is deprecated, and its successor. */
export const deprecated: readonly Edit[] = [
  [
    " * @category `logging/setLevel`\n */\nexport interface SetLevelRequest",
    " * @category `logging/setLevel`\n * @deprecated Use `logging/configure` instead.\n */\nexport interface SetLevelRequest",
  ],
  [
    "// Sampling\n",
    `/** Configures the log. */
export interface ConfigureLogRequest extends Request {
  method: "logging/configure";
  params: { level: LoggingLevel };
}

// Sampling
`,
  ],
  ["  | SetLevelRequest\n", "  | SetLevelRequest\n  | ConfigureLogRequest\n"],
];

/**
 * Renamed members, a new required member, a removed method with a successor, a
 * narrower limit.
 */
export const first: readonly Edit[] = [
  ["  annotations?: ToolAnnotations;", "  hints?: ToolAnnotations;"],
  ["  isError?: boolean;", "  hasFailed?: boolean;"],
  [
    "  model: string;",
    "  model: string;\n  /** Name of the provider. */\n  provider: string;",
  ],
  [
    "    /** Requested maximum length of the message in tokens. It may be shorter. */\n",
    "    /**\n     * Requested maximum length of the message in tokens.\n     *\n     * @maximum 100\n     */\n",
  ],
  ["  | SetLevelRequest\n", ""],
  [
    `export interface SetLevelRequest extends Request {
  /** Method name. Sent by the client; the result is \`EmptyResult\`. Requires \`logging\`. */
  method: "logging/setLevel";
  /** The new minimum severity. */
  params: {
    /** Minimum severity of the log messages to send. */
    level: LoggingLevel;
  };
}
`,
    "",
  ],
];

/** A new enum value, a changed constant, a method that the other side sends. */
const second: readonly Edit[] = [
  [
    '  "debug" | "info" | "notice"',
    '  "verbose" | "debug" | "info" | "notice"',
  ],
  ["METHOD_NOT_FOUND = -32601", "METHOD_NOT_FOUND = -32051"],
  [
    "CreateMessageRequest | ListRootsRequest | ElicitRequest;",
    "CreateMessageRequest | ElicitRequest;",
  ],
  ["  | ListToolsRequest;", "  | ListToolsRequest\n  | ListRootsRequest;"],
  [
    "CreateMessageResult | ListRootsResult | ElicitResult;",
    "CreateMessageResult | ElicitResult;",
  ],
  ["  | ListToolsResult;", "  | ListToolsResult\n  | ListRootsResult;"],
];

/**
 * A removed error code, an optional member that becomes required, a string that
 * becomes a union.
 */
const third: readonly Edit[] = [
  ["export const INTERNAL_ERROR = -32603;", ""],
  [
    "  /** Describes the contents to a model, so that it can decide whether to read them. */\n  description?: string;",
    "  /** Describes the contents. */\n  description: string;",
  ],
  [
    "  /** Version of the program, in its own numbering; unrelated to protocol revisions. */\n  version: string;",
    '  /** The version. */\n  version: "2.0.0" | "3.0.0";',
  ],
];

/**
 * Four revisions that nobody has released, each made from the one before it.
 */
export async function madeUp(): Promise<readonly Protocol[]> {
  const steps = [deprecated, first, second, third];
  return await Promise.all(
    steps.map((_, i) =>
      revised("2025-06-18", `made-up-${i}`, steps.slice(0, i + 1).flat()),
    ),
  );
}
