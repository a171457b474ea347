import { generateDocs, type DocsSubject } from "../../src/docs.js";
import type { Snapshot } from "../../src/ir/snapshot/model.js";
import { fixture, readText } from "../stubs/project.js";
import { templates } from "../view/generated.js";

/** Generates a page without the command line. */
export function pageOf(subject: DocsSubject): string {
  const [page] = generateDocs({ subject, templates });
  if (page === undefined) throw new Error("no page was made");
  return page.text;
}

/** Reads a snapshot; throws if it cannot be read. */
export async function parseSnapshot(text: string): Promise<Snapshot> {
  const { snapshot, reports } = await readText(text);
  if (snapshot === null) throw new Error(JSON.stringify(reports));
  return snapshot;
}

/** The page of a server from the text of its snapshot. */
export async function serverPageOf(text: string): Promise<string> {
  return pageOf({ kind: "server", snapshot: await parseSnapshot(text), protocol: null });
}

/** The page of the differences between two snapshots from their texts. */
export async function driftPageOf(was: string, is: string): Promise<string> {
  return pageOf({ kind: "drift", from: await parseSnapshot(was), to: await parseSnapshot(is) });
}

interface Listed {
  readonly tools: readonly (Readonly<Record<string, unknown>> & { readonly inputSchema: object })[];
}

/** A later version of the weather server: a value, a tool and a hint were removed, and a tool was added. */
export function drifted(): string {
  const snapshot = JSON.parse(fixture("weather")) as Listed;
  const [weather] = snapshot.tools;
  const inputSchema = JSON.parse(JSON.stringify(weather?.inputSchema).replace(',"imperial"', "")) as object;
  const tools = [
    { ...weather, inputSchema, annotations: { openWorldHint: true, readOnlyHint: false } },
    { name: "forecast", inputSchema: { type: "object" } },
  ];
  return JSON.stringify({ ...snapshot, tools });
}

/** One parsed tag of a page. */
export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A page as tags and the texts between them; throws at anything else, which browsers would have to repair. */
export function parsed(page: string): { readonly tags: readonly Tag[]; readonly texts: readonly string[] } {
  const tags: Tag[] = [];
  const texts: string[] = [];
  const pattern =
    /<!doctype html>|<!-- prettier-ignore -->|<(style|script)>([^]*?)<\/\1>|<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|([^<>]+)/y;
  while (pattern.lastIndex < page.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(page);
    if (match === null) throw new Error(`neither tag nor text: ${page.slice(at, at + 80)}`);
    const [, raw, inside, slash, name, attributes, text] = match;
    if (raw !== undefined) {
      tags.push({ name: raw, isEnd: false, attributes: new Map([["text", inside ?? ""]]) });
    } else if (name !== undefined) {
      const pairs = [...(attributes ?? "").matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)];
      tags.push({
        name,
        isEnd: slash === "/",
        attributes: new Map(pairs.map(([, key = "", value = ""]) => [key, value])),
      });
    } else if (text !== undefined) texts.push(text);
  }
  return { tags, texts };
}

/** The text of HTML as a reader would copy it. */
export function plainText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
