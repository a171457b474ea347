import {
  type Code,
  code,
  fromLayout,
  generic,
  identifier,
  importList,
  literal,
  nameList,
  rowCode,
  signature,
  unionCode,
} from "../typescript/code.js";
import {
  type Calls,
  type CallsSource,
  completions,
  promptCalls,
  resourceCalls,
  subscriptions,
  toolCalls,
} from "./calls.js";
import { below } from "../typescript/layout.js";
import { membersCode, shorthand } from "./members.js";
import { requestFor, resultOf } from "./protocol.js";

/**
 * `client.ts` of a project: what a server offers, as documented functions over
 * any connection.
 */
interface ProjectClientView {
  /** The types of `calls.ts` that the project exports. */
  readonly exports: Code;
  /** The methods of a connection that the functions call. */
  readonly caller: Code;
  /** The result of a tool's request. */
  readonly result: Code;
  /** The functions of each kind: a member of the client, and its interface. */
  readonly kinds: readonly Calls[];
  /** `c.ReadOnly<WeatherClient, "getWeather">` */
  readonly readOnly: Code;
  readonly tables: readonly Code[];
  /** `createWeatherClient(caller: Caller): WeatherClient` */
  readonly heading: Code;
  /**
   * The functions that more than one member of the client has:
   * `tools = c.toolCalls<WeatherTools>(…)`
   */
  readonly constants: readonly Code[];
  /** The return value of `create`. */
  readonly value: Code;
  /** `{ createWeatherClient, type WeatherClient }` */
  readonly clientImports: Code;
}

export function projectClientView(source: CallsSource): ProjectClientView {
  const { naming, entries, context } = source;
  const [tools, prompts, resources] = [
    toolCalls(source),
    promptCalls(source),
    resourceCalls(source),
  ];
  const [complete, subscribe] = [completions(source), subscriptions(source)];
  const shared = [tools, prompts, resources].filter((calls) => calls !== null);
  const all: Calls[] = [
    ...shared,
    ...[complete, subscribe].filter((calls) => calls !== null),
  ];
  const [create, clientType] = [
    identifier(`create${naming.stem}Client`),
    identifier(`${naming.stem}Client`),
  ];
  const readOnlyTools = entries.tools.filter(
    ({ entry }) => entry.hints.readOnly === true,
  );
  const exports = importList([
    code`CallOptions`,
    ...all.flatMap((calls) => calls.exports),
  ]);
  const caller = membersCode(all.flatMap(({ methods }) => methods));
  const readOnly = generic(code`c.ReadOnly`, [
    clientType,
    readOnlyTools.length === 0
      ? code`never`
      : unionCode(readOnlyTools.map(({ member }) => literal(member))),
  ]);
  const tables = all.flatMap(({ table }) => table ?? []);
  const heading = signature(
    create,
    [code`${all.length > 0 ? code`caller` : code`_caller`}: Caller`],
    clientType,
  );
  const constants = shared.map(({ name, value }) =>
    fromLayout([name.layout, " =", below(value.layout)]),
  );
  const others = all.filter((calls) => !shared.includes(calls));
  const readOnlyNames = readOnlyTools.map(
    ({ name }) => code`${name}: tools.${name}`,
  );
  const readOnlyMembers = [
    code`tools: ${shorthand(readOnlyNames)}`,
    ...shared.flatMap(({ name }) => (name === tools?.name ? [] : [name])),
  ];
  const value = shorthand([
    ...shared.map(({ name }) => name),
    ...others.map((calls) => rowCode(calls.name, calls.value)),
    ...(tools === null ? [] : [code`readOnly: ${shorthand(readOnlyMembers)}`]),
  ]);
  return {
    exports,
    caller,
    result: resultOf(context, requestFor(context, "callTool")),
    kinds: all,
    readOnly,
    tables,
    heading,
    constants,
    value,
    clientImports: nameList([create, code`type ${clientType}`]),
  };
}
