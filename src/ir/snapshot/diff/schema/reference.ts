import type { Json } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { memberOf } from "../json.js";

/** Keywords whose value is data and never a schema. */
export const dataKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** The target of a local reference, by a JSON Pointer or an anchor; undefined if `root` does not contain it. */
export function targetOf(reference: Json | undefined, root: Json): Json | undefined {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return anchorsOf(root).get(reference.slice(1));
  let at: Json | undefined = root;
  for (const raw of reference.slice(2).split("/")) {
    const name = unescape(raw);
    if (name === null) return undefined;
    at = isList(at) ? at[Number(name)] : memberOf(at, name);
  }
  return at;
}

function unescape(raw: string): string | null {
  try {
    return decodeURIComponent(raw).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

const indexes = new WeakMap<object, ReadonlyMap<string, Json>>();

/**
 * The schemas inside `root` by their `$anchor`, or by an `$id` that starts with "#" (draft-07). Anchors inside a
 * schema with its own identifier belong to that schema only.
 */
function anchorsOf(root: Json): ReadonlyMap<string, Json> {
  if (!isRecord(root)) return new Map();
  const cached = indexes.get(root);
  if (cached !== undefined) return cached;
  const anchors = new Map<string, Json>();
  const open: Json[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isList(next)) for (const item of next) open.push(item);
    if (!isRecord(next)) continue;
    const [id, anchor] = [memberOf(next, "$id"), memberOf(next, "$anchor")];
    const isAnchor = typeof id === "string" && id.startsWith("#");
    if (typeof id === "string" && !isAnchor && next !== root) continue;
    if (isAnchor && id.length > 1) anchors.set(id.slice(1), next);
    if (typeof anchor === "string") anchors.set(anchor, next);
    for (const [name, value] of Object.entries(next)) if (!dataKeywords.has(name)) open.push(value);
  }
  indexes.set(root, anchors);
  return anchors;
}
