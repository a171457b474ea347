import type { Snapshot } from "../../ir/snapshot/model.js";
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
import { upperFirst } from "../typescript/names.js";
import { table } from "./calls.js";
import { type Completables, completablesIn } from "./completables.js";
import { entryDoc } from "./docs.js";
import type { Completable, Entries } from "./entries.js";
import { matchedVariables, type Member, membersCode } from "./members.js";
import type { Group, ProjectNaming } from "./naming.js";
import { declares, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The handlers of one kind of a server, such as its tools. */
export interface Handlers {
  readonly kind: Code;
  /** The type of the handlers; null if the server lists nothing of the kind. */
  readonly body: Code | null;
  /**
   * `toolRows: s.Rows<WeatherHandlers["tools"], s.ToolRow> = { … }`; null in
   * that case too.
   */
  readonly table: Code | null;
  /**
   * The handlers of the runtime:
   * `...s.projectTools(options, toolRows, snapshot)`
   */
  readonly entry: Code;
}

/** What the handlers of a server are made from. */
export interface HandlersSource {
  readonly snapshot: Snapshot;
  readonly naming: ProjectNaming;
  readonly entries: Entries;
  /** The revisions of the server, the newest first. */
  readonly contexts: readonly [RevisionContext, ...RevisionContext[]];
  readonly scopes: ToolScopes;
}

/**
 * The scopes that callers of a protected server need for a tool, by its wire
 * name.
 */
export type ToolScopes = Readonly<Record<string, readonly string[]>>;

const context = code`context: Context`;

/** A member of the handlers, and its row. */
type Handler = Member & { readonly row: Code };

/**
 * Null if the server has no entries of the kind, and does not declare its
 * capability.
 */
function handlersOf(
  { snapshot, naming }: HandlersSource,
  kind: Group,
  members: readonly Handler[],
  isListed: boolean,
): Handlers | null {
  const hasEntries = members.length > 0;
  if (!hasEntries && !isListed && !Object.hasOwn(snapshot.capabilities, kind))
    return null;
  const one = kind.slice(0, -1);
  const rows = identifier(`${one}Rows`);
  const type = indexedType(
    code`${identifier(naming.stem)}Handlers`,
    literal(kind),
  );
  const list = members.map(({ row }) => row);
  const args = hasEntries
    ? code`options, ${rows}`
    : code`{ ${identifier(kind)}: {} }, {}`;
  return {
    kind: identifier(kind),
    body: hasEntries ? membersCode(members) : null,
    table: hasEntries
      ? table(rows, code`s`, type, identifier(`${upperFirst(one)}Row`), list)
      : null,
    entry: code`...s.project${identifier(upperFirst(kind))}(${args}, snapshot)`,
  };
}

export function toolHandlers(source: HandlersSource): Handlers | null {
  const { naming, entries, scopes } = source;
  const handlers = entries.tools.map(({ entry: tool, name, doc }): Handler => {
    const { input, output } = tool;
    const type = output === null ? null : naming.importedType(output);
    const answer =
      type === null
        ? code`ToolAnswer`
        : unionCode([type, generic(code`Reply`, [type])]);
    const own = Object.hasOwn(scopes, tool.name)
      ? (scopes[tool.name] ?? [])
      : [];
    const schemas = [input, ...(output === null ? [] : [output])].map(
      (key) => code`v.${naming.schema(key)}`,
    );
    const scoped =
      own.length === 0
        ? []
        : [
            ...(output === null ? [code`undefined`] : []),
            arrayCode(own.map(literal)),
          ];
    return {
      doc,
      text: signature(
        name,
        [code`args: ${naming.importedType(input)}`, context],
        generic(code`Awaitable`, [answer]),
      ),
      row: rowCode(
        name,
        arrayCode([literal(tool.name), ...schemas, ...scoped]),
      ),
    };
  });
  return handlersOf(source, "tools", handlers, false);
}

export function promptHandlers(source: HandlersSource): Handlers | null {
  const { naming, entries } = source;
  const completed = completedIn(source);
  const handlers = entries.prompts.map((prompt): Handler => {
    const { entry, name, doc, names, required } = prompt;
    const { input } = entry;
    const args =
      input === null
        ? code`args: { [name: string]: string }`
        : code`args: ${naming.importedType(input)}`;
    const lists = completed.has(prompt)
      ? [required, names]
      : required.length > 0
        ? [required]
        : [];
    const row = [
      literal(entry.name),
      ...(input === null ? [] : [code`v.${naming.schema(input)}`]),
      ...lists.map((list) => arrayCode(list.map(literal))),
    ];
    return {
      doc,
      text: signature(name, [args, context], code`Awaitable<PromptAnswer>`),
      row: rowCode(name, arrayCode(row)),
    };
  });
  return handlersOf(source, "prompts", handlers, false);
}

export function resourceHandlers(source: HandlersSource): Handlers | null {
  const completed = completedIn(source);
  const handlers = source.entries.resources.map((resource): Handler => {
    const { entry, name, uri, names, template } = resource;
    const args = template === null ? [] : [matchedVariables(template.parts)];
    const variables = completed.has(resource) ? names : [];
    return {
      doc: entryDoc(entry, [`The resource \`${uri}\`.`]),
      text: signature(
        name,
        [...args, context],
        code`Awaitable<ResourceAnswer>`,
      ),
      row: rowCode(
        name,
        template === null
          ? literal(uri)
          : arrayCode([uri, ...variables].map(literal)),
      ),
    };
  });
  return handlersOf(
    source,
    "resources",
    handlers,
    source.snapshot.templates.length > 0,
  );
}

/** What the server completes; null without it. */
export function completionOf({
  snapshot,
  entries,
  contexts,
}: HandlersSource): Completables | null {
  return completablesIn(snapshot, entries, contexts[0]);
}

/** The prompts and templates that the server completes. */
const completedIn = (source: HandlersSource): ReadonlySet<Completable> =>
  new Set(completionOf(source)?.groups.flatMap(({ entries }) => entries));

/**
 * `{ readonly prompts?: { … }; readonly resources?: { … } }`: the optional
 * completers of a server.
 */
export function completersCode({ groups }: Completables): Code {
  return membersCode(
    groups.map(({ key, entries }) => ({
      doc: null,
      text: code`readonly ${identifier(key)}?: ${membersCode(entries.map(completers))}`,
    })),
  );
}

function completers({ name, names }: Completable): Member {
  return {
    doc: null,
    text: code`readonly ${name}?: ${generic(code`Completers`, [unionCode(names.map(literal))])}`,
  };
}

/**
 * True if clients can subscribe to resources by requests of a revision of the
 * server. The newest may have another way.
 */
export function isWatched({
  snapshot,
  entries,
  contexts,
}: HandlersSource): boolean {
  return (
    entries.resources.length > 0 &&
    contexts.some((each) => {
      const [subscribe, unsubscribe] = [
        requestFor(each, "subscribe"),
        requestFor(each, "unsubscribe"),
      ];
      return (
        subscribe !== null &&
        unsubscribe !== null &&
        declares(snapshot, subscribe)
      );
    })
  );
}
