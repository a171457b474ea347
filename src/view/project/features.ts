import type { Entry, Snapshot } from "../../ir/snapshot/model.js";
import { callCode, fromLayout, type Code, code, identifier, unionCode } from "../typescript/code.js";
import { group, indent, line } from "../typescript/layout.js";
import { handlerResult, memberType, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** Return types of the functions of a project, as text after `export type`. */
export interface ReturnTypes {
  /** The blocks of a tool's result. */
  readonly content: Code;
  /** `ToolAnswer = …;` */
  readonly toolAnswer: Code;
  readonly promptAnswer: Code;
  readonly resourceAnswer: Code;
}

export function returnTypes(context: RevisionContext): ReturnTypes {
  const call = requestFor(context, "callTool");
  const content = memberType(context, call, "content");
  const [prompt, resource] = [requestFor(context, "getPrompt"), requestFor(context, "readResource")];
  return {
    content,
    toolAnswer: aliasCode(code`ToolAnswer`, [code`string`, content, handlerResult(context, call)]),
    promptAnswer: aliasCode(code`PromptAnswer`, [code`string`, handlerResult(context, prompt)]),
    resourceAnswer: aliasCode(code`ResourceAnswer`, [code`string`, handlerResult(context, resource)]),
  };
}

/** `Name = a | b;`, as text after `export type`. */
function aliasCode(name: Code, types: readonly Code[]): Code {
  return fromLayout([group([name.layout, " =", group(indent([line, unionCode(types).layout]))]), ";"]);
}

/** The lists of the server: non-empty ones, and empty ones that it declares a capability for. */
export function featuresOf({ tools, prompts, resources, templates, capabilities }: Snapshot): FeatureView[] {
  const has = (entries: readonly Entry[], capability: string): boolean =>
    entries.length > 0 || Object.hasOwn(capabilities, capability);
  const listOption = (name: Code): Code => code`listed: snapshot.${name} ?? []`;
  const matchable = [...resources, ...templates.filter(({ parts }) => parts !== null)];
  return [
    ...(has(tools, "tools") ? [feature("tools", tools, code`toolRows`, listOption(code`tools`))] : []),
    ...(has(prompts, "prompts")
      ? [feature("prompts", prompts, code`promptRows`, listOption(code`prompts`))]
      : []),
    ...(has([...resources, ...templates], "resources")
      ? [feature("resources", matchable, code`resourceRows`, code`listed`)]
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
  return { kind, call: callCode(code`...${identifier(kind)}`, [rowsCall, code`{ ${listOption} }`]) };
}
