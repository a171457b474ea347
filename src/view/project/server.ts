import type { Snapshot } from "../../ir/snapshot/model.js";
import { arranged, type Code, code, identifier, nameList, signature } from "../typescript/code.js";
import { group, indent, line } from "../typescript/layout.js";
import { type AnswerTypes, answerTypes, featuresOf } from "./answering.js";
import { calling } from "./calls.js";
import { completedIn } from "./completed.js";
import { completingView, type CompletingView } from "./completing.js";
import {
  type HandlerView,
  promptHandlers,
  resourceHandlers,
  type TemplateHandlerView,
  templateHandlers,
  toolHandlers,
  type ToolScopes,
} from "./handling.js";
import type { ProjectNaming } from "./naming.js";
import { type Offers, offersOf } from "../plan/offers.js";
import type { RevisionContext } from "../roles/index.js";
import { watchingView, type WatchingView } from "./watching.js";

export type { ToolScopes } from "./handling.js";

/** `server.ts` of a project: types for handlers, and a server that calls them. */
export interface ProjectServerView extends Offers, Declared, AnswerTypes {
  readonly imports: Code;
  /** The imports from the revision's own `server.ts`. */
  readonly serverImports: Code;
  readonly tools: readonly HandlerView[];
  readonly prompts: readonly HandlerView[];
  readonly resources: readonly HandlerView[];
  readonly templates: readonly TemplateHandlerView[];
  /** The imports from the runtime's features. */
  readonly featureImports: Code;
  readonly hasFeatures: boolean;
  readonly listsResources: boolean;
  /** The features and further handlers of the revision. */
  readonly answers: readonly Code[];
  /** True if some tools have structured results and others do not. */
  readonly isStructured: boolean;
  readonly isUnstructured: boolean;
  /** Null if nothing is completed. */
  readonly completing: CompletingView | null;
  /** Null if the server is not informed about subscriptions. */
  readonly watching: WatchingView | null;
}

/** Declarations with the server's name. */
interface Declared {
  readonly handlersType: Code;
  readonly optionsType: Code;
  /** `WeatherServerOptions extends WeatherHandlers, ServerSettings` */
  readonly options: Code;
  /** `createWeatherServer(options: WeatherServerOptions): Server` */
  readonly heading: Code;
  readonly create: Code;
  /** `toolRows(handlers: WeatherHandlers): readonly AnyTool[]` */
  readonly toolRows: Code;
  readonly promptRows: Code;
  readonly resourceRows: Code;
  /** `serveStdio(createWeatherServer(handlers))` */
  readonly serve: Code;
}

export function projectServerView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
  scopes: ToolScopes,
): ProjectServerView {
  const offers = offersOf(snapshot);
  const completed = completedIn(snapshot, naming, context);
  const completing = completingView(completed, context);
  const templates = templateHandlers(snapshot, naming, completed);
  const constants = templates.map((template) => template.constant);
  const watching = watchingView(snapshot, naming, context, constants);
  const features = featuresOf(snapshot);
  const { hasAny, hasTools, hasPrompts, hasResources } = offers;
  return {
    ...offers,
    ...declared(naming),
    ...answerTypes(context),
    imports: nameList([
      ...(hasAny ? [code`type Awaitable`] : []),
      ...(watching !== null && templates.length > 0 ? [code`checkUri`] : []),
      code`type ServerSettings`,
    ]),
    featureImports: nameList([
      ...(hasTools ? [code`type AnyTool`] : []),
      ...(hasPrompts ? [code`type Prompt`] : []),
      ...(hasResources ? [code`type Resource`] : []),
      ...features.map(({ kind }) => identifier(kind)),
    ]),
    hasFeatures: features.length > 0,
    listsResources: features.some(({ kind }) => kind === "resources"),
    serverImports: nameList([
      ...(offers.hasAny ? [code`type Context`] : []),
      code`createServer`,
      code`type Server`,
    ]),
    tools: toolHandlers(snapshot, naming, scopes),
    prompts: promptHandlers(snapshot, naming, completed),
    resources: resourceHandlers(snapshot, naming),
    templates,
    answers: [...features.map(({ call }) => call), ...(watching?.answers ?? [])],
    isStructured: snapshot.tools.some(({ output }) => output !== null),
    isUnstructured: snapshot.tools.some(({ output }) => output === null),
    completing,
    watching,
  };
}

function declared({ stem }: ProjectNaming): Declared {
  const create = identifier(`create${stem}Server`);
  const handlersType = identifier(`${stem}Handlers`);
  const handlersParameter = code`handlers: ${handlersType}`;
  const optionsType = identifier(`${stem}ServerOptions`);
  return {
    handlersType,
    optionsType,
    options: arranged(
      group([optionsType.layout, indent([line, code`extends ${handlersType}, ServerSettings`.layout])]),
    ),
    heading: signature(create, [code`options: ${optionsType}`], code`Server`),
    create,
    toolRows: signature(code`toolRows`, [handlersParameter], code`readonly AnyTool[]`),
    promptRows: signature(code`promptRows`, [handlersParameter], code`readonly Prompt[]`),
    resourceRows: signature(code`resourceRows`, [handlersParameter], code`readonly Resource[]`),
    serve: calling(code`serveStdio`, [calling(create, [code`handlers`])]),
  };
}
