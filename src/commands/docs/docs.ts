import markdownIt from "markdown-it";
import { compile, render } from "../../generator/emit/render.js";
import type { GeneratedFile } from "../../generator/generate.js";
import { printable } from "../../generator/ir/report/text.js";
import type { Protocol } from "../../generator/ir/model.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { revisionChanges, serverChanges } from "./view/changes.js";
import { pageMarkdown, type Page } from "./view/page.js";
import { revisionPage } from "./view/revision.js";
import { serverPage } from "./view/server.js";
import type { Code } from "../../generator/view/typescript/code.js";

/**
 * The subject of a page: a revision, a server, or the differences between two
 * of either.
 */
export type DocsSubject =
  | { readonly kind: "revision"; readonly protocol: Protocol }
  | {
      readonly kind: "comparison";
      readonly from: Protocol;
      readonly to: Protocol;
    }
  /** `protocol` is the revision of the snapshot, if it is known. */
  | {
      readonly kind: "server";
      readonly snapshot: Snapshot;
      readonly protocol: Protocol | null;
    }
  | { readonly kind: "drift"; readonly from: Snapshot; readonly to: Snapshot };

/** The maximum length of the title of an HTML page. */
const maxTitleLength = 200;

export interface Docs {
  /** A page as Markdown, and the same page as HTML. */
  readonly files: readonly GeneratedFile[];
  /** The protocols or snapshots that the page is made from. */
  readonly sources: readonly (Protocol | Snapshot)[];
}

/**
 * Generates a page. Writes nothing.
 *
 * @param templates templates by file name
 */
export function generateDocs(
  subject: DocsSubject,
  templates: ReadonlyMap<string, string>,
): Docs {
  const [page, ...sources] = pageOf(subject);
  const markdown = pageMarkdown(
    page,
    sources.map(({ source }) => source.name),
  );
  const view = {
    title: htmlText(printable(page.title, maxTitleLength)),
    body: htmlOf(markdown),
  };
  const html = render(compile("docs/page.html.hbs", templates), view);
  const files = [
    { path: "README.md", text: markdown },
    { path: "index.html", text: html },
  ];
  return { files, sources };
}

function pageOf(subject: DocsSubject): readonly [Page, ...Docs["sources"]] {
  switch (subject.kind) {
    case "revision":
      return [revisionPage(subject.protocol), subject.protocol];
    case "comparison":
      return [
        revisionChanges(subject.from, subject.to),
        subject.from,
        subject.to,
      ];
    case "server":
      return [serverPage(subject.snapshot, subject.protocol), subject.snapshot];
    case "drift":
      return [
        serverChanges(subject.from, subject.to),
        subject.from,
        subject.to,
      ];
    default:
      return subject satisfies never;
  }
}

/** The HTML that a page contains beside Markdown. */
const ANCHOR = /^(?:<a id="[\w-]+">|<\/a>)$/;

/**
 * Markdown as HTML. HTML in it, except for anchors, is shown as text, and links
 * lead only to anchors of the page.
 */
function htmlOf(markdown: string): Code {
  const highlight = (source: string, language: string): string =>
    language === "diff" ? diffHtml(source) : "";
  const renderer = markdownIt({ html: true, highlight }).disable([
    "autolink",
    "image",
    "reference",
  ]);
  renderer.validateLink = (url) => /^#[\w-]+$/.test(url);
  renderer.renderer.rules["html_inline"] = (tokens, i) => {
    const { content = "" } = tokens[i] ?? {};
    return ANCHOR.test(content) ? content : renderer.utils.escapeHtml(content);
  };
  // The comments for Prettier.
  renderer.renderer.rules["html_block"] = () => "";
  return { kind: "html", layout: renderer.render(markdown) };
}

/** The lines of a difference, with the tags that the template colours. */
function diffHtml(source: string): string {
  const tags: Readonly<Record<string, string>> = { "-": "del", "+": "ins" };
  const lines = source.split("\n").map((line) => {
    const tag = tags[line.charAt(0)];
    const text = htmlText(line).layout;
    return tag === undefined ? text : `<${tag}>${text}</${tag}>`;
  });
  return lines.join("\n");
}

/** Text between tags. */
function htmlText(text: string): Code {
  return {
    kind: "html",
    layout: text.replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`),
  };
}
