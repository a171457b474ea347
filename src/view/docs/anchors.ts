import type { Code } from "../typescript/code.js";
import { attribute, markup, nameText, text } from "./html.js";

/** What a page has an entry for. */
export type Subject = "method" | "type" | "constant" | "tool" | "prompt" | "resource" | "template" | "part";

/** How long the part of an anchor is that a name makes. */
const longest = 60;

/** The anchors of a page: each entry's own, the same whenever its name is the same, and fit to be shared. */
export class Anchors {
  readonly #byName = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Gives an entry its anchor. Names that differ in more than an anchor can tell are numbered in the order of the page. */
  claim(subject: Subject, name: string): string {
    const key = `${subject} ${name}`;
    const known = this.#byName.get(key);
    if (known !== undefined) return known;
    const stem = `${subject}-${slug(name)}`;
    let anchor = stem;
    for (let number = 2; this.#taken.has(anchor.toLowerCase()); number += 1) anchor = `${stem}-${number}`;
    this.#taken.add(anchor.toLowerCase());
    this.#byName.set(key, anchor);
    return anchor;
  }

  /** The anchor of an entry; null when the page has none for it. */
  find(subject: Subject, name: string): string | null {
    return this.#byName.get(`${subject} ${name}`) ?? null;
  }

  /** The name as a link to its entry, or as it is when there is no entry. */
  link(subject: Subject, name: string, shown: Code = nameText(name)): Code {
    const anchor = this.find(subject, name);
    return anchor === null ? shown : markup`<a href="#${attribute(anchor)}">${shown}</a>`;
  }

  /** The same for a name of which it is not known what it names. */
  linkAny(name: string): Code {
    const found = (["method", "type", "constant", "tool", "prompt"] as const).find(
      (subject) => this.find(subject, name) !== null,
    );
    return found === undefined ? text(name) : this.link(found, name);
  }
}

/** Letters, digits and a few marks that a URL shows as they are; never empty. */
function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.$]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longest);
  return plain === "" ? "x" : plain;
}
