import type { Code } from "../typescript/code.js";

/**
 * Emit values of HTML. Untrusted text becomes `text` or `attribute`, and composes only through `markup`, whose fixed parts
 * are our own. Links lead only to anchors on the same page, so untrusted URLs are never links.
 */

/** Characters that are invisible, look like a space, or change the text direction. Line ends and tabs are allowed. */
const UNSAFE = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu;
const SPECIAL = /[&<>"'`]/g;

/** Untrusted text between tags, with markup escaped and invisible characters shown. */
export function text(value: string): Code {
  return { kind: "text", layout: escaped(visible(value)) };
}

/** A name that may wrap after a slash and before a capital letter. A blank name gets a visible text. */
export function nameText(name: string): Code {
  if (name.trim() === "") return markup`<em>without a name</em>`;
  return joined(name.split(/(?<=\/)|(?<=[a-z])(?=[A-Z])/).map(text), markup`<wbr>`);
}

/** Untrusted text inside the quotes of an attribute. */
export function attribute(value: string): Code {
  return { kind: "attribute", layout: escaped(visible(value.replace(/\s+/g, " "))) };
}

/** Composes markup: the fixed parts are ours, the inserted parts are emit values of HTML. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Code[]): Code {
  for (const { kind } of parts) {
    if (!isHtml(kind))
      throw new Error(`A ${kind} was put into a page; only emit values of HTML belong there.`);
  }
  return {
    kind: "markup",
    layout: fixed.flatMap((part, index) => [part, parts[index]?.layout ?? ""]),
  };
}

/** Concatenates markup. */
export function joined(parts: readonly Code[], separator: Code = markup``): Code {
  const [first = markup``, ...others] = parts;
  return {
    kind: "markup",
    layout: [markup`${first}`, ...others.map((part) => markup`${separator}${part}`)].map(
      ({ layout }) => layout,
    ),
  };
}

/** HTML that a built-in template made of emit values. Call it with nothing else: the text is not escaped. */
export function trustedHtml(output: string): Code {
  return { kind: "markup", layout: output };
}

export function isHtml(kind: Code["kind"]): boolean {
  return kind === "text" || kind === "attribute" || kind === "markup";
}

/** Replaces each invisible character with its number. */
export function visible(value: string): string {
  return value.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function escaped(value: string): string {
  return value.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`);
}
