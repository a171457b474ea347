import type { Snapshot, Template } from "../../ir/snapshot/model.js";
import type { Definition } from "../../ir/constraint.js";
import { type Code, code, identifier } from "../typescript/code.js";
import {
  camelCase,
  Names,
  shorten,
  upperFirst,
  words,
} from "../typescript/names.js";
import type { Renaming } from "../naming.js";
import { importedNames, importedChecks } from "../typescript/guards/names.js";

/**
 * The maximum length of the part of a name that comes from the server; our
 * suffix always stays.
 */
const maxLength = 40;

/**
 * Our own names in the files of a project, which no type of a server may use.
 */
const ownNames = [
  "Arguments Answer Args Awaitable Caller CallOptions CompleteOptions Completer Completers Completion Context Expandable Expanded Failed",
  "Handlers JsonSchema Progress Reply SdkV1 SdkV2 Server Structured Subscription ToolError ToolResult Succeeded",
  "Unstructured",
]
  .join(" ")
  .split(" ");

/** Members with names chosen by the user, by wire name. */
export interface MemberNames {
  readonly tools?: Readonly<Record<string, string>>;
  readonly prompts?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, string>>;
}

/**
 * The names that members of a project were given, in that order: the identifier
 * and the entry that has it. An entry that the server no longer has keeps its
 * name.
 */
export type GivenNames = Readonly<
  Record<Group, Readonly<Record<string, string>>>
>;

export type Group = (typeof groups)[number];
export const groups = ["tools", "prompts", "resources"] as const;

/** All identifiers that the files of a project share. */
export class ProjectNaming {
  readonly renamings: Renaming[] = [];
  /** The prefix of names such as `WeatherTools`, from the server's name. */
  readonly stem: string;
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
  readonly templates: readonly string[];
  /** The names given before, and the new ones after them. */
  readonly given: GivenNames;
  readonly #types = new Map<string, string>();
  readonly #guards = new Map<string, string>();
  readonly #schemas = new Map<string, string>();
  readonly #jsonSchemas = new Map<string, string>();
  /**
   * By the index of the template; null for a template that cannot be expanded
   * and has no type.
   */
  readonly #variables: readonly (string | null)[];

  constructor(
    snapshot: Snapshot,
    memberNames: MemberNames = {},
    given: Partial<GivenNames> = {},
  ) {
    this.stem = shorten(
      upperFirst(camelCase(withoutCommonWords(snapshot.name))),
      maxLength,
    ).replace(/^(?![\p{L}\p{Nl}_$])/u, "_");
    const { templates } = snapshot;
    const named = (group: Group) => {
      const entries = entriesIn(snapshot, group);
      return this.#members(
        entries,
        memberNames[group],
        withMoves(given[group] ?? {}, entries),
      );
    };
    const [tools, prompts, resources] = [
      named("tools"),
      named("prompts"),
      named("resources"),
    ];
    this.given = {
      tools: tools.given,
      prompts: prompts.given,
      resources: resources.given,
    };
    this.tools = tools.names;
    this.prompts = prompts.names;
    // Resources and templates are members of one object.
    this.resources = resources.names.slice(0, snapshot.resources.length);
    this.templates = resources.names.slice(snapshot.resources.length);

