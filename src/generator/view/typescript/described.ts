import type {
  BranchKind,
  Check,
  CheckOf,
  Doc,
  Schema,
  Tag,
  ValueKind,
} from "../../ir/constraint.js";
import { typeIn } from "../../ir/constraint/form.js";
import { keywordsOf } from "../../ir/constraint/json-schema.js";

/** The maximum number of characters of a value in a comment. */
const maxLength = 80;
/** The maximum number of examples in a comment. */
const maxExamples = 3;

/**
 * The doc of a schema, with the conditions, the default and the examples of its
 * values as tags. Comments show some of them.
 */
export function describedDoc(schema: Schema): Doc {
  const { text, tags } = schema.doc;
  return { text, tags: [...tags, ...partsOf(schema).flatMap(tagsOf)] };
}

/**
 * The schema and what it adds to: `allOf`, and the only alternative to null.
 */
function partsOf(schema: Schema): Schema[] {
  const inner = schema.checks.flatMap((check) => {
    if (check.kind === "all") return check.schemas;
    if (check.kind !== "any" && check.kind !== "one") return [];
    const others = check.schemas.filter((each) => typeIn(each) !== "null");
    return others.length === 1 ? others : [];
  });
  return [schema, ...inner];
}

function tagsOf({ checks, notes = [] }: Schema): Tag[] {
  return [
    ...checks.flatMap(conditionTags),
    ...notes.flatMap(({ keyword, value }): Tag[] => {
      if (keyword === "format" && typeof value === "string")
        return [{ name: "format", text: value }];
      if (keyword === "default")
        return [{ name: "default", text: JSON.stringify(value) }];
      if (keyword !== "examples" || !Array.isArray(value)) return [];
      return value.map((item) => ({
        name: "example",
        text: JSON.stringify(item),
      }));
    }),
  ];
}

/** What a check requires of a value, as tags; none if its type says it. */
function conditionTags(check: Check): Tag[] {
  switch (check.kind) {
    case "bound":
    case "multiple":
    case "size":
    case "pattern":
    case "unique":
      return keywordsOf(check).map(([name, value]) => ({
        name,
        text: String(value),
      }));
    case "not":
    case "contains":
      return [{ name: check.kind, text: "" }];
    case "dependent": {
      const { member, names } = check;
      return names.length === 0
        ? []
        : [
            {
              name: "dependentRequired",
              text: `${member} only with ${names.join(", ")}`,
            },
          ];
    }
    default:
      void (check satisfies CheckOf<
        | ValueKind
        | "items"
        | "members"
        | "required"
        | "names"
        | Exclude<BranchKind, "not">
      >);
      return [];
  }
}

/**
 * What the tags of a doc say about values, as one paragraph:
 * `Format: uri. 1 to 10 characters.` Empty if they say nothing.
 */
export function valueSentences(tags: readonly Tag[]): string {
  if (tags.length === 0) return "";
  const textOf = (name: string): string | undefined => {
    const text = tags.find((tag) => tag.name === name)?.text;
    return text === "" || text === undefined ? undefined : shorten(text);
  };
  const after = (words: string, name: string): string => {
    const text = textOf(name);
    return text === undefined ? "" : `${words} ${text}`;
  };
  const sentences = [
    after("Format:", "format"),
    range(textOf("minimum"), textOf("maximum"), ""),
    after("Above", "exclusiveMinimum"),
    after("Below", "exclusiveMaximum"),
    after("A multiple of", "multipleOf"),
    range(textOf("minLength"), textOf("maxLength"), " character"),
    range(textOf("minItems"), textOf("maxItems"), " item"),
    range(textOf("minProperties"), textOf("maxProperties"), " member"),
  ];
  return sentences
    .filter((sentence) => sentence !== "")
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

/** The conditions that are said in words only, a sentence for each. */
export function conditionSentences(tags: readonly Tag[]): readonly string[] {
  const sentences = tags.flatMap(({ name, text }) => {
    if (name === "uniqueItems") return ["No duplicate items."];
    if (name === "dependentRequired") return [`Member ${text}.`];
    if (name === "contains") return ["With items of a certain kind."];
    return name === "not" ? ["With exceptions (see the schema)."] : [];
  });
  return [...new Set(sentences)];
}

function range(
  low: string | undefined,
  high: string | undefined,
  noun: string,
): string {
  const unit = (count: string): string =>
    noun === "" || count === "1" ? noun : `${noun}s`;
  if (low !== undefined && high !== undefined)
    return low === high
      ? `Exactly ${low}${unit(low)}`
      : `${low} to ${high}${unit(high)}`;
  if (low !== undefined) return `At least ${low}${unit(low)}`;
  return high === undefined ? "" : `At most ${high}${unit(high)}`;
}

/** The lines `@default …` and `@example …`. */
export function valueTags(tags: readonly Tag[]): string[] {
  const named = (name: string, count: number): readonly Tag[] =>
    tags.filter((tag) => tag.name === name && tag.text !== "").slice(0, count);
  const shown = [...named("default", 1), ...named("example", maxExamples)];
  return shown.map(({ name, text }) => `@${name} ${shorten(text)}`);
}

function shorten(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
