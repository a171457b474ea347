import {
  alias,
  callCode,
  type Code,
  code,
  fromLayout,
  generic,
  identifier,
  indexedType,
  literal,
  signature,
} from "../typescript/code.js";
import { group, indent, line } from "../typescript/layout.js";
import {
  completersCode,
  completionOf,
  type Handlers,
  type HandlersSource,
  promptHandlers,
  isWatched,
  resourceHandlers,
  toolHandlers,
} from "./handlers.js";
import { handlerResult, requestFor, resultOf } from "./protocol.js";

export type { ToolScopes } from "./handlers.js";

/**
 * `server.ts` of a project: types for handlers, and a server that calls them.
 */
export interface ProjectServerView {
  /** True if the file imports guards. */
  readonly hasGuards: boolean;
  /** The result of a tool's request. */
  readonly result: Code;
  /** The return types of handlers: `ToolAnswer = …;` */
  readonly toolAnswer: Code;
  readonly promptAnswer: Code;
  readonly resourceAnswer: Code;
  /** The handlers' types, one for each kind of entries that the server has. */
  readonly groups: readonly Handlers[];
  /** Null if nothing is completed. */
  readonly completion: Code | null;
  /**
   * `WeatherWatchers extends s.Watchers<WeatherHandlers["resources"]>`; null if
   * the server is not informed about subscriptions.
   */
  readonly watchers: Code | null;
  readonly tables: readonly Code[];
  /** The lists of the server, as calls of the runtime's features. */
  readonly handlerEntries: readonly Code[];
  /** `WeatherServerOptions extends WeatherHandlers, s.ProjectSettings` */
  readonly options: Code;
  /** `createWeatherServer(options: WeatherServerOptions): Server` */
  readonly heading: Code;
  /** `serveStdio(createWeatherServer(handlers))` */
  readonly serve: Code;
  /**
   * What makes a server of one revision, or one for each of several, and its
   * type.
   */
  readonly factory: Code;
  readonly type: Code;
}

export function projectServerView(source: HandlersSource): ProjectServerView {
  const { snapshot, naming, contexts } = source;
  const [context] = contexts;
  const [factory, type] =
    contexts.length === 1
      ? [code`createServer`, code`Server`]
      : [code`createServers`, code`Servers`];
  const { stem } = naming;
  const create = identifier(`create${stem}Server`);
  const [handlersType, optionsType] = [
    identifier(`${stem}Handlers`),
    identifier(`${stem}ServerOptions`),
  ];
  const features = [
    toolHandlers(source),
    promptHandlers(source),
    resourceHandlers(source),
  ].filter((feature) => feature !== null);
  const watched = generic(code`s.Watchers`, [
    indexedType(handlersType, literal("resources")),
  ]);
  const completables = completionOf(source);
  const [call, get, read] = (
    ["callTool", "getPrompt", "readResource"] as const
  ).map((role) => requestFor(context, role));
  const result = resultOf(context, call ?? null);
  const hasGuards = [...snapshot.tools, ...snapshot.prompts].some(
    ({ input }) => input !== null,
  );
  const toolAnswer = alias(code`ToolAnswer`, [
    code`string`,
    generic(code`s.ContentOf`, [result]),
    handlerResult(context, call ?? null),
  ]);
  const promptAnswer = alias(code`PromptAnswer`, [
    code`string`,
    handlerResult(context, get ?? null),
  ]);
  const resourceAnswer = alias(code`ResourceAnswer`, [
    code`string`,
    handlerResult(context, read ?? null),
  ]);
  const watchers = isWatched(source)
    ? code`${identifier(`${stem}Watchers`)} extends ${watched}`
    : null;
  const options = fromLayout(
    group([
      optionsType.layout,
      indent([line, code`extends ${handlersType}, s.ProjectSettings`.layout]),
    ]),
  );
  const heading = signature(
    create,
    [code`options: ${optionsType}`],
    code`r.${type}`,
  );
  const serve = callCode(code`serveStdio`, [
    callCode(create, [code`handlers`]),
  ]);
  return {
    hasGuards,
    result,
    toolAnswer,
    promptAnswer,
    resourceAnswer,
    groups: features.filter(({ body }) => body !== null),
    completion: completables && completersCode(completables),
    watchers,
    tables: features.flatMap(({ table }) => table ?? []),
    handlerEntries: features.map(({ entry }) => entry),
    options,
    heading,
    serve,
    factory,
    type,
  };
}
