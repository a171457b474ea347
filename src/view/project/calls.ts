import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  annotation,
  arrayCode,
  callCode,
  type Code,
  code,
  constant,
  fromLayout,
  generic,
  identifier,
  jsonCode,
  literal,
  memberTable,
  propertyKey,
  rowCode,
  signature,
  unionCode,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { group, indent, line } from "../typescript/layout.js";
import { type Completable, completablesIn } from "./completables.js";
import { entryDoc, toolDoc } from "./docs.js";
import { type Member, membersCode, shorthand } from "./members.js";
import type { ProjectNaming } from "./naming.js";
import { type OutputTypes, outputTypeOf } from "./output-types.js";
import { declares, memberType, methodName, paramSchema, requestFor, resultOf } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The functions of one kind of a client, such as its tools. */
export interface Calls {
  /** The member of the client: `tools` */
  readonly name: Code;
  /** The interface of the functions: `WeatherTools` */
  readonly type: Code;
  readonly members: readonly Member[];
  /** The methods of a connection that they call, each with its type in `calls.ts`. */
  readonly methods: readonly CallMethod[];
  /** The types of `calls.ts` that the project exports. */
  readonly exports: readonly Code[];
  /** `toolRows: c.Rows<WeatherTools, c.ToolRow> = { … }` */
  readonly tables: readonly Code[];
  /** `c.toolCalls<WeatherTools>(caller, toolRows)` */
  readonly value: Code;
}

/** A method of a connection, and its type. */
type CallMethod = readonly [name: Code, type: Code];

/** What the functions of a client are made from. */
export interface CallsSource {
  readonly snapshot: Snapshot;
  readonly naming: ProjectNaming;
  readonly context: RevisionContext;
  readonly outputTypes: OutputTypes;
}

const options = code`options?: CallOptions`;

/** `name: c.Rows<Members, c.Row> = { … }`, with types of the copied file that is imported as `from` */
export function table(name: Code, from: Code, members: Code, row: Code, rows: readonly Code[]): Code {
  return constant(name, generic(code`${from}.Rows`, [members, code`${from}.${row}`]), memberTable(rows));
}

/** The connection, whose methods a revision may name otherwise than `calls.ts` does. */
function callerFor(...methods: readonly (readonly [known: string, method: Code])[]): Code {
  const others = methods.filter(([known, method]) => String(method.layout) !== known);
  if (others.length === 0) return code`caller`;
  const passed = methods.map(
    ([known, method]) => code`${identifier(known)}: (...call) => caller.${method}(...call)`,
  );
  return shorthand(passed);
}

const promised = (type: Code): Code => generic(code`Promise`, [type]);

const typeOf = ({ naming }: CallsSource, suffix: string): Code => identifier(`${naming.stem}${suffix}`);

/** Null if the server has no tools. */
export function toolCalls(source: CallsSource): Calls | null {
  const { snapshot, naming, context, outputTypes } = source;
  if (snapshot.tools.length === 0) return null;
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  const request = requestFor(context, "callTool");
  const method = request === null ? code`callTool` : methodName(context, request);
  const type = typeOf(source, "Tools");
  const caller = callerFor(["callTool", method]);
  const rows: Code[] = [];
  const texts: Code[] = [];
  const members = snapshot.tools.map((tool, i): Member => {
    const name = identifier(naming.tools[i] ?? "");
    const stated = tool.output === null ? outputTypeOf(outputTypes, tool.name) : null;
    const output = tool.output === null ? stated : naming.importedType(tool.output);
    const outcome = output === null ? code`Unstructured` : generic(code`Structured`, [output]);
    const row = [code`name: ${literal(tool.name)}`, code`input: v.${naming.guard(tool.input)}`];
    if (tool.output !== null) row.push(code`output: v.${naming.guard(tool.output)}`);
    if (stated !== null) texts.push(literal(tool.name));
    rows.push(rowCode(name, shorthand(row)));
    const args = code`args${tool.needsInput ? code`` : code`?`}: ${naming.importedType(tool.input)}`;
    return {
      doc: toolDoc(tool, definitions.get(tool.input)),
      text: signature(name, [args, options], promised(unionCode([outcome, code`Failed`]))),
    };
  });
  return {
    name: code`tools`,
    type,
    members,
    methods: [[method, code`c.ToolCall`]],
    exports: [],
    tables: [table(code`toolRows`, code`c`, type, code`ToolRow`, rows)],
    value: callCode(generic(code`c.toolCalls`, [type]), [
      texts.length === 0 ? caller : callCode(code`c.withText`, [caller, arrayCode(texts)]),
      code`toolRows`,
    ]),
  };
}

