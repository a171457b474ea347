// A global symbol, so that errors are recognized across several copies of this
// package in one program.
const brand: unique symbol = /* @__PURE__ */ Symbol.for("mcpgen.error");

/** An error that is recognized by its name across copies of this package. */
export class Branded extends Error {
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    // A class may extend another and have a name of its own.
    Object.defineProperties(this, {
      name: { value: name, configurable: true },
      [brand]: { value: name },
    });
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

/**
 * An error of the protocol. Code, message and data are sent to the peer, or
 * were received from it.
 */
export class McpError extends Branded {
  /** The JSON-RPC error code. Constants of the revision name the known ones. */
  readonly code: number;
  /** Further details, whose type depends on the code. */
  readonly data: unknown;

  constructor(
    code: number,
    message: string,
    data?: unknown,
    options?: ErrorOptions,
  ) {
    super("McpError", message, options);
    this.code = code;
    this.data = data;
  }

  /**
   * Converts any thrown value to an error that can be sent. Returns an
   * `McpError` unchanged and the `McpError` in the cause of a `SessionError`;
   * any other value becomes the cause of an "Internal error".
   */
  static from(reason: unknown): McpError {
    return toMcpError(reason);
  }
}

// A function, because bundlers rename a class that refers to itself, and the
// new name would appear in stack traces.
function toMcpError(reason: unknown): McpError {
  if (isMcpError(reason)) return reason;
  if (isSessionError(reason) && isMcpError(reason.cause)) return reason.cause;
  return new McpError(
    jsonRpcCodes.INTERNAL_ERROR,
    "Internal error",
    undefined,
    { cause: reason },
  );
}

/**
 * The caller lacks a scope. Over HTTP the client gets status 403 with a
 * challenge that names the scopes, unless something was sent before, and may
 * then authorize with more scopes; otherwise it gets this JSON-RPC error, with
 * the code 403 (specification: Authorization).
 */
export class ScopeError extends McpError {
  /** The scopes that the operation requires. */
  readonly scopes: readonly string[];

  constructor(
    scopes: readonly string[],
    message = "The token lacks a scope that the operation requires.",
  ) {
    super(forbidden, message, dataOf(scopes));
    Object.defineProperty(this, "name", { value: "ScopeError" });
    this.scopes = scopes;
  }
}

/**
 * The caller needs an access token, or another one than that of the request,
 * for example because what the server obtained with the person's consent has
 * expired. Over HTTP the client gets status 401 with a challenge, unless
 * something was sent before, and may then sign in again; otherwise it gets this
 * JSON-RPC error, with the code 401 (specification: Authorization).
 */
export class TokenError extends McpError {
  /** The scopes that the operation requires, if they are known. */
  readonly scopes: readonly string[];

  constructor(
    message = "The operation requires another access token.",
    scopes: readonly string[] = [],
  ) {
    super(unauthorized, message, dataOf(scopes, message));
    Object.defineProperty(this, "name", { value: "TokenError" });
    this.scopes = scopes;
  }
}

// The JSON-RPC error codes of these errors, which JSON-RPC does not reserve:
// those of the HTTP status.
const unauthorized = 401;
const forbidden = 403;

/**
 * The error for a caller who lacks some of these scopes; `auth` is undefined
 * for a caller without a token.
 */
export const missingScopes = (
  auth: unknown,
  scopes: readonly string[],
): ScopeError | TokenError =>
  auth === undefined
    ? new TokenError("The operation requires an access token.", scopes)
    : new ScopeError(scopes);

/** What an operation requires of the token of its caller. */
export interface Refused {
  /** All scopes that the operation requires. */
  readonly scopes: readonly string[];
  /**
   * Why a handler rejects the token, as a sentence: see `TokenError`. Undefined
   * if the token only lacks scopes.
   */
  readonly reason?: string | undefined;
}

/** The HTTP response to a request that fails with an error of this server. */
interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Set if the option `protect`, if the server has it, decides status and
   * headers.
   */
  readonly refused?: Refused;
}

