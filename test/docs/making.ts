import markdownIt from "markdown-it";
import {
  generateDocs,
  type DocsSubject,
} from "../../src/commands/docs/docs.js";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";
import { readText } from "../stubs/project.js";

/** A page, and how a renderer shows it that allows all. */
export interface Page {
  readonly markdown: string;
  readonly html: string;
}

/** Generates a page without the command line. */
export function pageOf(subject: DocsSubject): Page {
  const [page, ...others] = generateDocs(subject).files;
  if (page?.path !== "README.md" || others.length > 0)
    throw new Error("not one page was made");
  return { markdown: page.text, html: permissiveHtml(page.text) };
}

/** Reads a snapshot; throws if it cannot be read. */
export async function parseSnapshot(text: string): Promise<Snapshot> {
  const { snapshot, reports } = await readText(text);
  if (snapshot === null) throw new Error(JSON.stringify(reports));
  return snapshot;
}

/** The page of a server from the text of its snapshot. */
export async function serverPageOf(text: string): Promise<Page> {
  return pageOf({
    kind: "server",
    snapshot: await parseSnapshot(text),
    protocol: null,
  });
}

/** The number of entries of a page. */
export function entriesIn({ markdown }: Page): number {
  return (markdown.match(/^### <a id/gm) ?? []).length;
}

/**
 * Markdown as a renderer shows it that allows HTML, images and links, and that
 * makes a link of each URL.
 */
export function permissiveHtml(markdown: string): string {
  return markdownIt({ html: true, linkify: true }).render(markdown);
}

/** One parsed tag of a page. */
export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * HTML as tags and the texts between them; throws at anything else, which
 * browsers would have to repair.
 */
export function parsed(html: string): {
  readonly tags: readonly Tag[];
  readonly texts: readonly string[];
} {
  const tags: Tag[] = [];
  const texts: string[] = [];
  const pattern =
    /<!doctype html>|<!-- prettier-ignore(?:-start|-end)? -->|<style>[^<]*<\/style>|<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|([^<>]+)/y;
  while (pattern.lastIndex < html.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(html);
    if (match === null)
      throw new Error(`neither tag nor text: ${html.slice(at, at + 80)}`);
    const [, slash, name, attributes, text] = match;
    if (name !== undefined) {
      const pairs = [
        ...(attributes ?? "").matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g),
      ];
      tags.push({
        name,
        isEnd: slash === "/",
        attributes: new Map(
          pairs.map(([, key = "", value = ""]) => [key, value]),
        ),
      });
    } else if (text !== undefined) texts.push(text);
  }
  return { tags, texts };
}

/** The text of HTML as a reader would copy it. */
export function plainText(html: string): string {
  const entities: Readonly<Record<string, string>> = {
    lt: "<",
    gt: ">",
    quot: '"',
    amp: "&",
  };
  return html
    .replace(/<[^>]*>/g, "")
    .replace(
      /&(?:#(\d+)|(\w+));/g,
      (whole, code: string | undefined, name: string) => {
        return code === undefined
          ? (entities[name] ?? whole)
          : String.fromCodePoint(Number(code));
      },
    );
}
