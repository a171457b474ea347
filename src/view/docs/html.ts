import type { Code } from "../typescript/code.js";

/**
 * Emit values of HTML. Untrusted words become `text` or `attribute`, and compose only through `markup`, whose fixed parts
 * are markup of our own. Links lead to anchors of the same page alone, so that no address of a stranger's is ever followed.
 */

/** What no reader can see or tell from a space, or what turns the direction of writing; line ends and tabs stay. */
const UNSAFE = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu;
const SPECIAL = /[&<>"'`]/g;

/** Untrusted words between tags: no markup, and nothing unseen. */
export function text(value: string): Code {
  return { kind: "text", layout: escaped(visible(value)) };
}

/** A name, which may go over to the next line behind a slash and before a capital. There is something to see and to press even where it is blank. */
export function nameText(name: string): Code {
  if (name.trim() === "") return markup`<em>without a name</em>`;
  return joined(name.split(/(?<=\/)|(?<=[a-z])(?=[A-Z])/).map(text), markup`<wbr>`);
}

/** Untrusted words inside the quotes of an attribute. */
export function attribute(value: string): Code {
  return { kind: "attribute", layout: escaped(visible(value.replace(/\s+/g, " "))) };
}

/** Composes markup: the fixed parts are ours, the parts put in are emit values of HTML. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Code[]): Code {
  for (const { kind } of parts) {
    if (!isHtml(kind))
      throw new Error(`A ${kind} was put into a page; only emit values of HTML belong there.`);
  }
  return {
    kind: "markup",
    layout: fixed.flatMap((own, index) => [own, parts[index]?.layout ?? ""]),
  };
}

/** Markup after markup. */
export function joined(parts: readonly Code[], separator: Code = markup``): Code {
  const [first = markup``, ...others] = parts;
  return {
    kind: "markup",
    layout: [markup`${first}`, ...others.map((part) => markup`${separator}${part}`)].map(
      ({ layout }) => layout,
    ),
  };
}

/** What a template of ours made of emit values; for that alone. */
export function filled(finished: string): Code {
  return { kind: "markup", layout: finished };
}

export function isHtml(kind: Code["kind"]): boolean {
  return kind === "text" || kind === "attribute" || kind === "markup";
}

/** Text in which whatever cannot be seen is told by its number, so that nothing is hidden from a person. */
export function visible(value: string): string {
  return value.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function escaped(value: string): string {
  return value.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`);
}
