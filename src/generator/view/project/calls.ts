import type { WellKnownMethod } from "../../ir/model.js";
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
  literal,
  memberTable,
  propertyKey,
  rowCode,
  signature,
  unionCode,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { group, indent, line } from "../typescript/layout.js";
import { upperFirst } from "../typescript/names.js";
import { completablesIn } from "./completables.js";
import { entryDoc } from "./docs.js";
import type { Completable, Entries, NamedResource } from "./entries.js";
import { type Member, membersCode, shorthand } from "./members.js";
import type { ProjectNaming } from "./naming.js";
import { type OutputTypes, outputTypeOf } from "./output-types.js";
import {
  declares,
  memberType,
  methodName,
  paramSchema,
  requestFor,
  resultOf,
} from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The functions of one kind of a client, such as its tools. */
export interface Calls {
  /** The member of the client: `tools` */
  readonly name: Code;
  /** The comment of the member; null if its type says the same. */
  readonly memberDoc: Code | null;
  /** The interface of the functions, and its comment: `WeatherTools` */
  readonly doc: Code | null;
  readonly type: Code;
  /** The body of the interface. */
  readonly body: Code;
  /**
   * The methods of a connection that they call, each with its type in
   * `calls.ts`.
   */
  readonly methods: readonly Member[];
  /** The types of `calls.ts` that the project exports. */
  readonly exports: readonly Code[];
  /** The type of what is suggested; null if these functions suggest nothing. */
  readonly completion: Code | null;
  /** `toolRows: c.Rows<WeatherTools, c.ToolRow> = { … }` */
  readonly table: Code | null;
  /** `c.toolCalls<WeatherTools>(caller, toolRows)` */
  readonly value: Code;
}

/** What the functions of a client are made from. */
export interface CallsSource {
  readonly snapshot: Snapshot;
  readonly naming: ProjectNaming;
  readonly entries: Entries;
  readonly context: RevisionContext;
  readonly outputTypes: OutputTypes;
}

const options = code`options?: c.CallOptions`;

const promised = (type: Code): Code => generic(code`Promise`, [type]);

/**
 * `name: c.Rows<Members, c.Row> = { … }`, with types of the copied file that is
 * imported as `from`
 */
export function table(
  name: Code,
  from: Code,
  members: Code,
  row: Code,
  rows: readonly Code[],
): Code {
  return constant(
    name,
    generic(code`${from}.Rows`, [members, code`${from}.${row}`]),
    memberTable(rows),
  );
}

const rowsOf = (entries: readonly { readonly row: Code }[]): Code[] =>
  entries.map(({ row }) => row);

/** What differs between the kinds of functions. */
interface Kind extends Partial<
  Pick<Calls, "memberDoc" | "exports" | "completion">
> {
  readonly name: string;
  readonly doc: string;
  /**
   * The requests that they send, each with the type of its method in
   * `calls.ts`, which names the method as the key.
   */
  readonly requests: { readonly [Known in WellKnownMethod]?: Code };
  readonly members: readonly Member[];
  /** The table that they are made from. */
  readonly rows: Code;
  /**
   * The table as a constant, for the interface. Without it, the table is that
   * of another kind.
   */
  readonly table?: (type: Code) => Code;
  /** The function of `calls.ts` that makes them. */
  readonly make: Code;
  /**
   * What sends their requests, for a caller whose methods have the names of
   * `calls.ts`.
   */
  readonly sender?: (caller: Code) => Code;
}

/** Null without members. */
function callsOf({ naming, context }: CallsSource, kind: Kind): Calls | null {
  if (kind.members.length === 0) return null;
  const type = identifier(`${naming.stem}${upperFirst(kind.name)}`);
  const requests = Object.entries(kind.requests) as [WellKnownMethod, Code][];
  const methods = requests.map(([known, of]) => {
    const request = requestFor(context, known);
    return {
      known: identifier(known),
      method: request ? methodName(context, request) : identifier(known),
      of,
    };
  });
  // A revision may name a method otherwise than `calls.ts` does.
  const isKnown = methods.every(
    ({ known, method }) => known.layout === method.layout,
  );
  const caller = isKnown
    ? code`caller`
    : shorthand(
        methods.map(
          ({ known, method }) =>
            code`${known}: (...call) => caller.${method}(...call)`,
        ),
      );
  const value = callCode(generic(kind.make, [type]), [
    kind.sender?.(caller) ?? caller,
    kind.rows,
  ]);
  const readMethods = methods.map(({ method, of }) => ({
    doc: null,
    text: code`readonly ${method}: ${of}`,
  }));
  return {
    name: identifier(kind.name),
    memberDoc: kind.memberDoc ?? null,
    doc: docComment([kind.doc]),
    type,
    body: membersCode(kind.members),
    methods: readMethods,
    exports: kind.exports ?? [],
    completion: kind.completion ?? null,
    table: kind.table?.(type) ?? null,
    value,
  };
}

