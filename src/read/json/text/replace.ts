import type { JsonMember, JsonNode } from "./tree.js";

/**
 * Returns a copy of the tree with another value at the end of the steps; the value null removes it. Returns null if the parent does
 * not exist.
 */
export function replaceAt(
  node: JsonNode,
  steps: readonly string[],
  value: (old: JsonNode | null) => JsonNode | null,
): JsonNode | null {
  const [step, ...more] = steps;
  if (step === undefined) return value(node);
  if (node.kind === "scalar") return null;
  if (node.kind === "array") {
    const index = Number(step);
    const old = node.items[index];
    const isLast = more.length === 0;
    if (!/^(0|[1-9][0-9]*)$/.test(step) || (old === undefined && !(isLast && index === node.items.length)))
      return null;
    const fresh = old === undefined || isLast ? value(old ?? null) : replaceAt(old, more, value);
    if (fresh === null && !isLast) return null;
    return {
      ...node,
      items: [
        ...node.items.slice(0, index),
        ...(fresh === null ? [] : [fresh]),
        ...node.items.slice(index + 1),
      ],
    };
  }
  const old = node.members.get(step);
  if (old === undefined && more.length > 0) return null;
  const fresh =
    old === undefined || more.length === 0 ? value(old?.value ?? null) : replaceAt(old.value, more, value);
  if (fresh === null && more.length > 0) return null;
  const members = new Map<string, JsonMember>(node.members);
  if (fresh === null) members.delete(step);
  else members.set(step, { at: old?.at ?? node.at, value: fresh });
  return { ...node, members };
}
