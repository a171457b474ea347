/** The identity and lists of a server, as `mcpgen pull` writes them. */
export interface Snapshot {
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: object;
  readonly instructions?: string | undefined;
  readonly tools?: readonly unknown[];
  readonly prompts?: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly resourceTemplates?: readonly unknown[];
}

/** The name and version of a server, and what else it says of itself. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

type Awaitable<T> = T | Promise<T>;

/**
 * Suggests values that complete the text, the best first. `otherArguments`
 * contains the values of other arguments by name.
 */
export type CompleterOf<Name extends string, Context, Completion> = (
  text: string,
  otherArguments: { readonly [Other in Name]?: string },
  context: Context,
) => Awaitable<readonly string[] | Completion>;

/** The blocks of a tool's result, in the revision of the project. */
export type ContentOf<Result> = Result extends { content: infer Content }
  ? Content
  : readonly unknown[];

/** A structured result with its own content blocks. */
export class StructuredReply<T, Result> {
  readonly structured: T;
  readonly content: ContentOf<Result>;

  constructor(structured: T, content: ContentOf<Result>) {
    this.structured = structured;
    this.content = content;
  }
}

/** A table with a row for each member of a type. */
export type Rows<Members, Row> = { readonly [Name in keyof Members]: Row };

interface Parser {
  parse(value: unknown): unknown;
}

/** A tool, with the schemas that check its arguments and its structured content, and the scopes that its callers need. */
export type ToolRow = readonly [
  name: string,
  input: Parser,
  output?: Parser | undefined,
  scopes?: readonly string[],
];

/** A prompt, with the schema that checks its arguments, and the names of those that it requires, and that the server completes. */
export type PromptRow = readonly [
  name: string,
  input?: Parser,
  required?: readonly string[],
  completed?: readonly string[],
];

/** The URI of a resource; or a template and those of its variables that the server completes. */
export type ResourceRow =
  string | readonly [template: string, ...completed: string[]];

/** The arguments of a feature of the runtime: its entries, and the entries as the server lists them. */
type Feature<Entry> = readonly [
  entries: readonly Entry[],
  options: { readonly listed: readonly unknown[] },
];

/** A function that the runtime calls. */
type Served = (...args: unknown[]) => unknown;

/** A row as the features of the runtime expect it. */
export interface ServedTool {
  readonly name: string;
  readonly inputSchema: Parser;
  readonly outputSchema?: Parser | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly handler: Served;
}
export interface ServedPrompt {
  readonly name: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly complete?: Completer;
  }[];
  readonly get: Served;
}
interface ServedUri {
  readonly name: string;
  readonly read: Served;
  readonly subscribe?: Served;
  readonly unsubscribe?: Served;
}
export type ServedResource =
  | (ServedUri & { readonly uri: string })
  | (ServedUri & {
      readonly uriTemplate: string;
      readonly complete?: { readonly [name: string]: Completer };
    });

type Completer =
  readonly string[] | { complete(...args: never[]): never }["complete"];

/** Functions by member; for completion, by the names of arguments too. */
type Functions = { readonly [member: string]: Served | undefined };
type Completers = {
  readonly [member: string]:
    { readonly [name: string]: Completer | undefined } | undefined;
};

/** The name, version, capabilities and instructions of a snapshot, as options of a server. */
export function identityOf({ server, capabilities, instructions }: Snapshot): {
  readonly info: Snapshot["server"];
  readonly capabilities: object;
  readonly instructions?: string;
} {
  const own = instructions === undefined ? {} : { instructions };
  return { info: server, capabilities, ...own };
}

