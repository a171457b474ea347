import type { Scope } from "../../../diagnostics.js";
import { quoted, scanString, scanWord, skipSpace } from "./scan.js";
import type { JsonMember, JsonNode, Locations } from "./tree.js";

/** Limits of a JSON text. A schema of the protocol needs 2 % of them. */
export interface Budget {
  /**
   * Maximum nesting of containers. It also protects the stack, because
   * functions that walk the tree are recursive.
   */
  readonly depth: number;
  /** Maximum number of values. */
  readonly nodes: number;
}

export const defaultBudget: Budget = { depth: 200, nodes: 1_000_000 };

type OpenContainer =
  | {
      readonly kind: "object";
      readonly at: number;
      readonly members: Map<string, JsonMember>;
      name: string;
      nameAt: number;
    }
  | { readonly kind: "array"; readonly at: number; readonly items: JsonNode[] };

/**
 * Parses JSON with the location of each value. Reports a duplicate name and
 * keeps the first value. Reports text that is not JSON or exceeds the budget
 * and returns null. Not recursive, so no input can overflow the stack.
 */
export function parseJson(
  text: string,
  locations: Locations,
  scope: Scope,
  budget: Budget = defaultBudget,
): JsonNode | null {
  const open: OpenContainer[] = [];
  let nodes = 0;
  const fail = (at: number, problem: string, hint: string | null): null => {
    scope.error("MG201", locations(at), problem, hint);
    return null;
  };
  const syntax = (at: number, problem: string): null =>
    fail(at, problem, "write valid JSON");

  // Skips a byte order mark.
  let at = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  for (;;) {
    // One value, or the opening of one.
    nodes += 1;
    if (nodes > budget.nodes) {
      return fail(
        at,
        `the text has more than ${budget.nodes} values`,
        "split it into smaller schemas",
      );
    }
    const char = text[at];
    let value: JsonNode | null = null;
    if (char === "{" || char === "[") {
      if (open.length >= budget.depth) {
        return fail(
          at,
          `the text is nested more than ${budget.depth} levels deep`,
          "flatten it",
        );
      }
      const empty = skipSpace(text, at + 1);
      if (char === "{" && text[empty] !== "}") {
        const key = openName(text, empty);
        if (!key.ok) return syntax(key.at, key.problem);
        open.push({
          kind: "object",
          at,
          members: new Map(),
          name: key.value,
          nameAt: empty,
        });
        at = key.end;
        continue;
      }
      if (char === "[" && text[empty] !== "]") {
        open.push({ kind: "array", at, items: [] });
        at = empty;
        continue;
      }
      value =
        char === "{"
          ? { kind: "object", at, members: new Map() }
          : { kind: "array", at, items: [] };
      at = empty + 1;
    } else {
      const scalar = char === '"' ? scanString(text, at) : scanWord(text, at);
      if (!scalar.ok) return syntax(scalar.at, scalar.problem);
      value = { kind: "scalar", at, value: scalar.value };
      at = scalar.end;
    }

    // Adds a complete value to its container, which may then be complete too.
    for (;;) {
      at = skipSpace(text, at);
      const top = open.at(-1);
      if (top === undefined) {
        if (at < text.length)
          return syntax(
            at,
            `unexpected ${quoted(text.slice(at, at + 10))} after the end of the value`,
          );
        return value;
      }
      if (top.kind === "array") top.items.push(value);
      else if (!top.members.has(top.name))
        top.members.set(top.name, { at: top.nameAt, value });
      else {
        const message = `the member "${top.name}" is declared twice`;
        scope.error(
          "MG202",
          locations(top.nameAt),
          message,
          "keep one of them",
        );
      }
      const close = top.kind === "array" ? "]" : "}";
      if (text[at] === ",") break;
      if (text[at] !== close) {
        return syntax(
          at,
          `expected "," or "${close}", got ${quoted(text.slice(at, at + 1))}`,
        );
      }
      open.pop();
      value =
        top.kind === "array"
          ? top
          : { kind: "object", at: top.at, members: top.members };
      at += 1;
    }

    // After a comma.
    at = skipSpace(text, at + 1);
    const top = open.at(-1);
    if (top?.kind === "object") {
      const key = openName(text, at);
      if (!key.ok) return syntax(key.at, key.problem);
      top.name = key.value;
      top.nameAt = at;
      at = key.end;
    }
  }
}

/** A member's name and its colon; the end is where the value starts. */
function openName(text: string, at: number): ReturnType<typeof scanString> {
  if (text[at] !== '"') {
    const actual = quoted(text.slice(at, at + 1));
    return {
      ok: false,
      at,
      problem: `expected the name of a member, got ${actual}`,
    };
  }
  const name = scanString(text, at);
  if (!name.ok) return name;
  const colon = skipSpace(text, name.end);
  if (text[colon] !== ":") {
    const actual = quoted(text.slice(colon, colon + 1));
    return { ok: false, at: colon, problem: `expected ":", got ${actual}` };
  }
  return { ...name, end: skipSpace(text, colon + 1) };
}
