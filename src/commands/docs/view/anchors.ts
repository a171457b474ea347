import type { Doc } from "../../../generator/ir/model.js";
import { inline, startOfLine } from "../../../generator/ir/report/text.js";
import { paragraphs } from "../../../generator/view/typescript/doc.js";
import { code, joined, markup, text, type Markdown } from "./markdown.js";

/** The kinds of entries on a page. */
type Subject =
  | "method"
  | "type"
  | "constant"
  | "tool"
  | "prompt"
  | "resource"
  | "template"
  | "part";

/** The maximum length of the part of an anchor that comes from a name. */
const maxLength = 60;

/**
 * The anchors of a page, and what links to them. An anchor depends only on the
 * entry's name, so that links to it stay valid.
 */
export class Anchors {
  readonly #byName = new Map<string, string>();
  readonly #taken = new Set<string>();

  /**
   * Assigns an anchor to an entry. Names with the same anchor are numbered in
   * the order of the page.
   */
  claim(subject: Subject, name: string): string {
    const key = `${subject} ${name}`;
    const existing = this.#byName.get(key);
    if (existing !== undefined) return existing;
    const stem = `${subject}-${slug(name)}`;
    let anchor = stem;
    for (let number = 2; this.#taken.has(anchor.toLowerCase()); number += 1)
      anchor = `${stem}-${number}`;
    this.#taken.add(anchor.toLowerCase());
    this.#byName.set(key, anchor);
    return anchor;
  }

  /** The anchor of an entry; empty if the page has no such entry. */
  of(subject: Subject, name: string): string {
    return this.#byName.get(`${subject} ${name}`) ?? "";
  }

  /**
   * A link to an entry, or only its name as code if the page has no such entry.
   */
  link(subject: Subject, name: string, label: string = name): Markdown {
    const anchor = this.of(subject, name);
    return anchor === ""
      ? code(label)
      : markup`[${code(label)}](#${anchor as Markdown})`;
  }

  /**
   * Untrusted prose as paragraphs. Text between backticks is code, with a link
   * if it names an entry.
   */
  prose(value: string): Markdown[] {
    return paragraphs(value.replace(/\r\n?/g, "\n")).map((paragraph) => {
      const lines = paragraph.trim().split("\n");
      return joined(
        lines.map((line) => this.#line(line.trim())),
        "\\\n",
      );
    });
  }

  /** The paragraphs of a doc comment, with the deprecation last. */
  doc({ text: value, tags }: Doc): Markdown[] {
    const reason = tags.find(({ name }) => name === "deprecated")?.text ?? "";
    const note =
      reason === ""
        ? []
        : [markup`**Deprecated.** ${this.#line(reason.replace(/\s+/g, " "))}`];
    return [...this.prose(value), ...note];
  }

  /** A line of prose. */
  #line(line: string): Markdown {
    return startOfLine(
      inline(line, text, (name) => this.#linkAny(name)),
    ) as Markdown;
  }

  /** A link to an entry of any kind. */
  #linkAny(name: string): Markdown {
    const kinds = ["method", "type", "constant", "tool", "prompt"] as const;
    return this.link(
      kinds.find((kind) => this.of(kind, name) !== "") ?? "part",
      name,
    );
  }
}

/**
 * Letters, digits and marks that need no escaping in a URL or an attribute;
 * never empty.
 */
function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, maxLength);
  return plain === "" ? "x" : plain;
}
