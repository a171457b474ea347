import type { Json, Tool } from "../../ir/snapshot/model.js";
import {
  arrayCode,
  assignment,
  callCode,
  type Code,
  code,
  constant,
  generic,
  identifier,
  indexedType,
  jsonCode,
  literal,
  literalText,
  objectCode,
  propertyKey,
  signature,
} from "../typescript/code.js";
import type { Definitions } from "../../ir/constraint/accepts.js";
import { docComment } from "../typescript/doc.js";
import {
  keywordText,
  printType,
  type TypePrinter,
} from "../typescript/schema-type.js";
import type { Entries } from "./entries.js";
import { isShown } from "./json-schemas.js";
import type { ProjectNaming } from "./naming.js";

/**
 * `tools.ts`: the tools of a server for a model, with the words of the
 * snapshot.
 */
interface ModelToolsView {
  /** `ModelToolsOf<WeatherClient["tools"]>` */
  readonly modelTools: Code;
  /** `createModelTools(client: WeatherClient): ModelTools` */
  readonly heading: Code;
  readonly tools: readonly {
    readonly doc: Code | null;
    readonly member: Code;
  }[];
  /**
   * `ways = { … }`: how arguments that a model wrote become those of the tools;
   * null if they all stay as they are.
   */
  readonly ways: Code | null;
  /** True if a provider reads other schemas than the server has. */
  readonly isConverted: boolean;
  /** `signatures: readonly string[] = […]` */
  readonly signatures: Code;
}

/**
 * What a model reads of a tool, and how the arguments that it writes become
 * those of the tool.
 */
export interface ToolForModel {
  readonly name: string;
  readonly description: string;
  readonly schema: Json | undefined;
  readonly wayBack: object | null;
  /** What the schema does not say. */
  readonly lost: readonly string[];
}

export function modelToolsView(
  { tools, definitions }: Entries,
  { stem }: ProjectNaming,
  converted: readonly ToolForModel[] | null,
): ModelToolsView {
  const clientType = identifier(`${stem}Client`);
  const line = linePrinter(definitions);
  const views = tools.map(({ entry: tool, member, name }, i) => {
    const description = tool.description ?? tool.title ?? "";
    const own = {
      name: tool.name,
      description,
      schema: tool.raw["inputSchema"],
      wayBack: null,
      lost: [],
    };
    const { schema, wayBack, lost, ...words }: ToolForModel =
      converted?.[i] ?? own;
    const call = code`client.tools.${name}`;
    const way = wayBack ? [code`ways.${name}`] : [];
    const value = objectCode([
      [code`name`, literal(words.name)],
      [code`description`, literal(words.description)],
      [
        code`inputSchema`,
        jsonCode(isShown(schema) ? schema : { type: "object" }),
      ],
      [
        code`execute`,
        converted === null ? call : callCode(code`fromModel`, [call, ...way]),
      ],
    ]);
    const result = tool.output === null ? "Content[]" : line(tool.output);
    const input = line(tool.input);
    const args = withoutArguments.has(input) ? "" : input;
    const text = `${member}(${args}): ${result}${firstSentence(tool)}`;
    const doc =
      lost.length === 0
        ? null
        : docComment(["The schema does not have:", ...lost.slice(0, 20)]);
    return { doc, member: code`${name}: ${value}`, line: literal(text) };
  });
  const ways = tools.flatMap(({ name }, i) => {
    const wayBack = converted?.[i]?.wayBack;
    return wayBack ? [[name, jsonCode(wayBack)] as const] : [];
  });
  const lines = views.map((view) => view.line);
  const calls = indexedType(clientType, literal("tools"));
  const executed =
    converted === null ? calls : generic(code`ModelCalls`, [calls]);
  return {
    modelTools: generic(code`ModelToolsOf`, [executed]),
    heading: signature(
      code`createModelTools`,
      [code`client: ${clientType}`],
      code`ModelTools`,
    ),
    tools: views,
    ways: ways.length === 0 ? null : assignment(code`ways`, objectCode(ways)),
    isConverted: converted !== null,
    signatures: constant(
      code`signatures`,
      code`readonly string[]`,
      arrayCode(lines),
    ),
  };
}

/** How the arguments of a tool print that declares none. */
const withoutArguments: ReadonlySet<string> = new Set([
  "{ [key: string]: unknown }",
  "{ [key: string]: never }",
]);

/** " — " and the first sentence of a description, on one line. */
export function firstSentence({ description, title }: Tool): string {
  const text = (description ?? title ?? "").replace(/\s+/g, " ").trim();
  const [sentence = text] = /^.{1,160}?[.!?](?= |$)/u.exec(text) ?? [
    text.slice(0, 160),
  ];
  return sentence === "" ? "" : ` — ${sentence}`;
}

/**
 * The maximum length of the type of a definition on one line; a longer one is
 * `object`.
 */
const maxLength = 400;

/** A type on one line. Types of the other kinds need brackets before `[]`. */
interface TypeLine {
  readonly text: string;
  readonly kind: "plain" | "union" | "intersection";
}

/**
 * Returns a function that prints the type of a definition on one line, with the
 * types that it refers to.
 */
export function linePrinter(definitions: Definitions): (key: string) => string {
  const plain = (text: string): TypeLine => ({ text, kind: "plain" });
  // A definition that contains itself is `unknown` there.
  const printed = new Map<string, TypeLine>();
  const reference = (key: string): TypeLine => {
    const known = printed.get(key);
    if (known !== undefined) return known;
    printed.set(key, plain("unknown"));
    const definition = definitions.get(key);
    const line =
      definition && printType(definition.schema, definitions, printer);
    const result =
      line === undefined
        ? plain("unknown")
        : line.text.length > maxLength
          ? plain("object")
          : line;
    printed.set(key, result);
    return result;
  };
  const inBrackets = ({ text, kind }: TypeLine): string =>
    kind === "plain" ? text : `(${text})`;
  const intersection = (members: readonly TypeLine[]): TypeLine => ({
    text: members.map(inBrackets).join(" & "),
    kind: "intersection",
  });
  const printer: TypePrinter<TypeLine> = {
    keyword: (name) => plain(keywordText(name)),
    literal: (value) => plain(literalText(value)),
    reference,
    array: (element) => plain(`${inBrackets(element)}[]`),
    tuple: (elements, required, rest) => {
      const parts = elements.map((element, i) =>
        i < required ? element.text : `${inBrackets(element)}?`,
      );
      return plain(
        `[${[...parts, ...(rest === null ? [] : [`...${rest.text}`])].join(", ")}]`,
      );
    },
    object: (members, rest) => {
      const parts = members.map(
        ({ name, optional, type }) =>
          `${String(propertyKey(name).layout)}${optional ? "?" : ""}: ${type.text}`,
      );
      if (members.length === 0 || rest !== null)
        parts.push(`[key: string]: ${rest?.text ?? "never"}`);
      return plain(`{ ${parts.join("; ")} }`);
    },
    union: (members) => {
      const parts = members.map((member) =>
        member.kind === "union" ? member.text : inBrackets(member),
      );
      return { text: parts.join(" | "), kind: "union" };
    },
    intersection,
  };
  return (key) => reference(key).text;
}
