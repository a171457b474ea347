import type { Schema } from "../../../generator/ir/constraint.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { type Definitions, flatChecks } from "./types.js";

/** The arguments that a tool declares. */
export interface Parameters {
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: readonly string[];
  /**
   * Which undeclared arguments are accepted: any; only those of `--args`
   * ("undeclared"), because an unknown `--arg` is probably a mistake; or none.
   * Most schemas do not forbid undeclared arguments.
   */
  readonly others: "any" | "undeclared" | "none";
  readonly definitions: Definitions;
}

/** The arguments of a tool with this input schema. */
export function parametersOf(
  input: string,
  { definitions: list }: Snapshot,
): Parameters {
  const definitions: Definitions = new Map(
    list.map((definition) => [definition.key, definition]),
  );
  const root = definitions.get(input);
  const checks = root === undefined ? [] : flatChecks(root.schema, definitions);
  const properties = new Map<string, Schema>();
  const rests: (Schema | null)[] = [];
  let hasOthers = checks.some(
    ({ kind }) => kind === "any" || kind === "one" || kind === "when",
  );
  for (const check of checks) {
    if (check.kind !== "members") continue;
    for (const { name, schema } of check.properties)
      properties.set(name, schema);
    rests.push(check.rest);
    hasOthers ||=
      check.patterns.length > 0 ||
      (check.rest !== null && !isNever(check.rest));
  }
  const required = checks.flatMap((check) =>
    check.kind === "required" ? check.names : [],
  );
  const isClosed =
    !hasOthers && rests.some((rest) => rest !== null && isNever(rest));
  const others = isClosed
    ? "none"
    : hasOthers || properties.size === 0
      ? "any"
      : "undeclared";
  return { properties, required: [...new Set(required)], others, definitions };
}

const isNever = ({ checks }: Schema): boolean =>
  checks.some(({ kind }) => kind === "never");
