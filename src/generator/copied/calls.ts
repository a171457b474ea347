import { lastIssue, ValidationError } from "./validate.js";

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time without a response or progress, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Members to add to the `_meta` of the request, such as a trace context. */
  readonly meta?: { readonly [key: string]: unknown } | undefined;
  /** If false, the result of a tool is not checked, and may not match its type. */
  readonly checkResult?: boolean | undefined;
  /** Requests progress notifications and handles each of them. */
  readonly onProgress?:
    | ((progress: {
        readonly progress: number;
        readonly total?: number;
        readonly message?: string;
      }) => void)
    | undefined;
}

/** Options of a completion request. */
export interface CompleteOptions extends CallOptions {
  /** The values of other arguments, by name. */
  readonly otherArguments?: { readonly [name: string]: string } | undefined;
}

/** Sends a request. It is the type of a method, so that a client may require more of its params. */
type Request<Params, Options = CallOptions> = {
  send(params: Params, options?: Options): Promise<unknown>;
}["send"];

/** Calls a tool. */
export type ToolCall = Request<{
  name: string;
  arguments?: { [key: string]: unknown };
}>;

/** Gets a prompt. */
export type PromptCall = Request<{
  name: string;
  arguments?: { [key: string]: string };
}>;

/** Reads a resource, or subscribes to it. */
export type ResourceCall = Request<{ uri: string }>;

/** Opens a stream of the changes that its filter names. */
export type StreamCall<Filter extends string> = Request<{
  notifications: { [Name in Filter]: string[] };
}>;

/** Requests values that complete an argument or a variable. */
export type CompletionCall = Request<{
  ref: { type: string; name?: string; uri?: string };
  argument: { name: string; value: string };
  context?: { arguments?: { [key: string]: string } };
}>;

/** The blocks of a tool's result, in the revision of the project. */
export type ContentOf<Result> = Result extends { content: infer Content }
  ? Content
  : readonly unknown[];

