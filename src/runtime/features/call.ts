import { getOwn, isObject, type JsonObject } from "../../common/object.js";
import { report, warn } from "../core/report.js";
import type {
  ServerSessionConfig,
  ServerSide,
} from "../core/session/config.js";
import { downgrade } from "../core/session/outgoing.js";
import {
  failedTool,
  type ServerContext,
} from "../core/session/server-context.js";
import { withTypedBlocks } from "./contents.js";
import type { FeatureContext } from "./feature.js";
import { checkOf, type PreparedSchema } from "./schema.js";
import type { CheckResult } from "./standard.js";
import type { ReadyTool } from "./tools.js";

/**
 * Calls a tool. Invalid arguments and errors become a result with
 * `isError: true`, so that the model can correct itself (TOOL-03, TOOL-05).
 */
export async function callTool(
  ready: ReadyTool,
  args: unknown,
  context: FeatureContext,
): Promise<unknown> {
  const { tool, input } = ready;
  // The handler only gets valid arguments (TOOL-16). Some hosts add arguments
  // of their own, also to a tool that takes none.
  const check: CheckResult = input ? await input.check(args) : { value: {} };
  if (check.issues) {
    const { issues, thrown } = check;
    const { side, settings } = configOf(context);
    if (thrown !== undefined)
      report(
        settings,
        thrown,
        `${side.revision.wellKnown.callTool} ${tool.name}`,
      );
    const isMasked = thrown !== undefined && settings.maskErrors === true;
    const reason = isMasked ? "they could not be checked" : issues.join("; ");
    const message = `Invalid arguments for the tool ${tool.name}: ${reason}.`;
    return applyFilter(
      ready,
      { content: [text(message)], isError: true },
      context,
    );
  }
  return toResult(
    ready,
    () => ready.work(tool.name, check.value as never, context),
    context,
  );
}

/** The configuration of the server that answers the request. */
const configOf = (context: FeatureContext): ServerSessionConfig =>
  (context as FeatureContext & ServerContext).session.config;

/** Runs the work of a tool and converts its outcome to a complete result. */
export async function toResult(
  ready: ReadyTool,
  work: () => unknown,
  context: FeatureContext,
): Promise<unknown> {
  let result: JsonObject;
  try {
    const value = await work();
    result = await resultOf(ready, value, configOf(context));
    // Only an object has blocks that the author wrote.
    if (isObject(value))
      result = withTypedBlocks(
        result,
        `The result of the tool ${ready.tool.name}`,
      );
  } catch (error) {
    result = failedTool(
      error,
      configOf(context).settings,
      context,
      ready.tool.name,
    );
  }
  return applyFilter(ready, result, context);
}

/** Applies the author's filter to a result (TOOL-20). */
async function applyFilter(
  { tool: { name }, filter }: ReadyTool,
  result: JsonObject,
  context: FeatureContext,
): Promise<unknown> {
  if (!filter || !Array.isArray(result["content"])) return result;
  try {
    return await filter(result as never, { name, context });
  } catch (error) {
    return failedTool(error, configOf(context).settings, context, name);
  }
}

const text = (value: string): JsonObject => ({ type: "text", text: value });

/**
 * Converts the value that a handler returned to a complete result, and checks
 * its structured content (TOOL-06).
 */
async function resultOf(
  ready: ReadyTool,
  value: unknown,
  config: ServerSessionConfig,
): Promise<JsonObject> {
  const { tool, output } = ready;
  const { side } = config;
  const where = `The result of the tool ${tool.name}`;
  if (isObject(value) && isOtherKind(value, side)) return value;
  const whole = isCompleteResult(value, side) ? value : undefined;
  if (!output) {
    if (!whole && value === undefined) return { content: [] };
    if (!whole && typeof value === "string") return { content: [text(value)] };
    if (whole && whole["structuredContent"] === undefined) return whole;
    return withStructured(
      whole,
      toJson(whole ? whole["structuredContent"] : value, where),
      side,
    );
  }
  if (whole?.["isError"] === true)
    return failedResult(ready, output, whole, config);
  // The schema may describe a value with the members of a complete result, but
  // only if it names them: an open schema accepts anything.
  const isValue = !whole || namesAll(output.json, Object.keys(whole));
  const structured = whole && "structuredContent" in whole ? whole : undefined;
  if (!isValue && structured?.["structuredContent"] === undefined)
    throw new Error(
      `${where} has no structuredContent, which its outputSchema requires.`,
    );
  const check = await checkOutput(
    output,
    structured ? structured["structuredContent"] : value,
    where,
  );
  if ("value" in check) return withStructured(structured, check, side);
  const own =
    structured && isValue
      ? await checkOutput(output, structured, where)
      : check;
  if ("value" in own) return withStructured(undefined, own, side);
  throw new Error(
    `${where} does not match its outputSchema: ${check.issues.join("; ")}.`,
  );
}

/**
 * True if the schema names all these members, itself or in one of its parts.
 */
function namesAll(schema: JsonObject, members: readonly string[]): boolean {
  const { properties, allOf, anyOf, oneOf } = schema;
  if (
    isObject(properties) &&
    members.every((name) => Object.hasOwn(properties, name))
  )
    return true;
  return [allOf, anyOf, oneOf]
    .flat()
    .some((part) => isObject(part) && namesAll(part, members));
}

/**
 * Omits structured content of a failed result that does not match the schema:
 * clients would hide the error (TOOL-06).
 */
