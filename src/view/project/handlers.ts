import { propertiesIn } from "../../ir/constraint/form.js";
import type { Entry, Snapshot } from "../../ir/snapshot/model.js";
import {
  arrayCode,
  type Code,
  code,
  generic,
  identifier,
  indexedType,
  literal,
  rowCode,
  signature,
  unionCode,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { table } from "./calls.js";
import { type Completable, type Completables, completablesIn } from "./completables.js";
import { entryDoc, toolDoc } from "./docs.js";
import { matchedVariables, type Member, membersCode, shorthand } from "./members.js";
import type { ProjectNaming } from "./naming.js";
import { declares, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The handlers of one kind of a server, such as its tools. */
export interface Handlers {
  readonly kind: "tools" | "prompts" | "resources";
  readonly members: readonly Member[];
  /** `toolRows: s.Rows<WeatherHandlers["tools"], s.ToolRow> = { … }`; null if the server lists nothing of the kind. */
  readonly table: Code | null;
  /** The handlers of the runtime: `...tools(...s.toolsOf(options, toolRows, snapshot))` */
  readonly entry: Code;
}

/** What the handlers of a server are made from. */
export interface HandlersSource {
  readonly snapshot: Snapshot;
  readonly naming: ProjectNaming;
  /** The revisions of the server, the newest first. */
  readonly contexts: readonly [RevisionContext, ...RevisionContext[]];
  readonly scopes: ToolScopes;
}

/** The scopes that callers of a protected server need for a tool, by its wire name. */
export type ToolScopes = Readonly<Record<string, readonly string[]>>;

const context = code`context: Context`;

/** The members and rows of one kind, to be read as pairs. */
type Pairs = readonly (readonly [member: Member, row: Code])[];

/** Null if the server has no entries of the kind, and does not declare its capability. */
function handlersOf(
  { snapshot, naming }: HandlersSource,
  kind: Handlers["kind"],
  pairs: Pairs,
  isListed: boolean,
): Handlers | null {
  const rows = { tools: code`toolRows`, prompts: code`promptRows`, resources: code`resourceRows` }[kind];
  const row = { tools: code`ToolRow`, prompts: code`PromptRow`, resources: code`ResourceRow` }[kind];
  const members = indexedType(code`${identifier(naming.stem)}Handlers`, literal(kind));
  if (pairs.length > 0)
    return {
      kind,
      members: pairs.map(([member]) => member),
      table: table(
        rows,
        code`s`,
        members,
        row,
        pairs.map(([, each]) => each),
      ),
      entry: code`...${identifier(kind)}(...s.${identifier(kind)}Of(options, ${rows}, snapshot))`,
    };
  if (!isListed && !Object.hasOwn(snapshot.capabilities, kind)) return null;
  const list = kind === "resources" ? code`snapshot.resourceTemplates` : code`snapshot.${identifier(kind)}`;
  const entry = code`...${identifier(kind)}([], { listed: ${list} ?? [] })`;
  return { kind, members: [], table: null, entry };
}

export function toolHandlers(source: HandlersSource): Handlers | null {
  const { snapshot, naming, scopes } = source;
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  const pairs = snapshot.tools.map((tool, i): Pairs[number] => {
    const name = identifier(naming.tools[i] ?? "");
    const output = tool.output === null ? null : naming.importedType(tool.output);
    const answer = output === null ? code`ToolAnswer` : unionCode([output, generic(code`Reply`, [output])]);
    const own = Object.hasOwn(scopes, tool.name) ? (scopes[tool.name] ?? []) : [];
    const row = shorthand([
      code`name: ${literal(tool.name)}`,
      ...(own.length === 0 ? [] : [code`scopes: ${arrayCode(own.map(literal))}`]),
      code`inputSchema: v.${naming.schema(tool.input)}`,
      ...(tool.output === null ? [] : [code`outputSchema: v.${naming.schema(tool.output)}`]),
    ]);
    const text = signature(
      name,
      [code`args: ${naming.importedType(tool.input)}`, context],
      generic(code`Awaitable`, [answer]),
    );
    return [{ doc: toolDoc(tool, definitions.get(tool.input)), text }, rowCode(name, row)];
  });
  return handlersOf(source, "tools", pairs, false);
}

export function promptHandlers(source: HandlersSource): Handlers | null {
  const { snapshot, naming } = source;
  const completed = new Set(completionOf(source)?.prompts.map(({ member }) => member));
  const pairs = snapshot.prompts.map((prompt, i): Pairs[number] => {
    const member = naming.prompts[i] ?? "";
    const { input } = prompt;
    const args =
      input === null ? code`args: { [name: string]: string }` : code`args: ${naming.importedType(input)}`;
    const schema = snapshot.definitions.find(({ key }) => key === input)?.schema;
    const named = (schema === undefined ? [] : propertiesIn(schema)).map(({ name, optional }) =>
      shorthand([code`name: ${literal(name)}`, ...(optional ? [] : [code`required: true`])]),
    );
    const row = shorthand([
      code`name: ${literal(prompt.name)}`,
      ...(named.length === 0 ? [] : [code`arguments: ${arrayCode(named)}`]),
      ...(input === null ? [] : [code`input: v.${naming.schema(input)}`]),
      ...(completed.has(member) ? [code`completes: true`] : []),
    ]);
    const text = signature(identifier(member), [args, context], code`Awaitable<PromptAnswer>`);
    return [{ doc: entryDoc(prompt), text }, rowCode(identifier(member), row)];
  });
  return handlersOf(source, "prompts", pairs, false);
}

export function resourceHandlers(source: HandlersSource): Handlers | null {
  const { snapshot, naming } = source;
  const completed = new Map(completionOf(source)?.templates.map(({ member, names }) => [member, names]));
  const watched = isWatched(source) ? [code`watched: true`] : [];
  const pair = (
    member: string,
    { name, ...entry }: Entry,
    uri: string,
    parameters: readonly Code[],
    row: readonly Code[],
  ): Pairs[number] => [
    {
      doc: entryDoc({ name, ...entry }, [`Called when a client reads \`${uri}\`.`]),
      text: signature(identifier(member), [...parameters, context], code`Awaitable<ResourceAnswer>`),
    },
    rowCode(identifier(member), shorthand([...row, code`name: ${literal(name)}`, ...watched])),
  ];
  const pairs = [
    ...snapshot.resources.map((entry, i) =>
      pair(naming.resources[i] ?? "", entry, entry.uri, [], [code`uri: ${literal(entry.uri)}`]),
    ),
    ...snapshot.templates.flatMap((entry, i) => {
      if (entry.parts === null) return [];
      const member = naming.templates[i] ?? "";
      const names = completed.get(member);
      const row = [
        code`uriTemplate: ${literal(entry.template)}`,
        ...(names ? [code`completes: ${arrayCode(names.map(literal))}`] : []),
      ];
      return [pair(member, entry, entry.template, [matchedVariables(entry.parts)], row)];
    }),
  ];
  return handlersOf(source, "resources", pairs, snapshot.templates.length > 0);
}

/** What the server completes; null without it. */
export function completionOf({ snapshot, naming, contexts }: HandlersSource): Completables | null {
  return completablesIn(snapshot, naming, contexts[0]);
}

/** `{ readonly prompts?: { … }; readonly resources?: { … } }`: the optional completers of a server. */
export function completersCode({ prompts, templates }: Completables): Code {
  const groups = [
    { key: code`prompts`, entries: prompts },
    { key: code`resources`, entries: templates },
  ].filter(({ entries }) => entries.length > 0);
  return membersCode(
    groups.map(({ key, entries }) => ({
      doc: null,
      text: code`readonly ${key}?: ${membersCode(entries.map(completers))}`,
    })),
  );
}

function completers({ member, names }: Completable): Member {
  return {
    doc: docComment([`Completes ${names.map((argument) => `\`${argument}\``).join(", ")}.`]),
    text: code`readonly ${identifier(member)}?: ${generic(code`Completers`, [unionCode(names.map(literal))])}`,
  };
}

/** True if a revision of the server has requests to subscribe, which the server declares. The newest may have another way. */
function isWatched({ snapshot, contexts }: HandlersSource): boolean {
  return contexts.some((each) => {
    const [subscribe, unsubscribe] = [requestFor(each, "subscribe"), requestFor(each, "unsubscribe")];
    return subscribe !== null && unsubscribe !== null && declares(snapshot, subscribe);
  });
}

/** The functions that a server calls for subscriptions. */
export function watchers(source: HandlersSource): Member[] {
  if (!isWatched(source)) return [];
  const { snapshot, naming } = source;
  const member = (uri: string, name: string | undefined, parameters: readonly Code[]): Member => ({
    doc: docComment([`Called for subscriptions to \`${uri}\`.`]),
    text: signature(code`${identifier(name ?? "")}?`, [...parameters, context], code`Awaitable<void>`),
  });
  return [
    ...snapshot.resources.map(({ uri }, i) => member(uri, naming.resources[i], [])),
    ...snapshot.templates.flatMap(({ template, parts }, i) =>
      parts === null ? [] : [member(template, naming.templates[i], [matchedVariables(parts)])],
    ),
  ];
}
