import type { Protocol } from "../../src/ir/model.js";
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

/** Renamed members, a new required member, a removed method with a successor, a narrower limit. */
export const first: readonly Edit[] = [
  ["  annotations?: ToolAnnotations;", "  hints?: ToolAnnotations;"],
  ["  isError?: boolean;", "  hasFailed?: boolean;"],
  ["  model: string;", "  model: string;\n  /** Who runs the model. */\n  provider: string;"],
  [
    "    /** Most tokens the answer should have; it may be shorter. */\n",
    "    /**\n     * Most tokens the answer should have.\n     *\n     * @maximum 100\n     */\n",
  ],
  ["  | SetLevelRequest\n", ""],
  [
    `export interface SetLevelRequest extends Request {
  /** Wire name; client to server, answered by \`EmptyResult\`. Needs \`logging\`. */
  method: "logging/setLevel";
  /** The new threshold. */
  params: {
    /** Least severe level to send; everything more severe comes too. */
    level: LoggingLevel;
  };
}
`,
    "",
  ],
];

/** A new enum value, a changed constant, a method that the other side sends. */
const second: readonly Edit[] = [
  ['  "debug" | "info" | "notice"', '  "verbose" | "debug" | "info" | "notice"'],
  ["METHOD_NOT_FOUND = -32601", "METHOD_NOT_FOUND = -32051"],
  ["CreateMessageRequest | ListRootsRequest | ElicitRequest;", "CreateMessageRequest | ElicitRequest;"],
  ["  | ListToolsRequest;", "  | ListToolsRequest\n  | ListRootsRequest;"],
  ["CreateMessageResult | ListRootsResult | ElicitResult;", "CreateMessageResult | ElicitResult;"],
  ["  | ListToolsResult;", "  | ListToolsResult\n  | ListRootsResult;"],
];

/** A removed error code, an optional member that becomes required, a string that becomes a union. */
const third: readonly Edit[] = [
  ["export const INTERNAL_ERROR = -32603;", ""],
  [
    "  /** What is in it, written so that a model can tell whether it wants to read it. */\n  description?: string;",
    "  /** What is in it. */\n  description: string;",
  ],
  [
    "  /** Version of the program itself, in its own numbering; unrelated to protocol revisions. */\n  version: string;",
    '  /** The version. */\n  version: "2.0.0" | "3.0.0";',
  ],
];

/** Four revisions that nobody has released, each made from the one before it. */
export async function madeUp(): Promise<readonly Protocol[]> {
  const steps = [deprecated, first, second, third];
  return await Promise.all(
    steps.map((_, i) => revised("2025-06-18", `made-up-${i}`, steps.slice(0, i + 1).flat())),
  );
}
