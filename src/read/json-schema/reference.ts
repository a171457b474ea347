import { localRef, pointerOf, resolve } from "../json/text/pointer.js";
import { stringOf, type JsonNode } from "../json/text/tree.js";
import type { SchemaContext } from "./context.js";
import { keyword } from "./keyword.js";

/** The target of a reference. */
export interface Target {
  /** The pointer from the root; empty for the root itself. */
  readonly pointer: string;
  readonly label: string;
  readonly node: JsonNode;
  /** True if the target is inside a schema with its own identifier. */
  readonly isEmbedded: boolean;
}

/** The target of a reference; null if it is not inside this document. Nothing is fetched. */
export function targetOf(context: SchemaContext, ref: string): Target | null {
  // Inside a schema with its own identifier, "#" is that schema; such references are not followed.
  if (context.isEmbedded) return null;
  const local = withoutOwnId(context.root, ref);
  if (!local.startsWith("#")) return null;
  const steps = localRef(local);
  if (steps === null) return anchored(context.root, local.slice(1));
  const node = resolve(context.root, steps);
  if (node === null) return null;
  const isEmbedded = steps.some((_, i) => i > 0 && isIdentified(resolve(context.root, steps.slice(0, i))));
  return { pointer: pointerOf(steps), label: steps.at(-1) ?? "", node, isEmbedded };
}

/** The reference as a fragment if it starts with the identifier of the document itself, in full or relative to it. */
function withoutOwnId(root: JsonNode, ref: string): string {
  if (ref.startsWith("#") || root.kind !== "object" || !isIdentified(root)) return ref;
  const [id = ""] = (stringOf(keyword(root, "$id") ?? null) ?? "").split("#");
  const [whole = "", fragment = ""] = ref.split(/#(.*)/s);
  const isOwn = URL.canParse(whole, id) ? new URL(whole, id).href === new URL(id).href : whole === id;
  return isOwn ? `#${fragment}` : ref;
}

/** True if the schema has an identifier, at which references inside it start. In draft-07, `#name` is only an anchor. */
export function isIdentified(node: JsonNode | null): boolean {
  const id = node?.kind === "object" ? stringOf(keyword(node, "$id") ?? null) : null;
  return id !== null && !id.startsWith("#");
}

/** The schema with this anchor: an `$anchor`, or in draft-07 an `$id` that starts with #. */
function anchored(root: JsonNode, name: string): Target | null {
  const open: (readonly [node: JsonNode, steps: readonly string[]])[] = [[root, []]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, steps] = next;
    if (node.kind === "scalar") continue;
    if (node.kind === "array") {
      node.items.forEach((item, index) => open.push([item, [...steps, String(index)]]));
      continue;
    }
    // Anchors inside a schema with an identifier belong to that schema only.
    if (node !== root && isIdentified(node)) continue;
    const anchor = stringOf(keyword(node, "$anchor") ?? null);
    const id = stringOf(keyword(node, "$id") ?? null);
    if (name !== "" && (anchor === name || id === `#${name}`))
      return { pointer: pointerOf(steps), label: name, node, isEmbedded: false };
    for (const [key, { value }] of node.members) {
      // These keywords contain values, not schemas.
      if (key !== "enum" && key !== "const" && key !== "default" && key !== "examples")
        open.push([value, [...steps, key]]);
    }
  }
  return null;
}
