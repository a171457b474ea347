import { invalidAt, McpError, rpcError } from "../errors.js";
import { report, type Reporting, warn } from "../report.js";
import type { SideTable } from "../tables.js";

/** The error that goes out for whatever the work on a request threw. What its author should know of is reported. */
export function sentError(
  reason: unknown,
  side: SideTable | undefined,
  method: string | undefined,
  to: Reporting,
): McpError {
  const error = McpError.from(reason);
  if (error.cause === reason) report(to, reason, method);
  const fault = faultOf(error, side);
  if (fault) {
    fault.cause = error;
    report(to, fault, method);
    return rpcError("INTERNAL_ERROR", "Internal error");
  }
  const { errors = {}, replacedCodes, revision } = side?.revision ?? {};
  const { code } = error;
  const [, , instead] = replacedCodes?.find(([from, last]) => code >= from && code <= last) ?? [];
  if (instead === undefined || instead === code || Object.values(errors).includes(code)) return error;
  // JRPC-15
  warn(to, `${method}: the error ${code} is sent as ${instead}, since ${revision} does not allow it.`);
  return new McpError(instead, error.message, error.data);
}

/** JRPC-15: why an error cannot be sent, which would leave its request without an answer. */
function faultOf({ code, message, data }: McpError, side: SideTable | undefined): Error | undefined {
  let text: string | undefined = "";
  try {
    text = data === undefined ? text : (JSON.stringify(data) as string | undefined);
  } catch {
    text = undefined;
  }
  if (text === undefined || !Number.isInteger(code) || typeof message !== "string")
    return new TypeError("An McpError has an integer as its code, a text, and data that is JSON.");
  const guard = side?.failures?.[code];
  const answer = guard && { jsonrpc: "2.0", error: { code, message, data: text && JSON.parse(text) } };
  if (!answer || guard(answer)) return undefined;
  const { message: expected, path } = side.refusal(answer);
  return invalidAt(`The error ${code}`, expected, path ?? []);
}
