import {
  alias,
  callCode,
  type Code,
  code,
  fromLayout,
  generic,
  identifier,
  importList,
  signature,
} from "../typescript/code.js";
import { group, indent, line } from "../typescript/layout.js";
import { serverFeatures, type ServerFeatures } from "../plan/server-features.js";
import {
  completersCode,
  completionOf,
  type HandlersSource,
  promptHandlers,
  resourceHandlers,
  toolHandlers,
  watchers,
} from "./handlers.js";
import { membersCode } from "./members.js";
import { handlerResult, memberType, requestFor, resultOf } from "./protocol.js";

export type { ToolScopes } from "./handlers.js";

/** `server.ts` of a project: types for handlers, and a server that calls them. */
export interface ProjectServerView extends ServerFeatures {
  readonly imports: Code;
  /** The imports from the features of the runtime. */
  readonly featureImports: Code;
  /** True if the file imports guards. */
  readonly hasGuards: boolean;
  /** The result of a tool's request. */
  readonly result: Code;
  /** The return types of handlers: `ToolAnswer = …;` */
  readonly toolAnswer: Code;
  readonly promptAnswer: Code;
  readonly resourceAnswer: Code;
  /** The handlers' types, one for each kind of entries that the server has. */
  readonly groups: readonly { readonly kind: Code; readonly body: Code }[];
  /** Null if nothing is completed. */
  readonly completion: { readonly completer: Code; readonly body: Code } | null;
  /** Null if the server is not informed about subscriptions. */
  readonly watchers: { readonly type: Code; readonly body: Code } | null;
  readonly tables: readonly Code[];
  /** The lists of the server, as calls of the runtime's features. */
  readonly handlerEntries: readonly Code[];
  readonly handlersType: Code;
  readonly optionsType: Code;
  /** `WeatherServerOptions extends WeatherHandlers, ServerSettings` */
  readonly options: Code;
  /** `createWeatherServer(options: WeatherServerOptions): Server` */
  readonly heading: Code;
  readonly create: Code;
  /** `serveStdio(createWeatherServer(handlers))` */
  readonly serve: Code;
  /** What makes a server of one revision, or one for each of several, and its type. */
  readonly factory: Code;
  readonly type: Code;
}

export function projectServerView(source: HandlersSource): ProjectServerView {
  const { snapshot, naming, contexts } = source;
  const [context] = contexts;
  const [factory, type] =
    contexts.length === 1 ? [code`createServer`, code`Server`] : [code`createServers`, code`Servers`];
  const offers = serverFeatures(snapshot);
  const { stem } = naming;
  const create = identifier(`create${stem}Server`);
  const [handlersType, optionsType] = [identifier(`${stem}Handlers`), identifier(`${stem}ServerOptions`)];
  const features = [toolHandlers(source), promptHandlers(source), resourceHandlers(source)].filter(
    (feature) => feature !== null,
  );
  const watched = watchers(source);
  const completables = completionOf(source);
  const [call, get, read] = (["callTool", "getPrompt", "readResource"] as const).map((role) =>
    requestFor(context, role),
  );
  const result = resultOf(context, call ?? null);
  const complete = completables && memberType(context, completables.request, "completion");
  return {
    ...offers,
    imports: importList([...(offers.hasAny ? [code`type Awaitable`] : []), code`type ServerSettings`]),
    featureImports: importList(features.map(({ kind }) => identifier(kind))),
    hasGuards: [...snapshot.tools, ...snapshot.prompts].some(({ input }) => input !== null),
    result,
    toolAnswer: alias(code`ToolAnswer`, [
      code`string`,
      generic(code`s.ContentOf`, [result]),
      handlerResult(context, call ?? null),
    ]),
    promptAnswer: alias(code`PromptAnswer`, [code`string`, handlerResult(context, get ?? null)]),
    resourceAnswer: alias(code`ResourceAnswer`, [code`string`, handlerResult(context, read ?? null)]),
    groups: features.flatMap(({ kind, members }) =>
      members.length === 0 ? [] : [{ kind: identifier(kind), body: membersCode(members) }],
    ),
    completion: completables &&
      complete && {
        completer: generic(code`s.CompleterOf`, [code`Name`, code`Context`, complete]),
        body: completersCode(completables),
      },
    watchers:
      watched.length === 0 ? null : { type: identifier(`${stem}Watchers`), body: membersCode(watched) },
    tables: features.flatMap(({ table }) => (table === null ? [] : [table])),
    handlerEntries: features.map(({ entry }) => entry),
    handlersType,
    optionsType,
    options: fromLayout(
      group([optionsType.layout, indent([line, code`extends ${handlersType}, ServerSettings`.layout])]),
    ),
    heading: signature(create, [code`options: ${optionsType}`], code`r.${type}`),
    create,
    serve: callCode(code`serveStdio`, [callCode(create, [code`handlers`])]),
    factory,
    type,
  };
}
