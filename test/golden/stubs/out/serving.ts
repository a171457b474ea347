// Copied by mcpgen. Do not edit.
/* eslint-disable */

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

/** A structured result with its own content blocks. */
export class StructuredReply<T, Content> {
  readonly structured: T;
  readonly content: Content;

  constructor(structured: T, content: Content) {
    this.structured = structured;
    this.content = content;
  }
}

/** A table with a row for each member of a type. */
export type Rows<Members, Row> = { readonly [Name in keyof Members]: Row };

interface Parser {
  parse(value: unknown): unknown;
}

/** A tool, with the schemas that check its arguments and its structured content. */
export interface ToolRow {
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly inputSchema: Parser;
  readonly outputSchema?: Parser;
}

/** A prompt, with its arguments and the schema that checks them. */
export interface PromptRow {
  readonly name: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly required?: boolean;
  }[];
  readonly input?: Parser;
  /** True if the server completes the arguments. */
  readonly completes?: boolean;
}

/** A resource by its URI, or a template with the variables that the server completes. */
export type ResourceRow = (
  | { readonly uri: string }
  | { readonly uriTemplate: string; readonly completes?: readonly string[] }
) & {
  readonly name: string;
  /** True if clients subscribe to it by a request. */
  readonly watched?: boolean;
};

/** The arguments of a feature of the runtime: its entries, and the entries as the server lists them. */
type Feature<Entry> = readonly [
  entries: readonly Entry[],
  options: { readonly listed: readonly unknown[] },
];

/** A function that the runtime calls. */
type Served = (...args: unknown[]) => unknown;

/** A row as the features of the runtime expect it. */
export interface ServedTool extends ToolRow {
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
    const run = runner(options.tools, member);
    const handler = async (...args: unknown[]): Promise<unknown> => {
      const value = await run(...args);
      if (value instanceof StructuredReply)
        return { content: value.content, structuredContent: value.structured };
      if (row.outputSchema) return { structuredContent: value };
      return Array.isArray(value) ? { content: value } : value;
    };
    return { ...row, handler };
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
    const { name, arguments: args = [], input, completes } = row;
    const run = runner(options.prompts, member);
    const complete = completers(options.complete?.prompts, member);
    return {
      name,
      arguments: completes
        ? args.map((each) => ({ ...each, complete: complete(each.name) }))
        : args,
      get: (value: unknown, context: unknown) =>
        run(input ? input.parse(value) : value, context),
    };
  });
  return [prompts, { listed: snapshot.prompts ?? [] }];
}

/** The resources and templates of a server. */
export function resourcesOf<Resources>(
  options: {
    readonly resources: Resources;
    readonly complete?: { readonly resources?: object };
    readonly subscribe?: object;
    readonly unsubscribe?: object;
  },
  rows: Rows<Resources, ResourceRow>,
  snapshot: Snapshot,
): Feature<ServedResource> {
  const resources = Object.entries<ResourceRow>(rows).map(([member, row]) => {
    const serve = (functions: unknown): Served => {
      const run = runner(functions, member);
      return "uri" in row
        ? run
        : (variables, _uri, context) => run(variables, context);
    };
    const { watched, ...rest } = row;
    const own = {
      read: serve(options.resources),
      ...(watched && {
        subscribe: serve(options.subscribe),
        unsubscribe: serve(options.unsubscribe),
      }),
    };
    if ("uri" in rest) return { ...rest, ...own };
    const { completes = [], ...template } = rest;
    const complete = completers(options.complete?.resources, member);
    const named = completes.map((name) => [name, complete(name)] as const);
    return { ...template, ...own, complete: Object.fromEntries(named) };
  });
  const { resources: fixed = [], resourceTemplates: templates = [] } = snapshot;
  return [resources, { listed: [...fixed, ...templates] }];
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

/** The completers of the arguments of this member. Without one, nothing is suggested. */
function completers(
  complete: object | undefined,
  member: string,
): (name: string) => Completer {
  const own = (complete as Completers | undefined)?.[member];
  return (name) => (own && Object.hasOwn(own, name) && own[name]) || [];
}
