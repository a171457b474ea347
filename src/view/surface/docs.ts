import type { Entry, Hints, Tool } from "../../ir/surface/model.js";
import type { Definition } from "../../ir/surface/schema.js";
import type { Code } from "../code.js";
import { docComment, paragraphs } from "../doc.js";

/** A comment on something that a server offers: its title, its words, and sentences of ours. */
export function entryDoc(entry: Entry, sentences: readonly string[] = [], input?: Definition): Code | null {
  const title = entry.title === null || entry.title === entry.description ? [] : [`${entry.title}`];
  const text = entry.description === null ? [] : paragraphs(entry.description);
  const isDeprecated =
    entry.raw["deprecated"] === true ||
    input?.schema.doc.tags.some(({ name }) => name === "deprecated") === true;
  const own = title.length + text.length === 0 ? [`\`${entry.name}\``] : [...title, ...text];
  return docComment([...own, ...sentences], isDeprecated ? ["@deprecated"] : []);
}

/** What the server says of a tool's effects. */
export function toolDoc(tool: Tool, input?: Definition): Code | null {
  const words = hintWords(tool.hints);
  const hints = words.length === 0 ? [] : [`By its own account it ${words.join(", ")}.`];
  return entryDoc(tool, hints, input);
}

function hintWords({ readOnly, destructive, idempotent, openWorld }: Hints): string[] {
  return [
    ...(readOnly === true ? ["changes nothing"] : []),
    // Whether it destroys or repeats has a meaning only for a tool that changes something.
    ...(readOnly !== true && destructive === true ? ["may destroy something"] : []),
    ...(readOnly !== true && destructive === false ? ["only adds"] : []),
    ...(readOnly !== true && idempotent === true ? ["may be called twice without further effect"] : []),
    ...(openWorld === true ? ["reaches out to the world"] : []),
    ...(openWorld === false ? ["stays within its own data"] : []),
  ];
}
