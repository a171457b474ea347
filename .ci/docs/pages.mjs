// Where a page of the repository stands on the site, and how its Markdown is
// rendered.
import { existsSync, readFileSync } from "node:fs";
import { posix, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const repository = "https://github.com/mcpgen/mcpgen/blob/main/";

/**
 * The place of a page on the site, as a path of Markdown:
 * "guides/tools/index.md" for "test/examples/tools/README.md".
 */
export function placeOf(path) {
  return path
    .replace(/README\.md$/, "index.md")
    .replace(/^test\/examples\//, "guides/")
    .replace(/^(?:src\/(?=.*\/)|(?=(?:templates|schema)\/))/, "reference/")
    .replace(/^(?=(?:src|test)\/)/, "project/")
    .replace(/^[A-Z]+\.md$/, (name) => `project/${name.toLowerCase()}`);
}

/** The id of a heading, as GitHub makes it. */
function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Where a link of a page leads on the site: to a page of the site, or to a file
 * of the repository.
 */
function targetOf(href, page) {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href;
  const [, path, anchor] = /^([^#]*)(.*)$/.exec(href);
  const target = posix.join(posix.dirname(page), decodeURI(path));
  if (!existsSync(posix.join(root, target)))
    throw new Error(`${page} links to ${href}, which does not exist.`);
  const isPage = /^api\/.*\.md$|(?:^|\/)[A-Z]+\.md$/.test(target);
  return `${isPage ? `/${placeOf(target)}` : repository + target}${anchor}`;
}

/** A page of the repository by the path of its file. */
const pageOf = (path) => relative(root, path).replaceAll("\\", "/");

/** A picture of a page as a part of it: the site has no folder for pictures. */
function inlined(src, page) {
  const svg = readFileSync(posix.join(root, posix.dirname(page), src));
  return `data:image/svg+xml;base64,${svg.toString("base64")}`;
}

function mendLinks({ tokens, env }) {
  // The index of the search has no links.
  if (env.realPath === undefined) return;
  const page = pageOf(env.realPath);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === "link_open")
      token.attrSet("href", targetOf(token.attrGet("href"), page));
    // An address is left as it is.
    if (
      token.type === "image" &&
      !/^[a-z][a-z\d+.-]*:/i.test(token.attrGet("src"))
    )
      token.attrSet("src", inlined(token.attrGet("src"), page));
  }
}

/**
 * The one HTML that is kept: anchors, a picture with another one for a phone,
 * and the comments for Prettier in the pages of `mcpgen docs`.
 */
function readHtml(state, silent) {
  const html =
    /<a id="[\w-]+"><\/a>|<\/?picture>|<source media="\(max-width: \d+px\)" srcset="([\w./-]+\.svg)">|<!-- prettier-ignore-(?:start|end) -->/y;
  html.lastIndex = state.pos;
  const [text, srcset] = html.exec(state.src) ?? [];
  if (text === undefined) return false;
  const { realPath } = state.env;
  if (!silent)
    state.push("html_inline", "", 0).content =
      srcset === undefined || realPath === undefined
        ? text
        : text.replace(srcset, inlined(srcset, pageOf(realPath)));
  state.pos += text.length;
  return true;
}

/**
 * The options of VitePress for Markdown. VitePress compiles a page as a
 * component of Vue: no text of a page may run as one.
 */
export const markdown = {
  html: false,
  theme: {
    light: "github-light-high-contrast",
    dark: "github-dark-high-contrast",
  },
  attrs: { disable: true },
  emoji: { enabled: [] },
  anchor: { slugify: slugOf },
  config(md) {
    md.inline.ruler.before("html_inline", "kept", readHtml);
    md.core.ruler.push("links", mendLinks);
    md.renderer.rules.code_block = md.renderer.rules.fence;
    const render = md.render;
    md.render = (text, env) => `<div v-pre>${render.call(md, text, env)}</div>`;
  },
};
