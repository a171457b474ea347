import type { Declaration, Doc, Protocol, Type } from "./model.js";

/** Declarations by name. */
export type Index = ReadonlyMap<string, Declaration>;

/** Where a name is declared twice the first one counts; the readers report the second. */
export function index(from: Protocol | readonly Declaration[]): Index {
  const declarations = "declarations" in from ? from.declarations : from;
  const byName = new Map<string, Declaration>();
  for (const declaration of declarations) {
    if (!byName.has(declaration.name)) byName.set(declaration.name, declaration);
  }
  return byName;
}

/** The text of a machine-readable tag; null when the doc has no such tag. */
export function tagOf(doc: Doc, name: string): string | null {
  return doc.tags.find((tag) => tag.name === name)?.text ?? null;
}

/**
 * What a type stands for once references to aliases are followed: never a reference to an alias. A reference to an
 * interface stays, since an interface is what its name means; so does one that leads in a circle or nowhere.
 */
export function resolve(declarations: Index, type: Type): Type {
  const seen = new Set<string>();
  let current = type;
  while (current.kind === "reference" && !seen.has(current.name)) {
    seen.add(current.name);
    const target = declarations.get(current.name);
    if (target?.kind !== "alias") return current;
    current = target.type;
  }
  return current;
}
