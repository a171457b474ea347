import type { Check, Schema } from "../../../ir/constraint.js";
import { arrayCode, type Code, code, identifier, literal } from "../../typescript/code.js";
import { declare, failure, inside, local, type Place, read, refuseIf } from "../../guards/context.js";
import { block } from "../../guards/statements.js";
import type { Layout } from "../../typescript/layout.js";
import { upperFirst, words } from "../../typescript/names.js";
import { body, elementStatements, sizes } from "./array.js";
import { constantOf, type GuardScope, helperCall, helperOf } from "./scope.js";
import { refusesAbsence, simpleRefusals } from "./simple.js";
import { patternTest, statements } from "./statements.js";
import { wordsOf } from "./words.js";

/** The value is known to be an object. */
export function objectStatements(
  scope: GuardScope,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] {
  const required = new Set(checks.flatMap((check) => (check.kind === "required" ? check.names : [])));
  const named = new Set<string>();
  const found: Layout[] = [];
  for (const check of checks) {
    if (check.kind !== "members") continue;
    for (const { name, schema } of check.properties) {
      const isRequired = required.has(name) && !named.has(name);
      named.add(name);
      for (const each of memberStatements(scope, name, schema, isRequired, value, place)) found.push(each);
    }
  }
  for (const name of required) {
    if (!named.has(name)) found.push(absence(name, value, place));
  }
  for (const check of checks) {
    if (check.kind === "members")
      for (const each of otherMembers(scope, check, value, place)) found.push(each);
    else if (check.kind === "size") {
      found.push(...sizes(check.least, check.most, code`Object.keys(${value}).length`, "member", place));
    } else if (check.kind === "names") found.push(...nameStatements(scope, check.schema, value, place));
    else if (check.kind === "dependent") found.push(...dependentStatements(scope, check, value, place));
  }
  return found;
}

function absence(name: string, object: Code, place: Place): Layout {
  return refuseIf([code`${read(object, name)} === undefined`], failure("a value", [...place, literal(name)]));
}

function memberStatements(
  scope: GuardScope,
  name: string,
  schema: Schema,
  isRequired: boolean,
  object: Code,
  place: Place,
): Layout[] {
  const below = [...place, literal(name)];
  const direct = read(object, name);
  if (schema.checks.length === 0) return isRequired ? [absence(name, object, place)] : [];
  const refusal = (): Code => failure(wordsOf(schema), below);
  if (isRequired) {
    const once = simpleRefusals(scope, schema, direct);
    if (once?.length === 1) return [refuseIf(once, refusal())];
  }
  const inner: GuardScope = { ...scope, owner: scope.owner + words(name).map(upperFirst).join("") };
  const variable = local(scope, name);
  const declaration = declare(variable, direct);
  if (isRequired) {
    const missing = refusesAbsence(scope, schema)
      ? []
      : [refuseIf([code`${variable} === undefined`], failure("a value", below))];
    return [declaration, ...missing, ...statements(inner, schema, variable, below)];
  }
  const given = code`${variable} !== undefined`;
  const conditions = simpleRefusals(inner, schema, variable);
  if (conditions !== null) return [declaration, refuseIf([given, ...conditions], refusal())];
  const lines = statements(inner, schema, variable, below);
  return [declaration, block(code`if (${given})`, lines)];
}

/** More names than this are looked up in a set. */
const mostCompared = 8;

/** Members that patterns speak of, and those that nothing else speaks of. */
function otherMembers(
  scope: GuardScope,
  { properties, patterns, rest }: Extract<Check, { kind: "members" }>,
  object: Code,
  place: Place,
): Layout[] {
  const telling = patterns.filter(({ schema }) => schema.checks.length > 0);
  const others = rest === null || rest.checks.length === 0 ? null : rest;
  if (telling.length === 0 && others === null) return [];
  const key = identifier(scope.locals.claim("key"));
  const inner: GuardScope = { ...scope, owner: `${scope.owner}Member` };
  const element = code`${object}[${key}]`;
  const below = [...place, key];
  const lines = telling.map(({ pattern, longest, schema }): Layout => {
    const test = matchOf(scope, pattern, longest, key);
    return block(code`if (${test})`, elementStatements(inner, schema, element, below));
  });
  if (others !== null) {
    const names = properties.map(({ name }) => name);
    for (const each of skips(scope, names, key)) lines.push(each);
    for (const { pattern } of patterns)
      lines.push(code`if (${matchOf(scope, pattern, null, key)}) continue;`.layout);
    const isClosed = others.checks.some(({ kind }) => kind === "never");
    if (isClosed) lines.push(code`return ${failure("no member of this name", below)};`.layout);
    else for (const each of elementStatements(inner, others, element, below)) lines.push(each);
  }
  return [block(code`for (const ${key} in ${object})`, lines)];
}

/** A condition that is true of names that the pattern speaks of. */
function matchOf(scope: GuardScope, source: string, longest: number | null, key: Code): Code {
  const { isShort, matches } = patternTest(scope, { source, longest }, key);
  const [short] = isShort;
  return short === undefined ? matches : code`${short} && ${matches}`;
}

function skips(scope: GuardScope, names: readonly string[], key: Code): Layout[] {
  if (names.length <= mostCompared) {
    return names.map((name): Layout => code`if (${key} === ${literal(name)}) continue;`.layout);
  }
  const list = arrayCode(names.map((name) => literal(name)));
  const set = constantOf(scope, "names", code`ReadonlySet<string>`, code`/* @__PURE__ */ new Set(${list})`);
  return [code`if (${set}.has(${key})) continue;`.layout];
}

function nameStatements(scope: GuardScope, schema: Schema, object: Code, place: Place): Layout[] {
  if (schema.checks.length === 0) return [];
  const key = identifier(scope.locals.claim("key"));
  const guard = helperOf({ ...scope, owner: `${scope.owner}Name` }, schema, body);
  const refusal = failure("a member of another name", [...place, key]);
  return [
    block(code`for (const ${key} in ${object})`, [
      refuseIf([code`!${helperCall(scope, guard, key)}`], refusal),
    ]),
  ];
}

function dependentStatements(
  scope: GuardScope,
  { member, names, schema }: Extract<Check, { kind: "dependent" }>,
  object: Code,
  place: Place,
): Layout[] {
  const lines = names.map((name) => absence(name, object, place));
  if (schema !== null && schema.checks.length > 0) {
    const guard = helperOf(
      { ...scope, owner: `${scope.owner}With${words(member).map(upperFirst).join("")}` },
      schema,
      body,
    );
    lines.push(refuseIf([code`!${helperCall(scope, guard, object)}`], inside(place)));
  }
  return lines.length === 0 ? [] : [block(code`if (${read(object, member)} !== undefined)`, lines)];
}
