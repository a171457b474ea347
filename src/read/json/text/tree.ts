/** A JSON value that remembers where it stands. Offsets count UTF-16 units from the start of the text. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

export interface JsonObject {
  readonly kind: "object";
  readonly at: number;
  /** In the order of the text. A map, so that a member called `__proto__` is a member like any other. */
  readonly members: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  /** Where the name stands. */
  readonly at: number;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly kind: "array";
  readonly at: number;
  readonly items: readonly JsonNode[];
}

export interface JsonScalar {
  readonly kind: "scalar";
  readonly at: number;
  readonly value: string | number | boolean | null;
}

/** The value of a member, null when the node is no object or has no such member. */
export function member(node: JsonNode, name: string): JsonNode | null {
  return node.kind === "object" ? (node.members.get(name)?.value ?? null) : null;
}

/** The string a node holds, null for anything else. */
export function stringOf(node: JsonNode | null): string | null {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : null;
}

/** The same value, wherever the two stand; the order of members does not count. */
export function sameValue(a: JsonNode, b: JsonNode): boolean {
  if (a.kind === "scalar") return b.kind === "scalar" && a.value === b.value;
  if (a.kind === "array") {
    if (b.kind !== "array" || a.items.length !== b.items.length) return false;
    return a.items.every((item, index) => {
      const other = b.items[index];
      return other !== undefined && sameValue(item, other);
    });
  }
  if (b.kind !== "object" || a.members.size !== b.members.size) return false;
  for (const [name, { value }] of a.members) {
    const other = b.members.get(name);
    if (other === undefined || !sameValue(value, other.value)) return false;
  }
  return true;
}

/** A copy that stands, with all it holds, at one place: for a fragment that takes another's place. */
export function placedAt(node: JsonNode, at: number): JsonNode {
  if (node.kind === "scalar") return { ...node, at };
  if (node.kind === "array") return { ...node, at, items: node.items.map((item) => placedAt(item, at)) };
  const members = new Map<string, JsonMember>();
  for (const [name, { value }] of node.members) members.set(name, { at, value: placedAt(value, at) });
  return { ...node, at, members };
}

const longest = 60;

/** A node as JSON on one line, shortened, for a message. */
export function show(node: JsonNode): string {
  const text = write(node, longest);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** Stops early: no more is written than a message can show. */
function write(node: JsonNode, budget: number): string {
  if (node.kind === "scalar") return JSON.stringify(node.value);
  let text = "";
  if (node.kind === "array") {
    for (const item of node.items) {
      if (text.length > budget) break;
      text += `${text === "" ? "" : ","}${write(item, budget - text.length)}`;
    }
    return `[${text}]`;
  }
  for (const [name, { value }] of node.members) {
    if (text.length > budget) break;
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${write(value, budget - text.length)}`;
  }
  return `{${text}}`;
}
