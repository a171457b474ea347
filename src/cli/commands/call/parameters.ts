import {
  type Check,
  ofKind,
  type Schema,
} from "../../../generator/ir/constraint.js";
import {
  reference,
  requiredIn,
} from "../../../generator/ir/constraint/form.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import {
  schemaSets,
  type SchemaSet,
} from "../../../generator/ir/compare/model.js";
import { partsOf } from "../../../generator/ir/compare/parts.js";

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
  /** The schemas of the tool. */
  readonly schemas: SchemaSet;
}

/** The arguments of a tool with this input schema. */
export function parametersOf(
  input: string,
  { definitions: list }: Snapshot,
): Parameters {
  const definitions = new Map(
    list.map((definition) => [definition.key, definition]),
  );
  const { before: schemas } = schemaSets(definitions, definitions);
  const { checks } = partsOf(schemas, reference(input));
  const members = ofKind(checks, "members");
  const properties = new Map(
    members.flatMap((check) =>
      check.properties.map(({ name, schema }) => [name, schema] as const),
    ),
  );
  const hasOthers =
    checks.some(({ kind }) => alternatives.has(kind)) ||
    members.some(
      ({ patterns, rest }) =>
        patterns.length > 0 || (rest !== null && !isNever(rest)),
    );
  const isClosed = !hasOthers && members.some(({ rest }) => rest !== null);
  const others = isClosed
    ? "none"
    : hasOthers || properties.size === 0
      ? "any"
      : "undeclared";
  return { properties, required: [...requiredIn(checks)], others, schemas };
}

/** The checks that may accept other arguments than the schema around them. */
const alternatives: ReadonlySet<Check["kind"]> = new Set([
  "any",
  "one",
  "when",
]);

const isNever = ({ checks }: Schema): boolean =>
  checks.some(({ kind }) => kind === "never");
