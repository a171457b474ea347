import { invalidAt, McpError, rpcError } from "../errors.js";
import { report, type Reporting, warn } from "../report.js";
import type { SideTable } from "../tables.js";

const advice = "Use a positive code, or one below -32768.";

/** The error to send for any thrown value. Reports a value that is not sent as it is, or that cannot be sent. */
export function errorToSend(
  reason: unknown,
  side: SideTable | undefined,
  method: string | undefined,
  to: Reporting,
): McpError {
  const error = McpError.from(reason);
  if (error.cause === reason) report(to, reason, method);
  const issue = issueOf(error, side);
  if (issue) {
    issue.cause = error;
    report(to, issue, method);
    return rpcError("INTERNAL_ERROR", "Internal error");
  }
  const { errors = {}, opening, replacedCodes, revision } = side?.revision ?? {};
  const { code } = error;
  // Clients repeat a request after this code, and only the transport compares headers.
  if (code === errors["HEADER_MISMATCH"]) {
    report(to, error, method);
    return rpcError("INTERNAL_ERROR", "Internal error");
  }
  const [, , replacement] = replacedCodes?.find(([from, last]) => code >= from && code <= last) ?? [];
  const isDefined = Object.values(errors).includes(code);
  // Older revisions leave these codes to implementations (JRPC-18).
  const isVague = opening === "per-request" && replacement === undefined && code <= -32000 && code >= -32019;
  if (isVague && !isDefined)
    warn(to, `${method}: the error ${code} has other meanings in other programs. ${advice}`);
  if (replacement === undefined || replacement === code || isDefined) return error;
  // The revision reserves this code and does not define it (JRPC-15).
  warn(
    to,
    `${method}: the error ${code} is sent as ${replacement}, because revision ${revision} does not allow it.`,
  );
  return new McpError(replacement, error.message, error.data);
}

/** Why an error cannot be sent; undefined if it can (JRPC-15). */
function issueOf({ code, message, data }: McpError, side: SideTable | undefined): Error | undefined {
  let text: string | undefined = "";
  try {
    text = data === undefined ? text : (JSON.stringify(data) as string | undefined);
  } catch {
    text = undefined;
  }
  if (text === undefined || !Number.isInteger(code) || typeof message !== "string")
    return new TypeError("An McpError needs an integer code, a string message, and data that is JSON.");
  const guard = side?.failures?.[code];
  const answer = guard && { jsonrpc: "2.0", error: { code, message, data: text && JSON.parse(text) } };
  if (!answer || guard(answer)) return undefined;
  const { message: expected, path } = side.lastIssue(answer);
  return invalidAt(`The error ${code}`, expected, path ?? []);
}
