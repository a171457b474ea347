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
import { below } from "../typescript/layout.js";
import {
  type Calls,
  type CallsSource,
  completions,
  promptCalls,
  resourceCalls,
  subscriptions,
  toolCalls,
} from "./calls.js";
import { membersCode, shorthand } from "./members.js";
import { type ServerFeatures, serverFeatures } from "../plan/server-features.js";
import { memberType, requestFor } from "./protocol.js";

/** `client.ts` of a project: what a server offers, as documented functions over any connection. */
export interface ProjectClientView extends ServerFeatures {
  /** The types of `calls.ts` that the project exports. */
  readonly exports: Code;
  /** The methods of a connection that the functions call. */
  readonly caller: Code;
  /** The blocks of a tool's result. */
  readonly content: Code;
  readonly tools: InterfaceView | null;
  readonly prompts: InterfaceView | null;
  readonly resources: InterfaceView | null;
  readonly complete: (InterfaceView & { readonly result: Code }) | null;
  readonly subscribe: (InterfaceView & { readonly isStream: boolean }) | null;
  readonly clientType: Code;
  readonly readOnlyType: Code;
  readonly readOnly: Code;
  readonly tables: readonly Code[];
  readonly create: Code;
  /** `createWeatherClient(caller: Caller): WeatherClient` */
  readonly heading: Code;
  /** The functions that more than one member of the client has: `tools = toolCalls<WeatherTools>(…)` */
  readonly constants: readonly Code[];
  /** The return value of `create`. */
  readonly value: Code;
  /** `{ createWeatherClient, type WeatherClient }` */
  readonly clientImports: Code;
  readonly connect: Code;
  readonly connectedType: Code;
}

/** An interface: its name and its body. */
export interface InterfaceView {
  readonly type: Code;
  readonly body: Code;
}

export function projectClientView(source: CallsSource): ProjectClientView {
  const { snapshot, naming, context } = source;
  const typeName = (suffix: string): Code => identifier(`${naming.stem}${suffix}`);
  const [tools, prompts, resources] = [toolCalls(source), promptCalls(source), resourceCalls(source)];
  const [complete, subscribe] = [completions(source), subscriptions(source)];
  const shared = [tools, prompts, resources].filter((calls) => calls !== null);
  const all: Calls[] = [...shared, ...[complete, subscribe].filter((calls) => calls !== null)];
  const offers = serverFeatures(snapshot);
  const [create, clientType] = [identifier(`create${naming.stem}Client`), typeName("Client")];
  const readOnlyNames = naming.tools.filter((_, i) => snapshot.tools[i]?.hints.readOnly === true);
  const methods = all.flatMap((calls) => calls.methods);
  return {
    ...offers,
    exports: importList([code`CallOptions`, ...all.flatMap((calls) => calls.exports)]),
    caller: membersCode(
      methods.map(([name, type]) => ({ doc: null, text: code`readonly ${name}: ${type}` })),
    ),
    content: memberType(context, requestFor(context, "callTool"), "content"),
    tools: tools && interfaceOf(tools),
    prompts: prompts && interfaceOf(prompts),
    resources: resources && interfaceOf(resources),
    complete: complete && { ...interfaceOf(complete), result: complete.result },
    subscribe: subscribe && { ...interfaceOf(subscribe), isStream: subscribe.isStream },
    clientType,
    readOnlyType: typeName("ReadOnly"),
    readOnly: generic(code`Pick`, [
      typeName("Tools"),
      readOnlyNames.length === 0 ? code`never` : unionCode(readOnlyNames.map(literal)),
    ]),
    tables: all.flatMap(({ tables }) => tables),
    create,
    heading: signature(create, [code`${all.length > 0 ? code`caller` : code`_caller`}: Caller`], clientType),
    constants: shared.map(({ name, value }) => fromLayout([name.layout, " =", below(value.layout)])),
    value: shorthand([
      ...shared.map(({ name }) => name),
      ...[complete, subscribe].flatMap((calls) => (calls === null ? [] : [rowCode(calls.name, calls.value)])),
      ...(tools === null
        ? []
        : [
            code`readOnly: ${shorthand([
              code`tools: ${shorthand(readOnlyNames.map((name) => code`${identifier(name)}: tools.${identifier(name)}`))}`,
              ...shared.flatMap(({ name }) => (name === tools.name ? [] : [name])),
            ])}`,
          ]),
    ]),
    clientImports: nameList([create, code`type ${clientType}`]),
    connect: identifier(`connect${naming.stem}`),
    connectedType: typeName("Connected"),
  };
}

function interfaceOf({ type, members }: Calls): InterfaceView {
  return { type, body: membersCode(members) };
}
