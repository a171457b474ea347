import { exampleOfSchema } from "../../ir/example/schema.js";
import { anything, type Definition, type Member, type Schema, type Shape } from "../../ir/surface/schema.js";
import type { Code } from "../code.js";
import type { Anchors } from "./anchors.js";
import { badgesIf } from "./badges.js";
import { conditionsOf, elementOf, isInteger, propertyOf } from "./conditions.js";
import type { Chapter, EntryView, ExampleView, RowView, TableView } from "./entry.js";
import { attribute, markup, nameText, text } from "./html.js";
import { jsonHtml } from "./json.js";
import { depthClass } from "./members.js";
import { docProse } from "./prose.js";
import { mark, shapeWords, spell, type Word } from "./words.js";

/** How deep members of members are told in rows. */
const deepest = 5;

/** The schemas of a server's tools and prompts, as a page tells them. */
export class Schemas {
  readonly anchors: Anchors;
  readonly #definitions: ReadonlyMap<string, Definition>;

  constructor(definitions: readonly Definition[], anchors: Anchors) {
    this.anchors = anchors;
    this.#definitions = new Map(definitions.map((definition) => [definition.key, definition]));
    for (const { key } of this.parts) anchors.claim("type", key);
  }

  /** Schemas that are parts of others, and that those refer to. */
  get parts(): Definition[] {
    return [...this.#definitions.values()].filter(({ key, root }) => key !== root);
  }

  /** The members of a schema by its key. */
  table(title: string, key: string): TableView {
    const { shape, schema } = this.#definitions.get(key) ?? {
      shape: { kind: "unknown" } as const,
      schema: anything,
    };
    const rows = this.#rows(shape, schema, 0);
    const conditions = conditionsOf(schema);
    const note =
      shape.kind === "object"
        ? markup`None.`
        : markup`<code>${spell(this.words(shape), this.anchors)}</code>`;
    const [condition] = conditions;
    return {
      title: text(title),
      type: condition === undefined ? null : markup`<span class="bound">${condition}</span>`,
      rows,
      empty: rows.length > 0 ? null : note,
    };
  }

  /** A value that the schema accepts; nothing where none was found, or where it would tell nothing. */
  example(title: string, key: string | null): ExampleView[] {
    const definition = this.#definitions.get(key ?? "");
    if (definition === undefined) return [];
    const value = exampleOfSchema(this.#definitions, definition.schema, definition.label);
    return value === undefined ? [] : [{ title: text(title), code: jsonHtml(value) }];
  }

  words(shape: Shape): Word[] {
    return shapeWords(shape, (key) => {
      const label = this.#definitions.get(key)?.label ?? "";
      return { kind: "name", text: label === "" ? "the whole" : label, to: key };
    });
  }

  #rows(shape: Shape, schema: Schema, depth: number): RowView[] {
    if (shape.kind !== "object") return [];
    const rows = shape.members.flatMap((member) =>
      this.#memberRows(member, propertyOf(schema, member.name), depth),
    );
    const isTold = shape.rest !== null && shape.rest.kind !== "unknown";
    return isTold ? [...rows, this.#restRow(shape.rest, depth)] : rows;
  }

  #memberRows({ name, optional, doc, shape }: Member, schema: Schema, depth: number): RowView[] {
    const inner = depth < deepest ? innerOf(shape, schema) : null;
    const words = inner === null ? this.words(shape) : outline(shape);
    const isWhole = shape.kind === "number" && isInteger(schema);
    const row: RowView = {
      depth: depthClass(depth),
      name: nameText(name),
      type: spell(isWhole ? [mark("integer")] : words, this.anchors),
      badges: badgesIf({
        required: !optional,
        deprecated: doc.tags.some((tag) => tag.name === "deprecated"),
      }),
      paragraphs: [...docProse(doc, this.anchors), ...conditionsOf(schema).map(bound)],
    };
    return inner === null ? [row] : [row, ...this.#rows(inner.shape, inner.schema, depth + 1)];
  }

  #restRow(rest: Shape, depth: number): RowView {
    return {
      depth: depthClass(depth),
      name: markup`<em>any other</em>`,
      type: spell(this.words(rest), this.anchors),
      badges: [],
      paragraphs: [],
    };
  }
}

function bound(condition: Code): Code {
  return markup`<span class="bound">${condition}</span>`;
}

/** The anonymous object that a value is, or is a list of. */
function innerOf(shape: Shape, schema: Schema): { readonly shape: Shape; readonly schema: Schema } | null {
  if (shape.kind === "array") return innerOf(shape.element, elementOf(schema));
  return shape.kind === "object" && shape.members.length > 0 ? { shape, schema } : null;
}

function outline(shape: Shape): Word[] {
  return shape.kind === "array" ? [...outline(shape.element), mark("[]")] : [mark("object")];
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