export function toolCalls(source: CallsSource): Calls | null {
  const { naming, entries, outputTypes } = source;
  const tools = entries.tools.map(({ entry, name, doc }) => {
    const { input, output } = entry;
    const stated =
      output === null ? outputTypeOf(outputTypes, entry.name) : null;
    const type = output === null ? stated : naming.importedType(output);
    const outcome =
      type === null ? code`Unstructured` : generic(code`Structured`, [type]);
    const args = code`args${entry.needsInput ? code`` : code`?`}: ${naming.importedType(input)}`;
    const guards = [input, ...(output === null ? [] : [output])].map(
      (key) => code`v.${naming.guard(key)}`,
    );
    return {
      doc,
      text: signature(
        name,
        [args, options],
        promised(unionCode([outcome, code`Failed`])),
      ),
      row: rowCode(name, arrayCode([literal(entry.name), ...guards])),
      withText: stated === null ? [] : [literal(entry.name)],
    };
  });
  const texts = tools.flatMap(({ withText }) => withText);
  return callsOf(source, {
    name: "tools",
    doc: "The tools of the server.",
    requests: { callTool: code`c.ToolCall` },
    members: tools,
    rows: code`toolRows`,
    table: (type) =>
      table(code`toolRows`, code`c`, type, code`ToolRow`, rowsOf(tools)),
    make: code`c.toolCalls`,
    sender: (caller) =>
      texts.length === 0
        ? caller
        : callCode(code`c.withText`, [caller, arrayCode(texts)]),
  });
}

export function promptCalls(source: CallsSource): Calls | null {
  const { naming, entries, context } = source;
  const result = promised(resultOf(context, requestFor(context, "getPrompt")));
  const prompts = entries.prompts.map(({ entry, name, doc }) => {
    const { input, needsInput } = entry;
    const mark = needsInput ? code`` : code`?`;
    const args =
      input === null ? [] : [code`args${mark}: ${naming.importedType(input)}`];
    const guard = input === null ? [] : [code`v.${naming.guard(input)}`];
    return {
      doc,
      text: signature(name, [...args, options], result),
      row: rowCode(name, arrayCode([literal(entry.name), ...guard])),
    };
  });
  return callsOf(source, {
    name: "prompts",
    doc: "The prompts of the server.",
    requests: { getPrompt: code`c.PromptCall` },
    members: prompts,
    rows: code`promptRows`,
    table: (type) =>
      table(code`promptRows`, code`c`, type, code`PromptRow`, rowsOf(prompts)),
    make: code`c.promptCalls`,
  });
}

/** The functions for resources and for templates. */
const uriMembers = (
  { entries }: CallsSource,
  optional: Code,
  result: Code,
  docOf: (resource: NamedResource) => Code | null,
): Member[] =>
  entries.resources.map((resource) => {
    const { name, template } = resource;
    const variables =
      template === null ? [] : [code`variables: t.${template.type}`];
    return {
      doc: docOf(resource),
      text: signature(name, [...variables, optional], promised(result)),
    };
  });

export function resourceCalls(source: CallsSource): Calls | null {
  const { context, entries } = source;
  const result = resultOf(context, requestFor(context, "readResource"));
  const rows = entries.resources.map(({ name, uri, template }) =>
    rowCode(
      name,
      template === null
        ? literal(uri)
        : code`/* @__PURE__ */ ${callCode(code`template`, [literal(uri)])}`,
    ),
  );
  return callsOf(source, {
    name: "resources",
    doc: "The resources of the server.",
    requests: { readResource: code`c.ResourceCall` },
    members: uriMembers(source, options, result, ({ entry, uri }) =>
      entryDoc(entry, [`Reads \`${uri}\`.`]),
    ),
    rows: code`uris`,
    table: (type) => table(code`uris`, code`c`, type, code`UriRow`, rows),
    make: code`c.resourceCalls`,
  });
}

