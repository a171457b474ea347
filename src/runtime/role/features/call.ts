import { getOwn, isObject, type JsonObject } from "../../message.js";
import type { ServerSide, Settings } from "../../session/config.js";
import type { SideTable } from "../../tables.js";
import { failedTool } from "../failure.js";
import type { FeatureContext } from "./feature.js";
import type { Described } from "./schema.js";
import type { ReadyTool } from "./tools.js";

/** Runs a tool. TOOL-03, TOOL-05: what goes wrong in it is a result too, so that a model can learn from it. */
export async function callTool(
  ready: ReadyTool,
  given: unknown,
  context: FeatureContext,
  side: SideTable,
  settings: Settings,
): Promise<unknown> {
  const { tool, input } = ready;
  const checked = input
    ? await input.check(given)
    : Object.keys(given as object).length > 0
      ? { faults: ["it takes none"] }
      : { value: given };
  // TOOL-16: the handler does not run.
  if (checked.faults)
    return filtered(
      ready,
      failed(`Invalid arguments for the tool ${tool.name}: ${checked.faults.join("; ")}.`),
      context,
      settings,
    );
  return finish(ready, () => tool.handler(checked.value as never, context), context, side, settings);
}

/** Does the work of a tool, and makes a whole result of what comes of it. */
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
  return filtered(ready, result, context, settings);
}

/** TOOL-20: the result as the author's filter lets it out. */
async function filtered(
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

const failed = (message: string): JsonObject => ({ content: [text(message)], isError: true });

/** TOOL-06: a whole result, made of what a handler returned. */
async function resultOf({ tool, output }: ReadyTool, value: unknown, side: SideTable): Promise<JsonObject> {
  const written = isWhole(value, side) ? value : undefined;
  if (written && (!output || written["isError"] === true || isOtherKind(written, side)))
    return withText(written, side);
  if (output) {
    const given = written ? written["structuredContent"] : value;
    return withText({ ...written, structuredContent: await checkOutput(tool.name, output, given) }, side);
  }
  if (value === undefined) return { content: [] };
  return typeof value === "string"
    ? { content: [text(value)] }
    : withText({ structuredContent: value }, side);
}

/** A result that a handler wrote itself, as against a structured value. */
const isWhole = (value: unknown, side: SideTable): value is JsonObject =>
  isObject(value) &&
  (Array.isArray(value["content"]) || "structuredContent" in value || isOtherKind(value, side));

/** A request for input, or what an extension answers with in place of the result. */
function isOtherKind({ resultType }: JsonObject, { incomingRequests, revision }: SideTable): boolean {
  if (resultType === "input_required") return true;
  const { variants = {} } = getOwn(incomingRequests, revision.wellKnown.callTool)?.facts ?? {};
  return getOwn(variants, String(resultType)) !== undefined;
}

async function checkOutput(name: string, output: Described, value: unknown): Promise<unknown> {
  const checked = await output.check(value);
  if (!checked.faults) return checked.value;
  throw new Error(
    `The result of the tool ${name} does not fit its outputSchema: ${checked.faults.join("; ")}.`,
  );
}

/**
 * Adds the structured content as text to a result without content (TOOL-08). Leaves the structured content out where the revision has
 * none and the text holds it, and, in revisions with a handshake, where it is not an object (TOOL-09).
 */
function withText(result: JsonObject, side: SideTable): JsonObject {
  // Tools are called on a server.
  const { revision, fitting } = side as ServerSide;
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const content = rest["content"] ?? [text(JSON.stringify(structuredContent))];
  const omit = getOwn(fitting.results, revision.wellKnown.callTool)?.omit;
  const isKept =
    (isObject(structuredContent) || revision.opening === "per-request") &&
    (rest["content"] !== undefined || !omit?.includes("structuredContent"));
  return { ...rest, content, ...(isKept && { structuredContent }) };
}
