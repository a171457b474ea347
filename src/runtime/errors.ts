import type { Issue } from "./tables.js";

// A program may hold two copies of this package: a brand from the global symbol registry is what they agree on.
const brand: unique symbol = /* @__PURE__ */ Symbol.for("mcpgen.error");

class Branded extends Error {
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperties(this, { name: { value: name }, [brand]: { value: name } });
  }
}

/** The codes that JSON-RPC itself defines. */
export const jsonRpcCodes = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
};

/** What the peer sees of a failure: code, message and data travel as they stand. */
export class McpError extends Branded {
  /** What kind of failure it is; the revision's constants name the known ones. */
  readonly code: number;
  /** Anything that explains the failure, in a shape that depends on the code. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super("McpError", message, options);
    this.code = code;
    this.data = data;
  }

  /**
   * Makes an error that can be sent to the peer from any thrown value. An `McpError` is returned as it is, a `RefusedError`
   * gives the `McpError` in its cause, and anything else becomes "Internal error" with the value as its cause.
   */
  static from(reason: unknown): McpError {
    return toMcpError(reason);
  }
}

// A function: a bundler renames a class that names itself, and the new name would show in stack traces.
function toMcpError(reason: unknown): McpError {
  if (isMcpError(reason)) return reason;
  if (isRefusedError(reason) && isMcpError(reason.cause)) return reason.cause;
  return new McpError(jsonRpcCodes.INTERNAL_ERROR, "Internal error", undefined, { cause: reason });
}

/** The names of JSON-RPC's own errors. */
export type RpcErrorName = keyof typeof jsonRpcCodes;

/** An error that JSON-RPC itself defines: `rpcError("INVALID_PARAMS", "…")`. */
export const rpcError = (name: RpcErrorName, message: string, data?: unknown): McpError =>
  new McpError(jsonRpcCodes[name], message, data);

/** A value is not what its type asks for; `message` names the first place and what was expected there. */
export class ValidationError extends Branded {
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[] = []) {
    super("ValidationError", message);
    this.issues = issues;
  }
}

/** A `ValidationError` with one issue: `what` names the message, and `path` leads to the value from its root. */
export const invalidAt = (what: string, message: string, path: readonly PropertyKey[]): ValidationError =>
  new ValidationError(`${what}: ${message}`, [{ message, path }]);

/** The connection broke, was closed, or could not be made. */
export class TransportError extends Branded {
  /** The HTTP status of the answer, where the carrier has one. */
  readonly status: number | undefined;
  /** The server has forgotten the session; with a status it refused the request, without one nobody knows what became of it. */
  readonly isSessionLost: boolean;
  /** The peer is there again: the call may be made again, by whoever knows that it does no harm to have it done twice. */
  readonly isRetryable: boolean;

  constructor(
    message: string,
    options?: ErrorOptions & {
      readonly status?: number;
      readonly isSessionLost?: boolean;
      readonly isRetryable?: boolean;
    },
  ) {
    super("TransportError", message, options);
    this.status = options?.status;
    this.isSessionLost = options?.isSessionLost === true;
    this.isRetryable = options?.isRetryable === true;
  }
}

/** The peer did not answer in time. It has been told to stop, where the revision allows that. */
export class TimeoutError extends Branded {
  constructor(message: string) {
    super("TimeoutError", message);
  }
}

/** Thrown by a tool that has failed: its message is for the model that called it, also where other errors are masked. */
export class ToolError extends Branded {
  constructor(message: string, options?: ErrorOptions) {
    super("ToolError", message, options);
  }
}

/**
 * Ends a run of a handler whose question travels to the client: the handler runs again once the answer is there. Code
 * that catches errors around `context.request` must throw this one on.
 */
export class InputPending extends Branded {
  constructor() {
    super(
      "InputPending",
      "The client has been asked; this run of the handler is over, and the next one gets the answer.",
    );
  }
}

/**
 * Why this side refused: the two sides share no revision (`revision`), the revision has no such message (`method`), a side
 * did not declare what it needs (`capability`), a question came back with other params (`repeat`), too many rounds (`rounds`) or pages (`pages`), or
 * nothing may be asked in this place (`place`).
 */
export type Refusal = "revision" | "method" | "capability" | "repeat" | "rounds" | "pages" | "place";

/** This side refused to send or to go on; nothing of it reached the peer. */
export class RefusedError extends Branded {
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string, options?: ErrorOptions) {
    super("RefusedError", message, options);
    this.reason = reason;
  }
}

const branded = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === name;

/** Is it an `McpError`, of whichever copy of this package? */
export const isMcpError = (value: unknown): value is McpError => branded(value, "McpError");
/** Is it a `ValidationError`, of this package or of generated code? */
export const isValidationError = (value: unknown): value is ValidationError =>
  branded(value, "ValidationError") ||
  (value instanceof Error && value.name === "ValidationError" && "issues" in value);
/** Is it a `TransportError`, of whichever copy of this package? */
export const isTransportError = (value: unknown): value is TransportError => branded(value, "TransportError");
/** Did the carrier break in a way that may pass? A refusal does not; a server that is away or in trouble may come back. */
export const mayPass = (value: unknown): value is TransportError =>
  isTransportError(value) && !(value.status && value.status >= 400 && value.status < 500);
/** Is it a `TimeoutError`, of whichever copy of this package? */
export const isTimeoutError = (value: unknown): value is TimeoutError => branded(value, "TimeoutError");
/** Is it a `ToolError`, of whichever copy of this package? */
export const isToolError = (value: unknown): value is ToolError => branded(value, "ToolError");
/** Is it `InputPending`, of whichever copy of this package? */
export const isInputPending = (value: unknown): value is InputPending => branded(value, "InputPending");
/** Is it a `RefusedError`, of whichever copy of this package? */
export const isRefusedError = (value: unknown): value is RefusedError => branded(value, "RefusedError");
