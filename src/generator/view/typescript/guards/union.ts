import {
  anything,
  type Check,
  type Schema,
  type SchemaProperty,
} from "../../../ir/constraint.js";
import {
  callCode,
  type Code,
  code,
  identifier,
  literal,
  literalText,
} from "../code.js";
import { hardline, indent, type Layout } from "../layout.js";
import { acceptanceTests } from "./conditions.js";
import { guardCall, helperOf, type Scope } from "./file.js";
import { referenceIn, valuesOf } from "../../../ir/constraint/form.js";
import { kindsOf, type Kind, targetOf } from "./inspect.js";
import { nearestName } from "./names.js";
import { checksOf, flattenArms } from "./normal.js";
import {
  block,
  failCall,
  readMember,
  readMemberOfAny,
  rejectIf,
  returnAny,
  returnIfAny,
} from "./syntax.js";
import { guardBody, kindTest, inlineStatements } from "./statements.js";
import { findTag, type Tag } from "./tag.js";
import { anyOf, phrasesOf } from "./words.js";

/**
 * The body of a guard of a union. It selects the alternatives by the JSON type
 * of the value and, for objects, by the tag. If several remain, it checks them
 * one after the other.
 */
export function unionBody(
  scope: Scope,
  schemas: readonly Schema[],
  value: Code,
): Layout[] {
  const arms = flattenArms(scope.file.definitions, schemas);
  const { tests, byKind, mixed } = sortArms(scope, arms, value);
  if (mixed.length > 0) return [tryArms(scope, arms, value)];
  const failure = failCall(
    anyOf(arms.flatMap((arm) => phrasesOf(scope.file, arm))),
    [],
  );
  const objects = byKind.get("object") ?? [];
  byKind.delete("object");
  if (byKind.size + objects.length === 0)
    return [returnAny([...tests, failure])];
  const statements: Layout[] = [];
  if (tests.length > 0) statements.push(returnIfAny(tests, code`true`));
  for (const [kind, kindArms] of byKind) {
    statements.push(
      block(
        code`if (${kindTest(kind, value)})`,
        armStatements(scope, kindArms, kind, value),
      ),
    );
  }
  if (objects.length === 0)
    return [...statements, code`return ${failure};`.layout];
  if (
    statements.length === 0 &&
    arms.every((arm) => referenceIn(arm) !== null)
  ) {
    // The guards of the alternatives reject a value that is not an object.
    const tag = findTag(scope.file.definitions, arms);
    const read = tag === null ? null : readMemberOfAny(value, tag.member);
    if (tag !== null && read !== null)
      return [switchOn(scope, tag, value, read)];
  }
  const result = statements.length > 0 ? failure : failCall("an object", []);
  return [
    ...statements,
    rejectIf([code`!isObject(${value})`], result),
    ...armStatements(scope, objects, "object", value),
  ];
}

interface SortedArms {
  /**
   * Conditions of which at least one is true if an alternative of scalars
   * accepts the value.
   */
  readonly tests: Code[];
  /** Alternatives that accept values of one JSON type. */
  readonly byKind: Map<Kind, Schema[]>;
  /** Alternatives that accept values of several types. */
  readonly mixed: Schema[];
}

function sortArms(
  scope: Scope,
  arms: readonly Schema[],
  value: Code,
): SortedArms {
  const result: SortedArms = { tests: [], byKind: new Map(), mixed: [] };
  for (const arm of arms) {
    const conditions = acceptanceTests(scope, arm, value);
    const [kind, ...others] = kindsOf(
      targetOf(scope.file.definitions, arm).checks,
    );
    if (conditions !== null)
      for (const each of conditions) result.tests.push(each);
    else if (kind === undefined || others.length > 0) result.mixed.push(arm);
    else result.byKind.set(kind, [...(result.byKind.get(kind) ?? []), arm]);
  }
  return result;
}

/** Checks a value whose type is known against alternatives of that type. */
function armStatements(
  scope: Scope,
  arms: readonly Schema[],
  kind: Kind,
  value: Code,
): Layout[] {
  const { definitions } = scope.file;
  const [only, ...others] = arms;
  if (only !== undefined && others.length === 0) {
    const key = kind === "object" ? referenceIn(only) : null;
    if (key !== null)
      return [code`return ${guardCall(scope, key, value)};`.layout];
    return [
      ...inlineStatements(scope, targetOf(definitions, only), value, [], kind),
      "return true;",
    ];
  }
  const tag = kind === "object" ? findTag(definitions, arms) : null;
  return [
    tag === null
      ? tryArms(scope, arms, value)
      : switchOn(scope, tag, value, readMember(value, tag.member)),
  ];
}

