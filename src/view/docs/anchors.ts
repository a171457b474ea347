import type { Code } from "../typescript/code.js";
import { attribute, markup, nameText, text } from "./html.js";

/** The kinds of entries on a page. */
export type Subject = "method" | "type" | "constant" | "tool" | "prompt" | "resource" | "template" | "part";

/** The maximum length of the part of an anchor that comes from a name. */
const maxLength = 60;

/** The anchors of a page. An anchor depends only on the entry's name, so that links to it stay valid. */
export class Anchors {
  readonly #byName = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Assigns an anchor to an entry. Names with the same anchor are numbered in the order of the page. */
  claim(subject: Subject, name: string): string {
    const key = `${subject} ${name}`;
    const existing = this.#byName.get(key);
    if (existing !== undefined) return existing;
    const stem = `${subject}-${slug(name)}`;
    let anchor = stem;
    for (let number = 2; this.#taken.has(anchor.toLowerCase()); number += 1) anchor = `${stem}-${number}`;
    this.#taken.add(anchor.toLowerCase());
    this.#byName.set(key, anchor);
    return anchor;
  }

  /** The anchor of an entry; null if the page has none. */
  find(subject: Subject, name: string): string | null {
    return this.#byName.get(`${subject} ${name}`) ?? null;
  }

  /** A link to an entry, or only the name if the page has no such entry. */
  link(subject: Subject, name: string, label: Code = nameText(name)): Code {
    const anchor = this.find(subject, name);
    return anchor === null ? label : markup`<a href="#${attribute(anchor)}">${label}</a>`;
  }

  /** A link to an entry of any kind. */
  linkAny(name: string): Code {
    const kind = (["method", "type", "constant", "tool", "prompt"] as const).find(
      (subject) => this.find(subject, name) !== null,
    );
    return kind === undefined ? text(name) : this.link(kind, name);
  }
}

/** Letters, digits and a few marks that need no escaping in a URL; never empty. */
function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.$]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxLength);
  return plain === "" ? "x" : plain;
}
