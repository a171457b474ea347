import type { GeneratedFile } from "../../generator/generate.js";
import type { Protocol } from "../../generator/ir/model.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { pageMarkdown } from "./view/page.js";
import { revisionPage } from "./view/revision.js";
import { serverPage } from "./view/server.js";

/** The subject of a page: a revision or a server. */
export type DocsSubject =
  | { readonly kind: "revision"; readonly protocol: Protocol }
  /** `protocol` is the revision of the snapshot, if it is known. */
  | {
      readonly kind: "server";
      readonly snapshot: Snapshot;
      readonly protocol: Protocol | null;
    };

interface Docs {
  /** The page, as Markdown. */
  readonly files: readonly GeneratedFile[];
  /** The protocol or snapshot that the page is made from. */
  readonly source: Protocol | Snapshot;
}

/** Generates a page. Writes nothing. */
export function generateDocs(subject: DocsSubject): Docs {
  const source =
    subject.kind === "server" ? subject.snapshot : subject.protocol;
  const page =
    subject.kind === "server"
      ? serverPage(subject.snapshot, subject.protocol)
      : revisionPage(subject.protocol);
  const text = pageMarkdown(page, source.source.name);
  return { files: [{ path: "README.md", text }], source };
}
