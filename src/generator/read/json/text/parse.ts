import type { Scope } from "../../../diagnostics.js";
import { quoted, scanString, scanWord, skipSpace, type Token } from "./scan.js";
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

const defaultBudget: Budget = { depth: 200, nodes: 1_000_000 };

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
  const fail = (at: number, problem: string, hint: string): null => {
    scope.error("MG201", locations(at), problem, hint);
    return null;
  };
  const reportTwice = (name: string, at: number): void => {
    const message = `the member "${name}" is declared twice`;
    scope.error("MG202", locations(at), message, "keep one of them");
  };

  // Skips a byte order mark.
  let at = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  for (let nodes = 1; ; nodes++) {
    if (nodes > budget.nodes) {
      const problem = `the text has more than ${budget.nodes} values`;
      return fail(at, problem, "split it into smaller schemas");
    }
    const isContainer = text[at] === "{" || text[at] === "[";
    if (isContainer && open.length >= budget.depth) {
      const problem = `the text is nested more than ${budget.depth} levels deep`;
      return fail(at, problem, "flatten it");
    }
    const start = startOf(text, at, open);
    const rest =
      start.ok && start.value !== null
        ? addTo(open, start.value, text, start.end, reportTwice)
        : start;
    if (!rest.ok) {
      return fail(rest.at, rest.problem, "write valid JSON");
    }
    if (rest.value !== null) return rest.value;
    at = rest.end;
  }
}

/**
 * A scalar or an empty container; null after the opening of another container,
 * whose first value follows.
 */
function startOf(
  text: string,
  at: number,
  open: OpenContainer[],
): Token<JsonNode | null> {
  const char = text[at];
  if (char !== "{" && char !== "[") {
    const scalar = char === '"' ? scanString(text, at) : scanWord(text, at);
    if (!scalar.ok) return scalar;
    const { value, end } = scalar;
    return { ok: true, value: { kind: "scalar", at, value }, end };
  }
  const inner = skipSpace(text, at + 1);
  const container: OpenContainer =
    char === "{"
      ? { kind: "object", at, members: new Map(), name: "", nameAt: inner }
      : { kind: "array", at, items: [] };
  if (text[inner] === closeOf(container))
    return { ok: true, value: nodeOf(container), end: inner + 1 };
  open.push(container);
  return nextIn(container, text, inner);
}

/**
 * Adds a complete value to its container, which may then be complete too. The
 * result is the value of the whole text, or null if another value follows.
 */
function addTo(
  open: OpenContainer[],
  value: JsonNode,
  text: string,
  end: number,
  reportTwice: (name: string, at: number) => void,
): Token<JsonNode | null> {
  let node = value;
  for (let at = skipSpace(text, end); ; at = skipSpace(text, at + 1)) {
    const top = open.at(-1);
    if (top === undefined) {
      if (at === text.length) return { ok: true, value: node, end: at };
      const found = quoted(text.slice(at, at + 10));
      const problem = `unexpected ${found} after the end of the value`;
      return { ok: false, at, problem };
    }
    if (top.kind === "array") top.items.push(node);
    else if (top.members.has(top.name)) reportTwice(top.name, top.nameAt);
    else top.members.set(top.name, { at: top.nameAt, value: node });
    if (text[at] === ",") return nextIn(top, text, skipSpace(text, at + 1));
    const close = closeOf(top);
    if (text[at] !== close) return unexpected(text, at, `"," or "${close}"`);
    open.pop();
    node = nodeOf(top);
  }
}

const closeOf = ({ kind }: OpenContainer): string =>
  kind === "array" ? "]" : "}";

const nodeOf = (container: OpenContainer): JsonNode => {
  if (container.kind === "array") return container;
  const { kind, at, members } = container;
  return { kind, at, members };
};

/** The start of a container's next value, which has a name in an object. */
function nextIn(
  container: OpenContainer,
  text: string,
  at: number,
): Token<null> {
  if (container.kind === "array") return { ok: true, value: null, end: at };
  const name = openName(text, at);
  if (!name.ok) return name;
  container.name = name.value;
  container.nameAt = at;
  return { ...name, value: null };
}

/** A member's name and its colon; the end is where the value starts. */
function openName(text: string, at: number): Token<string> {
  if (text[at] !== '"') return unexpected(text, at, "the name of a member");
  const name = scanString(text, at);
  if (!name.ok) return name;
  const colon = skipSpace(text, name.end);
  return text[colon] === ":"
    ? { ...name, end: skipSpace(text, colon + 1) }
    : unexpected(text, colon, '":"');
}

const unexpected = (
  text: string,
  at: number,
  expected: string,
): Token<never> => ({
  ok: false,
  at,
  problem: `expected ${expected}, got ${quoted(text.slice(at, at + 1))}`,
});
