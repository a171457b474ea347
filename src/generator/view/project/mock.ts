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
  jsonCode,
  literal,
  memberTable,
  rowCode,
} from "../typescript/code.js";
import type { Entries } from "./entries.js";
import { shorthand } from "./members.js";
import { groups, type ProjectNaming } from "./naming.js";
import type { ProjectServerView } from "./server.js";

/**
 * `mock.ts`: a server that returns example values, for the tests of its
 * callers.
 */
interface MockView {
  /** The imports from `connect.ts`. */
  readonly connectImports: Code;
  /** The imports from `server.ts`. */
  readonly imports: Code;
  /** `WeatherMockAnswers extends s.AnswersOf<WeatherHandlers>` */
  readonly answers: Code;
  /** `createWeatherServer({ snapshot, ...s.mocked(examples, answers) })` */
  readonly server: Code;
  /** The type of the server. */
  readonly type: Code;
  /** `serve(serverTransport, createWeatherMock(snapshot, answers))` */
  readonly serve: Code;
  /** `examples: s.ExamplesOf<WeatherHandlers> = { … }` */
  readonly examples: Code;
}

/** The view, and the tools without an example of their result. */
export function mockView(
  { stem }: ProjectNaming,
  { tools, prompts, resources, definitions }: Entries,
  { type }: ProjectServerView,
): { readonly view: MockView; readonly toolsWithoutExample: readonly Tool[] } {
  const withoutExample: Tool[] = [];
  const resultOf = (tool: Tool): Code => {
    if (tool.output === null)
      return literal(`A result of ${tool.name.slice(0, 80)}.`);
    const schema = definitions.get(tool.output)?.schema;
    const sample =
      schema && exampleOf(schema, { definitions, name: tool.name });
    if (sample !== undefined) return jsonCode(sample);
    withoutExample.push(tool);
    const message = `The mock has no example result for ${tool.name}. Pass a handler for it.`;
    return callCode(code`new ToolError`, [literal(message)]);
  };
  const textOf = (wire: string): Code =>
    literal(`The text of ${wire.slice(0, 80)}.`);
  const rows = {
    tools: tools.map(({ entry, name }) => rowCode(name, resultOf(entry))),
    prompts: prompts.map(({ entry, name }) =>
      rowCode(name, textOf(entry.name)),
    ),
    resources: resources.map(({ uri, name }) => rowCode(name, textOf(uri))),
  };
  const used = groups.flatMap((group) =>
    rows[group].length === 0
      ? []
      : [rowCode(identifier(group), memberTable(rows[group]))],
  );
  const [createServer, handlers] = [
    identifier(`create${stem}Server`),
    identifier(`${stem}Handlers`),
  ];
  const create = callCode(identifier(`create${stem}Mock`), [
    code`snapshot`,
    code`answers`,
  ]);
  const connectImports = importList([
    identifier(`connect${stem}`),
    code`type ${identifier(`${stem}Connected`)}`,
  ]);
  const imports = importList([
    createServer,
    ...(withoutExample.length > 0 ? [code`ToolError`] : []),
    code`type ${handlers}`,
  ]);
  const view: MockView = {
    connectImports,
    imports,
    answers: code`${identifier(`${stem}MockAnswers`)} extends ${generic(code`s.AnswersOf`, [handlers])}`,
    server: code`${createServer}(${shorthand([code`snapshot`, code`...s.mocked(examples, answers)`])})`,
    type,
    serve: callCode(code`serve`, [code`serverTransport`, create]),
    examples: constant(
      code`examples`,
      generic(code`s.ExamplesOf`, [handlers]),
      memberTable(used),
    ),
  };
  return { view, toolsWithoutExample: withoutExample };
}
