import type { Diagnostics, Scope } from "../diagnostics.js";
import { assemble } from "../ir/derive/index.js";
import { factsIn } from "../ir/derive/revision.js";
import { index } from "../ir/lookup.js";
import type { Declaration, Protocol } from "../ir/model.js";
import type { ExtensionSchema } from "./typescript/extension.js";
import { checkGraph } from "../ir/check/graph.js";
import { merge } from "./merge.js";
import { withRenamedConstants } from "./rename-constants.js";

/** True if the protocol has all types that the extension imports. */
export function fits(
  { declarations }: Protocol,
  { imports }: ExtensionSchema,
): boolean {
  const names = new Set(declarations.map(({ name }) => name));
  return imports.every((name) => names.has(name));
}

/**
 * Merges an extension into a protocol. A declaration with the name of one of
 * the revision adds to it: members and bases to an interface, members to the
 * object of a member, alternatives to a union. A constant is never merged.
 * Reports a declaration that cannot be merged and returns null.
 */
export function extend(
  protocol: Protocol,
  schema: ExtensionSchema,
  diagnostics: Diagnostics,
): Protocol | null {
  const hasErrors = diagnostics.watch();
  const extension = withRenamedConstants(protocol, schema);
  const { id, declaredBy, source, locationOf } = extension;
  const scope = diagnostics.in(`extension ${id}`);
  const earlier = new Set(protocol.extensions.flatMap(({ adds }) => adds));
  const declarations = new Map(
    protocol.declarations.map((entry) => [entry.name, entry]),
  );
  const adds: string[] = [];
  if (protocol.extensions.some((other) => other.id === id)) {
    scope.error(
      "MG121",
      null,
      `the extension "${id}" is already included`,
      "name it once",
    );
    return null;
  }
  const known = index([...protocol.declarations, ...extension.declarations]);
  // Merging resolves the types of both, so cycles are reported first.
  checkGraph([...known.values()], locationOf, scope);
  if (hasErrors()) return null;
  for (const declaration of extension.declarations) {
    const { name } = declaration;
    const original = declarations.get(name);
    if (original === undefined) adds.push(name);
    const merged =
      original === undefined
        ? declaration
        : earlier.has(name)
          ? null
          : merge(known, original, declaration);
    if (merged !== null) declarations.set(name, merged);
    else reportClash(scope, extension, declaration, earlier.has(name));
  }
  if (hasErrors()) return null;
  return assemble(
    [...declarations.values()],
    {
      revision: protocol.revision,
      source: protocol.source,
      facts: factsIn(protocol),
      extensions: [
        ...protocol.extensions,
        { id, ...(declaredBy && { declaredBy }), source, adds },
      ],
      locationOf,
    },
    diagnostics,
  );
}

function reportClash(
  scope: Scope,
  { locationOf }: ExtensionSchema,
  { name, kind }: Declaration,
  isFromExtension: boolean,
): void {
  const whose = isFromExtension
    ? "another extension"
    : "the revision, as another kind of declaration";
  scope.error(
    "MG122",
    locationOf(name),
    `the ${kind} "${name}" is also declared by ${whose}`,
    "only an interface can add to an interface or to another object, and a type alias to a type alias; otherwise choose another name",
  );
}
