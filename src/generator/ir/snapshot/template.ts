import type { TemplatePart } from "./model.js";

/** The names of a template's variables, each once. */
export function variablesIn(parts: readonly TemplatePart[]): string[] {
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}
