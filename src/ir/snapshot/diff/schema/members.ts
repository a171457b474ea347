import type { Json } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { step, under } from "../../../diff/path.js";
import type { Delta } from "../classify.js";
import type { Compare, Pair } from "./pair.js";
import { isOldDraft, partsOf, valuesIn, type Parts } from "./parts.js";
import { showTypes, typesOf } from "./values.js";

/** The differences between the members of two objects: their names, types, and whether they are required. */
export function compareMembers(
  pair: Pair,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Delta[] {
  const [was, is] = [propertiesOf(old), propertiesOf(fresh)];
  const [requiredBefore, requiredAfter] = [requiredOf(old), requiredOf(fresh)];
  const [wasClosed, isClosed] = [old, fresh].map((parts) =>
    valuesIn(parts, "additionalProperties").includes(false),
  );
  const textOf = (schema: Json | undefined, root: Json): string =>
    schema === undefined ? "any" : showTypes(typesOf(partsOf(schema, root)));
  const deltas: Delta[] = [];
  for (const name of new Set([...was.keys(), ...is.keys(), ...requiredBefore, ...requiredAfter])) {
    const [before, after] = [was.get(name), is.get(name)];
    const [wasRequired, isRequired] = [requiredBefore.has(name), requiredAfter.has(name)];
    const path = step(name);
    const wasThere = before !== undefined || wasRequired;
    const isThere = after !== undefined || isRequired;
    if (!wasThere) {
      const values = { path, was: null, is: textOf(after, pair.after) };
      if (isRequired) deltas.push({ change: "required-member-added", ...values });
      // An object that allowed no unknown member did not allow this one.
      else
        deltas.push({
          change: "optional-member-added",
          ...values,
          ...(wasClosed === true ? { shift: "wider" } : {}),
        });
    } else if (!isThere) {
      const values = { path, was: textOf(before, pair.before), is: null };
      deltas.push({ change: wasRequired ? "required-member-removed" : "optional-member-removed", ...values });
    } else {
      if (wasRequired !== isRequired) {
        const change = isRequired ? "member-made-required" : "member-made-optional";
        deltas.push({ change, path, was: null, is: null });
      }
      for (const each of under(path, compare(pair, before ?? true, after ?? true, depth + 1)))
        deltas.push(each);
    }
  }
  return [
    ...deltas.map((delta) => withDirection(pair, delta, isClosed === true)),
    ...compareRest(pair, old, fresh, depth, compare),
  ];
}

/**
 * A removed argument breaks callers that pass it, even if the server ignores it. In a result, no value can satisfy a
 * member that is no longer allowed.
 */
function withDirection({ direction }: Pair, delta: Delta, isClosed: boolean): Delta {
  if (delta.shift !== undefined) return delta;
  if (delta.change === "optional-member-removed") {
    return direction === "input" || isClosed ? { ...delta, shift: "narrower" } : delta;
  }
  if (delta.change === "required-member-removed" && direction === "input")
    return { ...delta, shift: "other" };
  return delta;
}

function compareRest(pair: Pair, old: Parts, fresh: Parts, depth: number, compare: Compare): Delta[] {
  const [was, is] = [restOf(old), restOf(fresh)];
  const [wasClosed, isClosed] = [was === false, is === false];
  if (wasClosed && isClosed) return [];
  if (isClosed) return [{ change: "other-members-refused", path: "", was: null, is: null }];
  if (wasClosed) return [{ change: "other-members-allowed", path: "", was: null, is: null }];
  return under("{}", compare(pair, was, is, depth + 1));
}

function propertiesOf(parts: Parts): ReadonlyMap<string, Json> {
  const schemas = new Map<string, Json>();
  for (const properties of valuesIn(parts, "properties")) {
    if (!isRecord(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      const other = schemas.get(name);
      schemas.set(name, other === undefined ? schema : { allOf: [other, schema] });
    }
  }
  return schemas;
}

function requiredOf(parts: Parts): ReadonlySet<string> {
  return new Set(valuesIn(parts, "required").flatMap((names) => (isList(names) ? names.map(String) : [])));
}

function restOf(parts: Parts): Json {
  const [first, ...others] = valuesIn(parts, "additionalProperties");
  if (first === undefined) return true;
  if (others.length === 0) return first;
  return [first, ...others].includes(false) ? false : { allOf: [first, ...others] };
}

/** The differences between the items of two arrays: the first ones by position, then the rest. */
export function compareItems(pair: Pair, old: Parts, fresh: Parts, depth: number, compare: Compare): Delta[] {
  const [was, is] = [itemsOf(old, pair.before), itemsOf(fresh, pair.after)];
  const length = Math.max(was.first.length, is.first.length);
  const deltas = Array.from({ length }, (_, i) =>
    under(`[${i}]`, compare(pair, was.first[i] ?? was.rest, is.first[i] ?? is.rest, depth + 1)),
  ).flat();
  return [...deltas, ...under("[]", compare(pair, was.rest, is.rest, depth + 1))];
}

function itemsOf(parts: Parts, root: Json): { readonly first: readonly Json[]; readonly rest: Json } {
  const items = valuesIn(parts, "items");
  const lists = isOldDraft(root) ? items : valuesIn(parts, "prefixItems");
  const first = lists.find(isList) ?? [];
  const others = [
    ...items.filter((value) => !isList(value)),
    ...(isOldDraft(root) && first.length > 0 ? valuesIn(parts, "additionalItems") : []),
  ];
  const [rest = true, ...more] = others;
  return { first, rest: more.length === 0 ? rest : { allOf: others } };
}
