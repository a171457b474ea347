import type { Job } from "../../ir/model.js";
import type { Entry, Surface } from "../../ir/surface/model.js";
import {
  arrayCode,
  type Code,
  code,
  functionType,
  identifier,
  literal,
  nameList,
  signature,
  unionCode,
  generic,
  arranged,
} from "../code.js";
import { group, indent, line } from "../layout.js";
import { arrow, calling, lambda, matchedVariables, partsCode, shorthand } from "./calls.js";
import { completingView, type CompletingView } from "./completing.js";
import { entryDoc, toolDoc } from "./docs.js";
import type { SurfaceNaming } from "./naming.js";
import { answerOf, memberType, methodKey, requestFor, type Spoken } from "./protocol.js";
import { watchingView, type WatchingView } from "./watching.js";

/** `server.ts` of a project: handlers to write, and a server that answers for them. */
export interface SurfaceServerView {
  readonly hasTools: boolean;
  readonly hasPrompts: boolean;
  readonly hasResources: boolean;
  readonly hasTemplates: boolean;
  /** Is anything called by a name? */
  readonly isNamed: boolean;
  readonly imports: Code;
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
  readonly tools: readonly HandlerView[];
  readonly prompts: readonly HandlerView[];
  readonly resources: readonly HandlerView[];
  readonly templates: readonly HandlerView[];
  /** The blocks of a tool's result. */
  readonly content: Code;
  /** `ToolAnswer = …;` */
  readonly toolAnswer: Code;
  readonly promptAnswer: Code;
  readonly resourceAnswer: Code;
  /** `"tools/list": () => ({ tools: surface.tools as never })` */
  readonly answers: readonly Code[];
  /** The error that a resource nobody knows is answered with. */
  readonly missing: Code;
  /** Null when nothing is completed. */
  readonly completing: CompletingView | null;
  /** Null when it is not heard who watches a resource. */
  readonly watching: WatchingView | null;
}

export interface HandlerView {
  readonly doc: Code | null;
  readonly signature: Code;
  /** An entry of the table that leads from the wire to the handler. */
  readonly row: Code;
}

const context = code`context: Context`;

/** JSON-RPC's own code, for revisions of which no more is known. */
const INVALID_PARAMS = -32602;

export function surfaceServerView(
  surface: Surface,
  naming: SurfaceNaming,
  spoken: Spoken,
): SurfaceServerView {
  const call = requestFor(spoken, "callTool");
  const [hasTools, hasPrompts] = [surface.tools.length > 0, surface.prompts.length > 0];
  const templates = surface.templates.filter(({ parts }) => parts !== null);
  const hasResources = surface.resources.length + templates.length > 0;
  const result = answerOf(spoken, call);
  const answers = [
    result,
    answerOf(spoken, requestFor(spoken, "getPrompt")),
    answerOf(spoken, requestFor(spoken, "readResource")),
  ];
  const [toolAnswer = code`unknown`, promptAnswer = code`unknown`, resourceAnswer = code`unknown`] = answers;
  const [create, handlersType, optionsType] = [
    identifier(`create${naming.stem}Server`),
    identifier(`${naming.stem}Handlers`),
    identifier(`${naming.stem}ServerOptions`),
  ];
  const completing = completingView(surface, naming, spoken);
  const watching = watchingView(surface, naming, spoken);
  const isFilled = answers.some((answer) => JSON.stringify(answer.layout).includes("HandlerResult"));
  return {
    hasTools,
    hasPrompts,
    hasResources,
    hasTemplates: templates.length > 0,
    isNamed: hasTools || hasPrompts,
    imports: nameList([
      code`type Awaitable`,
      ...(isFilled && hasTools ? [code`type HandlerResult`] : []),
      ...(hasTools ? [code`isInputPending`, code`isMcpError`] : []),
      ...(hasTools || hasPrompts || hasResources ? [code`McpError`] : []),
      code`type ServerSettings`,
    ]),
    handlersType,
    optionsType,
    options: arranged(
      group([optionsType.layout, indent([line, code`extends ${handlersType}, ServerSettings`.layout])]),
    ),
    heading: signature(create, [code`options: ${optionsType}`], code`Server`),
    create,
    serve: calling(code`serveStdio`, [calling(create, [code`handlers`])]),
    resourceType: functionType([code`handlers: ${handlersType}`, context], code`unknown`),
    tools: toolHandlers(surface, naming),
    prompts: promptHandlers(surface, naming),
    resources: resourceHandlers(surface, naming),
    templates: templateHandlers(surface, naming),
    content: memberType(spoken, call, "content"),
    toolAnswer: aliased(code`ToolAnswer`, [code`string`, memberType(spoken, call, "content"), toolAnswer]),
    promptAnswer: aliased(code`PromptAnswer`, [code`string`, promptAnswer]),
    resourceAnswer: aliased(code`ResourceAnswer`, [code`string`, resourceAnswer]),
    answers: [
      ...answersOf(surface, spoken),
      ...(completing === null ? [] : [completing.answer]),
      ...(watching?.answers ?? []),
    ],
    completing,
    watching,
    missing: literal(spoken.choice.protocol.errors.RESOURCE_NOT_FOUND ?? INVALID_PARAMS),
  };
}

