import { isInputPending, isMcpError, isRefusedError, isToolError } from "../errors.js";
import type { JsonObject } from "../message.js";
import { errorOf, report } from "../report.js";
import type { RequestContext } from "../session/context.js";
import type { ClientContext, ServerSettings } from "../session/config.js";

/**
 * Makes a result with `isError: true` of what the handler of a tool threw, and reports it: the model reads the message, never
 * a stack, and can correct itself. With `maskErrors` only a `ToolError` keeps its message.
 *
 * @throws the error itself when it is the answer to the request: an `McpError`, a question on its way to the client, or a
 * capability that the client lacks; and when nobody waits for the answer.
 */
export function failedTool(
  error: unknown,
  settings: ServerSettings,
  context: Pick<ClientContext, "signal">,
  name: string,
): JsonObject {
  const isAnswer =
    isMcpError(error) || isInputPending(error) || (isRefusedError(error) && isMcpError(error.cause));
  if (isAnswer || context.signal.aborted) throw error;
  const { method } = (context as unknown as RequestContext).exchange;
  report(settings, error, `${method} ${name}`);
  const isMasked = settings.maskErrors === true && !isToolError(error);
  const text = isMasked ? "The tool failed." : errorOf(error).message;
  return { content: [{ type: "text", text }], isError: true };
}
