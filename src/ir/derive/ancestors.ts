import type { Index } from "../lookup.js";

/** The names of the types that a declaration extends, directly or through others, including itself. */
export function ancestorsOf(declarations: Index, name: string): ReadonlySet<string> {
  const names = new Set([name]);
  // A set also visits what is added meanwhile.
  for (const current of names) {
    const declaration = declarations.get(current);
    if (declaration?.kind === "interface") for (const base of declaration.bases) names.add(base.name);
    if (declaration?.kind !== "alias") continue;
    const { type } = declaration;
    for (const part of type.kind === "intersection" ? type.members : [type])
      if (part.kind === "reference") names.add(part.name);
  }
  return names;
}
