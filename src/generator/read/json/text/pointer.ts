import { member, type JsonNode } from "./tree.js";

/**
 * The steps of a JSON pointer (RFC 6901); null if the text is not one. The
 * empty pointer has no steps.
 */
export function pointerSteps(pointer: string): readonly string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer that leads along these steps. */
export function pointerOf(steps: readonly string[]): string {
  return steps
    .map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/**
 * The steps of a `$ref` into the same text (`#/definitions/A%20B`); null for
 * any other reference.
 */
export function localRef(ref: string): readonly string[] | null {
  if (!ref.startsWith("#")) return null;
  try {
    return pointerSteps(decodeURIComponent(ref.slice(1)));
  } catch {
    // A percent sign that starts no escape.
    return null;
  }
}

/** The child of a node; null if there is none. */
export function stepInto(node: JsonNode, step: string): JsonNode | null {
  if (node.kind === "array")
    return /^(0|[1-9][0-9]*)$/.test(step)
      ? (node.items[Number(step)] ?? null)
      : null;
  return member(node, step);
}

/** The node at the end of the steps; null if there is none. */
export function resolve(
  root: JsonNode,
  steps: readonly string[],
): JsonNode | null {
  let node: JsonNode | null = root;
  for (const step of steps) {
    if (node === null) return null;
    node = stepInto(node, step);
  }
  return node;
}
