import type { Job } from "../../ir/model.js";
import type { Entry, Surface } from "../../ir/surface/model.js";
import { arranged, type Code, code, identifier, unionCode } from "../code.js";
import { group, indent, line } from "../layout.js";
import { arrow, calling, shorthand } from "./calls.js";
import { answerOf, memberType, methodKey, requestFor, type Spoken } from "./protocol.js";

/** What the functions of a project may return, as it stands behind `export type`. */
export interface AnswerTypes {
  /** The blocks of a tool's result. */
  readonly content: Code;
  /** `ToolAnswer = …;` */
  readonly toolAnswer: Code;
  readonly promptAnswer: Code;
  readonly resourceAnswer: Code;
}

export function answerTypes(spoken: Spoken): AnswerTypes {
  const call = requestFor(spoken, "callTool");
  const content = memberType(spoken, call, "content");
  const [prompt, resource] = [requestFor(spoken, "getPrompt"), requestFor(spoken, "readResource")];
  return {
    content,
    toolAnswer: aliased(code`ToolAnswer`, [code`string`, content, answerOf(spoken, call)]),
    promptAnswer: aliased(code`PromptAnswer`, [code`string`, answerOf(spoken, prompt)]),
    resourceAnswer: aliased(code`ResourceAnswer`, [code`string`, answerOf(spoken, resource)]),
  };
}

/** `Name = a | b;` as it stands behind `export type`. */
function aliased(name: Code, types: readonly Code[]): Code {
  return arranged([group([name.layout, " =", group(indent([line, unionCode(types).layout]))]), ";"]);
}

/** The handlers of the revision that this server has: one for each list that is there or declared, and one behind it. */
export function answersOf(surface: Surface, spoken: Spoken): Code[] {
  const { tools, prompts, resources, templates, capabilities } = surface;
  const rows: readonly (readonly [
    declared: string,
    of: readonly Entry[],
    list: Job,
    name: Code,
    use: Job,
    by: Code,
  ])[] = [
    ["tools", tools, "listTools", code`tools`, "callTool", code`callTool`],
    ["prompts", prompts, "listPrompts", code`prompts`, "getPrompt", code`getPrompt`],
    ["resources", resources, "listResources", code`resources`, "readResource", code`readResource`],
    ["resources", templates, "listTemplates", code`resourceTemplates`, "readResource", code`readResource`],
  ];
  const found = new Map<string, Code>();
  for (const [declared, entries, list, name, use, by] of rows) {
    if (entries.length === 0 && !Object.hasOwn(capabilities, declared)) continue;
    const [listing, using] = [requestFor(spoken, list), requestFor(spoken, use)];
    if (listing !== null && listing.items !== null) {
      const page = shorthand([code`${identifier(listing.items)}: (snapshot.${name} ?? []) as never`]);
      found.set(listing.method, code`${methodKey(listing)}: () => (${page})`);
    }
    const isUsable = entries.some((entry) => !("parts" in entry) || entry.parts !== null);
    if (!isUsable || using === null) continue;
    const call = calling(by, [code`options`, code`params`, code`context`]);
    found.set(using.method, arrow(methodKey(using), code`(params, context)`, call));
  }
  return [...found.values()];
}
