import { exampleOfType } from "../../ir/example/example.js";
import { flatten } from "../../ir/flatten.js";
import { tagOf, type Index } from "../../ir/lookup.js";
import type { Declaration } from "../../ir/model.js";
import type { Anchors } from "./anchors.js";
import { badgesIf } from "./badges.js";
import type { Chapter, EntryView, FactView, LinkView, TableView } from "./entry.js";
import { attribute, joined, markup, nameText } from "./html.js";
import { jsonHtml } from "./json.js";
import { boundsOf, memberRows, typeLinks } from "./members.js";
import { docProse } from "./prose.js";
import type { Uses } from "./uses.js";
import { spell, typeWords } from "./words.js";

/** The types of a revision by category, each category in the order of its first type. */
export function typeChapters(declarations: Index, uses: Uses, anchors: Anchors): Chapter[] {
  const groups = new Map<string, Declaration[]>();
  for (const declaration of declarations.values()) {
    if (declaration.kind === "constant") continue;
    const category = tagOf(declaration.doc, "category") ?? "";
    groups.set(category, [...(groups.get(category) ?? []), declaration]);
  }
  // Types without a category come last. Their chapter has a title of its own only if there are other categories.
  const sortedGroups = [...groups].sort(([a], [b]) => Number(a === "") - Number(b === ""));
  return sortedGroups.map(([category, members]) => {
    const words = category.replaceAll("`", "");
    const title = category === "" ? (sortedGroups.length === 1 ? "Types" : "Other types") : `Types: ${words}`;
    return {
      anchor: anchors.claim("part", title),
      title,
      entries: members.map((declaration) => ({
        link: linkOf(declaration, anchors),
        view: typeEntry(declaration, declarations, uses, anchors),
      })),
    };
  });
}

export function linkOf({ name, kind, doc }: Declaration, anchors: Anchors): LinkView {
  return {
    anchor: attribute(anchors.claim(kind === "constant" ? "constant" : "type", name)),
    name: nameText(name),
    isDeprecated: tagOf(doc, "deprecated") !== null,
  };
}

function typeEntry(declaration: Declaration, declarations: Index, uses: Uses, anchors: Anchors): EntryView {
  const { name, doc } = declaration;
  return {
    anchor: attribute(anchors.claim("type", name)),
    name: nameText(name),
    title: null,
    badges: badgesIf({ deprecated: tagOf(doc, "deprecated") !== null }),
    paragraphs: docProse(doc, anchors),
    facts: [...factsOf(declaration, anchors), ...useFacts(name, uses, anchors)],
    tables: tablesOf(declaration, declarations, anchors),
    examples: examplesOf(declaration, declarations),
  };
}

function factsOf(declaration: Declaration, anchors: Anchors): FactView[] {
  if (declaration.kind === "interface") {
    const bases = declaration.bases.map(({ name }) => name);
    return bases.length === 0 ? [] : [{ term: markup`Extends`, value: typeLinks(bases, anchors) }];
  }
  if (declaration.kind === "constant") return [];
  const bounds = boundsOf(declaration.type);
  const type = markup`<code>${spell(typeWords(declaration.type), anchors)}</code>`;
  return [{ term: markup`Type`, value: joined([type, ...bounds], markup``) }];
}

function useFacts(name: string, uses: Uses, anchors: Anchors): FactView[] {
  const users = uses.get(name) ?? [];
  if (users.length === 0) return [];
  const links = users.map(({ subject, name: user }) => markup`<code>${anchors.link(subject, user)}</code>`);
  return [{ term: markup`Used by`, value: joined(links, markup`, `) }];
}

function tablesOf({ name }: Declaration, declarations: Index, anchors: Anchors): TableView[] {
  if (flatten(declarations, name) === null) return [];
  const rows = memberRows(declarations, { kind: "reference", name }, name, anchors);
  const empty = rows.length > 0 ? null : markup`No members of its own; any member is allowed.`;
  return [{ title: markup`Members`, type: null, rows, empty }];
}

function examplesOf({ name }: Declaration, declarations: Index): EntryView["examples"] {
  const value = exampleOfType(declarations, name, name);
  const hasMembers = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return hasMembers ? [{ title: markup`Example`, code: jsonHtml(value) }] : [];
}