/** Null if the server has no prompts. */
export function promptCalls(source: CallsSource): Calls | null {
  const { snapshot, naming, context } = source;
  if (snapshot.prompts.length === 0) return null;
  const request = requestFor(context, "getPrompt");
  const method = request === null ? code`getPrompt` : methodName(context, request);
  const type = typeOf(source, "Prompts");
  const rows: Code[] = [];
  const members = snapshot.prompts.map((prompt, i): Member => {
    const name = identifier(naming.prompts[i] ?? "");
    const { input, needsInput } = prompt;
    const mark = needsInput ? code`` : code`?`;
    const args = input === null ? [] : [code`args${mark}: ${naming.importedType(input)}`];
    const guard = input === null ? [] : [code`input: v.${naming.guard(input)}`];
    rows.push(rowCode(name, shorthand([code`name: ${literal(prompt.name)}`, ...guard])));
    return {
      doc: entryDoc(prompt),
      text: signature(name, [...args, options], promised(resultOf(context, request))),
    };
  });
  return {
    name: code`prompts`,
    type,
    members,
    methods: [[method, code`c.PromptCall`]],
    exports: [],
    tables: [table(code`promptRows`, code`c`, type, code`PromptRow`, rows)],
    value: callCode(generic(code`c.promptCalls`, [type]), [
      callerFor(["getPrompt", method]),
      code`promptRows`,
    ]),
  };
}

/** The functions for resources and for templates that can be expanded. */
function uriMembers(
  { snapshot, naming }: CallsSource,
  optional: Code,
  result: Code,
  docOf: (entry: Snapshot["resources"][number] | Snapshot["templates"][number], uri: string) => Code | null,
): Member[] {
  const member = (name: string | undefined, parameters: readonly Code[], doc: Code | null): Member => ({
    doc,
    text: signature(identifier(name ?? ""), [...parameters, optional], promised(result)),
  });
  return [
    ...snapshot.resources.map((entry, i) => member(naming.resources[i], [], docOf(entry, entry.uri))),
    ...snapshot.templates.flatMap((entry, i) =>
      entry.parts === null
        ? []
        : [
            member(
              naming.templates[i],
              [code`variables: t.${naming.variables(i)}`],
              docOf(entry, entry.template),
            ),
          ],
    ),
  ];
}

/** Null if the server has no resources, and no templates that can be expanded. */
export function resourceCalls(source: CallsSource): Calls | null {
  const { snapshot, naming, context } = source;
  const request = requestFor(context, "readResource");
  const method = request === null ? code`readResource` : methodName(context, request);
  const type = typeOf(source, "Resources");
  const members = uriMembers(source, options, resultOf(context, request), (entry, uri) =>
    entryDoc(entry, [`Reads \`${uri}\`.`]),
  );
  if (members.length === 0) return null;
  const rows = [
    ...snapshot.resources.map(({ uri }, i) => rowCode(identifier(naming.resources[i] ?? ""), literal(uri))),
    ...snapshot.templates.flatMap(({ parts, template }, i) =>
      parts === null
        ? []
        : [
            rowCode(
              identifier(naming.templates[i] ?? ""),
              code`/* @__PURE__ */ ${callCode(code`template`, [literal(template)])}`,
            ),
          ],
    ),
  ];
  return {
    name: code`resources`,
    type,
    members,
    methods: [[method, code`c.ResourceCall`]],
    exports: [],
    tables: [table(code`uris`, code`c`, type, code`UriRow`, rows)],
    value: callCode(generic(code`c.resourceCalls`, [type]), [
      callerFor(["readResource", method]),
      code`uris`,
    ]),
  };
}

