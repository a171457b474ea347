import { rpcError } from "../../errors.js";
import { isObject, type JsonObject } from "../../message.js";
import { warn } from "../../report.js";
import type { Awaitable } from "../../timing.js";
import type { Settings } from "../../session/config.js";
import type { SideTable } from "../../tables.js";
import type { Feature, Provided } from "../config.js";
import { mirrorsOf } from "../../transport/param-headers.js";
import { callTool, finish } from "./call.js";
import {
  type FeatureContext,
  type FeatureOptions,
  type Features,
  type JsonSchema,
  kindOf,
  type Listed,
  listedBy,
  read,
  type Source,
  type SourceFunction,
  type StandardSchema,
  type Taskable,
  type ToolSet,
} from "./feature.js";
import { describe, type Described } from "./schema.js";

/** What a handler is called with: what the schema makes of the arguments, or any object where it does not say. */
export type ArgumentsOf<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends JsonSchema<infer Stated>
      ? unknown extends Stated
        ? Readonly<Record<string, unknown>>
        : Stated
      : Readonly<Record<string, unknown>>;

/** What a handler returns: what the `outputSchema` takes, alone or in a whole result, or anything where it does not say. */
export type ResultOf<Schema> =
  Schema extends StandardSchema<unknown, infer Input>
    ? Returned<Input>
    : Schema extends JsonSchema<infer Stated>
      ? Returned<Stated>
      : unknown;

type Returned<T> =
  Readonly<Record<string, unknown>> extends T
    ? unknown
    : Awaitable<T | StructuredResult<T> | FailedResult | OtherResult>;

/** A whole result with its structured value. */
export interface StructuredResult<T> {
  readonly structuredContent: T;
  readonly content?: readonly object[];
  readonly isError?: boolean;
  readonly _meta?: object;
}

/** A whole result without a structured value, of a tool that failed. */
export interface FailedResult {
  readonly isError: boolean;
  readonly content: readonly object[];
  readonly _meta?: object;
}

/** A result of another kind, such as a request for input. */
export interface OtherResult {
  readonly resultType: string;
}

/**
 * The handler of a tool. It is a conditional type because the compiler keeps literal types (`"north"`) in what a function with
 * parameters returns only if such a type gives the function its type.
 */
export type ToolHandler<Input, Output> =
  ResultOf<Output> extends infer Result
    ? { handler(args: ArgumentsOf<Input>, context: FeatureContext): Result }["handler"]
    : never;

/** A tool of whatever arguments. Members that are not named here go into the list as they stand. */
export interface AnyTool extends Listed {
  /** Unique in the server; 1 to 128 of `A-Z a-z 0-9 _ . -`. */
  readonly name: string;
  /** Checks the arguments; a tool without it takes none. */
  readonly inputSchema?: unknown;
  /** The JSON Schema of the arguments, beside a Standard Schema that cannot tell its own. */
  readonly inputJsonSchema?: JsonSchema | undefined;
  /** Checks the structured result, which a tool that has it always gives. */
  readonly outputSchema?: unknown;
  /** The JSON Schema of the structured result, likewise. */
  readonly outputJsonSchema?: JsonSchema | undefined;
  readonly annotations?: object | undefined;
  readonly execution?: object | undefined;
  handler(args: unknown, context: FeatureContext): unknown;
}

/**
 * A tool whose arguments and structured result have the types that its schemas say. TypeScript reads a handler without
 * parameters before it knows the schemas: there a literal type in the result needs `as const`.
 */
export interface Tool<Input = unknown, Output = unknown> extends AnyTool {
  readonly inputSchema?: Input;
  readonly outputSchema?: Output;
  /**
   * Does the work and returns text, a structured value (any JSON that is not a whole result), or a whole result, which
   * has `content` or `structuredContent`. What it throws reaches the model as a failed result with the error's message;
   * an `McpError` becomes the answer itself.
   */
  readonly handler: ToolHandler<Input, Output>;
}

