import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  callCode,
  fromLayout,
  type Code,
  code,
  identifier,
  importList,
  signature,
} from "../typescript/code.js";
import { group, indent, line } from "../typescript/layout.js";
import { type ReturnTypes, returnTypes, featuresOf } from "./features.js";
import { completablesIn } from "./completables.js";
import { serverCompletionView, type ServerCompletionView } from "./server-completion.js";
import {
  type HandlerView,
  promptHandlers,
  resourceHandlers,
  templateHandlers,
  toolHandlers,
  type ToolScopes,
} from "./handler-rows.js";
import type { ProjectNaming } from "./naming.js";
import { type ServerFeatures, serverFeatures } from "../plan/server-features.js";
import type { RevisionContext } from "../roles/index.js";
import { watchersView, type WatchersView } from "./watchers.js";

export type { ToolScopes } from "./handler-rows.js";

/** `server.ts` of a project: types for handlers, and a server that calls them. */
export interface ProjectServerView extends ServerFeatures, ServerNames, Definition, ReturnTypes {
  readonly imports: Code;
  /** The imports from the revision's own `server.ts`. */
  readonly serverImports: Code;
  readonly tools: readonly HandlerView[];
  readonly prompts: readonly HandlerView[];
  readonly resources: readonly HandlerView[];
  readonly templates: readonly HandlerView[];
  /** The imports from the runtime's features. */
  readonly featureImports: Code;
  /** True if the file imports guards. */
  readonly hasGuards: boolean;
  readonly listsResources: boolean;
  /** The lists of the server, as calls of the runtime's features. */
  readonly handlerEntries: readonly Code[];
  /** True if some tools have structured results and others do not. */
  readonly isStructured: boolean;
  readonly isUnstructured: boolean;
  /** Null if nothing is completed. */
  readonly completion: ServerCompletionView | null;
  /** Null if the server is not informed about subscriptions. */
  readonly watchers: WatchersView | null;
}

/** Declarations with the server's name. */
interface ServerNames {
  readonly handlersType: Code;
  readonly optionsType: Code;
  /** `WeatherServerOptions extends WeatherHandlers, ServerSettings` */
  readonly options: Code;
  /** `createWeatherServer(options: WeatherServerOptions): Server` */
  readonly heading: Code;
  readonly create: Code;
  /** `serveStdio(createWeatherServer(handlers))` */
  readonly serve: Code;
}

export function projectServerView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  contexts: readonly [RevisionContext, ...RevisionContext[]],
  scopes: ToolScopes,
): ProjectServerView {
  const [context] = contexts;
  const of = contexts.length === 1 ? oneRevision : allRevisions;
  const offers = serverFeatures(snapshot);
  const completables = completablesIn(snapshot, naming, context);
  const completion = serverCompletionView(completables, context);
  // The newest revision may have another way to subscribe.
  const watchers = contexts.reduce<WatchersView | null>(
    (found, each) => found ?? watchersView(snapshot, naming, each),
    null,
  );
  const tools = toolHandlers(snapshot, naming, scopes);
  const prompts = promptHandlers(snapshot, naming, completables);
  const resources = resourceHandlers(snapshot, naming, watchers !== null);
  const templates = templateHandlers(snapshot, naming, completables, watchers !== null);
  const rowsOf = (handlers: readonly HandlerView[]): Code[] => handlers.map(({ row }) => row);
  const features = featuresOf(snapshot, {
    tools: rowsOf(tools),
    prompts: rowsOf(prompts),
    resources: rowsOf([...resources, ...templates]),
  });
  return {
    ...offers,
    ...serverNames(naming, of.type),
    ...of,
    ...returnTypes(context),
    imports: importList([...(offers.hasAny ? [code`type Awaitable`] : []), code`type ServerSettings`]),
    featureImports: importList(features.map(({ kind }) => identifier(kind))),
    hasGuards: [...snapshot.tools, ...snapshot.prompts].some(({ input }) => input !== null),
    listsResources: features.some(({ kind }) => kind === "resources"),
    serverImports: importList([
      ...(offers.hasAny ? [code`type Context`] : []),
      of.factory,
      code`serverQuestions`,
      code`type ${of.type}`,
    ]),
    tools,
    prompts,
    resources,
    templates,
    handlerEntries: features.map(({ call }) => call),
    isStructured: snapshot.tools.some(({ output }) => output !== null),
    isUnstructured: snapshot.tools.some(({ output }) => output === null),
    completion,
    watchers,
  };
}

/** What a server of one revision, or one for each of several, is made with. */
interface Definition {
  /** `createServer` */
  readonly factory: Code;
  /** `Server` */
  readonly type: Code;
}

const oneRevision: Definition = { factory: code`createServer`, type: code`Server` };
const allRevisions: Definition = { factory: code`createServers`, type: code`Servers` };

function serverNames({ stem }: ProjectNaming, type: Code): ServerNames {
  const create = identifier(`create${stem}Server`);
  const handlersType = identifier(`${stem}Handlers`);
  const optionsType = identifier(`${stem}ServerOptions`);
  return {
    handlersType,
    optionsType,
    options: fromLayout(
      group([optionsType.layout, indent([line, code`extends ${handlersType}, ServerSettings`.layout])]),
    ),
    heading: signature(create, [code`options: ${optionsType}`], type),
    create,
    serve: callCode(code`serveStdio`, [callCode(create, [code`handlers`])]),
  };
}
