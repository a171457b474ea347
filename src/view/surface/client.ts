import type { Surface, TemplatePart } from "../../ir/surface/model.js";
import {
  arrayCode,
  arranged,
  type Code,
  code,
  generic,
  identifier,
  jsonCode,
  literal,
  objectCode,
  propertyKey,
  signature,
  unionCode,
} from "../code.js";
import { group, indent, join, line, softline, ifBreak } from "../layout.js";
import { Names } from "../names.js";
import { entryDoc, toolDoc } from "./docs.js";
import type { SurfaceNaming } from "./naming.js";
import { memberType, methodName, requestFor, resultOf, type Spoken } from "./protocol.js";

/** `client.ts` of a project: what a server offers, as documented functions over any connection. */
export interface SurfaceClientView {
  readonly hasTools: boolean;
  readonly hasPrompts: boolean;
  readonly hasResources: boolean;
  /** Are types of the revision named? */
  readonly needsProtocol: boolean;
  /** Is anything checked? */
  readonly validated: boolean;
  readonly callTool: Code;
  readonly getPrompt: Code;
  readonly readResource: Code;
  /** The blocks of a tool's result. */
  readonly content: Code;
  readonly clientType: Code;
  readonly toolsType: Code;
  readonly promptsType: Code;
  readonly resourcesType: Code;
  readonly readOnlyType: Code;
  readonly readOnly: Code;
  readonly create: Code;
  readonly tools: readonly CallView[];
  readonly prompts: readonly CallView[];
  readonly resources: readonly CallView[];
  readonly templates: readonly (CallView & { readonly constant: Code; readonly parts: Code })[];
  /** What `create` returns. */
  readonly whole: Code;
}

export interface CallView {
  readonly doc: Code | null;
  /** `getWeather(args: …, options?: CallOptions): Promise<…>` */
  readonly signature: Code;
  /** `getWeather: (args, options) => callTool(…)` */
  readonly call: Code;
}

const options = code`options?: CallOptions`;

export function surfaceClientView(
  surface: Surface,
  naming: SurfaceNaming,
  spoken: Spoken,
): SurfaceClientView {
  const call = requestFor(spoken, "callTool");
  const get = requestFor(spoken, "getPrompt");
  const read = requestFor(spoken, "readResource");
  const named = (suffix: string): Code => identifier(`${naming.stem}${suffix}`);
  const tools = toolCalls(surface, naming);
  const prompts = promptCalls(surface, naming, resultOf(spoken, get));
  const contents = generic(code`Promise`, [resultOf(spoken, read)]);
  const resources = surface.resources.map((entry, i): CallView => {
    const name = identifier(naming.resources[i] ?? "");
    const value = code`caller.${read === null ? code`readResource` : methodName(spoken, read)}`;
    return {
      doc: entryDoc(entry, [`Reads \`${entry.uri}\`.`]),
      signature: signature(name, [options], contents),
      call: arrow(
        name,
        code`(options)`,
        code`${calling(value, [code`{ uri: ${literal(entry.uri)} }`, code`options`])} as Promise<never>`,
      ),
    };
  });
  const templates = templateCalls(
    surface,
    naming,
    contents,
    read === null ? code`readResource` : methodName(spoken, read),
  );
  const [hasTools, hasPrompts] = [tools.length > 0, prompts.length > 0];
  const hasResources = resources.length + templates.length > 0;
  const shared = [...(hasPrompts ? [code`prompts`] : []), ...(hasResources ? [code`resources`] : [])];
  const readOnlyNames = naming.tools.filter((_, i) => surface.tools[i]?.hints.readOnly === true);
  const harmless = shorthand(
    readOnlyNames.map((name) => code`${identifier(name)}: tools.${identifier(name)}`),
  );
  return {
    hasTools,
    hasPrompts,
    hasResources,
    needsProtocol: hasTools || hasPrompts || hasResources,
    validated: hasTools || surface.prompts.some(({ input }) => input !== null),
    callTool: call === null ? code`callTool` : methodName(spoken, call),
    getPrompt: get === null ? code`getPrompt` : methodName(spoken, get),
    readResource: read === null ? code`readResource` : methodName(spoken, read),
    content: memberType(spoken, call, "content"),
    clientType: named("Client"),
    toolsType: named("Tools"),
    promptsType: named("Prompts"),
    resourcesType: named("Resources"),
    readOnlyType: named("ReadOnly"),
    readOnly: generic(code`Pick`, [
      named("Tools"),
      readOnlyNames.length === 0 ? code`never` : unionCode(readOnlyNames.map((name) => literal(name))),
    ]),
    create: identifier(`create${naming.stem}Client`),
    tools,
    prompts,
    resources,
    templates,
    whole: shorthand([
      ...(hasTools ? [code`tools`] : []),
      ...shared,
      ...(hasTools ? [code`readOnly: ${shorthand([code`tools: ${harmless}`, ...shared])}`] : []),
    ]),
  };
}