    // The index file exports types and values, and can export a name only once.
    const names = new Names([
      ...ownNames,
      ...suffixes.map((suffix) => `${this.stem}${suffix}`),
      ...importedNames,
      ...importedChecks,
    ]);
    const byRoot = definitionsByRoot(snapshot);
    const add = (key: string | null, base: string): void => {
      const [definition, ...parts] = byRoot.get(key) ?? [];
      if (definition === undefined) return;
      this.#claim(definition, base, names);
      const stem = this.#types.get(definition.key) ?? "";
      for (const part of parts) {
        const label = shorten(upperFirst(camelCase(part.label)), maxLength);
        this.#claim(part, `${stem}${label}`, names);
      }
    };
    // In the order of the given names, so that a type keeps its name too.
    inOrder(
      this.given.tools,
      snapshot.tools,
      this.tools,
      ({ input, output }, member) => {
        const stem = stemOf(member);
        add(input, `${stem}Input`);
        add(output, `${stem}Output`);
      },
    );
    inOrder(
      this.given.prompts,
      snapshot.prompts,
      this.prompts,
      ({ input }, member) => add(input, `${stemOf(member)}Arguments`),
    );
    const variables = new Map<Template, string>();
    inOrder(
      this.given.resources,
      templates,
      this.templates,
      (template, member) => {
        if (template.parts !== null)
          variables.set(template, names.claim(`${stemOf(member)}Variables`));
      },
    );
    this.#variables = templates.map(
      (template) => variables.get(template) ?? null,
    );
  }

  /** The type of a definition, as in `types.ts`. */
  type = (key: string): Code => identifier(this.#types.get(key) ?? "unknown");

  /** The same from another file, where types are imported as `t`. */
  importedType = (key: string): Code => code`t.${this.type(key)}`;

  guard(key: string): Code {
    return identifier(this.#guards.get(key) ?? "");
  }

  schema(key: string): Code {
    return identifier(this.#schemas.get(key) ?? "");
  }

  /** Only for schemas that the server lists; their parts have none. */
  jsonSchema(key: string): Code {
    return identifier(this.#jsonSchemas.get(key) ?? "");
  }

  variables(template: number): Code {
    return identifier(this.#variables[template] ?? "");
  }

  get validatorNames(): readonly string[] {
    return [...this.#guards.values(), ...this.#schemas.values()];
  }

  #claim(definition: Definition, base: string, names: Names): void {
    const type = names.claim(base);
    this.#types.set(definition.key, type);
    this.#guards.set(definition.key, names.claim(`is${type}`));
    this.#schemas.set(definition.key, names.claim(`${type}Schema`));
    if (definition.key === definition.root) {
      this.#jsonSchemas.set(definition.key, names.claim(`${type}JsonSchema`));
    }
  }

  /**
   * Members of one object. Names chosen by the user are assigned first, then
   * those given before, then new ones.
   */
  #members(
    entries: readonly NamedEntry[],
    chosen: Readonly<Record<string, string>> = {},
    given: readonly (readonly [identifier: string, id: string])[],
  ): { readonly names: string[]; readonly given: Record<string, string> } {
    const names = new Names();
    const byId = new Map<string, string>();
    const claim = (id: string, base: string): void => {
      if (!byId.has(id)) byId.set(id, names.claimMember(base));
    };
    const choice = (name: string): string | null =>
      Object.hasOwn(chosen, name) ? (chosen[name] ?? null) : null;
    for (const { id, name } of entries) {
      const base = choice(name);
      if (base !== null) claim(id, base);
    }
    for (const [name, id] of given) claim(id, name);
    for (const { id, name } of entries) claim(id, camelCase(name));
    const nameOf = (id: string): string => byId.get(id) ?? "";
    for (const { id, name } of entries) {
      if (nameOf(id) === (choice(name) ?? camelCase(name))) continue;
      this.renamings.push({
        what: "method",
        base: name,
        identifier: nameOf(id),
      });
    }
    const ids = new Set([
      ...given.map(([, id]) => id),
      ...entries.map(({ id }) => id),
    ]);
    return {
      names: entries.map(({ id }) => nameOf(id)),
      given: Object.fromEntries([...ids].map((id) => [nameOf(id), id])),
    };
  }
}

/** The definitions of each schema of a server, the whole schema first. */
function definitionsByRoot({
  definitions,
}: Snapshot): ReadonlyMap<string | null, readonly Definition[]> {
  const byRoot = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const parts = byRoot.get(definition.root);
    if (parts === undefined) byRoot.set(definition.root, [definition]);
    else parts.push(definition);
  }
  return byRoot;
}

interface NamedEntry {
  readonly name: string;
  /**
   * What no other entry of the group has. Names of resources may repeat, and
   * their URIs may change.
   */
  readonly id: string;
}

/** The entries of a server that are members of one object. */
function entriesIn(
  { tools, prompts, resources, templates }: Snapshot,
  group: Group,
): NamedEntry[] {
  if (group !== "resources")
    return (group === "tools" ? tools : prompts).map(({ name }) => ({
      name,
      id: name,
    }));
  return [
    ...resources.map(({ name, uri }) => ({ name, id: `${name} <${uri}>` })),
    ...templates.map(({ name, template }) => ({
      name,
      id: `${name} <${template}>`,
    })),
  ];
}

/** The name in an id. */
export function nameIn(group: Group, id: string): string {
  return group === "resources" ? id.replace(/ <[^<]*$/, "") : id;
}

/**
 * The given names; a resource that moved to another URI has the name of the one
 * that it was.
 */
function withMoves(
  given: Readonly<Record<string, string>>,
  entries: readonly NamedEntry[],
): [identifier: string, id: string][] {
  const ids = new Set(entries.map(({ id }) => id));
  const known = new Set(Object.values(given));
  const moved = new Map(
    entries
      .filter(({ id }) => !known.has(id))
      .map(({ name, id }) => [name, id]),
  );
  return Object.entries(given).map(([identifier, id]) => {
    const name = nameIn("resources", id);
    const other = ids.has(id) ? undefined : moved.get(name);
    if (other === undefined) return [identifier, id];
    moved.delete(name);
    return [identifier, other];
  });
}

/** Calls the function for each entry in the order of the given names. */
function inOrder<T>(
  given: Readonly<Record<string, string>>,
  entries: readonly T[],
  members: readonly string[],
  each: (entry: T, member: string) => void,
): void {
  const byMember = new Map(members.map((member, i) => [member, entries[i]]));
  for (const member of Object.keys(given)) {
    const entry = byMember.get(member);
    if (entry !== undefined) each(entry, member);
  }
}

/**
 * The names that the members of a new project would have, by kind and what is
 * unique in it.
 */
export function memberNamesOf(snapshot: Snapshot): ReadonlyMap<string, string> {
  const naming = new ProjectNaming({ ...snapshot, definitions: [] });
  const names = new Map<string, string>();
  for (const [i, { name }] of snapshot.tools.entries())
    names.set(`tool ${name}`, naming.tools[i] ?? "");
  for (const [i, { name }] of snapshot.prompts.entries())
    names.set(`prompt ${name}`, naming.prompts[i] ?? "");
  for (const [i, { uri }] of snapshot.resources.entries())
    names.set(`resource ${uri}`, naming.resources[i] ?? "");
  for (const [i, { template }] of snapshot.templates.entries())
    names.set(`template ${template}`, naming.templates[i] ?? "");
  return names;
}

/** The suffixes of the server's name in our own names. */
const suffixes = [
  "Client",
  "Complete",
  "Connected",
  "Handlers",
  "MockAnswers",
  "Prompts",
  "ReadOnly",
  "Resources",
  "ServerOptions",
  "Subscribe",
  "Tools",
  "Watchers",
];

/**
 * A server's name without generic words: `mcp-weather-server` also gives
 * `createWeatherServer`.
 */
function withoutCommonWords(name: string): string {
  const parts = words(name);
  const isCommon = (word: string | undefined): boolean =>
    parts.length > 1 && /^(?:mcp|servers?)$/i.test(word ?? "");
  while (isCommon(parts[0])) parts.shift();
  while (isCommon(parts.at(-1))) parts.pop();
  return parts.join("-") || "mcp";
}

function stemOf(member: string | undefined): string {
  return shorten(upperFirst(member ?? ""), maxLength);
}
