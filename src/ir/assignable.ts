import { flattenType, type Flat } from "./flatten.js";
import { resolve, type Index } from "./lookup.js";
import type { Type } from "./model.js";
import { sameType } from "./prose.js";

/** How far the question is followed before the answer is "perhaps". */
const fuel = 32;

/**
 * Is every value of `from` one of `to`, as TypeScript would have it? True or false where that is sure, null where it
 * is not: `unknown` may have been written as `any`, and deep recursion is not followed to its end.
 */
export function assignable(declarations: Index, from: Type, to: Type): boolean | null {
  return ask({ declarations, answers: new Map() }, from, to, fuel);
}

interface Question {
  readonly declarations: Index;
  /** Pairs of names already asked about; one that is still open counts as yes, as it does for TypeScript. */
  readonly answers: Map<string, boolean | null>;
}

function ask(question: Question, from: Type, to: Type, left: number): boolean | null {
  if (from.kind !== "reference" || to.kind !== "reference") return compare(question, from, to, left);
  if (from.name === to.name) return true;
  const pair = `${from.name}\n${to.name}`;
  const earlier = question.answers.get(pair);
  if (earlier !== undefined) return earlier;
  question.answers.set(pair, true);
  const answer = compare(question, from, to, left);
  question.answers.set(pair, answer);
  return answer;
}

function compare(question: Question, from: Type, to: Type, left: number): boolean | null {
  const { declarations } = question;
  if (left === 0) return null;
  if (sameType(from, to)) return true;
  const source = resolve(declarations, from);
  const target = resolve(declarations, to);
  const next = (a: Type, b: Type): boolean | null => ask(question, a, b, left - 1);
  if (target.kind === "unknown") return true;
  if (source.kind === "unknown") return null;
  if (source.kind === "union") return all(source.members.map((member) => next(member, target)));
  if (target.kind === "union") return any(target.members.map((member) => next(source, member)));
  if (source.kind === "literal") {
    return target.kind === "literal" ? source.value === target.value : typeof source.value === target.kind;
  }
  if (primitives.has(source.kind) || primitives.has(target.kind)) return source.kind === target.kind;
  if (source.kind === "array") {
    if (target.kind === "array") return next(source.element, target.element);
    return target.kind === "object" && target.properties.length === 0 && target.rest === null;
  }
  if (target.kind === "array") return false;
  const a = flattenType(declarations, source);
  const b = flattenType(declarations, target);
  return a === null || b === null ? null : objects(a, b, next);
}

const primitives: ReadonlySet<Type["kind"]> = new Set(["boolean", "number", "string", "literal"]);

function objects(from: Flat, to: Flat, next: (a: Type, b: Type) => boolean | null): boolean | null {
  const own = new Map(from.properties.map((property) => [property.name, property]));
  const answers = to.properties.map((wanted): boolean | null => {
    const found = own.get(wanted.name);
    if (found === undefined) return wanted.optional;
    return found.optional && !wanted.optional ? false : next(found.type, wanted.type);
  });
  const { rest } = to;
  if (rest !== null) for (const { type } of from.properties) answers.push(next(type, rest));
  if (rest !== null && from.rest !== null) answers.push(next(from.rest, rest));
  return all(answers);
}

/** Sure only when each answer is. */
function all(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}

function any(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(true)) return true;
  return answers.includes(null) ? null : false;
}