/** `Name = a | b;` as it stands behind `export type`. */
function aliased(name: Code, types: readonly Code[]): Code {
  return arranged([group([name.layout, " =", group(indent([line, unionCode(types).layout]))]), ";"]);
}

function toolHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  const definitions = new Map(surface.definitions.map((definition) => [definition.key, definition]));
  return surface.tools.map((tool, i) => {
    const name = identifier(naming.tools[i] ?? "");
    const output = tool.output === null ? null : naming.imported(tool.output);
    const answer = output === null ? code`ToolAnswer` : unionCode([output, generic(code`Reply`, [output])]);
    const row = shorthand([
      code`input: v.${naming.guard(tool.input)}`,
      code`output: ${tool.output === null ? code`undefined` : code`v.${naming.guard(tool.output)}`}`,
      arrow(code`run`, code`({ tools }, args, context)`, code`tools.${name}(args as never, context)`),
    ]);
    return {
      doc: toolDoc(tool, definitions.get(tool.input)),
      signature: signature(
        name,
        [code`args: ${naming.imported(tool.input)}`, context],
        generic(code`Awaitable`, [answer]),
      ),
      row: arrayCode([literal(tool.name), row]),
    };
  });
}

function promptHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  return surface.prompts.map((prompt, i) => {
    const name = identifier(naming.prompts[i] ?? "");
    const { input } = prompt;
    const args =
      input === null ? code`args: { [name: string]: string }` : code`args: ${naming.imported(input)}`;
    const row = shorthand([
      code`input: ${input === null ? code`undefined` : code`v.${naming.guard(input)}`}`,
      arrow(code`run`, code`({ prompts }, args, context)`, code`prompts.${name}(args as never, context)`),
    ]);
    return {
      doc: entryDoc(prompt),
      signature: signature(name, [args, context], code`Awaitable<PromptAnswer>`),
      row: arrayCode([literal(prompt.name), row]),
    };
  });
}

function resourceHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  return surface.resources.map((resource, i) => {
    const name = identifier(naming.resources[i] ?? "");
    return {
      doc: entryDoc(resource, [`Answers for \`${resource.uri}\`.`]),
      signature: signature(name, [context], code`Awaitable<ResourceAnswer>`),
      row: arrayCode([
        literal(resource.uri),
        lambda(code`({ resources }, context)`, code`resources.${name}(context)`),
      ]),
    };
  });
}

function templateHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  return surface.templates.flatMap((template, i) => {
    if (template.parts === null) return [];
    const name = identifier(naming.templates[i] ?? "");
    const handler = calling(code`resources.${name}`, [code`variables`, code`context`]);
    const run = arrow(code`run`, code`({ resources }, variables, context)`, handler);
    return [
      {
        doc: entryDoc(template, [`Answers for \`${template.template}\`.`]),
        signature: signature(
          name,
          [matchedVariables(template.parts), context],
          code`Awaitable<ResourceAnswer>`,
        ),
        row: shorthand([code`parts: ${partsCode(template.parts)}`, run]),
      },
    ];
  });
}

/** The handlers of the revision that this server has: one for each list that is there or declared, and one behind it. */
function answersOf(surface: Surface, spoken: Spoken): Code[] {
  const { tools, prompts, resources, templates, capabilities } = surface;
  const rows: readonly (readonly [
    declared: string,
    of: readonly Entry[],
    list: Job,
    name: Code,
    use: Job,
    by: Code,
  ])[] = [
    ["tools", tools, "listTools", code`tools`, "callTool", code`callTool`],
    ["prompts", prompts, "listPrompts", code`prompts`, "getPrompt", code`getPrompt`],
    ["resources", resources, "listResources", code`resources`, "readResource", code`readResource`],
    ["resources", templates, "listTemplates", code`resourceTemplates`, "readResource", code`readResource`],
  ];
  const found = new Map<string, Code>();
  for (const [declared, entries, list, name, use, by] of rows) {
    if (entries.length === 0 && !Object.hasOwn(capabilities, declared)) continue;
    const [listing, using] = [requestFor(spoken, list), requestFor(spoken, use)];
    if (listing !== null && listing.items !== null) {
      const page = shorthand([code`${identifier(listing.items)}: (snapshot.${name} ?? []) as never`]);
      found.set(listing.method, code`${methodKey(listing)}: () => (${page})`);
    }
    const isUsable = entries.some((entry) => !("parts" in entry) || entry.parts !== null);
    if (!isUsable || using === null) continue;
    const call = calling(by, [code`options`, code`params`, code`context`]);
    found.set(using.method, arrow(methodKey(using), code`(params, context)`, call));
  }
  return [...found.values()];
}
