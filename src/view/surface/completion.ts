import { flattenType } from "../../ir/flatten.js";
import { resolve } from "../../ir/lookup.js";
import type { RequestMessage, Type } from "../../ir/model.js";
import type { Prompt, Surface, Template } from "../../ir/surface/model.js";
import {
  annotated,
  type Code,
  code,
  constant,
  generic,
  identifier,
  indexed,
  jsonCode,
  literal,
  memberTable,
  signature,
} from "../code.js";
import { docComment } from "../doc.js";
import { arrow, calling, type CallView } from "./calls.js";
import type { SurfaceNaming } from "./naming.js";
import { declares, memberType, methodName, requestFor, type Spoken } from "./protocol.js";

/** What a client can ask to have completed: the arguments of prompts, the variables of templates. */
export interface CompletionView {
  /** `WeatherComplete` */
  readonly type: Code;
  readonly method: Code;
  /** The values that are suggested, and how many there are. */
  readonly result: Code;
  /** Can it be said which other arguments are settled? */
  readonly isSettling: boolean;
  readonly prompts: readonly CallView[];
  readonly templates: readonly CallView[];
  /** `completePrompts: WeatherComplete["prompts"] = { … }` */
  readonly promptTable: Code;
  readonly templateTable: Code;
}

/** Null when the revision cannot complete, the server does not, or there is nothing to complete. */
export function completionView(
  surface: Surface,
  naming: SurfaceNaming,
  spoken: Spoken,
): CompletionView | null {
  const request = requestFor(spoken, "complete");
  if (request === null || !declares(surface, request)) return null;
  const refs = referencesOf(spoken, request);
  const row = (name: string, names: readonly string[], ref: object): CallView[] => {
    if (names.length === 0) return [];
    const parameters = [
      annotated(code`name`, names.map(literal)),
      code`value: string`,
      code`options?: CompleteOptions`,
    ];
    const args = [code`caller`, jsonCode(ref), code`name`, code`value`, code`options`];
    return [
      {
        doc: docComment([`Completes one of ${names.map((one) => `\`${one}\``).join(", ")}.`]),
        signature: signature(identifier(name), parameters, generic(code`Promise`, [code`Completion`])),
        call: arrow(identifier(name), code`(name, value, options)`, calling(code`complete`, args)),
      },
    ];
  };
  const prompts = surface.prompts.flatMap((prompt, i) =>
    row(naming.prompts[i] ?? "", argumentsOf(surface, prompt), { type: refs.name, name: prompt.name }),
  );
  const templates = surface.templates.flatMap((template, i) =>
    row(naming.templates[i] ?? "", variablesOf(template), { type: refs.uri, uri: template.template }),
  );
  if (prompts.length + templates.length === 0) return null;
  const type = identifier(`${naming.stem}Complete`);
  const table = (name: Code, member: string, calls: readonly CallView[]): Code =>
    constant(name, indexed(type, literal(member)), memberTable(calls.map(({ call }) => call)));
  return {
    type,
    method: methodName(spoken, request),
    result: memberType(spoken, request, "completion"),
    isSettling: paramType(spoken, request, "context") !== null,
    prompts,
    templates,
    promptTable: table(code`completePrompts`, "prompts", prompts),
    templateTable: table(code`completeResources`, "resources", templates),
  };
}

/** The tag of what the params refer to, by the member that says which one it is. */
export function referencesOf(
  spoken: Spoken,
  request: RequestMessage,
): { readonly name: string; readonly uri: string } {
  const { declarations } = spoken.choice;
  const type = paramType(spoken, request, "ref");
  const target = type === null ? null : resolve(declarations, type);
  const arms = target?.kind === "union" ? target.members : [];
  const tagWith = (member: string): string => {
    for (const arm of arms) {
      const properties = flattenType(declarations, arm)?.properties ?? [];
      const tag = properties.find(({ name }) => name === "type")?.type;
      if (tag?.kind === "literal" && properties.some(({ name }) => name === member)) return String(tag.value);
    }
    return "";
  };
  return { name: tagWith("name"), uri: tagWith("uri") };
}

function paramType({ choice }: Spoken, { params }: RequestMessage, member: string): Type | null {
  const flat = params.type === null ? null : flattenType(choice.declarations, params.type);
  return flat?.properties.find(({ name }) => name === member)?.type ?? null;
}

/** The names of a prompt's arguments. */
export function argumentsOf({ definitions }: Surface, { input }: Prompt): string[] {
  const checks = definitions.find(({ key }) => key === input)?.schema.checks ?? [];
  return checks.flatMap((check) =>
    check.kind === "members" ? check.properties.map(({ name }) => name) : [],
  );
}

/** The names of a template's variables, each once. */
export function variablesOf({ parts }: Template): string[] {
  const names = (parts ?? []).flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}
