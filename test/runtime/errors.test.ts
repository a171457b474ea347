import { runInNewContext } from "node:vm";
import { AuthorizationError, isAuthorizationError } from "@mcpgen/auth";
import {
  InputPending,
  isInputPending,
  isMcpError,
  isSessionError,
  isTimeoutError,
  isTransportError,
  isValidationError,
  McpError,
  SessionError,
  TimeoutError,
  TokenError,
  TransportError,
  ValidationError,
} from "@mcpgen/runtime";
import { describe, expect, it, vi } from "vitest";
import { ListToolsResultSchema } from "../../generated/2025-03-26/index.js";
import { isRejection, mayPass } from "../../src/runtime/core/errors.js";

const guards = {
  isInputPending,
  isMcpError,
  isSessionError,
  isTimeoutError,
  isTransportError,
  isValidationError,
};
const errors = [
  ["InputPending", new InputPending()],
  ["McpError", new McpError(-32602, "no")],
  ["SessionError", new SessionError("place", "no")],
  ["TimeoutError", new TimeoutError("no")],
  ["TransportError", new TransportError("no")],
  ["ValidationError", new ValidationError("no", [])],
] as const;

describe.each(errors)("%s", (name, error) => {
  it("has its own name and is recognized only by its own guard", () => {
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
    const known = Object.entries(guards).filter(([, guard]) => guard(error));
    expect(known.map(([guard]) => guard)).toEqual([`is${name}`]);
  });

  it("is recognized if another copy of the package created it", async () => {
    vi.resetModules();
    const copy = await import("../../src/runtime/core/errors.js");
    expect(copy.McpError).not.toBe(McpError);
    const guard = copy[`is${name}` as keyof typeof guards];
    expect(guard(error)).toBe(true);
  });

  it("has no enumerable mark", () => {
    expect(Object.keys(error)).not.toContain("mcpgen.error");
    expect(JSON.stringify({ ...error })).not.toContain(name);
  });
});

it.each([
  [
    new InputPending(),
    "The question was sent to the client. This run of the handler has ended; the next run gets the answer.",
  ],
  [new TokenError(), "The operation requires another access token."],
])("%s says what it means without words of the program", (error, words) => {
  expect(error.message).toBe(words);
});

describe("guards", () => {
  it("recognize an error of another realm, which is no instance of this realm's Error", () => {
    const refusal = new AuthorizationError(
      "denied",
      "no",
      new URL("https://example.com/mcp"),
    );
    const foreign = runInNewContext("Error.prototype") as object;
    Object.setPrototypeOf(refusal, foreign);
    expect(refusal).not.toBeInstanceOf(Error);
    expect([isAuthorizationError(refusal), isTransportError(refusal)]).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    undefined,
    null,
    "AuthorizationError",
    { name: "AuthorizationError" },
  ])("do not take %j for an error", (value) => {
    expect(isAuthorizationError(value)).toBe(false);
  });

  it.each([
    undefined,
    null,
    "McpError",
    { name: "McpError" },
    new Error("x"),
    () => {},
  ])("return false for %s", (value) => {
    for (const guard of Object.values(guards)) expect(guard(value)).toBe(false);
  });

  it("recognize the ValidationError of generated code", () => {
    const outcome = ListToolsResultSchema.safeParse({});
    expect(outcome.success).toBe(false);
    expect(!outcome.success && isValidationError(outcome.error)).toBe(true);
  });
});

describe("McpError.from", () => {
  it("returns an McpError unchanged", () => {
    const error = new McpError(1, "mine", { a: 1 });
    expect(McpError.from(error)).toBe(error);
  });

  it.each([
    new Error("secret"),
    "secret",
    undefined,
    new ValidationError("secret", []),
  ])("converts %s to an internal error whose cause is not sent", (reason) => {
    const error = McpError.from(reason);
    expect(error).toMatchObject({
      code: -32603,
      message: "Internal error",
      data: undefined,
    });
    expect(error.cause).toBe(reason);
    expect(JSON.stringify(error)).not.toContain("secret");
  });
});

describe("an HTTP status", () => {
  const statuses = [399, 400, 401, 402, 403, 404, 407, 408, 409, 428, 429, 430];

  it("is final between 400 and 499, and any other may pass", () => {
    const passing = [undefined, 0, 200, ...statuses, 499, 500, 503].filter(
      (status) => mayPass(new TransportError("no", { status })),
    );
    expect(passing).toEqual([undefined, 0, 200, 399, 500, 503]);
    expect(mayPass(new TimeoutError("no"))).toBe(false);
  });

  it("rejects a request between 400 and 499, but for authorization, time and rates", () => {
    const rejecting = [undefined, 0, 200, ...statuses, 499, 500].filter(
      isRejection,
    );
    expect(rejecting).toEqual([400, 402, 404, 409, 428, 430, 499]);
  });
});