/** The result of a tool. */
export interface ToolOutput {
  readonly content: readonly object[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface ToolOptions extends FeatureOptions {
  /**
   * Sees every result of a tool, failed ones too, before it is sent, and returns the one to send (TOOL-20). What it throws makes a
   * failed result of it. It keeps to the tool's `outputSchema`.
   */
  filter?(
    result: ToolOutput,
    call: { readonly name: string; readonly context: FeatureContext },
  ): Awaitable<object>;
}

/** The tools of two lists of schemas; the keys are those of one of them. */
type ToolList<Keys, Inputs, Outputs> = { readonly [I in keyof Keys]: Tool<At<Inputs, I>, At<Outputs, I>> };
type At<List, I> = I extends keyof List ? List[I] : unknown;

/** A tool, ready to be listed and called. */
export interface ReadyTool extends Taskable {
  readonly tool: AnyTool;
  readonly input: Described | undefined;
  readonly output: Described | undefined;
  readonly mirrors: ReturnType<typeof mirrorsOf>["mirrors"];
  readonly filter: ToolOptions["filter"];
}

/**
 * Answers the requests that list and call tools, from a list or from a function that tells the tools there are.
 *
 * @throws TypeError for a tool that cannot be: without a usable schema, or with a name that another one has.
 */
export function tools<const Inputs extends readonly unknown[], const Outputs extends readonly unknown[]>(
  // Two equal types: the compiler infers the inputs from the first and the outputs from the second.
  list: ToolList<Inputs, Inputs, Outputs> | ToolList<Outputs, Inputs, Outputs> | SourceFunction<AnyTool>,
  options?: ToolOptions,
): Features;
export function tools(list: object, options: ToolOptions = {}): Features {
  const stated = options.listed && listedBy(options);
  const made = read(list as Source<AnyTool>, (tool) => prepare(tool, options, stated));
  const set = { provide, options, mayBeTasks: true, ...made } satisfies ToolSet<ReadyTool>;
  return { [Symbol("tools")]: set };
}

/** TOOL-10: a tool that takes nothing says so. */
const nothing = { type: "object", additionalProperties: false };

function prepare(
  tool: AnyTool,
  { filter }: ToolOptions,
  stated: ReadonlyMap<string, JsonObject> | undefined,
): readonly [string, ReadyTool] {
  const { name, inputSchema, inputJsonSchema, outputSchema, outputJsonSchema, handler: _, ...rest } = tool;
  const where = `The tool ${JSON.stringify(name)}`;
  // Where the list is stated, nothing that is written here is sent.
  const input = describe(inputSchema, stated ? {} : inputJsonSchema, "input", where);
  const output = describe(outputSchema, stated ? {} : outputJsonSchema, "output", where);
  const entry = stated?.get(name);
  const json = stated ? ((entry?.["inputSchema"] ?? nothing) as JsonObject) : (input?.json ?? nothing);
  const { mirrors, fault } = mirrorsOf(json);
  if (!stated && json["type"] !== "object") {
    throw new TypeError(`${where}: inputSchema: expected the type "object" at the top.`);
  }
  // HDR-11: clients would leave the tool out.
  if (!stated && fault) throw new TypeError(`${where}: ${fault}`);
  const listed = stated
    ? undefined
    : { name, ...rest, inputSchema: json, ...(output && { outputSchema: output.json }) };
  const { taskSupport } = (entry?.["execution"] ?? tool.execution ?? {}) as JsonObject;
  const ready: ReadyTool = {
    tool,
    listed,
    input,
    output,
    mirrors,
    filter,
    taskSupport: taskSupport ?? "forbidden",
    finish: (...work) => finish(ready, ...work),
  };
  return [name, ready];
}

function provide(features: readonly Feature[], side: SideTable, settings: Settings): Provided {
  const { listTools = "", callTool: call = "" } = side.revision.wellKnown;
  const { look, last, list, capabilities } = kindOf<ReadyTool>(features, provide, side, listTools);
  for (const name of last().keys()) {
    // TOOL-11
    if (!/^[\w.-]{1,128}$/.test(name)) warn(settings, `Some clients refuse the name of the tool ${name}.`);
  }
  return {
    handlers: {
      [listTools]: list(listTools, (tool) => listedIn(side, tool)),
      async [call]({ name, arguments: given = {} }: JsonObject, context: FeatureContext) {
        const ready = (await look(context)).get(String(name));
        // TOOL-02
        if (!ready) throw rpcError("INVALID_PARAMS", `There is no tool ${JSON.stringify(name)}.`);
        return callTool(ready, given, context, side, settings);
      },
    },
    capabilities,
    // A carrier asks before it knows who calls: what was last there tells.
    mirrors: (method, params) => (method === call && last().get(String(params["name"]))?.mirrors) || [],
  };
}

/** TOOL-09: where the structured result is always an object, a schema of anything else would be refused with its tool. */
function listedIn({ revision }: SideTable, listed: JsonObject): JsonObject {
  const { outputSchema, ...rest } = listed;
  const fits =
    revision.opening === "per-request" || (isObject(outputSchema) && outputSchema["type"] === "object");
  return outputSchema === undefined || fits ? listed : rest;
}