/** The tools of a server. A result becomes structured content, or content blocks if the tool has no output schema. */
export function toolsOf<Tools>(
  options: { readonly tools: Tools },
  rows: Rows<Tools, ToolRow>,
  snapshot: Snapshot,
): Feature<ServedTool> {
  const tools = Object.entries<ToolRow>(rows).map(([member, row]) => {
    const [name, inputSchema, outputSchema, scopes] = row;
    const run = runner(options.tools, member);
    const handler = async (...args: unknown[]): Promise<unknown> => {
      const value = await run(...args);
      if (value instanceof StructuredReply)
        return { content: value.content, structuredContent: value.structured };
      if (outputSchema) return { structuredContent: value };
      return Array.isArray(value) ? { content: value } : value;
    };
    return { name, inputSchema, outputSchema, scopes, handler };
  });
  return [tools, { listed: snapshot.tools ?? [] }];
}

/** The prompts of a server. */
export function promptsOf<Prompts>(
  options: {
    readonly prompts: Prompts;
    readonly complete?: { readonly prompts?: object };
  },
  rows: Rows<Prompts, PromptRow>,
  snapshot: Snapshot,
): Feature<ServedPrompt> {
  const prompts = Object.entries<PromptRow>(rows).map(([member, row]) => {
    const [name, input, required = [], completed = []] = row;
    const run = runner(options.prompts, member);
    const complete = completers(options.complete?.prompts, member, completed);
    const names = new Set([...required, ...completed]);
    return {
      name,
      arguments: [...names].map((each) => ({
        name: each,
        required: required.includes(each),
        ...(Object.hasOwn(complete, each) && { complete: complete[each] }),
      })),
      get: (value: unknown, context: unknown) =>
        run(input ? input.parse(value) : value, context),
    };
  });
  return [prompts, { listed: snapshot.prompts ?? [] }];
}

interface ResourceOptions<Resources> {
  readonly resources: Resources;
  readonly complete?: { readonly resources?: object };
  readonly subscribe?: object;
  readonly unsubscribe?: object;
}

/** The resources and templates of a server. */
export function resourcesOf<Resources>(
  options: ResourceOptions<Resources>,
  rows: Rows<Resources, ResourceRow>,
  snapshot: Snapshot,
  isWatched = false,
): Feature<ServedResource> {
  const resources = Object.entries<ResourceRow>(rows).map(([member, row]) => {
    const isFixed = typeof row === "string";
    const [name, ...completed] = isFixed ? [row] : row;
    const serve = (functions: unknown): Served => {
      const run = runner(functions, member);
      return isFixed
        ? run
        : (variables, _uri, context) => run(variables, context);
    };
    const own = {
      name,
      read: serve(options.resources),
      ...(isWatched && {
        subscribe: serve(options.subscribe),
        unsubscribe: serve(options.unsubscribe),
      }),
    };
    if (isFixed) return { ...own, uri: name };
    const complete = completers(options.complete?.resources, member, completed);
    return { ...own, uriTemplate: name, complete };
  });
  const { resources: fixed = [], resourceTemplates: templates = [] } = snapshot;
  return [resources, { listed: [...fixed, ...templates] }];
}

/** The same of a server to whose resources clients subscribe by requests. */
export function watchedResourcesOf<Resources>(
  options: ResourceOptions<Resources>,
  rows: Rows<Resources, ResourceRow>,
  snapshot: Snapshot,
): Feature<ServedResource> {
  return resourcesOf(options, rows, snapshot, true);
}

/** Handlers that return a value each, or throw it if it is an error. */
export function returning<Members>(values: Rows<Members, unknown>): Members {
  const handlers = Object.entries(values).map(([member, value]) => [
    member,
    () => {
      if (value instanceof Error) throw value;
      return value;
    },
  ]);
  return Object.fromEntries(handlers) as Members;
}

/** Calls the function of this member, if there is one when it is called. */
function runner(functions: unknown, member: string): Served {
  return (...args) => (functions as Functions | undefined)?.[member]?.(...args);
}

/** The completers of this member, by the names that the server completes. Without one, nothing is suggested. */
function completers(
  complete: object | undefined,
  member: string,
  names: readonly string[],
): { readonly [name: string]: Completer } {
  const own = (complete as Completers | undefined)?.[member];
  const of = (name: string): Completer =>
    (own && Object.hasOwn(own, name) && own[name]) || [];
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}
