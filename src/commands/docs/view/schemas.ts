import { exampleOf } from "../../../generator/ir/example/example.js";
import type { Schema } from "../../../generator/ir/constraint.js";
import {
  literalText,
  propertyKey,
} from "../../../generator/view/typescript/code.js";
import {
  conditionSentences,
  describedDoc,
  valueSentences,
} from "../../../generator/view/typescript/described.js";
import type { Definitions } from "../../../generator/ir/constraint/accepts.js";
import { targetOf } from "../../../generator/view/typescript/guards/inspect.js";
import {
  printType,
  type PrintedMember,
  type TypePrinter,
} from "../../../generator/view/typescript/schema-type.js";
import type { Tag } from "../../../generator/ir/model.js";
import type { Anchors } from "./anchors.js";
import {
  code,
  example,
  joined,
  markup,
  text,
  type Markdown,
} from "./markdown.js";

/**
 * The maximum nesting of members in lists; deeper ones are part of the type on
 * one line.
 */
const maxDepth = 8;

/** Writes the schemas of a revision or of a server's tools and prompts. */
export class Schemas {
  readonly #anchors: Anchors;
  readonly #definitions: Definitions;
  readonly #labelOf: (key: string) => string;

  constructor(
    definitions: Definitions,
    labelOf: (key: string) => string,
    anchors: Anchors,
  ) {
    this.#definitions = definitions;
    this.#labelOf = labelOf;
    this.#anchors = anchors;
  }

