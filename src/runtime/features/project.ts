import type { Awaitable } from "../../common/timing.js";
import type { ServerSettings } from "../core/session/config.js";
import type { Completer, Completion } from "./completion.js";
import type { FeatureContext, FeaturesFor } from "./feature.js";
import { type PromptArgument, prompts } from "./prompts.js";
import { resources } from "./resources.js";
import { tools } from "./tools.js";

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

/** The settings of the server of a project. */
export interface ProjectSettings extends ServerSettings {
  /**
   * The identity and lists of the server; by default those of the snapshot of
   * this project.
   */
  readonly snapshot?: Snapshot | undefined;
}

/**
 * Suggests values that complete the text, the best first. `otherArguments`
 * contains the values of other arguments by name.
 */
export type CompleterOf<Name extends string, Context> = (
  text: string,
  otherArguments: { readonly [Other in Name]?: string },
  context: Context,
) => Awaitable<readonly string[] | Completion>;

/** Functions that suggest values, by the name of the argument or variable. */
export type CompletersOf<Name extends string, Context> = {
  readonly [Argument in Name]?: CompleterOf<Name, Context>;
};

/**
 * Functions for subscriptions to resources, with the arguments of the functions
 * that read them.
 */
export type Watchers<Resources> = {
  [Name in keyof Resources]?: Resources[Name] extends (
    ...args: infer Args
  ) => unknown
    ? { watch(...args: Args): Awaitable<void> }["watch"]
    : never;
};

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

/**
 * A tool, with the schemas that check its arguments and its structured content,
 * and the scopes that its callers need.
 */
export type ToolRow = readonly [
  name: string,
  input: Parser,
  output?: Parser | undefined,
  scopes?: readonly string[],
];

/**
 * A prompt, with the schema that checks its arguments, and the names of those
 * that it requires, and that the server completes.
 */
export type PromptRow = readonly [
  name: string,
  input?: Parser,
  required?: readonly string[],
  completed?: readonly string[],
];

/**
 * The URI of a resource; or a template and those of its variables that the
 * server completes.
 */
export type ResourceRow =
  string | readonly [template: string, ...completed: string[]];

/** A function that the server calls. */
type Served = (...args: unknown[]) => unknown;

/**
 * The name, version, capabilities and instructions of a snapshot, as options of
 * a server.
 */
export function identityOf({ server, capabilities, instructions }: Snapshot): {
  readonly info: Snapshot["server"];
  readonly capabilities: object;
  readonly instructions?: string;
} {
  return {
    info: server,
    capabilities,
    ...(instructions !== undefined && { instructions }),
  };
}

/**
 * The tools of a project. A result becomes structured content, or content
 * blocks if the tool has no output schema.
 */
export function projectTools<Tools>(
  options: { readonly tools: Tools },
  rows: Rows<Tools, ToolRow>,
  { tools: listed = [] }: Snapshot,
): FeaturesFor<FeatureContext> {
  const list = Object.entries<ToolRow>(rows).map(([member, row]) => {
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
  return tools(list, { listed });
}

/** The completers of a project, which may have some for one of the two only. */
interface Completing {
  readonly prompts?: object;
  readonly resources?: object;
}

/** The prompts of a project. */
export function projectPrompts<Prompts>(
  options: {
    readonly prompts: Prompts;
    readonly complete?: Completing;
  },
  rows: Rows<Prompts, PromptRow>,
  { prompts: listed = [] }: Snapshot,
): FeaturesFor<FeatureContext> {
  const list = Object.entries<PromptRow>(rows).map(([member, row]) => {
    const [name, input, required = [], completed = []] = row;
    const run = runner(options.prompts, member);
    const complete = completers(options.complete?.prompts, member, completed);
    return {
      name,
      arguments: [...new Set([...required, ...completed])].map(
        (each): PromptArgument => ({
          name: each,
          required: required.includes(each),
          complete: complete.get(each),
        }),
      ),
      get: (args: unknown, context: FeatureContext) =>
        run(input ? input.parse(args) : args, context),
    };
  });
  return prompts(list, { listed });
}

/** The resources and templates of a project. */
export function projectResources<Resources>(
  options: {
    readonly resources: Resources;
    readonly complete?: Completing;
    readonly subscribe?: object;
    readonly unsubscribe?: object;
  },
  rows: Rows<Resources, ResourceRow>,
  {
    capabilities,
    resources: fixed = [],
    resourceTemplates: templates = [],
  }: Snapshot,
): FeaturesFor<FeatureContext> {
  const declared: { readonly resources?: { readonly subscribe?: unknown } } =
    capabilities;
  const isWatched = Boolean(declared.resources?.subscribe);
  const list = Object.entries<ResourceRow>(rows).map(([member, row]) => {
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
    const complete = Object.fromEntries(
      completers(options.complete?.resources, member, completed),
    );
    return { ...own, uriTemplate: name, complete };
  });
  return resources(list, { listed: [...fixed, ...templates] });
}

/** Handlers that replace those of a mock. */
export type AnswersOf<Handlers> = {
  readonly [Group in keyof Handlers]?: Partial<NonNullable<Handlers[Group]>>;
};

/** The example of each handler. */
export type ExamplesOf<Handlers> = {
  readonly [
    Group in Extract<keyof Handlers, "tools" | "prompts" | "resources">
  ]: Rows<Handlers[Group], unknown>;
};

/**
 * The handlers of a mock. Without an answer, a handler returns its example, or
 * throws it if it is an error.
 */
export function mocked<Handlers>(
  examples: ExamplesOf<Handlers>,
  answers: AnswersOf<Handlers>,
): Handlers {
  const groups = Object.entries<object>(examples).map(([group, values]) => {
    const handlers = Object.entries(values).map(([member, value]) => {
      const handler = (): unknown => {
        if (value instanceof Error) throw value;
        return value;
      };
      return [member, handler];
    });
    return [
      group,
      { ...Object.fromEntries(handlers), ...answers[group as keyof Handlers] },
    ];
  });
  return { ...answers, ...Object.fromEntries(groups) } as Handlers;
}

/** Calls the function of this member, if there is one when it is called. */
function runner(functions: unknown, member: string): Served {
  return (...args) =>
    (functions as Record<string, Served> | undefined)?.[member]?.(...args);
}

/**
 * The completers of this member, by the names that the server completes.
 * Without one, nothing is suggested.
 */
function completers(
  complete: object | undefined,
  member: string,
  names: readonly string[],
): ReadonlyMap<string, Completer> {
  const own =
    (complete as Record<string, Record<string, Completer>> | undefined)?.[
      member
    ] ?? {};
  const of = (name: string): Completer =>
    (Object.hasOwn(own, name) && own[name]) || [];
  return new Map(names.map((name) => [name, of(name)]));
}
