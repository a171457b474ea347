import type { Check, Schema } from "../../../ir/surface/schema.js";
import { type Code, code } from "../../code.js";
import { call, failure, inside, type Place, refuseIf } from "../../guards/context.js";
import { block } from "../../guards/statements.js";
import type { Layout } from "../../layout.js";
import { body } from "./array.js";
import { callOf, type GuardScope, helperCall, helperOf, sureIn } from "./scope.js";
import { simpleRefusals } from "./simple.js";
import { wordsOf } from "./words.js";

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
        return anyStatements(scope, check.schemas, checks.length === 1, value, place);
      case "one": {
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
  const refusal = failure(
    wordsOf({ doc: { text: "", tags: [] }, checks: [{ kind: "any", schemas }] }),
    place,
  );
  const simple = isAlone ? schemas.map((schema) => simpleRefusals(scope, schema, value)) : [null];
  if (simple.every((conditions) => conditions !== null)) return [refuseIf(simple.flat(), refusal)];
  const tests = schemas.map((schema, index) => code`!${test(scope, schema, `Any${index}`, value)}`);
  return [refuseIf(tests, refusal)];
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
