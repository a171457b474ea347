import * as facts from "../facts.js";
import type { SelectedResultFact } from "../fact-types.js";
import { flatten, flattenType, type Flat } from "../flatten.js";
import { resolve } from "../lookup.js";
import type { Params, Prefix, Type } from "../model.js";
import type { Candidate } from "./candidates.js";
import type { DeriveContext } from "./context.js";
import { membersOf } from "./senders.js";

/** The results of a request, and what their types imply. */
export interface ResultFacts {
  readonly results: readonly string[];
  readonly items: string | null;
  readonly cacheable: boolean;
  readonly asksInput: boolean;
}

/**
 * The names of a request's results by the schema alone: those of `<base>ResultResponse`, otherwise `<base>Result`. Empty
 * without either.
 */
function namedResults(context: DeriveContext, { name }: Candidate): string[] {
  const base = name.replace(/Request$/, "");
  const response = flatten(context.declarations, `${base}ResultResponse`);
  const result = response?.properties.find((entry) => entry.name === "result");
  if (result !== undefined) {
    const names = namesIn(result.type);
    // The order of a union has no meaning in a JSON Schema, so the ordinary result is moved to the front.
    const ordinary = names.filter((entry) => entry !== facts.names.inputResult);
    if (names.length > 0) return [...ordinary, ...names.filter((entry) => !ordinary.includes(entry))];
  }
  return context.declarations.has(`${base}Result`) ? [`${base}Result`] : [];
}

/** The names as written: an alias such as `GetTaskResult` counts as a result. */
function namesIn(type: Type): string[] {
  if (type.kind === "reference") return [type.name];
  return type.kind === "union" ? type.members.flatMap(namesIn) : [];
}

export function resultFactsOf(context: DeriveContext, candidate: Candidate, params: Params): ResultFacts {
  const { declarations } = context;
  const results = namedResults(context, candidate);
  if (results.length === 0) results.push(...emptyResult(context, candidate));
  const paramShapes = params.type === null ? [] : objectsOf(context, params.type);
  for (const { result } of selectedResultsOf(context, params))
    if (!results.includes(result)) results.push(result);
  const [first] = results;
  const result = first === undefined ? null : flatten(declarations, first);
  const has = (flat: Flat | null, member: string): boolean =>
    flat?.properties.some(({ name }) => name === member) ?? false;
  const isPaginated =
    has(result, facts.names.nextCursor) && paramShapes.some((flat) => has(flat, facts.names.cursor));
  return {
    results,
    items: isPaginated && result !== null ? itemsOf(context, candidate, result) : null,
    cacheable: facts.names.cacheable.every((member) => has(result, member)),
    asksInput:
      results.includes(facts.names.inputResult) ||
      // A request that requires input responses only carries them, so its result is never a request for input.
      paramShapes.some(({ properties }) =>
        properties.some(({ name, optional }) => name === facts.names.inputResponses && optional),
      ),
  };
}

/** The rows for the results that a request's params can select. */
export function selectedResultsOf(context: DeriveContext, params: Params): SelectedResultFact[] {
  const paramShapes = params.type === null ? [] : objectsOf(context, params.type);
  return facts.selectedResults.filter(
    (row) =>
      context.declarations.has(row.result) &&
      paramShapes.some(({ properties }) =>
        properties.some(
          ({ name, type }) => name === row.member && type.kind === "reference" && type.name === row.type,
        ),
      ),
  );
}

/** The prefixes of text in the first of these results. */
export function prefixesOf(
  context: DeriveContext,
  method: string,
  [result = ""]: readonly string[],
): Prefix[] {
  const { declarations } = context;
  const rows = facts.prefixes.filter((row) => {
    const list = flatten(declarations, result)?.properties.find(({ name }) => name === row.list);
    const type = list && resolve(declarations, list.type);
    return (
      row.method === method &&
      type?.kind === "array" &&
      flattenType(declarations, type.element)?.properties.some(({ name }) => name === row.member)
    );
  });
  return rows.map(({ list, member, prefix }) => ({ list, member, prefix }));
}

/** The objects that a type may be: the type itself, or each member of a union. */
export function objectsOf(context: DeriveContext, type: Type): Flat[] {
  return membersOf(context.declarations, type).flatMap((member) => {
    const flat = flattenType(context.declarations, member);
    return flat === null ? [] : [flat];
  });
}

function emptyResult(context: DeriveContext, { name, method }: Candidate): string[] {
  const empty = facts.names.emptyResult;
  if (context.declarations.has(empty)) return [empty];
  context.scope.warn(
    "MG403",
    context.locationOf(name),
    `the result of "${method}" is unknown: the schema declares neither ${name.replace(/Request$/, "")}Result nor ${empty}`,
    `declare ${name.replace(/Request$/, "")}Result`,
  );
  return [];
}

/** The one array among the members of a paginated result. */
function itemsOf(context: DeriveContext, { name, method }: Candidate, result: Flat): string | null {
  const arrays = result.properties.filter(({ type }) => resolve(context.declarations, type).kind === "array");
  const [only] = arrays;
  if (only !== undefined && arrays.length === 1) return only.name;
  context.scope.note(
    "MG404",
    context.locationOf(name),
    `"${method}" is paginated, but its result has ${arrays.length} arrays, so the one with the items is unknown`,
    "use exactly one array in a paginated result",
  );
  return null;
}