async function failedResult(
  { tool, isNewWarning }: ReadyTool,
  output: PreparedSchema,
  result: JsonObject,
  { side, settings }: ServerSessionConfig,
): Promise<JsonObject> {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const where = `The result of the tool ${tool.name}`;
  const check = await checkOutput(output, structuredContent, where);
  if ("value" in check) return withStructured(result, check, side);
  const warning = `${where} has isError and structured content that does not match its outputSchema, which is left out.`;
  if (isNewWarning(warning)) warn(settings, warning);
  return { content: [text(toJson(structuredContent, where).text)], ...rest };
}

/**
 * Tests whether a handler returned a complete result, not a structured value:
 * all members are those of a result, and the types of its blocks are known.
 */
function isCompleteResult(
  value: unknown,
  side: ServerSide,
): value is JsonObject {
  if (
    !isObject(value) ||
    !(Array.isArray(value["content"]) || "structuredContent" in value)
  )
    return false;
  const { callTool: method = "" } = side.revision.wellKnown;
  const { downgrades } = side;
  const row = getOwn(side.incomingRequests, method);
  const { engineDefaults = {} } = row ?? {};
  if (
    !Object.keys(value).every(
      (name) => resultMembers.test(name) || name in engineDefaults,
    )
  )
    return false;
  // The guard names the tag of a block that it does not know, after older
  // revisions got the blocks that they do have.
  const { content = [] } = value;
  const result = downgrade(
    { ...engineDefaults, content },
    downgrades.results[method],
    downgrades,
    () => {},
  );
  if (!row || row.checks.result(result)) return true;
  const [member, , key = downgrades.tag] = side.lastIssue(result).path ?? [];
  return member !== "content" || key !== downgrades.tag;
}

const resultMembers = /^(content|structuredContent|isError|_meta|resultType)$/;

/**
 * Tests for a result of another type: a request for input, or a type of an
 * extension.
 */
function isOtherKind(
  { resultType }: JsonObject,
  { incomingRequests, revision }: ServerSide,
): boolean {
  if (resultType === "input_required") return true;
  const { variants = {} } =
    getOwn(incomingRequests, revision.wellKnown.callTool) ?? {};
  return getOwn(variants, String(resultType)) !== undefined;
}

/**
 * Checks the JSON form of a value, because that is what the client gets. A
 * Standard Schema may describe values that JSON does not have, such as a
 * `Date`; then it checks the value itself, and the JSON Schema what is sent.
 */
async function checkOutput(
  output: PreparedSchema,
  value: unknown,
  where: string,
): Promise<Sendable | { readonly issues: readonly string[] }> {
  const sent = toJson(value, where);
  const check = await output.check(sent.value);
  if (!check.issues)
    return check.value === sent.value ? sent : toJson(check.value, where);
  const own = output.isStandard ? await output.check(value) : check;
  if (own.issues) return check;
  const converted = toJson(own.value, where);
  const asJson = await checkOf(output.resolved, where)(converted.value);
  return asJson.issues ? check : converted;
}

/**
 * Adds the structured content to a result, and as text if it has no content
 * (TOOL-08). Omits the structured content if the revision does not have it and
 * the text contains it, and, in legacy revisions, if it is not an object
 * (TOOL-09).
 */
function withStructured(
  result: JsonObject | undefined,
  sent: Sendable,
  side: ServerSide,
): JsonObject {
  const { revision, downgrades } = side;
  const { structuredContent: _, ...rest }: JsonObject = result ?? {};
  const content = rest["content"] ?? [text(sent.text)];
  const omit = getOwn(downgrades.results, revision.wellKnown.callTool)?.omit;
  const hasStructured =
    (isObject(sent.value) || revision.opening === "per-request") &&
    (rest["content"] !== undefined || !omit?.includes("structuredContent"));
  return {
    ...rest,
    content,
    ...(hasStructured && { structuredContent: sent.value }),
  };
}

/** A value as it arrives at the client, and its text. */
interface Sendable {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Converts a value to JSON and back.
 *
 * @throws TypeError for a value that JSON does not have, and that would arrive
 *   as an empty object: a `Map`, a generator, an error, bytes.
 */
function toJson(value: unknown, where: string): Sendable {
  // `toJSON` was called before the replacer gets a value; the object has the
  // original.
  const refuse = function (
    this: unknown,
    key: string,
    replaced: unknown,
  ): unknown {
    if (typeof replaced === "object" && replaced !== null) {
      const kind = kindWithoutJson((this as Record<string, unknown>)[key]);
      if (kind !== undefined) throw new TypeError(messageFor(kind, key));
    }
    return replaced;
  };
  const messageFor = (kind: string, key: string): string =>
    `${where}: expected a JSON value, got ${kind}${key === "" ? "" : ` in ${JSON.stringify(key)}`}. Return plain objects, lists, text and numbers.`;
  const text = JSON.stringify(value, refuse) as string | undefined;
  if (text === undefined && value !== undefined)
    throw new TypeError(messageFor(typeof value, ""));
  return {
    value: text === undefined ? undefined : JSON.parse(text),
    text: text ?? "",
  };
}

/**
 * The name of the class of an object whose content is not in its JSON;
 * undefined for any other value.
 */
function kindWithoutJson(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Plain objects, also those of another realm.
  if (prototype === null || Object.getPrototypeOf(prototype) === null)
    return undefined;
  const isError = value instanceof Error;
  const isLost = isError || Object.keys(value).length === 0;
  if (!ArrayBuffer.isView(value) && (!isLost || "toJSON" in value))
    return undefined;
  const tag = isError
    ? value.name
    : Object.prototype.toString.call(value).slice(8, -1);
  return tag === "Object" ? value.constructor.name : tag;
}
