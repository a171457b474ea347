import type { ConstantDeclaration, Protocol } from "../../ir/model.js";
import { literalText } from "../typescript/code.js";
import type { Anchors } from "./anchors.js";
import { linkOf } from "./declarations.js";
import type { Chapter, EntryView } from "./entry.js";
import { attribute, markup, text } from "./html.js";
import { docProse } from "./prose.js";

/** Error codes and the other constants of the revision: numbers are codes, strings are not. */
export function constantChapters(protocol: Protocol, anchors: Anchors): Chapter[] {
  const constants = protocol.declarations.filter((entry) => entry.kind === "constant");
  const chapter = (anchor: string, title: string, members: readonly ConstantDeclaration[]): Chapter[] =>
    members.length === 0
      ? []
      : [
          {
            anchor,
            title,
            entries: members.map((constant) => ({
              link: linkOf(constant, anchors),
              view: constantEntry(constant, anchors),
            })),
          },
        ];
  return [
    ...chapter(
      "error-codes",
      "Error codes",
      constants.filter(({ value }) => typeof value === "number"),
    ),
    ...chapter(
      "constants",
      "Constants",
      constants.filter(({ value }) => typeof value !== "number"),
    ),
  ];
}

function constantEntry({ name, value, doc }: ConstantDeclaration, anchors: Anchors): EntryView {
  return {
    anchor: attribute(anchors.claim("constant", name)),
    name: text(name),
    title: markup`<code class="value">${text(literalText(value))}</code>`,
    badges: [],
    paragraphs: docProse(doc, anchors),
    facts: [],
    tables: [],
    examples: [],
  };
}
