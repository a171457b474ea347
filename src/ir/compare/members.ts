import { anything, ofKind, type Schema } from "../constraint.js";
import { step, under } from "./path.js";
import type { Member, SchemaDelta, Side, Worded } from "./model.js";
import { acceptsAnything, partsOf, type Parts } from "./parts.js";

/** Compares the schemas of a part of two values. */
export type CompareInner<Own> = (was: Schema, is: Schema) => (SchemaDelta | Own)[];

/** The differences between the members of two objects: their names, types, and whether they are required. */
export function compareMembers<Own extends { readonly path: string }>(
  sides: Worded<Own>,
  old: Parts,
  fresh: Parts,
  compare: CompareInner<Own>,
): (SchemaDelta | Own)[] {
  const { words, before, after } = sides;
  const [was, is] = [membersOf(old), membersOf(fresh)];
  const isClosed = { before: isNever(before, restOf(old)), after: isNever(after, restOf(fresh)) };
  const deltas: (SchemaDelta | Own)[] = [];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was.get(name), is.get(name)];
    const path = step(name);
    const texts = (): { was: string | null; is: string | null } => ({
      was: one === undefined ? null : words.member(before, one),
      is: other === undefined ? null : words.member(after, other),
    });
    if (one === undefined || other === undefined) {
      const isRequired = (one ?? other)?.isRequired === true;
      deltas.push({ ...presenceChange(isRequired, one === undefined, isClosed), path, ...texts() });
      continue;
    }
    if (one.isRequired !== other.isRequired) {
      const change = other.isRequired ? "member-made-required" : "member-made-optional";
      const { was, is } = texts();
      deltas.push({ change, path, ...(was === is ? { was: null, is: null } : { was, is }) });
    }
    for (const each of under(path, compare(one.schema, other.schema))) deltas.push(each);
  }
  return [...deltas, ...compareRest(sides, restOf(old), restOf(fresh), compare)];
}

/** A closed object allows only the members that it lists, so that one more or less changes which values it accepts. */
function presenceChange(
  isRequired: boolean,
  isAdded: boolean,
  isClosed: { readonly before: boolean; readonly after: boolean },
): Pick<SchemaDelta, "change" | "shift"> {
  if (isAdded) {
    if (isRequired) return { change: "required-member-added" };
    return { change: "optional-member-added", ...(isClosed.before ? { shift: "wider" } : {}) };
  }
  if (isRequired) return { change: "required-member-removed" };
  return { change: "optional-member-removed", ...(isClosed.after ? { shift: "narrower" } : {}) };
}

function membersOf(parts: Parts): ReadonlyMap<string, Member> {
  const required = new Set(ofKind(parts.checks, "required").flatMap(({ names }) => names));
  const members = new Map<string, Member>();
  for (const { properties } of ofKind(parts.checks, "members")) {
    for (const { name, schema } of properties) {
      const other = members.get(name)?.schema;
      const both = other === undefined ? schema : all([other, schema]);
      members.set(name, { name, isRequired: required.has(name), schema: both });
    }
  }
  for (const name of required)
    if (!members.has(name)) members.set(name, { name, isRequired: true, schema: anything });
  return members;
}

function all(schemas: readonly Schema[]): Schema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined
    ? only
    : { doc: anything.doc, checks: [{ kind: "all", schemas }] };
}

/** The schema of all other members; null if any are allowed. */
function restOf(parts: Parts): Schema | null {
  const rests = ofKind(parts.checks, "members").flatMap(({ rest }) => (rest === null ? [] : [rest]));
  return rests.length === 0 ? null : all(rests);
}

function isNever(side: Side, schema: Schema | null): boolean {
  return schema !== null && partsOf(side, schema).checks.some(({ kind }) => kind === "never");
}

function compareRest<Own extends { readonly path: string }>(
  { words, before, after }: Worded<Own>,
  was: Schema | null,
  is: Schema | null,
  compare: CompareInner<Own>,
): (SchemaDelta | Own)[] {
  const [wasClosed, isClosed] = [isNever(before, was), isNever(after, is)];
  if (wasClosed || isClosed) {
    if (wasClosed && isClosed) return [];
    const change = isClosed ? "other-members-refused" : "other-members-allowed";
    return [{ change, path: "", was: null, is: null }];
  }
  const isAny = acceptsAnything(before, was ?? anything) && acceptsAnything(after, is ?? anything);
  if (isAny && (was === null) !== (is === null)) {
    const text = (side: Side, schema: Schema | null): string | null => schema && words.schema(side, schema);
    return [{ change: "openness-changed", path: "{}", was: text(before, was), is: text(after, is) }];
  }
  return under("{}", compare(was ?? anything, is ?? anything));
}

/** The differences between the items of two arrays: the first ones by position, then the rest. */
export function compareItems<Own extends { readonly path: string }>(
  old: Parts,
  fresh: Parts,
  compare: CompareInner<Own>,
): (SchemaDelta | Own)[] {
  const [was, is] = [itemsOf(old), itemsOf(fresh)];
  const length = Math.max(was.first.length, is.first.length);
  const deltas = Array.from({ length }, (_, i) =>
    under(`[${i}]`, compare(was.first[i] ?? was.rest, is.first[i] ?? is.rest)),
  ).flat();
  return [...deltas, ...under("[]", compare(was.rest, is.rest))];
}

function itemsOf(parts: Parts): { readonly first: readonly Schema[]; readonly rest: Schema } {
  const lists = ofKind(parts.checks, "items");
  const first = lists.find((items) => items.first.length > 0)?.first ?? [];
  const rests = lists.flatMap(({ rest }) => (rest === null ? [] : [rest]));
  return { first, rest: rests.length === 0 ? anything : all(rests) };
}
