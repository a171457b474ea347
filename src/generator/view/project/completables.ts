import { alternativesIn, constantIn } from "../../ir/constraint/form.js";
import { flattenSchema } from "../../ir/flatten.js";
import { resolve } from "../../ir/lookup.js";
import type { RequestMessage } from "../../ir/model.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import type { Completable, Entries } from "./entries.js";
import { declares, paramSchema, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** Everything that can be completed, and the request for it. */
export interface Completables {
  readonly request: RequestMessage;
  /**
   * The prompts with arguments, and the templates with variables; a group is
   * not empty.
   */
  readonly groups: readonly {
    readonly key: "prompts" | "resources";
    /** The type of a reference on the wire. */
    readonly type: string;
    readonly entries: readonly Completable[];
  }[];
}

/**
 * Null if the revision has no completion, the server does not declare it, or
 * there is nothing to complete.
 */
export function completablesIn(
  snapshot: Snapshot,
  entries: Entries,
  context: RevisionContext,
): Completables | null {
  const request = requestFor(context, "complete");
  if (request === null || !declares(snapshot, request)) return null;
  const groups = (["prompts", "resources"] as const).flatMap((key) => {
    const completable = (entries[key] as readonly Completable[]).filter(
      ({ names }) => names.length > 0,
    );
    const type = tagOf(context, request, key === "prompts" ? "name" : "uri");
    return completable.length === 0
      ? []
      : [{ key, type, entries: completable }];
  });
  return groups.length === 0 ? null : { request, groups };
}

/** The type of the reference with this member. */
function tagOf(
  context: RevisionContext,
  request: RequestMessage,
  member: "name" | "uri",
): string {
  const { declarations } = context;
  const schema = paramSchema(context, request, "ref");
  for (const alternative of schema === null
    ? []
    : alternativesIn(resolve(declarations, schema))) {
    const properties =
      flattenSchema(declarations, alternative)?.properties ?? [];
    const tag = properties.find(({ name }) => name === "type");
    const value = tag && constantIn(tag.schema);
    if (value !== undefined && properties.some(({ name }) => name === member))
      return String(value);
  }
  return "";
}