/**
 * The member of the data of an error that holds its `HttpReply`. JSON does not
 * have it, so an error that another server sent has none.
 */
const ownReply: unique symbol = /* @__PURE__ */ Symbol.for("mcpgen.reply");

const withReply = (data: object, reply: HttpReply): object =>
  Object.defineProperty(data, ownReply, { value: reply });

/**
 * The data of an error that names scopes. With a reason, the client needs
 * another token.
 */
function dataOf(scopes: readonly string[], reason?: string): object {
  const [status, headers] =
    reason === undefined
      ? [forbidden, {}]
      : [unauthorized, { "www-authenticate": "Bearer" }];
  return withReply(
    { requiredScopes: scopes },
    { status, headers, refused: { scopes, reason } },
  );
}

/**
 * How the error in a JSON-RPC response is answered over HTTP; undefined for one
 * whose code decides.
 */
export const replyOf = (error: unknown): HttpReply | undefined =>
  (
    Object((Object(error) as Partial<McpError>).data) as {
      readonly [ownReply]?: HttpReply;
    }
  )[ownReply];

/**
 * The store that the processes of this server share does not answer, or not as
 * it should. Over HTTP the client gets status 503 and may try again, unless
 * something was sent before; otherwise it gets this JSON-RPC error.
 */
export class StoreError extends McpError {
  constructor(cause: unknown) {
    super(
      jsonRpcCodes.INTERNAL_ERROR,
      "The store of this server cannot be reached now. Try again.",
      withReply(
        { reason: "unavailable" },
        { status: 503, headers: { "retry-after": "1" } },
      ),
      { cause },
    );
  }
}

/** The names of JSON-RPC's own errors. */
export type RpcErrorName = keyof typeof jsonRpcCodes;

/** An error that JSON-RPC itself defines: `rpcError("INVALID_PARAMS", "…")`. */
export const rpcError = (
  name: RpcErrorName,
  message: string,
  data?: unknown,
): McpError => new McpError(jsonRpcCodes[name], message, data);

/**
 * Why a value does not match its type: what was expected, and the path from the
 * root of the value.
 */
export interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[] | undefined;
}

/**
 * A value does not match its type. The message has the path of the first issue
 * and what was expected there.
 */
export class ValidationError extends Branded {
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[] = []) {
    super("ValidationError", message);
    this.issues = issues;
  }
}

/**
 * Creates a `ValidationError` with one issue. `what` names the validated
 * message, `path` leads from its root to the value.
 */
export const invalidAt = (
  what: string,
  message: string,
  path: readonly PropertyKey[],
): ValidationError =>
  new ValidationError(`${what}: ${message}`, [{ message, path }]);

/** The connection failed, was closed, or could not be opened. */
export class TransportError extends Branded {
  /** The HTTP status of the response, if there is one. */
  readonly status: number | undefined;
  /**
   * True if the server lost the session. With a status, it rejected the
   * request; without one, it may have executed it.
   */
  readonly isSessionLost: boolean;
  /**
   * True if the failure may be temporary. Repeat the call only if it is safe to
   * execute it twice.
   */
  readonly isRetryable: boolean;
  /**
   * The wait before another attempt that the server asks for, in milliseconds.
   */
  readonly retryAfter: number | undefined;
  /**
   * True if the request was lost after it was sent: nobody knows whether the
   * server has executed it.
   */
  readonly mayHaveRun: boolean;

  constructor(
    message: string,
    options?: ErrorOptions &
      Partial<
        Pick<
          TransportError,
          | "status"
          | "isSessionLost"
          | "isRetryable"
          | "retryAfter"
          | "mayHaveRun"
        >
      >,
  ) {
    super("TransportError", message, options);
    this.status = options?.status;
    this.isSessionLost = options?.isSessionLost === true;
    this.isRetryable = options?.isRetryable === true;
    this.retryAfter = options?.retryAfter;
    this.mayHaveRun = options?.mayHaveRun === true;
  }
}

