import type { Json } from "../../model.js";
import { isList, isRecord } from "../../value.js";

import { step, under } from "../../../diff/place.js";
import type { Finding } from "../judge.js";
import type { Compare, Pair } from "./pair.js";
import { isOld, partsOf, said, type Parts } from "./parts.js";
import { showTypes, typesOf } from "./values.js";

/** Members of objects: which there are, which must be there, and what stands in them. */
export function compareMembers(
  pair: Pair,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Finding[] {
  const [was, is] = [propertiesOf(old), propertiesOf(fresh)];
  const [needed, needs] = [requiredOf(old), requiredOf(fresh)];
  const [wasClosed, isClosed] = [old, fresh].map((parts) =>
    said(parts, "additionalProperties").includes(false),
  );
  const shown = (schema: Json | undefined, root: Json): string =>
    schema === undefined ? "any" : showTypes(typesOf(partsOf(schema, root)));
  const findings: Finding[] = [];
  for (const name of new Set([...was.keys(), ...is.keys(), ...needed, ...needs])) {
    const [before, after] = [was.get(name), is.get(name)];
    const [required, requires] = [needed.has(name), needs.has(name)];
    const path = step(name);
    const wasThere = before !== undefined || required;
    const isThere = after !== undefined || requires;
    if (!wasThere) {
      const told = { path, was: null, is: shown(after, pair.after) };
      if (requires) findings.push({ change: "required-member-added", ...told });
      // Whoever refused every unknown member refuses this one.
      else
        findings.push({
          change: "optional-member-added",
          ...told,
          ...(wasClosed === true ? { shift: "wider" } : {}),
        });
    } else if (!isThere) {
      const told = { path, was: shown(before, pair.before), is: null };
      findings.push({ change: required ? "required-member-removed" : "optional-member-removed", ...told });
    } else {
      if (required !== requires) {
        const change = requires ? "member-made-required" : "member-made-optional";
        findings.push({ change, path, was: null, is: null });
      }
      for (const each of under(path, compare(pair, before ?? true, after ?? true, depth + 1)))
        findings.push(each);
    }
  }
  return [
    ...findings.map((finding) => withUse(pair, finding, isClosed === true)),
    ...compareRest(pair, old, fresh, depth, compare),
  ];
}

/**
 * An argument that is gone breaks those who give it, even where it is accepted and ignored. In a result, a member that is
 * gone for good is no value that anybody could meet.
 */
function withUse({ direction }: Pair, finding: Finding, isClosed: boolean): Finding {
  if (finding.shift !== undefined) return finding;
  if (finding.change === "optional-member-removed") {
    return direction === "input" || isClosed ? { ...finding, shift: "narrower" } : finding;
  }
  if (finding.change === "required-member-removed" && direction === "input")
    return { ...finding, shift: "other" };
  return finding;
}

function compareRest(pair: Pair, old: Parts, fresh: Parts, depth: number, compare: Compare): Finding[] {
  const [was, is] = [restOf(old), restOf(fresh)];
  const [wasClosed, isClosed] = [was === false, is === false];
  if (wasClosed && isClosed) return [];
  if (isClosed) return [{ change: "other-members-refused", path: "", was: null, is: null }];
  if (wasClosed) return [{ change: "other-members-allowed", path: "", was: null, is: null }];
  return under("{}", compare(pair, was, is, depth + 1));
}

function propertiesOf(parts: Parts): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const properties of said(parts, "properties")) {
    if (!isRecord(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      const other = found.get(name);
      found.set(name, other === undefined ? schema : { allOf: [other, schema] });
    }
  }
  return found;
}

function requiredOf(parts: Parts): ReadonlySet<string> {
  return new Set(said(parts, "required").flatMap((names) => (isList(names) ? names.map(String) : [])));
}

function restOf(parts: Parts): Json {
  const [first, ...others] = said(parts, "additionalProperties");
  if (first === undefined) return true;
  if (others.length === 0) return first;
  return [first, ...others].includes(false) ? false : { allOf: [first, ...others] };
}

/** Items of arrays: the first ones by their place, and the others. */
export function compareItems(
  pair: Pair,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Finding[] {
  const [was, is] = [itemsOf(old, pair.before), itemsOf(fresh, pair.after)];
  const length = Math.max(was.first.length, is.first.length);
  const findings = Array.from({ length }, (_, i) =>
    under(`[${i}]`, compare(pair, was.first[i] ?? was.rest, is.first[i] ?? is.rest, depth + 1)),
  ).flat();
  return [...findings, ...under("[]", compare(pair, was.rest, is.rest, depth + 1))];
}

function itemsOf(parts: Parts, root: Json): { readonly first: readonly Json[]; readonly rest: Json } {
  const items = said(parts, "items");
  const lists = isOld(root) ? items : said(parts, "prefixItems");
  const first = lists.find(isList) ?? [];
  const others = [
    ...items.filter((value) => !isList(value)),
    ...(isOld(root) && first.length > 0 ? said(parts, "additionalItems") : []),
  ];
  const [rest = true, ...more] = others;
  return { first, rest: more.length === 0 ? rest : { allOf: others } };
}