  /**
   * The members of an object under a title, or the type of any other value.
   *
   * @param otherTitle the title of a type that is not an object
   */
  section(
    title: Markdown,
    schema: Schema,
    otherTitle: Markdown = title,
  ): Markdown[] {
    const target = targetOf(this.#definitions, schema);
    const { tokens, object } = printType(
      target,
      this.#definitions,
      this.#printer,
    );
    const conditions = conditionsOf(describedDoc(target).tags);
    if (object?.outline !== "object")
      return [
        joined(
          [markup`**${otherTitle}:** ${this.#spell(tokens())}`, ...conditions],
          ". ",
        ),
      ];
    const { members, rest } = object;
    const isAnything =
      members.length === 0 && rest?.tokens().join("") === "unknown";
    const rows = isAnything
      ? [markup`No members of its own; any member is allowed.`]
      : this.#rows(object, 0);
    return [
      markup`**${title}**`,
      ...conditions,
      rows.length === 0 ? markup`None.` : joined(rows, "\n"),
    ];
  }

  /** An example that the schema accepts; nothing if none was found. */
  example(title: string, schema: Schema, name: string): Markdown[] {
    const value = exampleOf(schema, { definitions: this.#definitions, name });
    return value === undefined ? [] : example(title, value);
  }

  /**
   * A row for each member, and one for the others if the schema describes them.
   */
  #rows({ members, rest }: ObjectType, depth: number): Markdown[] {
    const rows = members.map(({ name, optional, doc, type }) => {
      const isDeprecated = doc.tags.some((tag) => tag.name === "deprecated");
      const marks = [
        ...(optional ? [] : [markup`required`]),
        ...(isDeprecated ? [markup`deprecated`] : []),
      ];
      const head =
        marks.length === 0
          ? code(name)
          : markup`${code(name)} (${joined(marks, ", ")})`;
      return this.#row(
        head,
        type,
        [...this.#anchors.doc(doc), ...conditionsOf(doc.tags)],
        depth,
      );
    });
    return rest === null
      ? rows
      : [...rows, this.#row(markup`any other`, rest, [], depth)];
  }

  /** A member, followed by the members of its anonymous objects. */
  #row(
    head: Markdown,
    { tokens, object }: PageType,
    notes: readonly Markdown[],
    depth: number,
  ): Markdown {
    const below =
      depth < maxDepth && (object?.members.length ?? 0) > 0
        ? object
        : undefined;
    const type = this.#spell(below === undefined ? tokens() : [below.outline]);
    const margin = "  ".repeat(depth) as Markdown;
    const lines = joined(
      [markup`${margin}- ${head}: ${type}`, ...notes],
      "\\\n",
    );
    const row = lines.replaceAll("\n", `\n${margin}  `) as Markdown;
    return joined(
      [row, ...(below === undefined ? [] : this.#rows(below, depth + 1))],
      "\n",
    );
  }

  /** Tokens as code, with a link for each name that has an entry. */
  #spell(tokens: readonly Token[]): Markdown {
    const merged: Token[] = [];
    for (const token of tokens) {
      const last = merged.at(-1);
      const isLink =
        typeof token !== "string" && this.#anchors.of("type", token.to) !== "";
      const part =
        isLink || typeof token === "string" ? token : this.#labelOf(token.to);
      if (typeof part === "string" && typeof last === "string")
        merged[merged.length - 1] = last + part;
      else merged.push(part);
    }
    const spans = merged.map((token) => {
      if (typeof token !== "string")
        return this.#anchors.link("type", token.to, this.#labelOf(token.to));
      const [, before = "", own = "", after = ""] =
        /^( ?)(.*?)( ?)$/s.exec(token) ?? [];
      return markup`${before as Markdown}${code(own)}${after as Markdown}`;
    });
    return joined(spans, "");
  }

  readonly #printer: TypePrinter<PageType> = {
    keyword: (name) => ({ tokens: () => [name] }),
    literal: (value) => ({ tokens: () => [literalText(value)] }),
    reference: (to) => ({ tokens: () => [{ to }] }),
    array: (element) => ({
      tokens: () => [...inBrackets(element), "[]"],
      ...(element.object && {
        object: { ...element.object, outline: `${element.object.outline}[]` },
      }),
    }),
    tuple: (elements, required, rest) => ({
      tokens: () => {
        const parts = elements.map(({ tokens }, i) => [
          ...tokens(),
          ...(i < required ? [] : ["?"]),
        ]);
        if (rest !== null) parts.push(["...", ...rest.tokens()]);
        return ["[", ...between(parts, ", "), "]"];
      },
    }),
    object: objectType,
    union: (types) => ({
      tokens: () => between(types.map(tokensOf), " | "),
      isCompound: true,
    }),
    intersection: (types) => ({
      tokens: () => between(types.map(inBrackets), " & "),
      isCompound: true,
    }),
  };
}

/**
 * A part of a type in TypeScript syntax; `to` is the key of another definition.
 */
type Token = string | { readonly to: string };

interface PageType {
  /** The whole type on one line. */
  readonly tokens: () => readonly Token[];
  /** True for a union or an intersection. */
  readonly isCompound?: boolean;
  /** The object that the type is, or is a list or map of. */
  readonly object?: ObjectType;
}

interface ObjectType {
  readonly members: readonly PrintedMember<PageType>[];
  /** The type of other members; null if it is not restricted. */
  readonly rest: PageType | null;
  /** The type without its members: "object[]". */
  readonly outline: string;
}

function objectType(
  members: readonly PrintedMember<PageType>[],
  rest: PageType | null,
): PageType {
  const tokens = (): readonly Token[] => {
    const parts = members.map(({ name, optional, type }) => {
      const { layout } = propertyKey(name);
      return [
        `${typeof layout === "string" ? layout : literalText(name)}${optional ? "?" : ""}: `,
        ...type.tokens(),
      ];
    });
    if (members.length === 0 && rest !== null)
      parts.push(["[key: string]: ", ...rest.tokens()]);
    return parts.length === 0
      ? ["object"]
      : ["{ ", ...between(parts, "; "), " }"];
  };
  if (members.length > 0 || rest?.object === undefined)
    return { tokens, object: { members, rest, outline: "object" } };
  return {
    tokens,
    object: {
      ...rest.object,
      outline: `{ [key: string]: ${rest.object.outline} }`,
    },
  };
}

function tokensOf({ tokens }: PageType): readonly Token[] {
  return tokens();
}

function inBrackets({
  tokens,
  isCompound = false,
}: PageType): readonly Token[] {
  return isCompound ? ["(", ...tokens(), ")"] : tokens();
}

function between(
  parts: readonly (readonly Token[])[],
  separator: string,
): Token[] {
  return parts.flatMap((part, index) =>
    index === 0 ? part : [separator, ...part],
  );
}

/** What the tags of a doc say about values, as sentences. */
function conditionsOf(tags: readonly Tag[]): Markdown[] {
  const of = (name: string): Markdown[] =>
    tags.filter((tag) => tag.name === name).map((tag) => code(tag.text));
  const sentence = valueSentences(tags);
  const examples = of("example").slice(0, 3);
  const conditions = [
    ...(sentence === "" ? [] : [text(sentence)]),
    ...of("pattern").map((pattern) => markup`Matches ${pattern}.`),
    ...conditionSentences(tags).map((condition) => text(condition)),
    ...of("default").map((value) => markup`Default: ${value}.`),
    ...(examples.length > 0
      ? [markup`Examples: ${joined(examples, ", ")}.`]
      : []),
  ];
  return conditions.length === 0 ? [] : [joined(conditions, " ")];
}
