import { createHash } from "node:crypto";
import { compile, render, type Template } from "./emit/render.js";
import type { GeneratedFile } from "./generate.js";
import type { Protocol } from "./ir/model.js";
import type { Snapshot } from "./ir/snapshot/model.js";
import type { Code } from "./view/typescript/code.js";
import { comparisonPage } from "./view/docs/comparison.js";
import { driftPage } from "./view/docs/drift.js";
import type { Chapter } from "./view/docs/entry.js";
import { trustedHtml } from "./view/docs/html.js";
import { contentsOf, type Inline, pageView, type Subjects } from "./view/docs/page.js";
import { revisionPage } from "./view/docs/revision.js";
import { serverPage } from "./view/docs/server.js";

/** The subject of a page: a revision, a server, or the differences between two of either. */
export type DocsSubject =
  | { readonly kind: "revision"; readonly protocol: Protocol }
  | { readonly kind: "comparison"; readonly from: Protocol; readonly to: Protocol }
  /** `protocol` is the revision of the snapshot, if it is known. */
  | { readonly kind: "server"; readonly snapshot: Snapshot; readonly protocol: Protocol | null }
  | { readonly kind: "drift"; readonly from: Snapshot; readonly to: Snapshot };

export interface DocsOptions {
  readonly subject: DocsSubject;
  /** Templates by file name. */
  readonly templates: ReadonlyMap<string, string>;
}

/** The file name of the page; a web server serves it for its folder. */
export const PAGE = "index.html";

/** Generates one self-contained page. Writes nothing. */
export function generateDocs({ subject, templates }: DocsOptions): GeneratedFile[] {
  const filler = new Filler(templates);
  const frame = {
    style: inlineOf(filler.text("docs/page.css", {})),
    script: inlineOf(filler.text("docs/page.js", {})),
    sources: sourcesOf(subject),
  };
  const subjects = subjectsOf(subject, filler);
  const contents = contentsOf(subjects).map((view) => filler.fill("docs/contents.html", view));
  const view = pageView(subjects, contents, frame);
  return [{ path: PAGE, text: filler.text("docs/page.html", view) }];
}

function subjectsOf(subject: DocsSubject, filler: Filler): Subjects<Code> {
  switch (subject.kind) {
    case "revision":
      return withEntries(revisionPage(subject.protocol), (view) => filler.fill("docs/entry.html", view));
    case "comparison":
      return withEntries(comparisonPage(subject.from, subject.to), (view) =>
        filler.fill("docs/change.html", view),
      );
    case "drift":
      return withEntries(driftPage(subject.from, subject.to), (view) =>
        filler.fill("docs/change.html", view),
      );
    case "server":
      return withEntries(serverPage(subject.snapshot, subject.protocol), (view) =>
        filler.fill("docs/entry.html", view),
      );
    default:
      return subject satisfies never;
  }
}

function sourcesOf(subject: DocsSubject): readonly { readonly name: string }[] {
  switch (subject.kind) {
    case "revision":
      return [subject.protocol.source];
    case "comparison":
    case "drift":
      return [subject.from.source, subject.to.source];
    case "server":
      return [subject.snapshot.source];
    default:
      return subject satisfies never;
  }
}

/** Renders the entries of all chapters. */
function withEntries<Entry>(subjects: Subjects<Entry>, fill: (view: Entry) => Code): Subjects<Code> {
  const chapters = subjects.chapters.map((chapter): Chapter<Code> => {
    const entries = chapter.entries.map(({ link, view }) => ({ link, view: fill(view) }));
    return { ...chapter, entries };
  });
  return { ...subjects, chapters };
}

/** The text of an element, and its digest for the page's content security policy. A browser reads each line break as LF. */
function inlineOf(text: string): Inline {
  const code = trustedHtml(`\n${text.replaceAll("\r\n", "\n")}`);
  const sha256 = createHash("sha256").update(String(code.layout)).digest("base64");
  return { code, sha256 };
}

/** Renders templates, each compiled once. */
class Filler {
  readonly #templates: ReadonlyMap<string, string>;
  readonly #compiled = new Map<string, Template>();

  constructor(templates: ReadonlyMap<string, string>) {
    this.#templates = templates;
  }

  text(name: string, view: object): string {
    const file = `${name}.hbs`;
    const template = this.#compiled.get(file) ?? compile(file, this.#templates);
    this.#compiled.set(file, template);
    return render(template, view);
  }

  /** The output of a template as `Code`, so that another template can contain it. */
  fill(name: string, view: object): Code {
    return trustedHtml(this.text(name, view));
  }
}
