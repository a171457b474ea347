import { flattenType } from "../../ir/flatten.js";
import type { Index } from "../../ir/lookup.js";
import type { Type } from "../../ir/model.js";
import { partsOf } from "../../ir/walk.js";

/**
 * The objects without a name that several guards would check, or one guard twice: `inputSchema` and `outputSchema` of a
 * tool, and what a base writes inline for all that extend it. One guard checks each of them wherever it stands.
 */
export function repeatedTypes(declarations: Index): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const visit = (type: Type): void => {
    if (isSizable(type)) {
      const text = textOf(type);
      if (seen.has(text)) {
        repeated.add(text);
        return;
      }
      seen.add(text);
    }
    partsOf(type).forEach(visit);
  };
  for (const { kind, name } of declarations.values()) {
    if (kind === "constant") continue;
    const flat = flattenType(declarations, { kind: "reference", name });
    for (const { type } of flat?.properties ?? []) visit(type);
    if (flat?.rest) visit(flat.rest);
  }
  return repeated;
}

/** Does checking the object take more than calling a function would? */
function isSizable(type: Type): boolean {
  return type.kind === "object" && type.properties.length > 1;
}

/** Has the type, which stands here without a name, a guard of its own? */
export function isRepeated(repeated: ReadonlySet<string>, type: Type): boolean {
  return isSizable(type) && repeated.has(textOf(type));
}

/** A type as text: the same for types that differ in their comments alone. */
export function textOf(type: Type): string {
  return JSON.stringify(type, (key, value: unknown) => (key === "doc" ? undefined : value));
}
