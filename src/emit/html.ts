import markdownIt from "markdown-it";
import type { Code } from "../view/typescript/code.js";

/** The HTML that a page of `mcpgen docs` contains beside Markdown. */
const ANCHOR = /^(?:<a id="[\w-]+">|<\/a>)$/;

/** Markdown as HTML. HTML in it, except for anchors, is shown as text, and links lead only to anchors of the page. */
export function htmlOf(markdown: string): Code {
  const renderer = markdownIt({ html: true }).disable(["autolink", "image", "reference"]);
  renderer.validateLink = (url) => /^#[\w-]+$/.test(url);
  renderer.renderer.rules["html_inline"] = (tokens, i) => {
    const { content = "" } = tokens[i] ?? {};
    return ANCHOR.test(content) ? content : renderer.utils.escapeHtml(content);
  };
  // The comments for Prettier.
  renderer.renderer.rules["html_block"] = () => "";
  return { kind: "html", layout: renderer.render(markdown) };
}

/** Text between tags. */
export function htmlText(text: string): Code {
  return { kind: "html", layout: text.replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`) };
}
