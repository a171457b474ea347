import type { Check, Schema } from "../../../ir/constraint.js";
import { type Code, code, literal, literalText } from "../../typescript/code.js";
import { call, failure, inside, type Place, read, refuseIf } from "../../guards/context.js";
import { anyOf } from "../../guards/expectation.js";
import { block } from "../../guards/statements.js";
import { hardline, indent, type Layout } from "../../typescript/layout.js";
import { body } from "./array.js";
import { callOf, type GuardScope, helperCall, helperOf, sureIn } from "./scope.js";
import { simpleRefusals, typesOf } from "./simple.js";
import { findTag } from "./tag.js";
import { typeWords, wordsOf } from "./words.js";

/** Schemas that speak of the very same value: put together, tried, or turned round. */
export function branchStatements(
  scope: GuardScope,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] {
  return checks.flatMap((check): Layout[] => {
    switch (check.kind) {
      case "all":
        return check.schemas
          .filter((schema) => schema.checks.length > 0)
          .map((schema, index) =>
            refuseIf([code`!${test(scope, schema, `All${index}`, value)}`], inside(place)),
          );
      case "any":
        return (
          tagged(scope, check, checks, value, place) ??
          anyStatements(scope, check.schemas, checks.length === 1, value, place)
        );
      case "one": {
        const byTag = tagged(scope, check, checks, value, place);
        if (byTag !== null) return byTag;
        const guards = check.schemas.map((schema, index) => guardOf(scope, schema, `One${index}`));
        const words = `exactly one of ${check.schemas.length} schemas to fit`;
        return [refuseIf([code`!${call(code`holdsOne`, [value, ...guards])}`], failure(words, place))];
      }
      case "not": {
        const refusal = failure("a value that another schema refuses", place);
        return [refuseIf([test(scope, check.schema, "Not", value), ...sureIn(scope)], refusal)];
      }
      case "when":
        return whenStatements(scope, check, value, place);
      default:
        return [];
    }
  });
}

function anyStatements(
  scope: GuardScope,
  schemas: readonly Schema[],
  isAlone: boolean,
  value: Code,
  place: Place,
): Layout[] {
  if (schemas.some((schema) => schema.checks.length === 0)) return [];
  const simple = isAlone ? schemas.map((schema) => simpleRefusals(scope, schema, value)) : [null];
  if (simple.every((conditions) => conditions !== null)) {
    return [refuseIf(simple.flat(), failure(alternativeWords(schemas), place))];
  }
  const guards = schemas.map((schema, index) => guardOf(scope, schema, `Any${index}`));
  return [refuseIf([code`!${call(code`holdsAny`, [value, ...guards])}`], inside(place))];
}

/** Checks the one alternative that the value's tag selects, so that its refusal names the right member. Null without a tag. */
function tagged(
  scope: GuardScope,
  { kind, schemas }: Extract<Check, { kind: "all" | "any" | "one" }>,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] | null {
  const types = typesOf(checks);
  const narrowing = checks.filter((check) => ["reference", "all", "any", "one"].includes(check.kind));
  // Other checks may narrow the value to a type from which the compiler refuses to read the tag.
  if (narrowing.length > 1 || (types !== null && !types.includes("object"))) return null;
  const onlyObjects = types !== null && types.every((type) => type === "object");
  const tag = findTag(scope.file.definitions, schemas, onlyObjects);
  if (tag === null || (kind === "one" && tag.others.length > 1)) return null;
  const rest = tag.others.map((schema) => simpleRefusals(scope, schema, value));
  if (!rest.every((conditions) => conditions !== null)) return null;
  const cases = tag.cases.map(({ values, schema }): Layout => {
    const labels = values.map((label) => [hardline, code`case ${literal(label)}:`.layout]);
    const check = test(scope, schema, `Any${schemas.indexOf(schema)}`, value);
    return [labels, indent([hardline, refuseIf([code`!${check}`], inside(place)), hardline, "break;"])];
  });
  const words = anyOf(tag.cases.flatMap(({ values }) => values.map(literalText)));
  const unknownTag = code`return ${failure(words, [...place, literal(tag.member)])};`;
  cases.push([hardline, "default:", indent([hardline, unknownTag.layout])]);
  const choice = [code`switch (${read(value, tag.member)}) {`.layout, indent(cases), hardline, "}"];
  // The type has been checked before, unless the values were to imply it.
  if (onlyObjects && !checks.some((check) => check.kind === "values")) return [choice];
  const refusal = failure(onlyObjects ? typeWords(types) : alternativeWords(schemas), place);
  const refuseOthers = refuseIf([code`!isObject(${value})`, ...rest.flat()], refusal);
  if (rest.length === 0) return [refuseOthers, choice];
  return [refuseOthers, block(code`if (isObject(${value}))`, [choice])];
}

function alternativeWords(schemas: readonly Schema[]): string {
  return wordsOf({ doc: { text: "", tags: [] }, checks: [{ kind: "any", schemas }] });
}

function whenStatements(
  scope: GuardScope,
  { test: condition, then, otherwise }: Extract<Check, { kind: "when" }>,
  value: Code,
  place: Place,
): Layout[] {
  const arm = (schema: Schema | null, name: string): Layout[] => {
    if (schema === null || schema.checks.length === 0) return [];
    return [refuseIf([code`!${test(scope, schema, name, value)}`], inside(place))];
  };
  const [wanted, no] = [arm(then, "Then"), arm(otherwise, "Else")];
  if (wanted.length === 0 && no.length === 0) return [];
  const asked = test(scope, condition, "If", value);
  const [isSure] = sureIn(scope);
  const yes = isSure === undefined || wanted.length === 0 ? wanted : [block(code`if (${isSure})`, wanted)];
  if (no.length === 0) return [block(code`if (${asked})`, yes)];
  if (yes.length === 0) return [block(code`if (!${asked})`, no)];
  return [[block(code`if (${asked})`, yes), " ", block(code`else`, no)]];
}

/** A call of a guard for the schema. */
function test(scope: GuardScope, schema: Schema, name: string, value: Code): Code {
  const key = referenceIn(schema);
  if (key !== null) return callOf(scope, key, value);
  return helperCall(scope, guardOf(scope, schema, name), value);
}

/** A guard as a value. */
function guardOf(scope: GuardScope, schema: Schema, name: string): Code {
  const key = referenceIn(schema);
  if (key !== null && !scope.file.heavy.has(key)) return scope.file.naming.guard(key);
  return helperOf({ ...scope, owner: `${scope.owner}${name}` }, schema, body);
}

function referenceIn({ checks }: Schema): string | null {
  const [only] = checks;
  return checks.length === 1 && only?.kind === "reference" ? only.key : null;
}
