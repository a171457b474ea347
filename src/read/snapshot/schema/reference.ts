import type { Check } from "../../../ir/constraint.js";
import { nearest } from "../../nearest.js";
import { localRef, pointerOf, resolve } from "../../json/text/pointer.js";
import { show, stringOf, type JsonNode, type JsonObject } from "../../json/text/tree.js";
import { keyword } from "./keyword.js";
import { malformed, unchecked, type Reading } from "./reading.js";

/** `$ref`: a place in the same schema. Nothing is ever fetched. */
export function readReference(reading: Reading, node: JsonNode): Check[] {
  const ref = stringOf(node);
  if (ref === null) {
    malformed(reading, node, "$ref", "a text that starts with #");
    return [];
  }
  const target = targetOf(reading, ref);
  if (target === null) {
    reading.own.isOverApproximated = true;
    const isLocal = ref.startsWith("#");
    const meant = isLocal ? nearest(ref, definitionsOf(reading)) : null;
    reading.scope.warn(
      "MG306",
      reading.places(node.at),
      isLocal
        ? `the reference ${show(node)} leads nowhere; what it refers to is left unchecked`
        : `the reference ${show(node)} leads out of this schema; nothing is fetched, and it is left unchecked`,
      meant === null ? null : `did you mean "${meant}"?`,
    );
    return [];
  }
  const key = `${reading.rootKey}${target.pointer}`;
  if (!reading.parts.has(key)) reading.parts.set(key, { ...target, schema: null });
  return [{ kind: "reference", key }];
}

export interface Target {
  /** The pointer from the root, empty for the root itself. */
  readonly pointer: string;
  readonly label: string;
  readonly node: JsonNode;
  /** Does it lie in a schema with an identifier of its own? */
  readonly isEmbedded: boolean;
}

/** Where a reference leads, null when that is not inside this schema. */
export function targetOf(reading: Reading, ref: string): Target | null {
  // Inside a schema with an identifier of its own, "#" starts there; such references decide nothing here.
  if (reading.isEmbedded || !ref.startsWith("#")) return null;
  const steps = localRef(ref);
  if (steps === null) return anchored(reading.root, ref.slice(1));
  const node = resolve(reading.root, steps);
  if (node === null) return null;
  const isEmbedded = steps.some((_, i) => i > 0 && isIdentified(resolve(reading.root, steps.slice(0, i))));
  return { pointer: pointerOf(steps), label: steps.at(-1) ?? "", node, isEmbedded };
}

/** Does the schema have an identifier, from which references inside it start? One of draft-07 may be a mere anchor. */
export function isIdentified(node: JsonNode | null): boolean {
  const id = node?.kind === "object" ? stringOf(keyword(node, "$id") ?? null) : null;
  return id !== null && !id.startsWith("#");
}

/** A schema that calls itself by the name: `$anchor`, or an `$id` of draft-07 that starts with #. */
function anchored(root: JsonNode, name: string): Target | null {
  const open: (readonly [node: JsonNode, steps: readonly string[]])[] = [[root, []]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, steps] = next;
    if (node.kind === "scalar") continue;
    if (node.kind === "array") {
      node.items.forEach((item, index) => open.push([item, [...steps, String(index)]]));
      continue;
    }
    // Names inside a schema with an identifier, its own among them, are names within that one alone.
    if (node !== root && isIdentified(node)) continue;
    const own = [stringOf(keyword(node, "$anchor") ?? null), stringOf(keyword(node, "$id") ?? null)];
    if (name !== "" && (own[0] === name || own[1] === `#${name}`))
      return { pointer: pointerOf(steps), label: name, node, isEmbedded: false };
    for (const [key, { value }] of node.members) {
      // Values are no schemas, whatever they hold.
      if (key !== "enum" && key !== "const" && key !== "default" && key !== "examples")
        open.push([value, [...steps, key]]);
    }
  }
  return null;
}

function definitionsOf(reading: Reading): string[] {
  return ["$defs", "definitions"].flatMap((container) => {
    const node = reading.root.kind === "object" ? keyword(reading.root, container) : undefined;
    return node?.kind === "object" ? [...node.members.keys()].map((name) => `#/${container}/${name}`) : [];
  });
}

/** References whose target depends on how a schema was reached. */
export function unfollowed(reading: Reading, node: JsonObject): void {
  for (const name of ["$dynamicRef", "$recursiveRef"]) {
    const value = keyword(node, name);
    if (value === undefined) continue;
    unchecked(reading, value, `"${name}" is left unchecked`, 'use "$ref"');
  }
}