function switchOn(scope: Scope, tag: Tag, value: Code, read: Code): Layout {
  const words = tag.cases.map((entry) =>
    entry.value === undefined ? "nothing" : literalText(entry.value),
  );
  const groups = groupCases(tag);
  const isFrequent = ({ values }: CaseGroup): boolean =>
    values.some((label) => scope.file.frequentTags.has(label));
  const sorted = [
    ...groups.filter(isFrequent),
    ...groups.filter((entry) => !isFrequent(entry)),
  ];
  const cases = sorted.map(({ values, arms }): Layout => {
    const labels = values.map((label) => [
      hardline,
      code`case ${label === undefined ? identifier("undefined") : literal(label)}:`
        .layout,
    ]);
    const caseArms = arms.map((arm) =>
      withoutTag(scope, arm, tag.member, values),
    );
    const body = armStatements(scope, caseArms, "object", value).map(
      (statement) => [hardline, statement],
    );
    return [labels, indent(body)];
  });
  const otherwise = code`return ${failCall(anyOf(words), [literal(tag.member)])};`;
  cases.push([hardline, "default:", indent([hardline, otherwise.layout])]);
  return [code`switch (${read}) {`.layout, indent(cases), hardline, "}"];
}

/**
 * An unnamed alternative without the check of the tag, which the `switch` has
 * done.
 */
function withoutTag(
  scope: Scope,
  arm: Schema,
  member: string,
  values: CaseGroup["values"],
): Schema {
  const isTag = ({ name, schema }: SchemaProperty): boolean => {
    const armValues = valuesOf(checksOf(scope.file.definitions, schema)) ?? [];
    return (
      name === member &&
      values.every((value) => value === undefined || armValues.includes(value))
    );
  };
  const isListed = arm.checks.some(
    (check) => check.kind === "members" && check.properties.some(isTag),
  );
  if (!isListed || referenceIn(arm) !== null) return arm;
  const checks = arm.checks.map((check): Check => {
    if (check.kind === "required")
      return { ...check, names: check.names.filter((name) => name !== member) };
    if (check.kind !== "members") return check;
    const properties = check.properties.map((entry) =>
      isTag(entry) ? { ...entry, schema: anything } : entry,
    );
    return { ...check, properties };
  });
  return { ...arm, checks };
}

interface CaseGroup {
  readonly values: Tag["cases"][number]["value"][];
  readonly arms: readonly Schema[];
}

/** Values that select the same alternatives share their statements. */
function groupCases({ cases }: Tag): CaseGroup[] {
  const groups: CaseGroup[] = [];
  for (const { value, arms } of cases) {
    const caseGroup = groups.find(
      (group) =>
        group.arms.length === arms.length &&
        group.arms.every((arm, i) => arm === arms[i]),
    );
    if (caseGroup === undefined) groups.push({ values: [value], arms });
    else caseGroup.values.push(value);
  }
  return groups;
}

function tryArms(scope: Scope, arms: readonly Schema[], value: Code): Layout {
  const { isUntrusted } = scope.file;
  const guards = arms.map((arm) => guardOf(scope, arm));
  if (isUntrusted)
    return returnAny([callCode(identifier(nearestName), [value, ...guards])]);
  const tries = guards.map((guard) =>
    scope.isRecursive
      ? code`attempt(${guard}, ${value})`
      : code`${guard}(${value})`,
  );
  return returnAny([
    ...tries,
    failCall(anyOf(arms.flatMap((arm) => phrasesOf(scope.file, arm))), []),
  ]);
}

/** A guard as a value. */
export function guardOf(scope: Scope, schema: Schema): Code {
  const { file } = scope;
  const key = referenceIn(schema);
  // A helper calls the guard through `attempt`, which remembers the result.
  const isDirect =
    key !== null && !(file.isUntrusted && file.recursive.has(key));
  return isDirect ? file.naming.guard(key) : helperOf(scope, schema, guardBody);
}
