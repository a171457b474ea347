import type { Declaration } from "../../ir/model.js";
import { suggestion } from "../nearest.js";
import type { Use } from "./parse-context.js";

/**
 * The maximum number of suggestions. More unknown names have another cause, and
 * each suggestion takes time.
 */
const maxSuggestions = 100;

/** Checks that every name in use is declared as a type. */
export function checkUses(
  uses: readonly Use[],
  declarations: readonly Declaration[],
  reported: ReadonlySet<string>,
  imported: ReadonlySet<string> = new Set(),
): void {
  const kinds = new Map(declarations.map((entry) => [entry.name, entry.kind]));
  let unknown = 0;
  for (const { name, location, scope } of uses) {
    const kind = kinds.get(name);
    if (kind === "constant") {
      scope.error(
        "MG105",
        location,
        `"${name}" is a constant, not a type`,
        `write \`typeof ${name}\``,
      );
    } else if (
      kind === undefined &&
      !reported.has(name) &&
      !imported.has(name)
    ) {
      const hint =
        ++unknown > maxSuggestions ? null : suggestion(name, kinds.keys());
      const message = `"${name}" is not declared in this file`;
      scope.error(
        "MG105",
        location,
        message,
        hint ?? "declare it, or write the type out",
      );
    }
  }
}
