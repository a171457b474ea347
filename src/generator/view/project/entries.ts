import type { Definition } from "../../ir/constraint.js";
import { propertiesIn } from "../../ir/constraint/form.js";
import type {
  Entry,
  Prompt,
  Snapshot,
  TemplatePart,
  Tool,
} from "../../ir/snapshot/model.js";
import { variablesIn } from "../../ir/snapshot/template.js";
import { type Code, identifier } from "../typescript/code.js";
import { entryDoc, toolDoc } from "./docs.js";
import type { ProjectNaming } from "./naming.js";

/** An entry of a server that is a member of a project. */
export interface Named<E extends Entry> {
  readonly entry: E;
  readonly member: string;
  /** The member as code. */
  readonly name: Code;
}

/** A tool with its comment, which the client and the server have. */
export interface NamedTool extends Named<Tool> {
  readonly doc: Code | null;
}

/** A prompt, or a template, with the names of its arguments or variables. */
export interface Completable extends Named<Entry> {
  readonly names: readonly string[];
}

interface NamedPrompt extends Named<Prompt>, Completable {
  readonly entry: Prompt;
  readonly doc: Code | null;
  readonly required: readonly string[];
}

/** A resource, or a template that can be expanded. */
export interface NamedResource extends Completable {
  readonly uri: string;
  /** Null for a resource without variables. */
  readonly template: {
    readonly parts: readonly TemplatePart[];
    readonly type: Code;
  } | null;
}

/** The entries of a server that are members of a project. */
export interface Entries {
  readonly tools: readonly NamedTool[];
  readonly prompts: readonly NamedPrompt[];
  readonly resources: readonly NamedResource[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

export function entriesOf(snapshot: Snapshot, naming: ProjectNaming): Entries {
  const definitions = new Map(
    snapshot.definitions.map((definition) => [definition.key, definition]),
  );
  const named = <E extends Entry>(
    entries: readonly E[],
    members: readonly string[],
  ): Named<E>[] =>
    entries.map((entry, i) => {
      const member = members[i] ?? "";
      return { entry, member, name: identifier(member) };
    });
  const resources = [
    ...named(snapshot.resources, naming.resources).map((resource) => ({
      ...resource,
      uri: resource.entry.uri,
      names: [],
      template: null,
    })),
    ...named(snapshot.templates, naming.templates).flatMap((resource, i) => {
      const { parts, template: uri } = resource.entry;
      if (parts === null) return [];
      const template = { parts, type: naming.variables(i) };
      return [{ ...resource, uri, names: variablesIn(parts), template }];
    }),
  ];
  return {
    definitions,
    tools: named(snapshot.tools, naming.tools).map((tool) => ({
      ...tool,
      doc: toolDoc(tool.entry, definitions.get(tool.entry.input)),
    })),
    prompts: named(snapshot.prompts, naming.prompts).map((prompt) => {
      const definition = definitions.get(prompt.entry.input ?? "");
      const properties =
        definition === undefined ? [] : propertiesIn(definition.schema);
      const required = properties.filter(({ optional }) => !optional);
      const namesOf = (list: typeof properties): string[] =>
        list.map(({ name }) => name);
      const doc = entryDoc(prompt.entry);
      return {
        ...prompt,
        doc,
        names: namesOf(properties),
        required: namesOf(required),
      };
    }),
    resources,
  };
}