/**
 * Functions that complete arguments of prompts and variables of templates. Null
 * if nothing can be completed.
 */
export function completions(source: CallsSource): Calls | null {
  const { snapshot, entries, context } = source;
  const { request, groups } = completablesIn(snapshot, entries, context) ?? {
    request: null,
    groups: [],
  };
  const rows = groups.map(({ key, type }) =>
    rowCode(
      identifier(key),
      arrayCode([
        literal(type),
        key === "prompts" ? code`promptRows` : code`uris`,
      ]),
    ),
  );
  const hasContext =
    request !== null && paramSchema(context, request, "context") !== null;
  const optional = hasContext ? "CompleteOptions" : "CallOptions";
  const members = groups.map(({ key, entries: list }) => ({
    doc: null,
    text: code`readonly ${identifier(key)}: ${membersCode(list.map((each) => completeMember(each, optional)))}`,
  }));
  return callsOf(source, {
    name: "complete",
    memberDoc: docComment(["Suggests values for arguments and variables."]),
    doc: "Functions that suggest values while a user types.",
    exports: exportedAs(optional, "CompleteOptions"),
    completion: memberType(context, request, "completion"),
    requests: { complete: code`c.CompletionCall` },
    members,
    rows: code`references`,
    table: (type) =>
      constant(
        code`references`,
        generic(code`c.References`, [type]),
        memberTable(rows),
      ),
    make: code`c.completions`,
  });
}

/**
 * `StreamSubscription as Subscription`: the name that the project has for a
 * type of `calls.ts`.
 */
const exportedAs = (type: string, name: string): Code[] => [
  type === name
    ? identifier(name)
    : code`${identifier(type)} as ${identifier(name)}`,
];

function completeMember(
  { name, names }: Completable,
  optional: string,
): Member {
  const parameters = [
    annotation(code`name`, names.map(literal)),
    code`value: string`,
    code`options?: c.${identifier(optional)}`,
  ];
  return {
    doc: docComment([
      `Completes one of ${names.map((argument) => `\`${argument}\``).join(", ")}.`,
    ]),
    text: signature(name, parameters, promised(code`Completion`)),
  };
}

/**
 * Functions that subscribe to resources: by a request for each, or by a stream
 * with a filter. Null if the server does not report changes or has no
 * resources.
 */
export function subscriptions(source: CallsSource): Calls | null {
  const { snapshot, context } = source;
  const subscribe = requestFor(context, "subscribe");
  const notification = context.protocol.messages.find(
    (message) =>
      message.kind === "notification" &&
      message.filter !== null &&
      message.subject !== null,
  );
  const filter =
    notification?.kind === "notification" ? notification.filter : null;
  const request =
    subscribe ?? (filter === null ? null : requestFor(context, "listen"));
  const message = subscribe ?? notification;
  if (request === null || message === undefined || !declares(snapshot, message))
    return null;
  const isStream = subscribe === null;
  const subscription = isStream ? "StreamSubscription" : "Subscription";
  // A stream has no response to wait for: a time limit or progress would not be
  // of the subscription.
  const optional = isStream
    ? code`options?: Pick<c.CallOptions, "signal">`
    : options;
  const notifications = code`{ notifications: { ${propertyKey(filter ?? "")}: [uri] } }`;
  const listen = callCode(code`caller.${methodName(context, request)}`, [
    notifications,
    code`options`,
  ]);
  const lambda = fromLayout([
    "(uri, options) =>",
    group(indent([line, listen.layout])),
  ]);
  const members = uriMembers(
    source,
    optional,
    code`c.${identifier(subscription)}`,
    ({ uri }) => docComment([`Subscribes to \`${uri}\`.`]),
  );
  return callsOf(source, {
    name: "subscribe",
    memberDoc: docComment(["Subscribes to resources."]),
    doc: "Functions that subscribe to resources.",
    exports: exportedAs(subscription, "Subscription"),
    requests: isStream
      ? { listen: generic(code`c.StreamCall`, [literal(filter ?? "")]) }
      : { subscribe: code`c.ResourceCall`, unsubscribe: code`c.ResourceCall` },
    members,
    make: isStream ? code`c.streams` : code`c.subscriptions`,
    sender: (caller) => (isStream ? lambda : caller),
    rows: code`uris`,
  });
}
