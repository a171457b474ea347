import type { Entry, Snapshot } from "../../ir/snapshot/model.js";
import { arranged, type Code, code, identifier, unionCode } from "../typescript/code.js";
import { group, indent, line } from "../typescript/layout.js";
import { calling } from "./calls.js";
import { answerOf, memberType, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** Return types of the functions of a project, as text after `export type`. */
export interface AnswerTypes {
  /** The blocks of a tool's result. */
  readonly content: Code;
  /** `ToolAnswer = …;` */
  readonly toolAnswer: Code;
  readonly promptAnswer: Code;
  readonly resourceAnswer: Code;
}

export function answerTypes(context: RevisionContext): AnswerTypes {
  const call = requestFor(context, "callTool");
  const content = memberType(context, call, "content");
  const [prompt, resource] = [requestFor(context, "getPrompt"), requestFor(context, "readResource")];
  return {
    content,
    toolAnswer: aliased(code`ToolAnswer`, [code`string`, content, answerOf(context, call)]),
    promptAnswer: aliased(code`PromptAnswer`, [code`string`, answerOf(context, prompt)]),
    resourceAnswer: aliased(code`ResourceAnswer`, [code`string`, answerOf(context, resource)]),
  };
}

/** `Name = a | b;`, as text after `export type`. */
function aliased(name: Code, types: readonly Code[]): Code {
  return arranged([group([name.layout, " =", group(indent([line, unionCode(types).layout]))]), ";"]);
}

/** The lists of the server: non-empty ones, and empty ones that it declares a capability for. */
export function featuresOf({ tools, prompts, resources, templates, capabilities }: Snapshot): FeatureView[] {
  const has = (entries: readonly Entry[], declared: string): boolean =>
    entries.length > 0 || Object.hasOwn(capabilities, declared);
  const listOption = (name: Code): Code => code`listed: snapshot.${name} ?? []`;
  const usable = [...resources, ...templates.filter(({ parts }) => parts !== null)];
  return [
    ...(has(tools, "tools") ? [feature("tools", tools, code`toolRows`, listOption(code`tools`))] : []),
    ...(has(prompts, "prompts")
      ? [feature("prompts", prompts, code`promptRows`, listOption(code`prompts`))]
      : []),
    ...(has([...resources, ...templates], "resources")
      ? [feature("resources", usable, code`resourceRows`, code`listed`)]
      : []),
  ];
}

/** One list of a server, handled by the runtime. */
export interface FeatureView {
  readonly kind: "tools" | "prompts" | "resources";
  /** `...tools(toolRows(options), { listed: snapshot.tools ?? [] })` */
  readonly call: Code;
}

function feature(
  kind: FeatureView["kind"],
  entries: readonly Entry[],
  rows: Code,
  listOption: Code,
): FeatureView {
  const rowsCall = entries.length === 0 ? code`[]` : code`${rows}(options)`;
  return { kind, call: calling(code`...${identifier(kind)}`, [rowsCall, code`{ ${listOption} }`]) };
}
