import { getOwn, isObject, type JsonObject } from "../../message.js";
import type { ServerSide, Settings } from "../../session/config.js";
import type { SideTable } from "../../tables.js";
import { failedTool } from "../failed-tool.js";
import type { FeatureContext } from "./feature.js";
import type { PreparedSchema } from "./schema.js";
import type { ReadyTool } from "./tools.js";

/** Calls a tool. Invalid arguments and errors become a result with `isError: true`, so that the model can correct itself (TOOL-03, TOOL-05). */
export async function callTool(
  ready: ReadyTool,
  args: unknown,
  context: FeatureContext,
  side: SideTable,
  settings: Settings,
): Promise<unknown> {
  const { tool, input } = ready;
  const check = input
    ? await input.check(args)
    : Object.keys(args as object).length > 0
      ? { issues: ["it takes none"] }
      : { value: args };
  // The handler only gets valid arguments (TOOL-16).
  if (check.issues)
    return applyFilter(
      ready,
      errorResult(`Invalid arguments for the tool ${tool.name}: ${check.issues.join("; ")}.`),
      context,
      settings,
    );
  return finish(ready, () => tool.handler(check.value as never, context), context, side, settings);
}

/** Runs the work of a tool and converts its outcome to a complete result. */
export async function finish(
  ready: ReadyTool,
  work: () => unknown,
  context: FeatureContext,
  side: SideTable,
  settings: Settings,
): Promise<unknown> {
  let result: JsonObject;
  try {
    result = await resultOf(ready, await work(), side);
  } catch (error) {
    result = failedTool(error, settings, context, ready.tool.name);
  }
  return applyFilter(ready, result, context, settings);
}

/** Applies the author's filter to a result (TOOL-20). */
async function applyFilter(
  { tool: { name }, filter }: ReadyTool,
  result: JsonObject,
  context: FeatureContext,
  settings: Settings,
): Promise<unknown> {
  if (!filter || !Array.isArray(result["content"])) return result;
  try {
    return await filter(result as never, { name, context });
  } catch (error) {
    return failedTool(error, settings, context, name);
  }
}

const text = (value: string): JsonObject => ({ type: "text", text: value });

const errorResult = (message: string): JsonObject => ({ content: [text(message)], isError: true });

/** Converts the value that a handler returned to a complete result, and checks its structured content (TOOL-06). */
async function resultOf({ tool, output }: ReadyTool, value: unknown, side: SideTable): Promise<JsonObject> {
  const completeResult = isCompleteResult(value, side) ? value : undefined;
  if (completeResult && (!output || completeResult["isError"] === true || isOtherKind(completeResult, side)))
    return withText(completeResult, side);
  if (output) {
    const structuredValue = completeResult ? completeResult["structuredContent"] : value;
    return withText(
      { ...completeResult, structuredContent: await checkOutput(tool.name, output, structuredValue) },
      side,
    );
  }
  if (value === undefined) return { content: [] };
  return typeof value === "string"
    ? { content: [text(value)] }
    : withText({ structuredContent: value }, side);
}

/** Tests whether a handler returned a complete result, not a structured value. */
const isCompleteResult = (value: unknown, side: SideTable): value is JsonObject =>
  isObject(value) &&
  (Array.isArray(value["content"]) || "structuredContent" in value || isOtherKind(value, side));

/** Tests for a result of another type: a request for input, or a type of an extension. */
function isOtherKind({ resultType }: JsonObject, { incomingRequests, revision }: SideTable): boolean {
  if (resultType === "input_required") return true;
  const { variants = {} } = getOwn(incomingRequests, revision.wellKnown.callTool)?.facts ?? {};
  return getOwn(variants, String(resultType)) !== undefined;
}

async function checkOutput(name: string, output: PreparedSchema, value: unknown): Promise<unknown> {
  const check = await output.check(value);
  if (!check.issues) return check.value;
  throw new Error(
    `The result of the tool ${name} does not match its outputSchema: ${check.issues.join("; ")}.`,
  );
}

/**
 * Adds the structured content as text to a result without content (TOOL-08). Omits the structured content if the revision does not have
 * it and the text contains it, and, in legacy revisions, if it is not an object (TOOL-09).
 */
function withText(result: JsonObject, side: SideTable): JsonObject {
  // Only servers have tools.
  const { revision, fitting } = side as ServerSide;
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const content = rest["content"] ?? [text(JSON.stringify(structuredContent))];
  const omit = getOwn(fitting.results, revision.wellKnown.callTool)?.omit;
  const hasStructured =
    (isObject(structuredContent) || revision.opening === "per-request") &&
    (rest["content"] !== undefined || !omit?.includes("structuredContent"));
  return { ...rest, content, ...(hasStructured && { structuredContent }) };
}
