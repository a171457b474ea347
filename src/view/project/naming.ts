import type { Snapshot } from "../../ir/snapshot/model.js";
import type { Definition } from "../../ir/constraint.js";
import { type Code, code, identifier } from "../typescript/code.js";
import { camelCase, Names, upperFirst, words } from "../typescript/names.js";
import type { Renaming } from "../naming.js";
import { IMPORTED, IMPORTED_CHECKS } from "../typescript/guards/names.js";

/** The maximum length of the part of a name that comes from the server; our suffix always stays. */
const maxLength = 40;

/** Our own names in the files of a project, which no type of a server may use. */
const RESERVED = [
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

/** All identifiers that the files of a project share. */
export class ProjectNaming {
  readonly renamings: Renaming[] = [];
  /** The prefix of names such as `WeatherTools`, from the server's name. */
  readonly stem: string;
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
  readonly templates: readonly string[];
  readonly #types = new Map<string, string>();
  readonly #guards = new Map<string, string>();
  readonly #schemas = new Map<string, string>();
  readonly #jsonSchemas = new Map<string, string>();
  /** By the index of the template; null for a template that cannot be expanded and has no type. */
  readonly #variables: readonly (string | null)[];

  constructor(snapshot: Snapshot, memberNames: MemberNames = {}) {
    this.stem = upperFirst(camelCase(withoutCommonWords(snapshot.name)))
      .slice(0, maxLength)
      .replace(/^(?![A-Za-z_$])/, "_");
    const { tools, prompts, resources, templates } = snapshot;
    this.tools = this.#members(
      tools.map(({ name }) => name),
      memberNames.tools,
    );
    this.prompts = this.#members(
      prompts.map(({ name }) => name),
      memberNames.prompts,
    );
    // Resources and templates are members of one object.
    const members = this.#members(
      [...resources, ...templates].map(({ name }) => name),
      memberNames.resources,
    );
    this.resources = members.slice(0, resources.length);
    this.templates = members.slice(resources.length);

    const types = new Names([...RESERVED, ...suffixes.map((suffix) => `${this.stem}${suffix}`)]);
    const values = new Names([...IMPORTED, ...IMPORTED_CHECKS]);
    const byRoot = new Map<string, Definition[]>();
    for (const definition of snapshot.definitions) {
      byRoot.set(definition.root, [...(byRoot.get(definition.root) ?? []), definition]);
    }
    const add = (key: string | null, base: string): void => {
      const [definition, ...parts] = byRoot.get(key ?? "") ?? [];
      if (definition === undefined) return;
      this.#claim(definition, base, types, values);
      const stem = this.#types.get(definition.key) ?? "";
      for (const part of parts) {
        const label = upperFirst(camelCase(part.label)).slice(0, maxLength);
        this.#claim(part, `${stem}${label}`, types, values);
      }
    };
    tools.forEach(({ input, output }, i) => {
      const stem = stemOf(this.tools[i]);
      add(input, `${stem}Input`);
      add(output, `${stem}Output`);
    });
    prompts.forEach(({ input }, i) => add(input, `${stemOf(this.prompts[i])}Arguments`));
    this.#variables = templates.map(({ parts }, i) =>
      parts === null ? null : types.claim(`${stemOf(this.templates[i])}Variables`),
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

  get typeNames(): readonly string[] {
    return [...this.#types.values(), ...this.#variables.filter((name) => name !== null)];
  }

  get schemaNames(): readonly string[] {
    return [...this.#guards.values(), ...this.#schemas.values()];
  }

  get jsonSchemaNames(): readonly string[] {
    return [...this.#jsonSchemas.values()];
  }

  get validatorNames(): readonly string[] {
    return this.schemaNames;
  }

  #claim(definition: Definition, base: string, types: Names, values: Names): void {
    const type = types.claim(base);
    this.#types.set(definition.key, type);
    this.#guards.set(definition.key, values.claim(`is${type}`));
    this.#schemas.set(definition.key, values.claim(`${type}Schema`));
    if (definition.key === definition.root) {
      this.#jsonSchemas.set(definition.key, values.claim(`${type}JsonSchema`));
    }
  }

  /** Members of one object in the order of their code points. Names chosen by the user are assigned first. */
  #members(wires: readonly string[], memberNames: Readonly<Record<string, string>> = {}): string[] {
    const names = new Names();
    const claim = (wire: string, base: string): string => {
      const name = names.claimMember(base);
      if (name !== base) this.renamings.push({ what: "method", base: wire, identifier: name });
      return name;
    };
    const configured = wires.map((wire) =>
      Object.hasOwn(memberNames, wire) ? claim(wire, memberNames[wire] ?? "") : null,
    );
    return wires.map((wire, i) => configured[i] ?? claim(wire, camelCase(wire)));
  }
}

/** The suffixes of the server's name in our own names. */
const suffixes = [
  "Client",
  "Complete",
  "Connected",
  "Handlers",
  "Mock",
  "Prompts",
  "ReadOnly",
  "Resources",
  "Server",
  "ServerOptions",
  "Subscribe",
  "Tools",
  "Watchers",
];

/** A server's name without generic words: `mcp-weather-server` also gives `createWeatherServer`. */
function withoutCommonWords(name: string): string {
  const parts = words(name);
  const isCommon = (word: string | undefined): boolean =>
    parts.length > 1 && /^(?:mcp|servers?)$/i.test(word ?? "");
  while (isCommon(parts[0])) parts.shift();
  while (isCommon(parts.at(-1))) parts.pop();
  return parts.join("-") || "mcp";
}

function stemOf(member: string | undefined): string {
  return upperFirst(member ?? "").slice(0, maxLength);
}
