/**
 * Results for several readers, a draft (SEP-3279): a tool says which outputs it
 * has, a call asks for some, and each output names who reads it.
 */

/** @declaredBy server */
export const EXTENSION_IDENTIFIER = "com.example/outputs";

/** Who reads an output. */
export type Audience = "assistant" | "user" | "program";

/** One output of a result. */
export interface Output {
  audience: Audience;
  /** Text for the assistant and the user, any JSON for a program. */
  value: unknown;
}

export interface Tool {
  /** The outputs that a call can ask for. */
  outputVariants?: { audience: Audience; schema?: object }[];
}

export interface CallToolRequestParams {
  /** The outputs that the client wants; those for the assistant by default. */
  requestedOutputs?: Audience[];
}

export interface CallToolResult {
  outputs?: Output[];
}
