import * as facts from "../facts.js";
import type { AnswerFact } from "../facts.js";
import { flatten, flattenType, type Flat } from "../flatten.js";
import { resolve } from "../lookup.js";
import type { Params, Prefix, Type } from "../model.js";
import type { Candidate } from "./candidates.js";
import { factId, type Deriving } from "./deriving.js";
import { membersOf } from "./senders.js";

/** What a request may be answered with, and what the answer says about itself. */
export interface Answer {
  readonly results: readonly string[];
  readonly items: string | null;
  readonly cacheable: boolean;
  readonly asksInput: boolean;
}

/** The names of a request's results by the schema alone: its envelope's, else its namesake's; empty without either. */
function namedResults(deriving: Deriving, { name }: Candidate): string[] {
  const base = name.replace(/Request$/, "");
  const envelope = flatten(deriving.declarations, `${base}ResultResponse`);
  const told = envelope?.properties.find((entry) => entry.name === "result");
  if (told !== undefined) {
    const named = namesIn(told.type);
    // The order of a union says nothing in a JSON Schema; the ordinary answer comes first.
    const ordinary = named.filter((entry) => entry !== facts.names.inputResult);
    if (named.length > 0) return [...ordinary, ...named.filter((entry) => !ordinary.includes(entry))];
  }
  return deriving.declarations.has(`${base}Result`) ? [`${base}Result`] : [];
}

/** The names as written: an alias such as `GetTaskResult` is a result in its own right. */
function namesIn(type: Type): string[] {
  if (type.kind === "reference") return [type.name];
  return type.kind === "union" ? type.members.flatMap(namesIn) : [];
}

export function answerOf(deriving: Deriving, candidate: Candidate, params: Params): Answer {
  const { declarations } = deriving;
  const results = namedResults(deriving, candidate);
  if (results.length === 0) results.push(...emptyResult(deriving, candidate));
  const sent = params.type === null ? [] : shapesOf(deriving, params.type);
  for (const { result } of answersAllowed(deriving, params))
    if (!results.includes(result)) results.push(result);
  const [first] = results;
  const result = first === undefined ? null : flatten(declarations, first);
  const has = (flat: Flat | null, member: string): boolean =>
    flat?.properties.some(({ name }) => name === member) ?? false;
  const paged = has(result, facts.names.nextCursor) && sent.some((flat) => has(flat, facts.names.cursor));
  return {
    results,
    items: paged && result !== null ? itemsOf(deriving, candidate, result) : null,
    cacheable: facts.names.cacheable.every((member) => has(result, member)),
    asksInput:
      results.includes(facts.names.inputResult) ||
      // Where they are required, answers are all that the request is for.
      sent.some(({ properties }) =>
        properties.some(({ name, optional }) => name === facts.names.inputResponses && optional),
      ),
  };
}

/** The rows on other kinds of answer that a request's params allow. */
export function answersAllowed(deriving: Deriving, params: Params): AnswerFact[] {
  const sent = params.type === null ? [] : shapesOf(deriving, params.type);
  const allowed = facts.answers.filter(
    (row) =>
      deriving.declarations.has(row.result) &&
      sent.some(({ properties }) =>
        properties.some(
          ({ name, type }) => name === row.member && type.kind === "reference" && type.name === row.type,
        ),
      ),
  );
  for (const row of allowed) deriving.used.add(factId("answers", row));
  return allowed;
}

/** What text in the first of these results begins with. */
export function prefixesOf(deriving: Deriving, method: string, [result = ""]: readonly string[]): Prefix[] {
  const { declarations } = deriving;
  const rows = facts.prefixes.filter((row) => {
    const list = flatten(declarations, result)?.properties.find(({ name }) => name === row.list);
    const type = list && resolve(declarations, list.type);
    return (
      row.method === method &&
      type?.kind === "array" &&
      flattenType(declarations, type.element)?.properties.some(({ name }) => name === row.member)
    );
  });
  for (const row of rows) deriving.used.add(factId("prefixes", row));
  return rows.map(({ list, member, prefix }) => ({ list, member, prefix }));
}

/** The objects that a type may be: itself, or each member of a union. */
export function shapesOf(deriving: Deriving, type: Type): Flat[] {
  return membersOf(deriving.declarations, type).flatMap((member) => {
    const flat = flattenType(deriving.declarations, member);
    return flat === null ? [] : [flat];
  });
}

function emptyResult(deriving: Deriving, { name, method }: Candidate): string[] {
  const empty = facts.names.emptyResult;
  if (deriving.declarations.has(empty)) return [empty];
  deriving.scope.warn(
    "MG403",
    deriving.placeOf(name),
    `nothing says what "${method}" is answered with: there is neither ${name.replace(/Request$/, "")}Result nor ${empty}`,
    `declare ${name.replace(/Request$/, "")}Result`,
  );
  return [];
}

/** The one array among a page's members. */
function itemsOf(deriving: Deriving, { name, method }: Candidate, result: Flat): string | null {
  const arrays = result.properties.filter(
    ({ type }) => resolve(deriving.declarations, type).kind === "array",
  );
  const [only] = arrays;
  if (only !== undefined && arrays.length === 1) return only.name;
  deriving.scope.note(
    "MG404",
    deriving.placeOf(name),
    `"${method}" is answered in pages, but its result has ${arrays.length} arrays, so that none is known to hold the items`,
    "a page has exactly one array",
  );
  return null;
}
