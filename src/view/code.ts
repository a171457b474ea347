import type { Layout } from "./layout.js";

/**
 * A piece of source text that is safe to emit. Schema text becomes a `Code` only as a literal, an identifier, a property
 * key or a comment, and composes only through `code`, whose fixed parts are text of our own. Templates take nothing else.
 */
export interface Code {
  readonly kind: CodeKind;
  readonly layout: Layout;
}

export type CodeKind = "literal" | "identifier" | "key" | "doc" | "code";

/** Composes source text: the fixed parts are ours, the parts put in are emit values. */
export function code(fixed: TemplateStringsArray, ...parts: readonly Code[]): Code {
  const layout: Layout[] = [];
  fixed.forEach((text, index) => {
    layout.push(text);
    const part = parts[index];
    if (part !== undefined) layout.push(part.layout);
  });
  return { kind: "code", layout };
}

/** Code from a layout. Its strings must be ours or the layouts of other codes; this folder alone may call it. */
export function arranged(layout: Layout): Code {
  return { kind: "code", layout };
}

const DOUBLE = /"/g;
const SINGLE = /'/g;
/** Control and format characters, separators other than a space, private use and lone surrogates. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff]/gu;

/** A literal of a JSON scalar, quoted as prettier would quote it and with every invisible character escaped. */
export function literal(value: string | number | boolean | null): Code {
  return { kind: "literal", layout: literalText(value) };
}

export function literalText(value: string | number | boolean | null): string {
  if (typeof value === "number") return JSON.stringify(value).replace("e+", "e");
  if (typeof value !== "string") return String(value);
  const json = JSON.stringify(value).slice(1, -1).replace(UNSAFE, escapeUnit);
  const doubles = value.match(DOUBLE)?.length ?? 0;
  const singles = value.match(SINGLE)?.length ?? 0;
  return doubles > singles ? `'${json.replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : `"${json}"`;
}

function escapeUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A member's name as an object key: bare where the language allows it, else a literal. `__proto__` is never bare. */
export function propertyKey(name: string): Code {
  return { kind: "key", layout: isPlainKey(name) ? name : literalText(name) };
}

function isPlainKey(name: string): boolean {
  return IDENTIFIER.test(name) && name !== "__proto__";
}

/** An identifier. The name must come from `names.ts`, which makes it one; anything else is a bug of ours. */
export function identifier(name: string): Code {
  if (!IDENTIFIER.test(name))
    throw new Error(`"${name}" is not an identifier; names.ts should have made it one.`);
  return { kind: "identifier", layout: name };
}
