import {
  anything,
  type Check,
  ofKind,
  type Schema,
} from "../../ir/constraint.js";
import { schemasIn } from "../../ir/constraint/walk.js";
import type { Doc } from "../../ir/model.js";
import type { Definitions } from "../../ir/constraint/accepts.js";

/**
 * The members of an object that only its conditions name, such as `then`,
 * `dependentSchemas`, or an alternative of which the type says nothing else.
 */
export function conditionalMembers(
  checks: readonly Check[],
  definitions: Definitions,
): ReadonlyMap<string, Doc> {
  const members = new Map<string, Doc>();
  const visited = new Set<Schema>();
  const add = (name: string, doc: Doc): void => {
    if ((members.get(name)?.text ?? "") === "") members.set(name, doc);
  };
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined || visited.has(schema)) return;
    visited.add(schema);
    for (const check of schema.checks) {
      if (check.kind === "required")
        for (const name of check.names) add(name, anything.doc);
      else if (check.kind === "members")
        for (const { name, schema } of check.properties) add(name, schema.doc);
      else if (check.kind === "reference")
        visit(definitions.get(check.key)?.schema);
      else visitBranches(check, () => true);
    }
  };
  const visitBranches = (
    check: Check,
    isHidden: (schema: Schema) => boolean,
  ): void => {
    if (check.kind === "dependent")
      for (const name of [check.member, ...check.names])
        add(name, anything.doc);
    if (check.kind === "when" || check.kind === "dependent")
      schemasIn(check).forEach(visit);
    else if (check.kind === "all")
      check.schemas.filter(isHidden).forEach(visit);
    else if (
      (check.kind === "any" || check.kind === "one") &&
      check.schemas.some(isHidden)
    )
      check.schemas.forEach(visit);
  };
  for (const check of checks)
    visitBranches(check, (schema) => !hasType(schema));
  return members;
}

/** False if the type of the schema is `unknown`. */
function hasType({ checks }: Schema): boolean {
  return checks.some((check) => {
    if (check.kind === "members") return check.properties.length > 0;
    if (check.kind === "all") return check.schemas.some(hasType);
    if (check.kind === "any" || check.kind === "one")
      return check.schemas.every(hasType);
    return ["items", "never", "reference", "type", "values"].includes(
      check.kind,
    );
  });
}

/**
 * True if references and combinations of schemas, apart from the keywords
 * beside them, leave only objects.
 */
export function combinesObjects(
  checks: readonly Check[],
  definitions: Definitions,
  known: Map<string, boolean> = new Map(),
): boolean {
  const isObject = ({ checks }: Schema): boolean =>
    checks.some(
      (check) => check.kind === "members" && check.properties.length > 0,
    ) ||
    ofKind(checks, "type").some(({ types }) =>
      types.every((type) => type === "object"),
    ) ||
    combinesObjects(checks, definitions, known);
  return checks.some((check) => {
    if (check.kind === "all") return check.schemas.some(isObject);
    if (check.kind === "any" || check.kind === "one")
      return check.schemas.every(isObject);
    if (check.kind !== "reference") return false;
    const { key } = check;
    const target = definitions.get(key)?.schema;
    // A definition that leads back to itself does not say that it is an object.
    if (!known.has(key)) {
      known.set(key, false);
      known.set(key, target !== undefined && isObject(target));
    }
    return known.get(key) === true;
  });
}