/** Functions that complete arguments of prompts and variables of templates. Null if nothing can be completed. */
export function completions(source: CallsSource): (Calls & { readonly result: Code }) | null {
  const { snapshot, naming, context } = source;
  const completables = completablesIn(snapshot, naming, context);
  if (completables === null) return null;
  const { request } = completables;
  const method = methodName(context, request);
  const type = typeOf(source, "Complete");
  const hasContext = paramSchema(context, request, "context") !== null;
  const groups = [
    { key: code`prompts`, entries: completables.prompts },
    { key: code`resources`, entries: completables.templates },
  ].filter(({ entries }) => entries.length > 0);
  const rows = groups.map(({ key, entries }) => {
    const references = entries.map(({ member, ref }) =>
      rowCode(identifier(member), jsonCode({ type: ref.type, [ref.by]: ref.value })),
    );
    return rowCode(key, memberTable(references));
  });
  return {
    name: code`complete`,
    type,
    members: groups.map(({ key, entries }) => ({
      doc: null,
      text: code`readonly ${key}: ${membersCode(entries.map(completeMember))}`,
    })),
    methods: [[method, code`c.CompletionCall`]],
    exports: [hasContext ? code`CompleteOptions` : code`CallOptions as CompleteOptions`],
    tables: [constant(code`references`, generic(code`c.References`, [type]), memberTable(rows))],
    value: callCode(generic(code`c.completions`, [type]), [
      callerFor(["complete", method]),
      code`references`,
    ]),
    result: memberType(context, request, "completion"),
  };
}

function completeMember({ member, names }: Completable): Member {
  const parameters = [
    annotation(code`name`, names.map(literal)),
    code`value: string`,
    code`options?: CompleteOptions`,
  ];
  return {
    doc: docComment([`Completes one of ${names.map((argument) => `\`${argument}\``).join(", ")}.`]),
    text: signature(identifier(member), parameters, promised(code`Completion`)),
  };
}

/**
 * Functions that subscribe to resources: by a request for each, or by a stream with a filter. Null if the server does not report
 * changes or has no resources.
 */
export function subscriptions(source: CallsSource): (Calls & { readonly isStream: boolean }) | null {
  const { snapshot, context } = source;
  const [subscribe, unsubscribe] = [requestFor(context, "subscribe"), requestFor(context, "unsubscribe")];
  const notification = context.protocol.messages.find(
    (message) => message.kind === "notification" && message.filter !== null && message.subject !== null,
  );
  const filter = notification?.kind === "notification" ? notification.filter : null;
  const request = subscribe ?? (filter === null ? null : requestFor(context, "listen"));
  const message = subscribe ?? notification;
  if (request === null || message === undefined || !declares(snapshot, message)) return null;
  const isStream = subscribe === null;
  const type = typeOf(source, "Subscribe");
  // A stream has no response to wait for: a time limit or progress would not be of the subscription.
  const optional = isStream ? code`options?: Pick<CallOptions, "signal">` : options;
  const members = uriMembers(source, optional, code`Subscription`, (_, uri) =>
    docComment([`Subscribes to \`${uri}\`.`]),
  );
  if (members.length === 0) return null;
  const method = methodName(context, request);
  const end = unsubscribe === null ? code`unsubscribe` : methodName(context, unsubscribe);
  const notifications = code`{ notifications: { ${propertyKey(filter ?? "")}: [uri] } }`;
  const listen = callCode(code`caller.${method}`, [notifications, code`options`]);
  const lambda = fromLayout(["(uri, options) =>", group(indent([line, listen.layout]))]);
  return {
    name: code`subscribe`,
    type,
    members,
    methods: isStream
      ? [[method, generic(code`c.StreamCall`, [literal(filter ?? "")])]]
      : [
          [method, code`c.ResourceCall`],
          [end, code`c.ResourceCall`],
        ],
    exports: [isStream ? code`StreamSubscription as Subscription` : code`Subscription`],
    tables: [],
    value: isStream
      ? callCode(generic(code`c.streams`, [type]), [lambda, code`uris`])
      : callCode(generic(code`c.subscriptions`, [type]), [
          callerFor(["subscribe", method], ["unsubscribe", end]),
          code`uris`,
        ]),
    isStream,
  };
}
