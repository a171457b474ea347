import { exampleOf } from "../../ir/example/example.js";
import type { Snapshot, Tool } from "../../ir/snapshot/model.js";
import {
  callCode,
  type Code,
  code,
  constant,
  generic,
  identifier,
  indexedType,
  jsonCode,
  literal,
  importList,
  objectCode,
  propertyKey,
} from "../typescript/code.js";
import { arrowMember, shorthand } from "./calls.js";
import type { ProjectClientView } from "./client.js";
import type { ProjectNaming } from "./naming.js";
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
  readonly handlersType: Code;
  /** The imports from `server.ts`. */
  readonly imports: Code;
  readonly optionsType: Code;
  /** Results of tools by wire name. */
  readonly samples: Code;
  /** `tools`, `prompts`, `resources`: the non-empty groups, each with its results. */
  readonly groups: readonly { readonly name: Code; readonly type: Code; readonly constant: Code }[];
  /** Optional handlers that the mock omits. */
  readonly others: readonly { readonly name: Code; readonly type: Code }[];
  /** `serve(serverTransport, createWeatherMock(snapshot, answers))` */
  readonly serve: Code;
  readonly hasSamples: boolean;
  readonly hasMissingExamples: boolean;
}

/** The view, and the tools without an example of their result. */
export function mockView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  client: ProjectClientView,
  server: ProjectServerView,
): { readonly view: MockView; readonly toolsWithoutExample: readonly Tool[] } {
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  const samples: [Code, Code][] = [];
  const withoutExample: Tool[] = [];
  const tools = snapshot.tools.map((tool, i) => {
    const answer = (value: Code): Code => arrowMember(identifier(naming.tools[i] ?? ""), code`()`, value);
    if (tool.output === null) return answer(literal(`A result of ${tool.name.slice(0, 80)}.`));
    const schema = definitions.get(tool.output)?.schema;
    const sample = schema && exampleOf(schema, { definitions, name: tool.name });
    if (sample === undefined) {
      withoutExample.push(tool);
      return answer(code`missingExample(${literal(tool.name)})`);
    }
    samples.push([propertyKey(tool.name), jsonCode(sample)]);
    return answer(code`SAMPLES[${literal(tool.name)}] as never`);
  });
  const textAnswers = (names: readonly string[], wires: readonly string[]): Code[] =>
    names.map((name, i) =>
      arrowMember(identifier(name), code`()`, literal(`The text of ${(wires[i] ?? "").slice(0, 80)}.`)),
    );
  const templates = snapshot.templates.flatMap(({ parts, template }, i) =>
    parts === null ? [] : [[naming.templates[i] ?? "", template] as const],
  );
  const groups = [
    { key: code`tools`, answers: tools },
    {
      key: code`prompts`,
      answers: textAnswers(
        naming.prompts,
        snapshot.prompts.map(({ name }) => name),
      ),
    },
    {
      key: code`resources`,
      answers: [
        ...textAnswers(
          naming.resources,
          snapshot.resources.map(({ uri }) => uri),
        ),
        ...textAnswers(
          templates.map(([name]) => name),
          templates.map(([, template]) => template),
        ),
      ],
    },
  ];
  const create = identifier(`create${naming.stem}Mock`);
  const handlersOf = (key: Code): Code => indexedType(server.handlersType, literal(String(key.layout)));
  const view: MockView = {
    connectedType: client.connectedType,
    connect: client.connect,
    connectImports: importList([client.connect, code`type ${client.connectedType}`]),
    createServer: server.create,
    serverType: server.type,
    create,
    connectMock: identifier(`connect${naming.stem}Mock`),
    handlersType: server.handlersType,
    imports: importList([
      server.create,
      ...(withoutExample.length > 0 ? [code`ToolError`] : []),
      ...(server.hasAny ? [code`type ${server.handlersType}`] : []),
    ]),
    optionsType: identifier(`${naming.stem}MockAnswers`),
    samples: objectCode(samples),
    groups: groups
      .filter(({ answers }) => answers.length > 0)
      .map(({ key, answers }) => ({
        name: key,
        type: generic(code`Partial`, [handlersOf(key)]),
        constant: constant(key, handlersOf(key), shorthand(answers)),
      })),
    others: [
      ...(server.completion === null ? [] : [code`complete`]),
      ...(server.watchers === null ? [] : [code`subscribe`, code`unsubscribe`]),
    ].map((name) => ({ name, type: generic(code`NonNullable`, [handlersOf(name)]) })),
    serve: callCode(code`serve`, [code`serverTransport`, callCode(create, [code`snapshot`, code`answers`])]),
    hasSamples: samples.length > 0,
    hasMissingExamples: withoutExample.length > 0,
  };
  return { view, toolsWithoutExample: withoutExample };
}
