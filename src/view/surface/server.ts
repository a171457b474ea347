import { invalidParams } from "../../ir/facts.js";
import type { Surface } from "../../ir/surface/model.js";
import {
  arranged,
  type Code,
  code,
  functionType,
  identifier,
  literal,
  nameList,
  signature,
} from "../code.js";
import { group, indent, line } from "../layout.js";
import { answersOf, type AnswerTypes, answerTypes } from "./answering.js";
import { calling } from "./calls.js";
import { completingView, type CompletingView } from "./completing.js";
import {
  type HandlerView,
  promptHandlers,
  resourceHandlers,
  templateHandlers,
  toolHandlers,
} from "./handling.js";
import type { SurfaceNaming } from "./naming.js";
import { type Offers, offersOf } from "./offers.js";
import type { Spoken } from "./protocol.js";
import { watchingView, type WatchingView } from "./watching.js";

/** `server.ts` of a project: handlers to write, and a server that answers for them. */
export interface SurfaceServerView extends Offers, Declared, AnswerTypes {
  readonly imports: Code;
  /** What comes from the revision's own `server.ts`. */
  readonly serverImports: Code;
  readonly tools: readonly HandlerView[];
  readonly prompts: readonly HandlerView[];
  readonly resources: readonly HandlerView[];
  readonly templates: readonly HandlerView[];
  /** `"tools/list": () => ({ tools: surface.tools as never })` */
  readonly answers: readonly Code[];
  /** The error that a name nobody knows is answered with. */
  readonly unknown: Code;
  /** The error that a resource nobody knows is answered with. */
  readonly missing: Code;
  /** Null when nothing is completed. */
  readonly completing: CompletingView | null;
  /** Null when it is not heard who watches a resource. */
  readonly watching: WatchingView | null;
}

/** What is named after the server. */
interface Declared {
  readonly handlersType: Code;
  readonly optionsType: Code;
  /** `WeatherServerOptions extends WeatherHandlers, ServerSettings` */
  readonly options: Code;
  /** `createWeatherServer(options: WeatherServerOptions): Server` */
  readonly heading: Code;
  readonly create: Code;
  /** `serveStdio(createWeatherServer(handlers))` */
  readonly serve: Code;
  /** What reads a resource, as it stands in a table. */
  readonly resourceType: Code;
}

export function surfaceServerView(
  surface: Surface,
  naming: SurfaceNaming,
  spoken: Spoken,
): SurfaceServerView {
  const offers = offersOf(surface);
  const completing = completingView(surface, naming, spoken);
  const watching = watchingView(surface, naming, spoken);
  return {
    ...offers,
    ...declared(naming),
    ...answerTypes(spoken),
    imports: runtimeImports(offers),
    serverImports: nameList([
      ...(offers.hasAny ? [code`type Context`] : []),
      code`createServer`,
      code`type Server`,
    ]),
    tools: toolHandlers(surface, naming),
    prompts: promptHandlers(surface, naming),
    resources: resourceHandlers(surface, naming),
    templates: templateHandlers(surface, naming),
    answers: [
      ...answersOf(surface, spoken),
      ...(completing === null ? [] : [completing.answer]),
      ...(watching?.answers ?? []),
    ],
    completing,
    watching,
    unknown: literal(invalidParams),
    missing: literal(spoken.choice.protocol.errors.RESOURCE_NOT_FOUND ?? invalidParams),
  };
}

function declared({ stem }: SurfaceNaming): Declared {
  const create = identifier(`create${stem}Server`);
  const handlersType = identifier(`${stem}Handlers`);
  const optionsType = identifier(`${stem}ServerOptions`);
  return {
    handlersType,
    optionsType,
    options: arranged(
      group([optionsType.layout, indent([line, code`extends ${handlersType}, ServerSettings`.layout])]),
    ),
    heading: signature(create, [code`options: ${optionsType}`], code`Server`),
    create,
    serve: calling(code`serveStdio`, [calling(create, [code`handlers`])]),
    resourceType: functionType([code`handlers: ${handlersType}`, code`context: Context`], code`unknown`),
  };
}

function runtimeImports({ hasTools, hasTemplates, hasAny }: Offers): Code {
  return nameList([
    ...(hasAny ? [code`type Awaitable`] : []),
    ...(hasTemplates ? [code`checkUri`] : []),
    ...(hasTools ? [code`failedTool`] : []),
    ...(hasAny ? [code`McpError`] : []),
    code`type ServerSettings`,
  ]);
}
