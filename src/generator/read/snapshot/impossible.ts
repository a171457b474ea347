import type { Scope } from "../../diagnostics.js";
import { schemaSets, type SchemaSet } from "../../ir/compare/model.js";
import { partsOf, possibleTypes, type Parts } from "../../ir/compare/parts.js";
import { ofKind, type CheckOf, type Schema } from "../../ir/constraint.js";
import type { Definitions } from "../../ir/constraint/accepts.js";
import { requiredIn } from "../../ir/constraint/form.js";
import { schemasOf } from "../../ir/constraint/kinds.js";
import type { Locations } from "../json/text/tree.js";

/** Where a schema was read: `at` is an offset in the text. */
export interface Origin {
  readonly scope: Scope;
  readonly at: number;
}

/**
 * Reports each schema whose conditions exclude each other, but not `false`,
 * which accepts nothing by intention.
 */
export function reportImpossible(
  origins: ReadonlyMap<Schema, Origin>,
  definitions: Definitions,
  locationAt: Locations,
): void {
  const { before: side } = schemaSets(definitions, definitions);
  const found = new Map<
    Schema,
    { readonly reason: string; readonly parts: Parts }
  >();
  for (const schema of origins.keys()) {
    const parts = partsOf(side, schema);
    const reason = contradictionIn(side, parts);
    if (reason !== null) found.set(schema, { reason, parts });
  }
  for (const [schema, { reason, parts }] of found) {
    const origin = origins.get(schema);
    // A reference to a schema that is reported itself is not reported again.
    if (
      origin === undefined ||
      parts.schemas.some((part) => part !== schema && found.has(part))
    )
      continue;
    const message = `no value matches the schema: ${reason}`;
    origin.scope.warn(
      "MG315",
      locationAt(origin.at),
      message,
      "correct the schema",
    );
  }
}

function contradictionIn(side: SchemaSet, parts: Parts): string | null {
  if (parts.checks.some(({ kind }) => kind === "never")) return null;
  const types = possibleTypes(side, parts);
  if (types.size === 0) return "its types and values exclude each other";
  const [only] = types;
  const name =
    types.size === 1 && only === "object" ? excludedName(parts) : null;
  return name === null
    ? null
    : `it requires the member ${JSON.stringify(name.slice(0, 80))}, which it does not allow`;
}

/** A required member that no object may have; null without one. */
function excludedName({ checks }: Parts): string | null {
  const members = ofKind(checks, "members");
  const excludes = (check: CheckOf<"members">, name: string): boolean =>
    schemasOf(check, name).some((schema) =>
      schema.checks.some(({ kind }) => kind === "never"),
    );
  return (
    [...requiredIn(checks)].find((name) =>
      members.some((check) => excludes(check, name)),
    ) ?? null
  );
}
