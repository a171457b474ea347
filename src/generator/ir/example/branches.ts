import type { Validation } from "../constraint/accepts.js";
import type {
  ArrayKind,
  Check,
  CheckOf,
  ObjectKind,
  ScalarKind,
  Schema,
  SchemaProperty,
  ValueKind,
} from "../constraint.js";
import { constantIn, schemaOf, typeIn } from "../constraint/form.js";

/** The state of one search for an example. */
export interface ExampleContext {
  readonly validation: Validation;
  /** The number of checks that the search may still expand. */
  readonly budget: { steps: number };
  /** True if an optional member at this depth gets a value. */
  readonly includes: (property: SchemaProperty, depth: number) => boolean;
}

/**
 * The alternatives of a schema: one branch of each choice, with references and
 * conjunctions expanded. Each alternative has the notes of its branches, the
 * outermost first.
 */
export function alternatives(
  context: ExampleContext,
  schema: Schema,
): readonly Schema[] {
  let combinations: readonly Schema[] = [{ ...schema, checks: [] }];
  for (const check of schema.checks) {
    const branches = branchesOf(context, check);
    combinations = combinations
      .flatMap((combination) =>
        branches.map((branch) => join(combination, branch)),
      )
      .slice(0, maxCombinations);
  }
  return combinations;
}

/**
 * The maximum number of combinations of branches that are tried for one value.
 */
const maxCombinations = 16;

function branchesOf(context: ExampleContext, check: Check): readonly Schema[] {
  context.budget.steps -= 1;
  if (context.budget.steps < 0) return [];
  switch (check.kind) {
    case "reference": {
      const target = context.validation.definitions.get(check.key);
      return target === undefined
        ? [schemaOf([check])]
        : alternatives(context, target.schema);
    }
    case "all":
      return alternatives(context, check.schemas.reduce(join, schemaOf([])));
    case "any":
    case "one":
      return [...check.schemas]
        .sort((a, b) => Number(isNull(a)) - Number(isNull(b)))
        .flatMap((schema) =>
          alternatives(context, schema).map((branch) =>
            join(branch, schemaOf([check])),
          ),
        );
    default:
      void (check satisfies CheckOf<
        | Exclude<ValueKind, "reference">
        | ScalarKind
        | ArrayKind
        | ObjectKind
        | "not"
        | "when"
      >);
      return [schemaOf([check])];
  }
}

function join(a: Schema, b: Schema): Schema {
  const notes = [...(a.notes ?? []), ...(b.notes ?? [])];
  return { ...schemaOf([...a.checks, ...b.checks]), notes };
}

/**
 * True if the schema only accepts null. Such a branch is tried last: an example
 * of it is not useful.
 */
function isNull(schema: Schema): boolean {
  return typeIn(schema) === "null" || constantIn(schema) === null;
}
