import type { Entry, Snapshot } from "../../ir/snapshot/model.js";
import { alias, callCode, type Code, code, identifier, rowsCode } from "../typescript/code.js";
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
    toolAnswer: alias(code`ToolAnswer`, [code`string`, content, handlerResult(context, call)]),
    promptAnswer: alias(code`PromptAnswer`, [code`string`, handlerResult(context, prompt)]),
    resourceAnswer: alias(code`ResourceAnswer`, [code`string`, handlerResult(context, resource)]),
  };
}

/** The rows of the entries of a server, by list. */
export interface FeatureRows {
  readonly tools: readonly Code[];
  readonly prompts: readonly Code[];
  readonly resources: readonly Code[];
}

/** The lists of the server: non-empty ones, and empty ones that it declares a capability for. */
export function featuresOf(snapshot: Snapshot, rows: FeatureRows): FeatureView[] {
  const { tools, prompts, resources, templates, capabilities } = snapshot;
  const has = (entries: readonly Entry[], capability: string): boolean =>
    entries.length > 0 || Object.hasOwn(capabilities, capability);
  const listOption = (name: Code): Code => code`listed: snapshot.${name} ?? []`;
  return [
    ...(has(tools, "tools") ? [feature("tools", rows.tools, listOption(code`tools`))] : []),
    ...(has(prompts, "prompts") ? [feature("prompts", rows.prompts, listOption(code`prompts`))] : []),
    ...(has([...resources, ...templates], "resources")
      ? [feature("resources", rows.resources, code`listed`)]
      : []),
  ];
}

/** One list of a server, handled by the runtime. */
export interface FeatureView {
  readonly kind: "tools" | "prompts" | "resources";
  /** `...tools([…], { listed: snapshot.tools ?? [] })` */
  readonly call: Code;
}

function feature(kind: FeatureView["kind"], rows: readonly Code[], listOption: Code): FeatureView {
  return { kind, call: callCode(code`...${identifier(kind)}`, [rowsCode(rows), code`{ ${listOption} }`]) };
}