/** What all results of tools have. */
interface Outcome<Result> {
  readonly content: ContentOf<Result>;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** The result of a tool that failed. */
export interface Failed<Result> extends Outcome<Result> {
  readonly isError: true;
  readonly structuredContent?: unknown;
}

/** The result of a tool without a type of its structured content. */
export interface Unstructured<Result> extends Outcome<Result> {
  readonly isError?: false;
  readonly structuredContent?: unknown;
}

/** The result of a tool with structured content of a type. */
export interface Structured<Result, T> extends Outcome<Result> {
  readonly isError?: false;
  /** Checked against the tool's output schema. A type from the configuration is not checked. */
  readonly structuredContent: T;
}

/** A subscription to a resource. The handlers of the connection get its notifications. */
export interface Subscription {
  readonly uri: string;
  close(): Promise<void>;
}

/** A subscription to a resource by a stream. The handlers of the connection get its notifications. */
export interface StreamSubscription extends Subscription {
  /** Resolves when the subscription ends; rejects if the server answers with an error or disconnects. */
  readonly ended: Promise<void>;
}

/** A table with a row for each member of a type. */
export type Rows<Members, Row> = { readonly [Name in keyof Members]: Row };

type Guard = (value: unknown) => boolean;

/** A tool, with the guards of its arguments and of its structured content. */
export type ToolRow = readonly [name: string, input: Guard, output?: Guard];

/** A prompt, with the guard of its arguments if it has any. */
export type PromptRow = readonly [name: string, input?: Guard];

/** The URI of a resource, or a function that makes it from the variables of its template, which is its `text`. */
export type UriRow =
  string | (((variables: object) => string) & { readonly text: string });

/** What can be completed, and the type of a reference to it in a completion request. */
export type References<Complete> = {
  readonly [Group in keyof Complete]: readonly [
    type: string,
    rows: Rows<Complete[Group], PromptRow | UriRow>,
  ];
};

/** The prompts and resources of a client, and those of its tools that only read. */
export type ReadOnly<
  Client extends { readonly tools: object },
  Name extends keyof Client["tools"],
> = { readonly tools: Pick<Client["tools"], Name> } & Pick<
  Client,
  Extract<keyof Client, "prompts" | "resources">
>;

/** A tool for a model: what the model reads, and the function that calls the tool. */
export interface ModelTool<Execute> {
  /** The name of the tool. A provider may take another spelling than the server has. */
  readonly name: string;
  /** What the tool does, as the snapshot says. The server cannot change it. */
  readonly description: string;
  /** The JSON Schema of the arguments. A provider may take another one than the server has. */
  readonly inputSchema: { readonly [keyword: string]: unknown };
  /**
   * Checks the arguments, calls the tool and checks its result. It rejects with a
   * `ValidationError` whose text tells a model what was expected.
   */
  readonly execute: Execute;
}

/** A tool for a model for each function. */
export type ModelToolsOf<Calls> = {
  readonly [Name in keyof Calls]: ModelTool<Calls[Name]>;
};

/** A result of a tool that is not checked yet. */
interface Result {
  readonly isError?: boolean;
  readonly content?: unknown;
  readonly structuredContent?: unknown;
}

/** Functions that check the arguments, call a tool, and check its structured content. */
export function toolCalls<Tools>(
  caller: { readonly callTool: ToolCall },
  rows: Rows<Tools, ToolRow>,
): Tools {
  return methods(rows, ([member, [name, input, output]]) => ({
    async [member](args?: unknown, options?: CallOptions) {
      const params = checked(name, input, args ?? {}, "arguments");
      const sent = { name, arguments: params };
      const result = await caller.callTool(sent, options);
      if (output && isChecked(result, options)) {
        const content = result.structuredContent;
        checked(name, output, content, "structuredContent", result);
      }
      return result;
    },
  }));
}

/** Functions that check the arguments and get a prompt. */
export function promptCalls<Prompts>(
  caller: { readonly getPrompt: PromptCall },
  rows: Rows<Prompts, PromptRow>,
): Prompts {
  return methods(rows, ([member, [name, input]]) =>
    input
      ? {
          async [member](args?: unknown, options?: CallOptions) {
            const params = checked(name, input, args ?? {}, "arguments");
            return caller.getPrompt({ name, arguments: params }, options);
          },
        }
      : {
          async [member](options?: CallOptions) {
            return caller.getPrompt({ name }, options);
          },
        },
  );
}

/** Functions that read resources. */
export function resourceCalls<Resources>(
  caller: { readonly readResource: ResourceCall },
  rows: Rows<Resources, UriRow>,
): Resources {
  return uriMethods(rows, (uri, options) =>
    caller.readResource({ uri }, options),
  );
}

/** Functions that subscribe to resources, with a request for each. */
export function subscriptions<Subscribe>(
  caller: {
    readonly subscribe: ResourceCall;
    readonly unsubscribe: ResourceCall;
  },
  rows: Rows<Subscribe, UriRow>,
): Subscribe {
  return uriMethods(rows, async (uri, options): Promise<Subscription> => {
    await caller.subscribe({ uri }, options);
    return { uri, close: async () => void (await caller.unsubscribe({ uri })) };
  });
}

/** Functions that subscribe to resources, with a stream for each, which `listen` opens. */
export function streams<Subscribe>(
  listen: (uri: string, options: CallOptions) => Promise<unknown>,
  rows: Rows<Subscribe, UriRow>,
): Subscribe {
  return uriMethods(rows, async (uri, options): Promise<StreamSubscription> => {
    const stop = new AbortController();
    const outer = options?.signal;
    if (outer?.aborted === true) stop.abort();
    const onAbort = (): void => stop.abort();
    outer?.addEventListener("abort", onAbort, { once: true });
    const ended = listen(uri, { signal: stop.signal })
      .then(
        () => {},
        (error: unknown) => {
          if (!stop.signal.aborted) throw error;
        },
      )
      .finally(() => outer?.removeEventListener("abort", onAbort));
    // Prevents an unhandled rejection if the caller does not use `ended`.
    ended.catch(() => {});
    const close = async (): Promise<void> => {
      stop.abort();
      await ended;
    };
    return { uri, ended, close };
  });
}

/** Functions that request suggestions for an argument of a prompt or a variable of a template. */
export function completions<Complete>(
  caller: { readonly complete: CompletionCall },
  groups: References<Complete>,
): Complete {
  type Group = { readonly [member: string]: PromptRow | UriRow };
  return methods<Complete, readonly [string, Group]>(
    groups,
    ([group, [type, rows]]) => ({
      [group]: methods<Group, PromptRow | UriRow>(rows, ([member, row]) => {
        const key = keyOf(row);
        if (!key) return {};
        return {
          async [member](
            name: string,
            value: string,
            { otherArguments, ...options }: CompleteOptions = {},
          ) {
            const params = {
              ref: { type, ...key },
              argument: { name, value },
              ...(otherArguments && {
                context: { arguments: { ...otherArguments } },
              }),
            };
            const result = await caller.complete(params, options);
            return (result as { completion: unknown }).completion;
          },
        };
      }),
    }),
  );
}

/** The name of a prompt or the text of a template. Null if there is nothing to complete. */
function keyOf(
  row: PromptRow | UriRow,
): { name?: string; uri?: string } | null {
  if (typeof row === "function") return { uri: row.text };
  return typeof row === "object" && row[1] ? { name: row[0] } : null;
}

/**
 * Calls tools as `caller` does. The results of these tools, which have no output schema, get the structured content that they have as
 * text: their only text block, parsed as JSON.
 */
export function withText(
  caller: { readonly callTool: ToolCall },
  names: readonly string[],
): { readonly callTool: ToolCall } {
  return {
    async callTool(params, options) {
      const result = await caller.callTool(params, options);
      const { name } = params;
      return names.includes(name) && isChecked(result, options)
        ? structured(name, result)
        : result;
    },
  };
}

function structured(name: string, result: Result): object {
  if (result.structuredContent !== undefined) return result;
  const blocks = Array.isArray(result.content) ? result.content : [];
  const [block] = blocks as { type?: unknown; text?: unknown }[];
  try {
    if (blocks.length === 1 && block?.type === "text") {
      return { ...result, structuredContent: JSON.parse(String(block.text)) };
    }
  } catch {
    // The text is not JSON: the error below is thrown.
  }
  const error = new ValidationError([
    {
      message: `${name}: structuredContent: expected structured content, or one text block that is JSON`,
      path: ["structuredContent"],
    },
  ]);
  throw Object.assign(error, { result });
}

/** True if the structured content of a result must have its type. */
function isChecked(result: unknown, options?: CallOptions): result is Result {
  return (result as Result).isError !== true && options?.checkResult !== false;
}

/** A method for each row, which `make` returns in an object: the stack of an error shows its name. */
function methods<Members, Row>(
  rows: Rows<Members, Row>,
  make: (entry: [member: string, row: Row]) => object,
): Members {
  return Object.assign({}, ...Object.entries<Row>(rows).map(make)) as Members;
}

/** A method for each URI. It has the variables of the URI before its options, if the URI has any. */
function uriMethods<Members>(
  rows: Rows<Members, UriRow>,
  run: (uri: string, options?: CallOptions) => Promise<unknown>,
): Members {
  return methods(rows, ([member, row]) =>
    typeof row === "string"
      ? {
          async [member](options?: CallOptions) {
            return run(row, options);
          },
        }
      : {
          async [member](variables: object, options?: CallOptions) {
            return run(row(variables), options);
          },
        },
  );
}

/**
 * The value, which the guard accepts. `where` names it in the error.
 *
 * @throws ValidationError with the result that has the value, if there is one
 */
function checked(
  name: string,
  guard: Guard,
  value: unknown,
  where: string,
  result?: object,
): { [key: string]: never } {
  if (guard(value)) return value as { [key: string]: never };
  const { message, path } = lastIssue(value);
  const error = new ValidationError([
    { message: `${name}: ${where}: ${message}`, path: [where, ...path] },
  ]);
  throw Object.assign(error, result && { result });
}
