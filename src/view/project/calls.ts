import type { Snapshot, TemplatePart, Tool } from "../../ir/snapshot/model.js";
import { variablesIn } from "../../ir/snapshot/template.js";
import {
  callCode,
  arrayCode,
  fromLayout,
  type Code,
  code,
  constant,
  generic,
  identifier,
  jsonCode,
  literal,
  objectCode,
  propertyKey,
  signature,
  unionCode,
} from "../typescript/code.js";
import { group, indent, join, line, ifBreak } from "../typescript/layout.js";
import { Names } from "../typescript/names.js";
import { entryDoc, toolDoc } from "./docs.js";
import type { ProjectNaming } from "./naming.js";
import { type OutputTypes, outputTypeOf } from "./output-types.js";

/** One function of a client. */
export interface CallView {
  readonly doc: Code | null;
  /** `getWeather(args: …, options?: CallOptions): Promise<…>` */
  readonly signature: Code;
  /** `getWeather: (args, options) => callTool(…)` */
  readonly call: Code;
}

export const options = code`options?: CallOptions`;

/** `{ a, b, c: … }` */
export function shorthand(members: readonly Code[]): Code {
  if (members.length === 0) return fromLayout("{}");
  const list = join(
    [",", line],
    members.map((member) => member.layout),
  );
  return fromLayout(group(["{", indent([line, list, ifBreak(",")]), line, "}"]));
}

/** `name: (a, b) => value`, the value below when it does not fit. */
export function arrowMember(name: Code, parameters: Code, value: Code): Code {
  return fromLayout(group([name.layout, ": ", lambda(parameters, value).layout]));
}

/** `(a, b) => value`, the value below when it does not fit. */
function lambda(parameters: Code, value: Code): Code {
  return fromLayout([parameters.layout, " =>", group(indent([line, value.layout]))]);
}

export function toolCalls(snapshot: Snapshot, naming: ProjectNaming, outputTypes: OutputTypes): CallView[] {
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  return snapshot.tools.map((tool, i) => {
    const name = identifier(naming.tools[i] ?? "");
    const mark = tool.needsInput ? code`: ` : code`?: `;
    const type =
      tool.output === null ? outputTypeOf(outputTypes, tool.name) : naming.importedType(tool.output);
    const outcome = type === null ? code`Unstructured` : generic(code`Structured`, [type]);
    const args = [
      code`caller`,
      literal(tool.name),
      code`v.${naming.guard(tool.input)}`,
      outputCode(tool, naming, type !== null),
      code`args`,
      code`options`,
    ];
    return {
      doc: toolDoc(tool, definitions.get(tool.input)),
      signature: signature(
        name,
        [code`args${mark}${naming.importedType(tool.input)}`, options],
        generic(code`Promise`, [unionCode([outcome, code`Failed`])]),
      ),
      call: arrowMember(name, code`(args, options)`, callCode(code`callTool`, args)),
    };
  });
}

/** How a result is checked: by a guard, for the presence of structured content, or not at all. */
function outputCode({ output }: Tool, naming: ProjectNaming, hasOutputTypes: boolean): Code {
  if (output !== null) return code`v.${naming.guard(output)}`;
  return hasOutputTypes ? code`true` : code`undefined`;
}

export function promptCalls(snapshot: Snapshot, naming: ProjectNaming, result: Code): CallView[] {
  return snapshot.prompts.map((prompt, i) => {
    const name = identifier(naming.prompts[i] ?? "");
    const mark = prompt.needsInput ? code`: ` : code`?: `;
    const parameter = prompt.input === null ? [] : [code`args${mark}${naming.importedType(prompt.input)}`];
    const guard = prompt.input === null ? code`undefined` : code`v.${naming.guard(prompt.input)}`;
    const args = prompt.input === null ? code`undefined` : code`args`;
    const parameters = prompt.input === null ? code`(options)` : code`(args, options)`;
    return {
      doc: entryDoc(prompt),
      signature: signature(name, [...parameter, options], generic(code`Promise`, [result])),
      call: arrowMember(
        name,
        parameters,
        callCode(code`getPrompt`, [code`caller`, literal(prompt.name), guard, args, code`options`]),
      ),
    };
  });
}

/** Names in `client.ts` that no constant may use. */
const RESERVED = [
  "caller callTool complete expand getPrompt invalid p prompts readOnly lastIssue resources structured subscribe t",
  "tools v",
].flatMap((words) => words.split(" "));

export interface TemplateCallView extends CallView {
  readonly constant: Code;
  /** `fileTemplate: readonly (string | Expression)[] = […]` */
  readonly declaration: Code;
}

/** A function for each template, by its index; null for a template that cannot be expanded. */
export function templateCalls(
  snapshot: Snapshot,
  naming: ProjectNaming,
  result: Code,
  readResource: Code,
): (TemplateCallView | null)[] {
  const constants = new Names(RESERVED);
  return snapshot.templates.map((template, i) => {
    if (template.parts === null) return null;
    const member = naming.templates[i] ?? "";
    const name = identifier(member);
    const templateName = identifier(constants.claim(`${member}Template`));
    const uri = shorthand([code`uri: ${callCode(code`expand`, [templateName, code`{ ...variables }`])}`]);
    return {
      doc: entryDoc(template, [`Reads \`${template.template}\`.`]),
      signature: signature(name, [code`variables: t.${naming.variables(i)}`, options], result),
      call: arrowMember(
        name,
        code`(variables, options)`,
        code`${callCode(code`caller.${readResource}`, [uri, code`options`])} as Promise<never>`,
      ),
      constant: templateName,
      declaration: constant(templateName, code`readonly (string | Expression)[]`, partsCode(template.parts)),
    };
  });
}

/** The variables that a server can match in a URI, as strings. */
export function matchedVariables(parts: readonly TemplatePart[]): Code {
  const names = variablesIn(parts);
  const nameUnion = unionCode(names.map(literal));
  const record = generic(code`Record`, [names.length === 0 ? code`never` : nameUnion, code`string`]);
  return code`variables: ${generic(code`Partial`, [record])}`;
}

/**
 * The variables of a URI for a handler. A member that every object has, such as `toString`, needs a cast.
 */
export function passedVariables(parts: readonly TemplatePart[]): Code {
  return variablesIn(parts).some((name) => name in Object.prototype)
    ? code`variables as never`
    : code`variables`;
}

/** A template's parts as a literal. */
function partsCode(parts: readonly TemplatePart[]): Code {
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
