import type { Entry, Hints, Tool } from "../../ir/snapshot/model.js";
import type { Definition } from "../../ir/constraint.js";
import type { Code } from "../typescript/code.js";
import { docComment, paragraphs } from "../typescript/doc.js";

/**
 * The doc comment of an entry: its title, its description, and further
 * sentences.
 */
export function entryDoc(
  entry: Entry,
  sentences: readonly string[] = [],
  input?: Definition,
): Code | null {
  const title =
    entry.title === null || entry.title === entry.description
      ? []
      : [`${entry.title}`];
  const text = entry.description === null ? [] : paragraphs(entry.description);
  const isDeprecated =
    entry.raw["deprecated"] === true ||
    input?.schema.doc.tags.some(({ name }) => name === "deprecated") === true;
  const own =
    title.length + text.length === 0
      ? [[`\`${entry.name}\``, ...sentences].join(". ")]
      : [...title, ...text, ...sentences];
  return docComment(own, isDeprecated ? ["@deprecated"] : []);
}

/** The doc comment of a tool, with its hints. */
export function toolDoc(tool: Tool, input?: Definition): Code | null {
  const hints = hintNames(tool.hints);
  const sentences =
    hints.length === 0 ? [] : [`Hints: ${hints.join(", ")} (not verified).`];
  return entryDoc(tool, sentences, input);
}

/** The names of the hints that hold, for people. */
export function hintNames({
  readOnly,
  destructive,
  idempotent,
  openWorld,
}: Hints): string[] {
  return [
    ...(readOnly === true ? ["read-only"] : []),
    // The other two hints have a meaning only for tools that change something.
    ...(readOnly !== true && destructive === true ? ["destructive"] : []),
    ...(readOnly !== true && destructive === false ? ["additive"] : []),
    ...(readOnly !== true && idempotent === true ? ["idempotent"] : []),
    ...(openWorld === true ? ["open-world"] : []),
    ...(openWorld === false ? ["closed-world"] : []),
  ];
}
