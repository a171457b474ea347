import { isInputPending, isMcpError, isSessionError, isToolError, jsonRpcCodes } from "../errors.js";
import type { JsonObject } from "../../../common/object.js";
import { messageOf, report } from "../report.js";
import type { RequestContext } from "../session/context.js";
import type { ClientContext, ServerSettings } from "../session/config.js";

/**
 * Converts an error of a tool's handler to a result with `isError: true` and reports the error. The model gets the message, never the
 * stack. With `maskErrors` it only gets the message of a `ToolError`.
 *
 * @throws the error itself if the request was cancelled, or if the error is the answer to the request: an `McpError`, `InputPending`, or a
 * missing capability of the client in a revision that has an error code for it.
 */
export function failedTool(
  error: unknown,
  settings: ServerSettings,
  context: Pick<ClientContext, "signal">,
  name: string,
): JsonObject {
  // Hosts show a failed result to the model, and end the call with an exception for an error without a code of its own.
  const hasCode =
    isSessionError(error) && isMcpError(error.cause) && error.cause.code !== jsonRpcCodes.INTERNAL_ERROR;
  if (isMcpError(error) || isInputPending(error) || hasCode || context.signal.aborted) throw error;
  const { method } = (context as unknown as RequestContext).exchange;
  report(settings, error, `${method} ${name}`);
  const isMasked = settings.maskErrors === true && !isToolError(error);
  const text = isMasked ? "The tool failed." : messageOf(error);
  return { content: [{ type: "text", text }], isError: true };
}
