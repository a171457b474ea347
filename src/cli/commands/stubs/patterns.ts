import type { Diagnostics } from "../../../generator/diagnostics.js";
import { ofKind, type Schema } from "../../../generator/ir/constraint.js";
import { schemasIn } from "../../../generator/ir/constraint/walk.js";
import type { Json, Snapshot } from "../../../generator/ir/snapshot/model.js";

/**
 * Reports each pattern that the server would not check, or not for every text:
 * the server would accept what its own schema forbids. `accepted` are the names
 * of tools for which that is accepted.
 */
export function reportUncheckedPatterns(
  { tools, definitions }: Snapshot,
  accepted: readonly string[],
  diagnostics: Diagnostics,
): void {
  const problems = new Map<string | null, Set<string>>();
  for (const { root, original } of definitions) {
    const known = problems.get(root) ?? new Set();
    for (const problem of problemsIn(original)) known.add(problem);
    problems.set(root, known);
  }
  for (const { name, input, output } of tools.filter(
    (tool) => !accepted.includes(tool.name),
  )) {
    const scope = diagnostics.root.in(
      `tool ${JSON.stringify(name.slice(0, 80))}`,
    );
    const own = [input, output].flatMap((key) => [
      ...(problems.get(key) ?? []),
    ]);
    for (const problem of new Set(own))
      scope.error(
        "MG316",
        null,
        `the server would not check ${problem}`,
        `simplify the pattern, or name the tool in "unchecked" of the configuration or in --unchecked; --emit client makes no server`,
      );
  }
}

function problemsIn(root: Schema): string[] {
  const problems: string[] = [];
  const open = [root];
  // The list grows while it is read.
  for (const schema of open) {
    for (const { keyword, value, isCondition } of schema.notes ?? []) {
      if (!isCondition) continue;
      if (keyword === "pattern") problems.push(`the pattern ${show(value)}`);
      if (keyword === "patternProperties")
        problems.push(
          `the pattern ${show(Object.keys(Object(value))[0] ?? "")}`,
        );
    }
    for (const check of schema.checks) {
      if (check.kind === "pattern")
        problems.push(...limitedIn(check, longestIn(schema)));
      if (check.kind === "members")
        for (const { pattern, maxLength } of check.patterns)
          problems.push(...limitedIn({ source: pattern, maxLength }, Infinity));
      for (const each of schemasIn(check)) open.push(each);
    }
  }
  return problems;
}

/**
 * The maximum length of a text that the schema accepts, in UTF-16 units: a
 * character has one or two.
 */
function longestIn({ checks }: Schema): number {
  const sizes = ofKind(checks, "size").filter(
    ({ of, max }) => of === "string" && max !== null,
  );
  return Math.min(...sizes.map(({ max }) => 2 * (max ?? 0)));
}

function limitedIn(
  {
    source,
    maxLength,
  }: { readonly source: string; readonly maxLength: number | null },
  longest: number,
): string[] {
  if (maxLength === null || longest <= maxLength) return [];
  return [`the pattern ${show(source)} for more than ${maxLength} characters`];
}

function show(pattern: Json): string {
  const text = String(pattern);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