/** `{ a, b, c: … }` */
export function shorthand(members: readonly Code[]): Code {
  if (members.length === 0) return arranged("{}");
  const list = join(
    [",", line],
    members.map((member) => member.layout),
  );
  return arranged(group(["{", indent([line, list, ifBreak(",")]), line, "}"]));
}

/** `name: (a, b) => value`, the value below when it does not fit. */
export function arrow(name: Code, parameters: Code, value: Code): Code {
  return arranged(group([name.layout, ": ", parameters.layout, " =>", group(indent([line, value.layout]))]));
}

/** `callee(a, b)`, one argument to a line when they do not fit. */
export function calling(callee: Code, args: readonly Code[]): Code {
  const list = join(
    [",", line],
    args.map((arg) => arg.layout),
  );
  return arranged(group([callee.layout, "(", indent([softline, list, ifBreak(",")]), softline, ")"]));
}

function toolCalls(surface: Surface, naming: SurfaceNaming): CallView[] {
  const definitions = new Map(surface.definitions.map((definition) => [definition.key, definition]));
  return surface.tools.map((tool, i) => {
    const name = identifier(naming.tools[i] ?? "");
    const mark = tool.needsInput ? code`: ` : code`?: `;
    const outcome =
      tool.output === null ? code`Unstructured` : generic(code`Structured`, [naming.imported(tool.output)]);
    const output = tool.output === null ? code`undefined` : code`v.${naming.guard(tool.output)}`;
    const args = [
      code`caller`,
      literal(tool.name),
      code`v.${naming.guard(tool.input)}`,
      output,
      code`args`,
      code`options`,
    ];
    return {
      doc: toolDoc(tool, definitions.get(tool.input)),
      signature: signature(
        name,
        [code`args${mark}${naming.imported(tool.input)}`, options],
        generic(code`Promise`, [unionCode([outcome, code`Failed`])]),
      ),
      call: arrow(name, code`(args, options)`, calling(code`callTool`, args)),
    };
  });
}

function promptCalls(surface: Surface, naming: SurfaceNaming, result: Code): CallView[] {
  return surface.prompts.map((prompt, i) => {
    const name = identifier(naming.prompts[i] ?? "");
    const mark = prompt.needsInput ? code`: ` : code`?: `;
    const parameter = prompt.input === null ? [] : [code`args${mark}${naming.imported(prompt.input)}`];
    const guard = prompt.input === null ? code`undefined` : code`v.${naming.guard(prompt.input)}`;
    const args = prompt.input === null ? code`undefined` : code`args`;
    const parameters = prompt.input === null ? code`(options)` : code`(args, options)`;
    return {
      doc: entryDoc(prompt),
      signature: signature(name, [...parameter, options], generic(code`Promise`, [result])),
      call: arrow(
        name,
        parameters,
        calling(code`getPrompt`, [code`caller`, literal(prompt.name), guard, args, code`options`]),
      ),
    };
  });
}

function templateCalls(
  surface: Surface,
  naming: SurfaceNaming,
  result: Code,
  readResource: Code,
): SurfaceClientView["templates"] {
  const constants = new Names([
    "callTool",
    "getPrompt",
    "fault",
    "expand",
    "refusal",
    "t",
    "p",
    "v",
    "caller",
    "tools",
    "prompts",
    "resources",
  ]);
  return surface.templates.flatMap((template, i) => {
    if (template.parts === null) return [];
    const member = naming.templates[i] ?? "";
    const name = identifier(member);
    const constant = identifier(constants.claim(`${member}Template`));
    const uri = code`{ uri: expand(${constant}, { ...variables }) }`;
    return [
      {
        doc: entryDoc(template, [`Reads \`${template.template}\`.`]),
        signature: signature(name, [code`variables: t.${naming.variables(i)}`, options], result),
        call: arrow(
          name,
          code`(variables, options)`,
          code`${calling(code`caller.${readResource}`, [uri, code`options`])} as Promise<never>`,
        ),
        constant,
        parts: partsCode(template.parts),
      },
    ];
  });
}

/** A template's parts as a literal. */
export function partsCode(parts: readonly TemplatePart[]): Code {
  return arrayCode(
    parts.map((part) => {
      if (typeof part === "string") return literal(part);
      const variables = part.variables.map(({ name, explode, prefix }) =>
        jsonCode({ name, explode, prefix }),
      );
      return objectCode([
        [propertyKey("operator"), literal(part.operator)],
        [propertyKey("variables"), arrayCode(variables)],
      ]);
    }),
  );
}
