import { capabilityTypes, names, wellKnownExtensions } from "../../ir/facts.js";
import { flatten, flattenSchema } from "../../ir/flatten.js";
import type { Side } from "../../ir/model.js";
import {
  extensionOf,
  receivedBy,
  requests,
  type RevisionContext,
  variantsOf,
} from "./messages.js";

/**
 * The ids of the extensions that a side declares by itself: those of which it
 * handles no request and no kind of result, for which its capabilities have no
 * settings, and for which the runtime has no functions. It declares the others
 * if it has a handler for them, or if its options contain them. A client
 * declares none that only servers declare. Empty if the capabilities have no
 * member for extensions, as in older revisions.
 */
export function ownExtensions(context: RevisionContext, side: Side): string[] {
  const { declarations, protocol } = context;
  const capabilities =
    flatten(declarations, capabilityTypes[side])?.properties ?? [];
  const extensions = capabilities.find(({ name }) => name === names.extensions);
  if (extensions === undefined) return [];
  const settings =
    flattenSchema(declarations, extensions.schema)?.properties ?? [];
  const hasSettings = (id: string): boolean => {
    const schema = settings.find(({ name }) => name === id)?.schema;
    return (
      schema !== undefined &&
      flattenSchema(declarations, schema)?.properties.length !== 0
    );
  };
  const handledIds = new Set(
    requests(context).flatMap((message) =>
      receivedBy(side, message)
        ? [extensionOf(context, message.name)?.id]
        : variantsOf(context, message).map(({ extension }) => extension),
    ),
  );
  return protocol.extensions
    .filter(({ declaredBy = side }) => declaredBy === side)
    .map(({ id }) => id)
    .filter((id) => !handledIds.has(id) && !hasSettings(id))
    .filter((id) => wellKnownExtensions.every((fact) => fact.id !== id));
}

/**
 * The ids of the extensions for which the runtime has functions, by role; also
 * of those whose types the revision declares itself.
 */
export function wellKnownExtensionsOf({
  protocol,
  declarations,
}: RevisionContext): (readonly [role: string, id: string])[] {
  return wellKnownExtensions.flatMap(({ role, id, marker }) => {
    const isKnown =
      declarations.has(marker) ||
      protocol.extensions.some((extension) => extension.id === id);
    return role !== undefined && isKnown ? [[role, id] as const] : [];
  });
}
