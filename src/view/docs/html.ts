import type { Code } from "../code.js";

/**
 * Emit values of HTML. Untrusted words become `text` or `attribute`, and compose only through `html`, whose fixed parts
 * are markup of our own. Links lead to anchors of the same page alone, so that no address of a stranger's is ever followed.
 */

/** What no reader can see, or what turns the direction of writing; line ends and tabs stay. */
const UNSAFE = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;
/** Joins the parts of one emoji; elsewhere it hides. */
const JOINER = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u;
const SPECIAL = /[&<>"'`]/g;

/** Untrusted words between tags: no markup, and nothing unseen. */
export function text(value: string): Code {
  return { kind: "text", layout: escaped(visible(value)) };
}

/** A name, which may go over to the next line behind a slash. */
export function breakable(name: string): Code {
  return joined(name.split(/(?<=\/)/).map(text), html`<wbr />`);
}

/** Untrusted words inside the quotes of an attribute. */
export function attribute(value: string): Code {
  return { kind: "attribute", layout: escaped(visible(value.replace(/\s+/g, " "))) };
}

/** Composes markup: the fixed parts are ours, the parts put in are emit values of HTML. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Code[]): Code {
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
export function joined(parts: readonly Code[], separator: Code = html``): Code {
  const [first = html``, ...others] = parts;
  return {
    kind: "markup",
    layout: [html`${first}`, ...others.map((part) => html`${separator}${part}`)].map(({ layout }) => layout),
  };
}

/** What a template of ours made of emit values; for that alone. */
export function filled(markup: string): Code {
  return { kind: "markup", layout: markup };
}

export function isHtml(kind: Code["kind"]): boolean {
  return kind === "text" || kind === "attribute" || kind === "markup";
}

/** Text in which whatever cannot be seen is told by its number. */
export function visible(value: string): string {
  return value.replace(UNSAFE, (character, at: number) =>
    character === "\u200d" && JOINER.test(value.slice(Math.max(0, at - 3), at + 4))
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function escaped(value: string): string {
  return value.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`);
}
