import { McpError, rpcError } from "../errors.js";
import { report, type Reporting, warn } from "../report.js";
import type { Revision } from "../tables.js";

/** The error that goes out for whatever the work on a request threw. What its author should know of is reported. */
export function sentError(
  reason: unknown,
  revision: Revision | undefined,
  method: string | undefined,
  to: Reporting,
): McpError {
  const error = McpError.from(reason);
  if (error.cause === reason) report(to, reason, method);
  if (!isSendable(error)) {
    const text =
      "The code of an McpError is an integer, its message text, and its data JSON; this one is not sent.";
    report(to, new TypeError(text, { cause: error }), method);
    return rpcError("INTERNAL_ERROR", "Internal error");
  }
  const code = codeIn(revision, error.code);
  if (code === error.code) return error;
  const text = `${method}: the error ${error.code} is sent as ${code}, since ${revision?.revision} does not allow it.`;
  warn(to, text);
  return new McpError(code, error.message, error.data);
}

/** JRPC-15: an error that could not be sent would leave its request without an answer. */
function isSendable({ code, message, data }: McpError): boolean {
  if (!Number.isInteger(code) || typeof message !== "string") return false;
  try {
    return data === undefined || JSON.stringify(data) !== undefined;
  } catch {
    return false;
  }
}

/** JRPC-15: the code that an error goes out with. */
function codeIn(revision: Revision | undefined, code: number): number {
  const range = revision?.replacedCodes?.find(([from, to]) => code >= from && code <= to);
  return range && !Object.values(revision?.errors ?? {}).includes(code) ? range[2] : code;
}
