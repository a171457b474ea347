import type { Scope } from "../../diagnostics.js";
import type { Check, Schema } from "../../ir/constraint.js";
import type { SchemaContext, SchemaPolicy } from "../json-schema/context.js";
import { readSchema } from "../json-schema/schema.js";
import { malformed, prepare } from "./prepare.js";
import { stringOf, type JsonNode, type JsonObject } from "./text/tree.js";

/** The target of a `$ref` in a schema file. */
export type Target =
  /** A definition, which becomes a declaration. */
  | { readonly kind: "named"; readonly name: string }
  /** A schema without a name, which is inlined. */
  | { readonly kind: "unnamed"; readonly node: JsonNode }
  /** No target: a message and a hint for the diagnostic. */
  | { readonly kind: "none"; readonly problem: string; readonly hint: string };

/** What reading the definitions of a file collects for `typeOf`. */
export interface FileSchemas {
  readonly target: (ref: string) => Target;
  /** The targets of references by the key of the reference. */
  readonly targets: Map<string, string | Schema>;
  /** The number of inlined references. */
  readonly inlined: { count: number };
  /** The origin of each schema, for diagnostics about its type. */
  readonly origins: Map<Schema, { readonly scope: Scope; readonly at: number }>;
}

/** Maximum number of inlined references in a file, and their maximum depth. */
const maxInlined = 10_000;
const maxDepth = 20;

/**
 * The policy for the schema of a revision. A mistake is an error. Conditions that the model cannot express are reported and
 * not read. References to schemas without a name are inlined; `openReferences` has those whose inlining has started, to detect cycles.
 */
export function revisionPolicy(
  file: FileSchemas,
  openReferences: ReadonlySet<string> = new Set(),
): SchemaPolicy {
  return {
    prepare,
    malformed,
    reference: (context, node, ref) => readReference(file, openReferences, context, node, ref),
    finish: (context, node, schema) => finish(file, context, node, schema),
  };
}

function readReference(
  file: FileSchemas,
  openReferences: ReadonlySet<string>,
  context: SchemaContext,
  node: JsonNode,
  ref: string,
): readonly Check[] {
  const fail = (problem: string, hint: string): readonly Check[] => {
    context.scope.error("MG204", context.locationAt(node.at), problem, hint);
    return [];
  };
  const target = file.target(ref);
  switch (target.kind) {
    case "none":
      return fail(target.problem, target.hint);
    case "named":
      file.targets.set(ref, target.name);
      return [{ kind: "reference", key: ref }];
    case "unnamed": {
      if (openReferences.has(ref))
        return fail(`the reference "${ref}" is circular`, "give the schema a name among the definitions");
      // Inlined schemas may contain further references, so a small file could expand exponentially.
      file.inlined.count += 1;
      const key = `${file.inlined.count} ${ref}`;
      if (file.inlined.count > maxInlined || openReferences.size >= maxDepth) {
        const hint = "give the target a name among the definitions";
        return fail(`too many references to schemas without a name: "${ref}"`, hint);
      }
      const policy = revisionPolicy(file, new Set([...openReferences, ref]));
      file.targets.set(key, readSchema({ ...context, policy }, target.node));
      return [{ kind: "reference", key }];
    }
    default:
      return target satisfies never;
  }
}

/** Adds the `format` of strings as a tag, and null if the schema is `nullable`, which older generators write. */
function finish(file: FileSchemas, context: SchemaContext, node: JsonObject, result: Schema): Schema {
  const format = stringOf(node.members.get("format")?.value ?? null);
  const { doc } = result;
  const schema: Schema =
    format === null
      ? result
      : { ...result, doc: { ...doc, tags: [...doc.tags, { name: "format", text: format }] } };
  file.origins.set(schema, { scope: context.scope, at: node.at });
  const nullable = node.members.get("nullable")?.value;
  if (nullable?.kind !== "scalar" || nullable.value !== true) return schema;
  const isNull: Schema = { doc: { text: "", tags: [] }, checks: [{ kind: "type", types: ["null"] }] };
  return { doc, checks: [{ kind: "any", schemas: [schema, isNull] }] };
}
