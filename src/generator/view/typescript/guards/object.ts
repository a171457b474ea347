import type {
  Check,
  CheckOf,
  Schema,
  TypeName,
} from "../../../ir/constraint.js";
import {
  propertiesIn,
  type Property,
  schemaOf,
} from "../../../ir/constraint/form.js";
import { arrayCode, type Code, code, identifier, literal } from "../code.js";
import type { Layout } from "../layout.js";
import { upperFirst, words } from "../names.js";
import { elementStatements } from "./array.js";
import { maxCompared, rejectsAbsence } from "./conditions.js";
import {
  callFrom,
  constantOf,
  helperOf,
  local,
  type Scope,
  inPart,
} from "./file.js";
import { acceptsAll, checksOf } from "./normal.js";
import { patternTest, sizes } from "./scalars.js";
import {
  block,
  declare,
  failCall,
  inside,
  type Path,
  readMember,
  rejectIf,
} from "./syntax.js";
import { guardBody, statements, type Test, testOf } from "./statements.js";

/** Checks a value that is an object. */
export function objectStatements(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout[] {
  const result: Layout[] = [];
  const add = (lines: readonly Layout[]): void => {
    for (const line of lines) result.push(line);
  };
  for (const property of propertiesIn(schemaOf(checks)))
    add(memberStatements(scope, property, value, path));
  for (const check of checks) {
    if (check.kind === "members") add(otherMembers(scope, check, value, path));
    else if (check.kind === "size") {
      add(
        sizes(
          check.min,
          check.max,
          code`Object.keys(${value}).length`,
          "member",
          path,
        ),
      );
    } else if (check.kind === "names")
      add(nameStatements(scope, check.schema, value, path));
    else if (check.kind === "dependent")
      add(dependentStatements(scope, check, value, path));
  }
  return result;
}

function absence(read: Code, path: Path): Layout {
  return rejectIf([code`${read} === undefined`], failCall("a value", path));
}

/** The guards of optional members of one type. */
const optionalGuards: { readonly [type in TypeName]?: Code } = {
  boolean: code`isOptionalBoolean`,
  number: code`isOptionalNumber`,
  object: code`isOptionalObject`,
  string: code`isOptionalString`,
};

/**
 * Conditions that are all true if an optional member is present and rejected.
 */
function optionalRejections(
  { conditions, type }: Test,
  read: Code,
): readonly Code[] {
  const guard = type && optionalGuards[type];
  return guard
    ? [code`!${guard}(${read})`]
    : [code`${read} !== undefined`, ...conditions];
}

function memberStatements(
  scope: Scope,
  { name, optional, schema }: Property,
  object: Code,
  path: Path,
): Layout[] {
  const { file } = scope;
  const below = [...path, literal(name)];
  const direct = readMember(object, name);
  if (acceptsAll(file.definitions, schema))
    return optional ? [] : [absence(direct, below)];
  const inner = inPart(scope, words(name).map(upperFirst).join(""));
  const mayBeAbsent = !optional && !rejectsAbsence(file, schema);
  const directTest = testOf(inner, schema, direct);
  if (directTest?.conditions.length === 1 && !mayBeAbsent) {
    // Two reads take less code than a variable; V8 merges them into one.
    const conditions = optional
      ? optionalRejections(directTest, direct)
      : directTest.conditions;
    return [rejectIf(conditions, directTest.result(below))];
  }
  const variable = local(scope, name);
  const declaration = declare(variable, direct);
  if (!optional) {
    const missing = mayBeAbsent ? [absence(variable, below)] : [];
    return [
      declaration,
      ...missing,
      ...statements(inner, schema, variable, below),
    ];
  }
  const isPresent = code`${variable} !== undefined`;
  const test = testOf(inner, schema, variable);
  if (test !== null)
    return [
      declaration,
      rejectIf([isPresent, ...test.conditions], test.result(below)),
    ];
  return [
    declaration,
    block(code`if (${isPresent})`, statements(inner, schema, variable, below)),
  ];
}

/**
 * Checks members that match patterns, and those that no name and no pattern
 * matches.
 */
function otherMembers(
  scope: Scope,
  { properties, patterns, rest }: CheckOf<"members">,
  object: Code,
  path: Path,
): Layout[] {
  const { definitions } = scope.file;
  const restrictive = patterns.filter(
    ({ schema }) => !acceptsAll(definitions, schema),
  );
  const others = rest === null || acceptsAll(definitions, rest) ? null : rest;
  if (restrictive.length === 0 && others === null) return [];
  const key = identifier(scope.locals.claim("key"));
  const inner = inPart(scope, "Member");
  const element = code`${object}[${key}]`;
  const below = [...path, key];
  const lines = restrictive.map(({ pattern, maxLength, schema }): Layout => {
    const test = matchOf(scope, pattern, maxLength, key);
    return block(
      code`if (${test})`,
      elementStatements(inner, schema, element, below),
    );
  });
  if (others !== null) {
    const names = properties.map(({ name }) => name);
    for (const statement of skips(scope, names, key)) lines.push(statement);
    for (const { pattern } of patterns) {
      lines.push(
        code`if (${matchOf(scope, pattern, null, key)}) continue;`.layout,
      );
    }
    const isClosed = checksOf(definitions, others).some(
      ({ kind }) => kind === "never",
    );
    if (isClosed)
      lines.push(
        code`return ${failCall("no member of this name", below)};`.layout,
      );
    else
      for (const statement of elementStatements(inner, others, element, below))
        lines.push(statement);
  }
  return [block(code`for (const ${key} in ${object})`, lines)];
}

/** A condition that is true if a name matches the pattern. */
function matchOf(
  scope: Scope,
  source: string,
  maxLength: number | null,
  key: Code,
): Code {
  const { isShort, matches } = patternTest(scope, { source, maxLength }, key);
  const [short] = isShort;
  return short === undefined ? matches : code`${short} && ${matches}`;
}

function skips(scope: Scope, names: readonly string[], key: Code): Layout[] {
  if (names.length <= maxCompared) {
    return names.map(
      (name): Layout => code`if (${key} === ${literal(name)}) continue;`.layout,
    );
  }
  const list = arrayCode(names.map((name) => literal(name)));
  const set = constantOf(
    scope,
    "names",
    code`ReadonlySet<string>`,
    code`/* @__PURE__ */ new Set(${list})`,
  );
  return [code`if (${set}.has(${key})) continue;`.layout];
}

function nameStatements(
  scope: Scope,
  schema: Schema,
  object: Code,
  path: Path,
): Layout[] {
  const key = identifier(scope.locals.claim("key"));
  const guard = helperOf(inPart(scope, "Name"), schema, guardBody);
  const result = failCall("a member of another name", [...path, key]);
  const test = rejectIf([code`!${callFrom(scope, guard, key)}`], result);
  return [block(code`for (const ${key} in ${object})`, [test])];
}

function dependentStatements(
  scope: Scope,
  { member, names, schema }: CheckOf<"dependent">,
  object: Code,
  path: Path,
): Layout[] {
  const lines = names.map((name) =>
    absence(readMember(object, name), [...path, literal(name)]),
  );
  if (schema !== null && !acceptsAll(scope.file.definitions, schema)) {
    const owner = inPart(
      scope,
      `With${words(member).map(upperFirst).join("")}`,
    );
    const guard = helperOf(owner, schema, guardBody);
    lines.push(
      rejectIf([code`!${callFrom(scope, guard, object)}`], inside(path)),
    );
  }
  return lines.length === 0
    ? []
    : [block(code`if (${readMember(object, member)} !== undefined)`, lines)];
}
