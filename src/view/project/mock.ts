import { exampleOf } from "../../ir/example/example.js";
import type { Tool } from "../../ir/snapshot/model.js";
import {
  callCode,
  type Code,
  code,
  constant,
  generic,
  identifier,
  importList,
  indexedType,
  jsonCode,
  literal,
  memberTable,
  rowCode,
} from "../typescript/code.js";
import type { ProjectClientView } from "./client.js";
import { membersCode } from "./members.js";
import type { Entries } from "./entries.js";
import { groups, type ProjectNaming } from "./naming.js";
import type { ProjectServerView } from "./server.js";

/** `mock.ts`: a server that returns example values, for the tests of its callers. */
export interface MockView {
  readonly connectedType: Code;
  readonly connect: Code;
  /** The imports from `connect.ts`. */
  readonly connectImports: Code;
  readonly createServer: Code;
  readonly serverType: Code;
  readonly create: Code;
  readonly connectMock: Code;
  /** The imports from `server.ts`. */
  readonly imports: Code;
  readonly optionsType: Code;
  /** `{ readonly tools?: Partial<WeatherHandlers["tools"]>; … }` */
  readonly options: Code;
  /** `tools: { ...returning(toolAnswers), ...answers.tools }` for each non-empty group */
  readonly groups: readonly Code[];
  /** What the handlers of each group return. */
  readonly tables: readonly Code[];
  /** `serve(serverTransport, createWeatherMock(snapshot, answers))` */
  readonly serve: Code;
}

/** The view, and the tools without an example of their result. */
export function mockView(
  naming: ProjectNaming,
  { tools, prompts, resources, definitions }: Entries,
  client: ProjectClientView,
  server: ProjectServerView,
): { readonly view: MockView; readonly toolsWithoutExample: readonly Tool[] } {
  const withoutExample: Tool[] = [];
  const resultOf = (tool: Tool): Code => {
    if (tool.output === null) return literal(`A result of ${tool.name.slice(0, 80)}.`);
    const schema = definitions.get(tool.output)?.schema;
    const sample = schema && exampleOf(schema, { definitions, name: tool.name });
    if (sample !== undefined) return jsonCode(sample);
    withoutExample.push(tool);
    const message = `The mock has no example result for ${tool.name}. Pass a handler for it.`;
    return callCode(code`new ToolError`, [literal(message)]);
  };
  const textOf = (wire: string): Code => literal(`The text of ${wire.slice(0, 80)}.`);
  const rows = {
    tools: tools.map(({ entry, name }) => rowCode(name, resultOf(entry))),
    prompts: prompts.map(({ entry, name }) => rowCode(name, textOf(entry.name))),
    resources: resources.map(({ uri, name }) => rowCode(name, textOf(uri))),
  };
  const used = groups
    .filter((group) => rows[group].length > 0)
    .map((group) => ({
      key: identifier(group),
      name: identifier(`${group.slice(0, -1)}Answers`),
      answers: rows[group],
    }));
  const create = identifier(`create${naming.stem}Mock`);
  const handlersOf = (key: Code): Code => indexedType(server.handlersType, literal(String(key.layout)));
  const others = [
    ...(server.completion === null ? [] : [code`complete`]),
    ...(server.watchers === null ? [] : [code`subscribe`, code`unsubscribe`]),
  ];
  const optional = [
    ...used.map(({ key }) => code`readonly ${key}?: ${generic(code`Partial`, [handlersOf(key)])}`),
    ...others.map((key) => code`readonly ${key}?: ${generic(code`NonNullable`, [handlersOf(key)])}`),
  ];
  const view: MockView = {
    connectedType: client.connectedType,
    connect: client.connect,
    connectImports: importList([client.connect, code`type ${client.connectedType}`]),
    createServer: server.create,
    serverType: server.type,
    create,
    connectMock: identifier(`connect${naming.stem}Mock`),
    imports: importList([
      server.create,
      ...(withoutExample.length > 0 ? [code`ToolError`] : []),
      ...(server.hasAny ? [code`type ${server.handlersType}`] : []),
    ]),
    optionsType: identifier(`${naming.stem}MockAnswers`),
    options: membersCode(optional.map((text) => ({ doc: null, text }))),
    groups: used.map(({ key, name }) => code`${key}: { ...returning(${name}), ...answers.${key} }`),
    tables: used.map(({ key, name, answers }) =>
      constant(name, generic(code`Rows`, [handlersOf(key), code`unknown`]), memberTable(answers)),
    ),
    serve: callCode(code`serve`, [code`serverTransport`, callCode(create, [code`snapshot`, code`answers`])]),
  };
  return { view, toolsWithoutExample: withoutExample };
}
