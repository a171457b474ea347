import { alternativesIn, constantIn, propertiesIn } from "../../ir/constraint/form.js";
import { flattenSchema } from "../../ir/flatten.js";
import { resolve } from "../../ir/lookup.js";
import type { RequestMessage } from "../../ir/model.js";
import type { Prompt, Snapshot } from "../../ir/snapshot/model.js";
import { variablesIn } from "../../ir/snapshot/template.js";
import type { ProjectNaming } from "./naming.js";
import { declares, paramSchema, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** A prompt or template whose arguments or variables can be completed. */
export interface Completable {
  /** Its member in the project. */
  readonly member: string;
  /** The arguments or variables, at least one. */
  readonly names: readonly string[];
  /** The reference on the wire: its type and one more member. */
  readonly ref: { readonly type: string; readonly by: "name" | "uri"; readonly value: string };
}

/** Everything that can be completed, and the request for it. */
export interface Completables {
  readonly request: RequestMessage;
  readonly prompts: readonly Completable[];
  readonly templates: readonly Completable[];
}

/** Null if the revision has no completion, the server does not declare it, or there is nothing to complete. */
export function completablesIn(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
): Completables | null {
  const request = requestFor(context, "complete");
  if (request === null || !declares(snapshot, request)) return null;
  const hasNames = ({ names }: Completable): boolean => names.length > 0;
  const prompts = snapshot.prompts.map((prompt, i): Completable => {
    const ref = { type: tagOf(context, request, "name"), by: "name", value: prompt.name } as const;
    return { member: naming.prompts[i] ?? "", names: argumentsOf(snapshot, prompt), ref };
  });
  const templates = snapshot.templates.map(({ template, parts }, i): Completable => {
    const ref = { type: tagOf(context, request, "uri"), by: "uri", value: template } as const;
    return { member: naming.templates[i] ?? "", names: variablesIn(parts ?? []), ref };
  });
  const all = { request, prompts: prompts.filter(hasNames), templates: templates.filter(hasNames) };
  return all.prompts.length + all.templates.length === 0 ? null : all;
}

/** The type of the reference with this member. */
function tagOf(context: RevisionContext, request: RequestMessage, member: "name" | "uri"): string {
  const { declarations } = context;
  const schema = paramSchema(context, request, "ref");
  for (const alternative of schema === null ? [] : alternativesIn(resolve(declarations, schema))) {
    const properties = flattenSchema(declarations, alternative)?.properties ?? [];
    const tag = properties.find(({ name }) => name === "type");
    const value = tag && constantIn(tag.schema);
    if (value !== undefined && properties.some(({ name }) => name === member)) return String(value);
  }
  return "";
}

/** The names of a prompt's arguments. */
function argumentsOf({ definitions }: Snapshot, { input }: Prompt): string[] {
  const definition = definitions.find(({ key }) => key === input);
  return definition === undefined ? [] : propertiesIn(definition.schema).map(({ name }) => name);
}