/**
 * The end of a connection, as the error of a request that was sent before it
 * or, if not `mayHaveRun`, after it.
 */
export const endError = (end: Error, mayHaveRun: boolean): Error =>
  end.name !== "TransportError" ||
  !isTransportError(end) ||
  end.mayHaveRun === mayHaveRun
    ? end
    : new TransportError(end.message, {
        ...end,
        cause: end.cause ?? end,
        mayHaveRun,
      });

/**
 * The peer did not answer in time. The request was cancelled if the revision
 * allows that.
 */
export class TimeoutError extends Branded {
  constructor(message: string) {
    super("TimeoutError", message);
  }
}

/**
 * Thrown by a tool to report a failure. The model gets its message, even with
 * `maskErrors`.
 */
export class ToolError extends Branded {
  constructor(message: string, options?: ErrorOptions) {
    super("ToolError", message, options);
  }
}

/**
 * Ends a run of a handler whose question is sent to the client; the handler
 * runs again with the answer. Code that catches errors around `context.request`
 * must rethrow it.
 */
export class InputPending extends Branded {
  constructor() {
    super(
      "InputPending",
      "The question was sent to the client. This run of the handler has ended; the next run gets the answer.",
    );
  }
}

/**
 * Why this side did not send a message or continue:
 *
 * - `revision`: the two sides share no revision;
 * - `method`: the revision has no such message;
 * - `capability`: the other side did not declare it;
 * - `repeat`: a question differs when it is repeated;
 * - `rounds`, `pages`: there are too many of them;
 * - `place`: this handler may not ask the client.
 */
export type SessionErrorReason =
  | "revision"
  | "method"
  | "capability"
  | "repeat"
  | "rounds"
  | "pages"
  | "place";

/** This side did not send the message or did not continue. */
export class SessionError extends Branded {
  readonly reason: SessionErrorReason;

  constructor(
    reason: SessionErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super("SessionError", message, options);
    this.reason = reason;
  }
}

/** Tests for a `Branded` error with this name. */
export const hasBrand = (value: unknown, name: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  (value as { [brand]?: unknown })[brand] === name;

/** Tests for an error of any copy of this package or of generated code. */
export const isOwnError = (value: Error): boolean =>
  brand in value || isValidationError(value);
/** Tests for an `McpError` of any copy of this package. */
export const isMcpError = (value: unknown): value is McpError =>
  hasBrand(value, "McpError");
/** Tests for a `ValidationError` of this package or of generated code. */
export const isValidationError = (value: unknown): value is ValidationError =>
  hasBrand(value, "ValidationError") ||
  (value instanceof Error &&
    value.name === "ValidationError" &&
    "issues" in value);
/** Tests for a `TransportError` of any copy of this package. */
export const isTransportError = (value: unknown): value is TransportError =>
  hasBrand(value, "TransportError");
/**
 * Tests for a `TransportError` that may be temporary: any but an HTTP status
 * 4xx.
 */
export const mayPass = (value: unknown): value is TransportError =>
  isTransportError(value) &&
  !(value.status && value.status >= 400 && value.status < 500);
/**
 * True for an HTTP status 4xx that is not about authorization (401, 403, 407),
 * time (408) or a rate limit (429).
 */
export const isRejection = (status = 0): boolean =>
  status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status);
/** Tests for a `TimeoutError` of any copy of this package. */
export const isTimeoutError = (value: unknown): value is TimeoutError =>
  hasBrand(value, "TimeoutError");
/** Tests for a `ToolError` of any copy of this package. */
export const isToolError = (value: unknown): value is ToolError =>
  hasBrand(value, "ToolError");
/** Tests for an `InputPending` of any copy of this package. */
export const isInputPending = (value: unknown): value is InputPending =>
  hasBrand(value, "InputPending");
/** Tests for a `SessionError` of any copy of this package. */
export const isSessionError = (value: unknown): value is SessionError =>
  hasBrand(value, "SessionError");
