import type { Options } from "prettier";

/** `<style>` and `<script>` contain code of another language, not markup. */
const CODE = /(<(style|script)\b[^>]*>)([\s\S]*?)(<\/\2\s*>)/g;

/**
 * Compares two HTML pages without their formatting. Returns `code` if the formatting of styles or scripts differs too,
 * because the page's content security policy then blocks them. Prettier takes seconds for a page and is not idempotent on
 * it, so only the code is given to Prettier; markup is compared without the white space that Prettier moves.
 */
export async function comparePages(a: string, b: string): Promise<"equal" | "code" | "different"> {
  if (markupOf(a) !== markupOf(b)) return "different";
  const [left, right] = [codeOf(a), codeOf(b)];
  if (left.every(({ text }, i) => text === right[i]?.text)) return "equal";
  const [first, second] = await Promise.all([left, right].map(formatCode));
  return first === second ? "code" : "different";
}

function markupOf(page: string): string {
  return page
    .replace(CODE, "$1$4")
    .replace(/\s*(?:<|\/?>)\s*/g, (bracket) => (bracket.includes("<") ? "<" : ">"))
    .replace(/\s+/g, " ");
}

interface Embedded {
  readonly parser: "css" | "babel";
  readonly text: string;
}

function codeOf(page: string): Embedded[] {
  return [...page.matchAll(CODE)].map(([, , name, text = ""]) => ({
    parser: name === "style" ? "css" : "babel",
    text,
  }));
}

async function formatCode(code: readonly Embedded[]): Promise<string> {
  const { format } = await import("prettier");
  const options: Options = { printWidth: 100, objectWrap: "collapse" };
  const texts = await Promise.all(code.map(({ parser, text }) => format(text, { ...options, parser })));
  // The rows of a grid are separated by line breaks.
  return texts.join("\0").replace(/\s+/g, " ");
}
