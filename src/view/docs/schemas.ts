import { exampleOf } from "../../ir/example/example.js";
import { anything, type Definition, type Schema } from "../../ir/constraint.js";
import type { Code } from "../typescript/code.js";
import { printType, type PrintedMember } from "../typescript/schema-type.js";
import type { Anchors } from "./anchors.js";
import { badgesIf } from "./badges.js";
import { conditionsOf, elementOf, isInteger, propertyOf } from "./conditions.js";
import type { Chapter, EntryView, ExampleView, RowView, TableView } from "./entry.js";
import { attribute, markup, nameText, text } from "./html.js";
import { jsonHtml } from "./json.js";
import { depthClass } from "./members.js";
import { docProse } from "./prose.js";
import { between, elementWords, mark, plain, spell, value, type Word } from "./words.js";

/** The maximum nesting of members in rows. */
const maxDepth = 5;

/** The schemas of a server's tools and prompts, for a page. */
export class Schemas {
  readonly anchors: Anchors;
  readonly #definitions: ReadonlyMap<string, Definition>;

  constructor(definitions: readonly Definition[], anchors: Anchors) {
    this.anchors = anchors;
    this.#definitions = new Map(definitions.map((definition) => [definition.key, definition]));
    for (const { key } of this.parts) anchors.claim("type", key);
  }

  /** Schemas that other schemas refer to. */
  get parts(): Definition[] {
    return [...this.#definitions.values()].filter(({ key, root }) => key !== root);
  }

  /** The members of a schema, by its key. */
  table(title: string, key: string): TableView {
    const schema = this.#definitions.get(key)?.schema ?? anything;
    const { words, rows: rowsOf, isObject } = this.#typeOf(schema);
    const rows = isObject ? rowsOf(schema, 0) : [];
    const conditions = conditionsOf(schema);
    const note = isObject ? markup`None.` : markup`<code>${spell(words, this.anchors)}</code>`;
    const [condition] = conditions;
    return {
      title: text(title),
      type: condition === undefined ? null : markup`<span class="bound">${condition}</span>`,
      rows,
      empty: rows.length > 0 ? null : note,
    };
  }

  /** An example that the schema accepts; nothing if none was found or if it would not be useful. */
  example(title: string, key: string | null): ExampleView[] {
    const definition = this.#definitions.get(key ?? "");
    if (definition === undefined) return [];
    const value = exampleOf(definition.schema, { definitions: this.#definitions, name: definition.label });
    return value === undefined ? [] : [{ title: text(title), code: jsonHtml(value) }];
  }

  /** The type of a schema's values for the page. */
  #typeOf(schema: Schema): PageType {
    return printType(schema, this.#definitions, {
      keyword: (name) => pageType([mark(name)]),
      literal: (literal) => pageType([value(literal)]),
      reference: (key) => {
        const label = this.#definitions.get(key)?.label ?? "";
        return pageType([{ kind: "name", text: label === "" ? "the root schema" : label, to: key }]);
      },
      array: ({ words, isCompound, hasMembers, rows }) => ({
        ...pageType(elementWords(words, isCompound)),
        hasMembers,
        rows: (schema, depth) => rows(elementOf(schema), depth),
      }),
      tuple: (elements, required, rest) => {
        const parts = elements.map(({ words }, i) => (i < required ? words : [...words, mark("?")]));
        if (rest !== null) parts.push([mark("..."), ...rest.words]);
        return pageType([mark("["), ...between(parts, ", "), mark("]")]);
      },
      object: (members, rest) => ({
        ...pageType([mark("object")]),
        isObject: true,
        hasMembers: members.length > 0,
        rows: (schema, depth) => this.#rows(members, rest, schema, depth),
      }),
      union: (members) => ({ ...pageType(wordsOf(members, " | ")), isCompound: true }),
      intersection: (members) => ({ ...pageType(wordsOf(members, " & ")), isCompound: true }),
    });
  }

  #rows(
    members: readonly PrintedMember<PageType>[],
    rest: PageType | null,
    schema: Schema,
    depth: number,
  ): RowView[] {
    const rows = members.flatMap((member) =>
      this.#memberRows(member, propertyOf(schema, member.name), depth),
    );
    return rest === null || plain(rest.words) === "unknown" ? rows : [...rows, this.#restRow(rest, depth)];
  }

  #memberRows(
    { name, optional, doc, type }: PrintedMember<PageType>,
    schema: Schema,
    depth: number,
  ): RowView[] {
    const isIntegerType = plain(type.words) === "number" && isInteger(schema);
    const row: RowView = {
      depth: depthClass(depth),
      name: nameText(name),
      type: spell(isIntegerType ? [mark("integer")] : type.words, this.anchors),
      badges: badgesIf({
        required: !optional,
        deprecated: doc.tags.some((tag) => tag.name === "deprecated"),
      }),
      paragraphs: [...docProse(doc, this.anchors), ...conditionsOf(schema).map(bound)],
    };
    return type.hasMembers && depth < maxDepth ? [row, ...type.rows(schema, depth + 1)] : [row];
  }

  #restRow({ words }: PageType, depth: number): RowView {
    return {
      depth: depthClass(depth),
      name: markup`<em>any other</em>`,
      type: spell(words, this.anchors),
      badges: [],
      paragraphs: [],
    };
  }
}

/** A type on one line, and the rows of the members of its objects. */
interface PageType {
  readonly words: readonly Word[];
  /** True for a union or an intersection. */
  readonly isCompound: boolean;
  readonly isObject: boolean;
  /** True for an anonymous object with members, or a list of such objects. */
  readonly hasMembers: boolean;
  /** The rows of those members. */
  readonly rows: (schema: Schema, depth: number) => RowView[];
}

function pageType(words: readonly Word[]): PageType {
  return { words, isCompound: false, isObject: false, hasMembers: false, rows: () => [] };
}

function wordsOf(members: readonly PageType[], separator: string): Word[] {
  return between(
    members.map(({ words }) => words),
    separator,
  );
}

function bound(condition: Code): Code {
  return markup`<span class="bound">${condition}</span>`;
}

/** A chapter for the schemas that others refer to. */
export function partChapters(schemas: Schemas): Chapter[] {
  const { parts, anchors } = schemas;
  if (parts.length === 0) return [];
  const entries = parts.map((part) => {
    const name = nameText(part.label);
    return {
      link: { anchor: attribute(anchors.claim("type", part.key)), name, isDeprecated: false },
      view: partEntry(part, name, schemas),
    };
  });
  return [{ anchor: "types", title: "Types", entries }];
}

function partEntry(part: Definition, name: Code, schemas: Schemas): EntryView {
  return {
    anchor: attribute(schemas.anchors.claim("type", part.key)),
    name,
    title: null,
    badges: [],
    paragraphs: docProse(part.schema.doc, schemas.anchors),
    facts: [{ term: markup`Part of`, value: markup`<code>${text(part.root)}</code>` }],
    tables: [schemas.table("Members", part.key)],
    examples: schemas.example("Example", part.key),
  };
}
