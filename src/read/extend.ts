import type { Diagnostics, Scope } from "../diagnostics.js";
import { assemble } from "../ir/derive/index.js";
import { type Index, index, resolve } from "../ir/lookup.js";
import type { AliasDeclaration, Declaration, InterfaceDeclaration, Protocol, Type } from "../ir/model.js";
import type { ExtensionSchema } from "./typescript/extension.js";
import { intersection, union } from "../ir/combine.js";

/** True if the protocol has all types that the extension imports. */
export function fits({ declarations }: Protocol, { imports }: ExtensionSchema): boolean {
  const names = new Set(declarations.map(({ name }) => name));
  return imports.every((name) => names.has(name));
}

/**
 * Merges an extension into a protocol. A declaration with the name of one of the revision adds to it: members and bases to an
 * interface, members to a union. Reports a declaration that cannot be merged and returns null.
 */
export function extend(
  protocol: Protocol,
  extension: ExtensionSchema,
  diagnostics: Diagnostics,
): Protocol | null {
  const before = diagnostics.list.length;
  const { id, source, placeOf } = extension;
  const scope = diagnostics.in(`extension ${id}`);
  const earlier = new Set(protocol.extensions.flatMap(({ adds }) => adds));
  const declarations = new Map(protocol.declarations.map((entry) => [entry.name, entry]));
  const adds: string[] = [];
  if (protocol.extensions.some((other) => other.id === id)) {
    scope.error("MG121", null, `the extension "${id}" is already included`, "name it once");
    return null;
  }
  for (const declaration of extension.declarations) {
    const { name } = declaration;
    const known = declarations.get(name);
    if (known === undefined) adds.push(name);
    const merged = known === undefined ? declaration : earlier.has(name) ? null : merge(known, declaration);
    if (merged !== null) declarations.set(name, merged);
    else reportClash(scope, extension, declaration, earlier.has(name));
  }
  if (diagnostics.list.slice(before).some(({ severity }) => severity === "error")) return null;
  return assemble(
    [...declarations.values()].map((entry) =>
      adds.includes(entry.name) ? spread(index([...declarations.values()]), entry) : entry,
    ),
    {
      revision: protocol.revision,
      source: protocol.source,
      extensions: [...protocol.extensions, { id, source, adds }],
      placeOf,
    },
    diagnostics,
  );
}

function merge(known: Declaration, more: Declaration): Declaration | null {
  if (known.kind === "interface" && more.kind === "interface") return mergeInterfaces(known, more);
  if (known.kind === "alias" && more.kind === "alias") return mergeAliases(known, more);
  return null;
}

function mergeInterfaces(known: InterfaceDeclaration, more: InterfaceDeclaration): InterfaceDeclaration {
  const added = new Map(more.properties.map((entry) => [entry.name, entry]));
  const widened = known.properties.map((entry) => {
    const other = added.get(entry.name);
    return other === undefined ? entry : { ...entry, type: union([entry.type, other.type]) };
  });
  const names = new Set(known.properties.map(({ name }) => name));
  return {
    ...known,
    bases: [
      ...known.bases,
      ...more.bases.filter(({ name }) => !known.bases.some((base) => base.name === name)),
    ],
    properties: [...widened, ...more.properties.filter(({ name }) => !names.has(name))],
    rest: known.rest ?? more.rest,
  };
}

function mergeAliases(known: AliasDeclaration, more: AliasDeclaration): AliasDeclaration {
  return { ...known, type: union([known.type, more.type]) };
}

/** Converts `A & (B | C)` to `(A & B) | (A & C)`, because the IR has intersections of objects only. */
function spread(declarations: Index, declaration: Declaration): Declaration {
  if (declaration.kind !== "alias" || declaration.type.kind !== "intersection") return declaration;
  let joined: (readonly Type[])[] = [[]];
  for (const member of declaration.type.members) {
    const meant = resolve(declarations, member);
    const choices = meant.kind === "union" ? meant.members : [member];
    joined = joined.flatMap((before) => choices.map((choice) => [...before, choice]));
  }
  return joined.length === 1 ? declaration : { ...declaration, type: union(joined.map(intersection)) };
}

function reportClash(
  scope: Scope,
  { placeOf }: ExtensionSchema,
  { name, kind }: Declaration,
  isOthers: boolean,
): void {
  const whose = isOthers ? "another extension" : "the revision, as another kind of declaration";
  scope.error(
    "MG122",
    placeOf(name),
    `the ${kind} "${name}" is also declared by ${whose}`,
    "only an interface can add to an interface and a union to a union; otherwise choose another name",
  );
}
