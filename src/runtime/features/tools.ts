import { rpcError } from "../core/errors.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { newTexts, warn } from "../core/report.js";
import type { Awaitable } from "../../common/timing.js";
import type { HandlerContext, Settings } from "../core/session/config.js";
import type { SideTable } from "../core/tables.js";
import type { Feature, Provided } from "../core/ports/feature.js";
import { paramHeadersOf } from "../core/transport/param-headers.js";
import { type Asked, asking } from "./ask.js";
import { callTool, toResult } from "./call.js";
import {
  checkScopes,
  type FeatureContext,
  type FeatureOptions,
  type Features,
  type FeatureSet,
  type FeaturesFor,
  type JsonSchema,
  groupEntries,
  type ListEntry,
  listedBy,
  read,
  type Ready,
  readyOf,
  type Source,
  type SourceFunction,
  type StandardSchema,
} from "./feature.js";
import { prepareSchema, type PreparedSchema } from "./schema.js";

/**
 * The type of a handler's arguments: the output of the schema, or any object if
 * the schema has no type.
 */
export type ArgumentsOf<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends JsonSchema<infer Declared>
      ? unknown extends Declared
        ? Readonly<Record<string, unknown>>
        : Declared
      : Readonly<Record<string, unknown>>;

/**
 * The type of a handler's result: the input of the `outputSchema`, or a
 * complete result with it; any value if the schema has no type.
 */
export type ResultOf<Schema> =
  Schema extends StandardSchema<unknown, infer Input>
    ? HandlerResult<Input>
    : Schema extends JsonSchema<infer Declared>
      ? HandlerResult<Declared>
      : unknown;

type HandlerResult<T> =
  Readonly<Record<string, unknown>> extends T
    ? unknown
    : Awaitable<T | StructuredResult<T> | FailedResult | OtherResult>;

/** A complete result with structured content. */
interface StructuredResult<T> {
  readonly structuredContent: T;
  readonly content?: readonly object[];
  readonly isError?: boolean;
  readonly _meta?: object;
}

/** A complete result without structured content, of a tool that failed. */
interface FailedResult {
  readonly isError: boolean;
  readonly content: readonly object[];
  /**
   * A failed result may have structured content of the schema's type only;
   * other content is left out, with a warning.
   */
  readonly structuredContent?: undefined;
  readonly _meta?: object;
}

/** A result of another type, such as a request for input. */
interface OtherResult {
  readonly resultType: string;
}

/**
 * The handler of a tool. It is a conditional type because only then does the
 * compiler keep literal types (`"north"`) in the inferred result of a function
 * with parameters.
 */
type ToolHandler<Input, Output, Context = FeatureContext> =
  ResultOf<Output> extends infer Result
    ? { handler(args: ArgumentsOf<Input>, context: Context): Result }["handler"]
    : never;

/** A tool with any arguments. Other members are copied to the list entry. */
export interface AnyTool<Context = FeatureContext> extends ListEntry<Context> {
  /** Unique in the server; 1 to 128 characters of `A-Z a-z 0-9 _ . -`. */
  readonly name: string;
  /**
   * The schema of the arguments. Without it the tool takes none, and its
   * handler gets `{}`.
   */
  readonly inputSchema?: unknown;
  /**
   * The JSON Schema of the arguments, for a Standard Schema that cannot be
   * converted to one.
   */
  readonly inputJsonSchema?: JsonSchema | undefined;
  /**
   * The schema of the structured content. With it every successful result must
   * have structured content.
   */
  readonly outputSchema?: unknown;
  /**
   * The JSON Schema of the structured content, for a Standard Schema that
   * cannot be converted to one.
   */
  readonly outputJsonSchema?: JsonSchema | undefined;
  readonly annotations?: object | undefined;
  readonly execution?: object | undefined;
  /**
   * True if it is safe to run a task of the tool again, from the first line,
   * when the process that ran it has stopped: in a cluster with a store,
   * another process then does so, at most twice, for the caller who started it.
   * What `context.once` and questions have returned is returned again. The
   * store keeps the caller with the task, encrypted: what is enumerable in
   * `context.auth`, as JSON.
   */
  readonly restart?: boolean | undefined;
  handler(args: unknown, context: Context): unknown;
}

/**
 * A tool whose arguments and structured content have the types of its schemas.
 * TypeScript infers the result of a handler without parameters before the
 * schemas: there a literal type needs `as const`.
 */
