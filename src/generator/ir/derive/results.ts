import * as facts from "../facts.js";
import { isUnion } from "../combine.js";
import { anything, type Schema } from "../constraint.js";
import {
  alternativesIn,
  constantIn,
  itemsIn,
  referenceIn,
  typeIn,
} from "../constraint/form.js";
import { flatten, flattenSchema, propertyOf, type Flat } from "../flatten.js";
import { type Index, resolve } from "../lookup.js";
import type { Params, Prefix, RequestMessage } from "../model.js";
import type { Candidate } from "./candidates.js";
import type { DeriveContext } from "./context.js";
import { membersOf } from "./senders.js";

/** The results of a request, and what their types imply. */
type ResultFacts = Pick<
  RequestMessage,
  "results" | "items" | "cacheable" | "asksInput"
>;

/**
 * The names of a request's results by the schema alone: those of
 * `<base>ResultResponse`, otherwise `<base>Result`. Empty without either.
 */
function namedResults(context: DeriveContext, { name }: Candidate): string[] {
  const base = name.replace(/Request$/, "");
  const result = propertyOf(
    flatten(context.declarations, `${base}ResultResponse`),
    "result",
  );
  const names =
    result === undefined ? [] : namesIn(context.declarations, result.schema);
  // The order of a union has no meaning in a JSON Schema, so the ordinary
  // result is moved to the front, and the request for input to the end.
  const rankOf = (entry: string): number =>
    entry === facts.names.inputResult
      ? 2
      : Number(isOtherKind(context.declarations, entry));
  if (names.length > 0) return names.sort((a, b) => rankOf(a) - rankOf(b));
  return context.declarations.has(`${base}Result`) ? [`${base}Result`] : [];
}

/**
 * The names as written: an alias such as `GetTaskResult` counts as a result.
 * The name of a union with results of several kinds stands for its members.
 */
function namesIn(
  declarations: Index,
  schema: Schema,
  visited = new Set<string>(),
): string[] {
  return alternativesIn(schema).flatMap((part) => {
    const name = referenceIn(part);
    if (name === null)
      return part === schema ? [] : namesIn(declarations, part, visited);
    if (visited.has(name)) return [];
    visited.add(name);
    const { kind, schema: inner = anything } = declarations.get(name) ?? {};
    const isUnionOfNames =
      kind === "alias" &&
      isUnion(inner) &&
      alternativesIn(inner).every((each) => referenceIn(each) !== null);
    const names = isUnionOfNames ? namesIn(declarations, inner, visited) : [];
    return names.some((each) => isOtherKind(declarations, each))
      ? names
      : [name];
  });
}

/**
 * The constant `resultType` by which a result differs from the ordinary one;
 * null without one.
 */
export function kindOf(declarations: Index, result: string): string | null {
  const flat = flatten(declarations, result);
  const member = propertyOf(flat, facts.names.resultType);
  const value = member && constantIn(resolve(declarations, member.schema));
  const isOrdinary = facts.engineDefaults.some(
    (row) => row.member === facts.names.resultType && row.value === value,
  );
  return typeof value === "string" && !isOrdinary ? value : null;
}

/** True for a result that is not the ordinary one of any request. */
export function isOtherKind(declarations: Index, result: string): boolean {
  return (
    result === facts.names.inputResult || kindOf(declarations, result) !== null
  );
}

export function resultFactsOf(
  context: DeriveContext,
  candidate: Candidate,
  params: Params,
): ResultFacts {
  const { declarations } = context;
  const named = namedResults(context, candidate);
  const results = named.length > 0 ? named : emptyResult(context, candidate);
  const paramShapes = objectsOf(context, params.schema);
  for (const { result } of selectedResultsOf(context, params))
    if (!results.includes(result)) results.push(result);
  const [first] = results;
  const result = first === undefined ? null : flatten(declarations, first);
  const has = (flat: Flat | null, member: string): boolean =>
    propertyOf(flat, member) !== undefined;
  const isPaginated =
    has(result, facts.names.nextCursor) &&
    paramShapes.some((flat) => has(flat, facts.names.cursor));
  return {
    results,
    items:
      isPaginated && result !== null
        ? itemsOf(context, candidate, result)
        : null,
    cacheable: facts.names.cacheable.every((member) => has(result, member)),
    asksInput:
      results.includes(facts.names.inputResult) ||
      // A request that requires input responses only carries them, so its
      // result is never a request for input.
      paramShapes.some(
        (flat) =>
          propertyOf(flat, facts.names.inputResponses)?.optional === true,
      ),
  };
}

/** The rows for the results that a request's params can select. */
export function selectedResultsOf(
  context: DeriveContext,
  params: Params,
): facts.SelectedResult[] {
  const paramShapes = objectsOf(context, params.schema);
  return facts.selectedResults.filter(
    (row) =>
      context.declarations.has(row.result) &&
      paramShapes.some((flat) => {
        const member = propertyOf(flat, row.member);
        return member !== undefined && referenceIn(member.schema) === row.type;
      }),
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
    const list = propertyOf(flatten(declarations, result), row.list);
    const schema = list && resolve(declarations, list.schema);
    if (
      row.method !== method ||
      schema === undefined ||
      typeIn(schema) !== "array"
    )
      return false;
    return (
      propertyOf(flattenSchema(declarations, itemsIn(schema)), row.member) !==
      undefined
    );
  });
  return rows.map(({ list, member, prefix }) => ({ list, member, prefix }));
}

/**
 * The objects that a schema describes: one, or each alternative of a union;
 * none without a schema.
 */
export function objectsOf(
  { declarations }: DeriveContext,
  schema: Schema | null,
): Flat[] {
  return (schema === null ? [] : membersOf(declarations, schema)).flatMap(
    (member) => flattenSchema(declarations, member) ?? [],
  );
}

function emptyResult(
  context: DeriveContext,
  { name, method }: Candidate,
): string[] {
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
function itemsOf(
  context: DeriveContext,
  { name, method }: Candidate,
  result: Flat,
): string | null {
  const arrays = result.properties.filter(
    ({ schema }) => typeIn(resolve(context.declarations, schema)) === "array",
  );
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