export interface Tool<
  Input = unknown,
  Output = unknown,
  Context = FeatureContext,
> extends AnyTool<Context> {
  readonly inputSchema?: Input;
  readonly outputSchema?: Output;
  /**
   * Does the work and returns text, a structured value or a complete result. A
   * complete result has `content` or `structuredContent`, and no member that a
   * result does not have. A structured value is any other value with a JSON
   * form, which is what `outputSchema` checks. With `outputSchema` a value that
   * matches it is structured. The model gets the message of an error as a
   * result with `isError: true`; an `McpError` becomes the JSON-RPC error.
   */
  readonly handler: ToolHandler<Input, Output, Context>;
}

/** The result of a tool. */
export interface ToolOutput {
  readonly content: readonly object[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Options of `tools`. */
export interface ToolOptions<
  Context = FeatureContext,
> extends FeatureOptions<Context> {
  /**
   * Called with each result of a tool, failed ones too, and returns the result
   * to send (TOOL-20), which must match the tool's `outputSchema`. An error in
   * it becomes a failed result.
   */
  filter?(
    result: ToolOutput,
    call: { readonly name: string; readonly context: Context },
  ): Awaitable<object>;
}

/** The tools of two lists of schemas; the keys are those of one of them. */
type ToolList<Keys, Inputs, Outputs, Context> = {
  readonly [I in keyof Keys]: Tool<At<Inputs, I>, At<Outputs, I>, Context>;
};
type At<List, I> = I extends keyof List ? List[I] : unknown;

/** A prepared tool. */
export interface ReadyTool extends Ready {
  readonly tool: AnyTool;
  readonly input: PreparedSchema | undefined;
  readonly output: PreparedSchema | undefined;
  readonly headers: ReturnType<typeof paramHeadersOf>["headers"];
  readonly filter: ToolOptions["filter"];
  /**
   * Whether a call may run as a task: `forbidden`, `optional` or `required`
   * (TASK-03).
   */
  readonly taskSupport: unknown;
  /**
   * True if a task may run again in another process of a cluster, from the
   * first line.
   */
  readonly restart: boolean;
  /**
   * Does the work of a started task and converts its outcome to a complete
   * result.
   */
  toResult(work: () => unknown, context: FeatureContext): Promise<unknown>;
  /** True for a warning that this tool has not caused before. */
  isNewWarning(text: string): boolean;
}

/** A set of tools, which may run as tasks. */
export interface ToolSet extends FeatureSet<ReadyTool> {
  readonly mayBeTasks: true;
}

/**
 * Handles the requests that list and call tools, from a list or from a function
 * that returns the tools.
 *
 * @throws TypeError for a tool with an invalid schema, and for two tools with
 *   the same name.
 */
export function tools<
  const Inputs extends readonly unknown[],
  const Outputs extends readonly unknown[],
  Context extends HandlerContext = FeatureContext,
>(
  // Two equivalent types: the compiler infers the inputs from the first and the
  // outputs from the second.
  list:
    | ToolList<Inputs, Inputs, Outputs, Asked<NoInfer<Context>>>
    | ToolList<Outputs, Inputs, Outputs, Asked<NoInfer<Context>>>
    | SourceFunction<AnyTool<Asked<NoInfer<Context>>>, NoInfer<Context>>,
  options?: ToolOptions<NoInfer<Context>>,
): FeaturesFor<Context>;
export function tools(list: object, options: ToolOptions = {}): Features {
  const ownList = options.listed && listedBy(options);
  const entries = read(list as Source<AnyTool>, (tool) =>
    prepare(tool, options, ownList),
  );
  const set = { provide, options, mayBeTasks: true, entries } satisfies ToolSet;
  return { [Symbol("tools")]: set };
}

/** The input schema of a tool without arguments (TOOL-10). */
const noArguments = { type: "object", additionalProperties: false };

function prepare(
  tool: AnyTool,
  options: ToolOptions,
  ownList: ReadonlyMap<string, JsonObject> | undefined,
): readonly [string, ReadyTool] {
  const {
    name,
    inputSchema,
    inputJsonSchema,
    outputSchema,
    outputJsonSchema,
    ...others
  } = tool;
  const {
    handler: _handler,
    scopes: _scopes,
    visible: _visible,
    restart = false,
    ...rest
  } = others;
  const where = `The tool ${JSON.stringify(name)}`;
  const call: Ready["work"] = (_name, args, context) =>
    tool.handler(args, context);
  const shared = readyOf(tool, where, "handler", call, options);
  // With the option `listed`, the schemas here only check values and are not
  // sent.
  const input = prepareSchema(
    inputSchema,
    ownList ? {} : inputJsonSchema,
    "input",
    where,
  );
  const output = prepareSchema(
    outputSchema,
    ownList ? {} : outputJsonSchema,
    "output",
    where,
  );
  const entry = ownList?.get(name);
  const json = ownList
    ? ((entry?.["inputSchema"] ?? noArguments) as JsonObject)
    : (input?.json ?? noArguments);
  const { headers, error } = paramHeadersOf(json);
  if (!ownList && json["type"] !== "object") {
    const union = ["anyOf", "oneOf", "allOf"].find(
      (keyword) => keyword in json,
    );
    const found =
      json["type"] === undefined
        ? (union ?? "none")
        : JSON.stringify(json["type"]);
    const advice = input?.isStandard
      ? 'Set inputJsonSchema beside it, with type "object".'
      : 'Add type: "object".';
    throw new TypeError(
      `${where}: inputSchema.type: expected "object", got ${found}. ${advice}`,
    );
  }
  // Clients ignore a tool with invalid `x-mcp-header` (HDR-11).
  if (!ownList && error) throw new TypeError(`${where}: ${error}`);
  const listed = ownList
    ? undefined
    : {
        name,
        ...rest,
        inputSchema: json,
        ...(output && { outputSchema: output.json }),
      };
  const { taskSupport = "forbidden" } = (entry?.["execution"] ??
    tool.execution ??
    {}) as JsonObject;
  const resultOf: ReadyTool["toResult"] = (work, context) =>
    toResult(ready, work, context);
  const ready: ReadyTool = {
    ...shared,
    tool,
    listed,
    input,
    output,
    headers,
    filter: options.filter,
    isNewWarning: newTexts(),
    taskSupport,
    restart,
    toResult: resultOf,
  };
  return [name, ready];
}

function provide(
  features: readonly Feature[],
  side: SideTable,
  settings: Settings,
): Provided {
  const { listTools = "", callTool: call = "" } = side.revision.wellKnown;
  const group = groupEntries<ReadyTool>(
    "tool",
    features,
    provide,
    side,
    listTools,
  );
  const { entries } = group;
  // Before the first request, these are the tools that do not change: those of
  // a function may be another caller's.
  const unchanging = group.last();
  for (const name of unchanging.keys()) {
    // Names should have 1 to 128 of these characters (TOOL-11).
    if (!/^[\w.-]{1,128}$/.test(name))
      warn(settings, `Some clients reject the name of the tool ${name}.`);
  }
  const list = group.list(listTools, (tool) => listedIn(side, tool));
  const scopes: Provided["scopes"] = (method, { name }) =>
    (method === call && unchanging.get(name as string)?.scopes) || [];
  return {
    handlers: asking({
      [listTools]: list,
      async [call](
        { name, arguments: args = {} }: JsonObject,
        context: FeatureContext,
      ) {
        const ready = (
          typeof entries === "function" ? await entries(context) : entries
        ).get(String(name));
        // An unknown tool is a protocol error (TOOL-02).
        if (!ready)
          throw rpcError(
            "INVALID_PARAMS",
            `There is no tool ${JSON.stringify(name)}.`,
          );
        checkScopes(ready, context);
        return callTool(ready, args, context);
      },
    }),
    // The transport calls both before it checks the params, so the name may be
    // any value. It checks headers before the caller is known, so the tools of
    // the last request are used.
    paramHeaders: (method, { name }) =>
      (method === call && group.last().get(name as string)?.headers) || [],
    scopes,
    ...group.provided,
  };
}

/**
 * Omits an output schema that is not of an object in legacy revisions, whose
 * clients would reject the tool (TOOL-09).
 */
function listedIn({ revision }: SideTable, listed: JsonObject): JsonObject {
  const { outputSchema, ...rest } = listed;
  const isAllowed =
    revision.opening === "per-request" ||
    (isObject(outputSchema) && outputSchema["type"] === "object");
  return outputSchema === undefined || isAllowed ? listed : rest;
}
