import type { Prompt, Snapshot } from "../../ir/snapshot/model.js";
import {
  callCode,
  arrayCode,
  type Code,
  code,
  generic,
  identifier,
  literal,
  objectCode,
  propertyKey,
  signature,
  unionCode,
} from "../typescript/code.js";
import { arrowMember, matchedVariables, passedVariables, shorthand } from "./calls.js";
import type { Completables, Completable } from "./completables.js";
import { entryDoc, toolDoc } from "./docs.js";
import type { ProjectNaming } from "./naming.js";

/** A function that the project implements for one tool, prompt, resource or template. */
export interface HandlerView {
  readonly doc: Code | null;
  readonly signature: Code;
  /** The row for `tools`, `prompts` or `resources` of the runtime. */
  readonly row: Code;
}

const context = code`context: Context`;
const handlerArguments = [code`args`, code`context`];

/** The scopes that callers of a protected server need for a tool, by its wire name. */
export type ToolScopes = Readonly<Record<string, readonly string[]>>;

export function toolHandlers(snapshot: Snapshot, naming: ProjectNaming, scopes: ToolScopes): HandlerView[] {
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  return snapshot.tools.map((tool, i) => {
    const name = identifier(naming.tools[i] ?? "");
    const output = tool.output === null ? null : naming.importedType(tool.output);
    const returnType =
      output === null ? code`ToolAnswer` : unionCode([output, generic(code`Reply`, [output])]);
    const result = callCode(output === null ? code`unstructured` : code`structured`, [
      callCode(code`options.tools.${name}`, handlerArguments),
    ]);
    const toolScopes = Object.hasOwn(scopes, tool.name) ? (scopes[tool.name] ?? []) : [];
    const row = shorthand([
      code`name: ${literal(tool.name)}`,
      ...(toolScopes.length === 0 ? [] : [code`scopes: ${arrayCode(toolScopes.map(literal))}`]),
      code`inputSchema: v.${naming.schema(tool.input)}`,
      ...(tool.output === null ? [] : [code`outputSchema: v.${naming.schema(tool.output)}`]),
      arrowMember(code`handler`, code`(args, context)`, result),
    ]);
    return {
      doc: toolDoc(tool, definitions.get(tool.input)),
      signature: signature(
        name,
        [code`args: ${naming.importedType(tool.input)}`, context],
        generic(code`Awaitable`, [returnType]),
      ),
      row,
    };
  });
}

export function promptHandlers(
  snapshot: Snapshot,
  naming: ProjectNaming,
  completables: Completables | null,
): HandlerView[] {
  return snapshot.prompts.map((prompt, i) => {
    const member = naming.prompts[i] ?? "";
    const name = identifier(member);
    const { input } = prompt;
    const args =
      input === null ? code`args: { [name: string]: string }` : code`args: ${naming.importedType(input)}`;
    const completable = completables?.prompts.find((entry) => entry.member === member);
    const promptArguments = argumentsOf(snapshot, prompt).map((argument) =>
      shorthand([
        code`name: ${literal(argument.name)}`,
        ...(argument.required ? [code`required: true`] : []),
        ...(completable ? [code`complete: ${completer("prompts", completable, argument.name)}`] : []),
      ]),
    );
    const row = shorthand([
      code`name: ${literal(prompt.name)}`,
      ...(promptArguments.length === 0 ? [] : [code`arguments: ${arrayCode(promptArguments)}`]),
      arrowMember(
        code`get`,
        code`(args, context)`,
        callCode(code`options.prompts.${name}`, [
          input === null ? code`args` : code`v.${naming.schema(input)}.parse(args)`,
          code`context`,
        ]),
      ),
    ]);
    return {
      doc: entryDoc(prompt),
      signature: signature(name, [args, context], code`Awaitable<PromptAnswer>`),
      row,
    };
  });
}

/** The arguments of a prompt, from the definition of its input. */
function argumentsOf({ definitions }: Snapshot, { input }: Prompt): { name: string; required: boolean }[] {
  const checks = definitions.find(({ key }) => key === input)?.schema.checks ?? [];
  const required = new Set(checks.flatMap((check) => (check.kind === "required" ? check.names : [])));
  return checks.flatMap((check) =>
    check.kind === "members"
      ? check.properties.map(({ name }) => ({ name, required: required.has(name) }))
      : [],
  );
}

/** The completer of an argument or variable: `completer(options.complete?.prompts?.summary, "topic")`. */
function completer(of: "prompts" | "resources", { member }: Completable, name: string): Code {
  const completers = code`options.complete?.${identifier(of)}?.${identifier(member)}`;
  return callCode(code`completer`, [completers, literal(name)]);
}

export function resourceHandlers(
  snapshot: Snapshot,
  naming: ProjectNaming,
  isWatched: boolean,
): HandlerView[] {
  return snapshot.resources.map((resource, i) => {
    const name = identifier(naming.resources[i] ?? "");
    return {
      doc: entryDoc(resource, [`Called when a client reads \`${resource.uri}\`.`]),
      signature: signature(name, [context], code`Awaitable<ResourceAnswer>`),
      row: shorthand([
        code`uri: ${literal(resource.uri)}`,
        code`name: ${literal(resource.name)}`,
        arrowMember(code`read`, code`(context)`, callCode(code`options.resources.${name}`, [code`context`])),
        ...(isWatched ? watchMembers(name, code`(context)`, [code`context`]) : []),
      ]),
    };
  });
}

/** `subscribe` and `unsubscribe` of a resource. */
function watchMembers(name: Code, parameters: Code, args: readonly Code[]): Code[] {
  return [code`subscribe`, code`unsubscribe`].map((member) =>
    arrowMember(member, parameters, callCode(code`options.${member}?.${name}?.`, args)),
  );
}

/** The handlers of the templates that can be matched, in order. */
export function templateHandlers(
  snapshot: Snapshot,
  naming: ProjectNaming,
  completables: Completables | null,
  isWatched: boolean,
): HandlerView[] {
  return snapshot.templates.flatMap((template, i) => {
    if (template.parts === null) return [];
    const member = naming.templates[i] ?? "";
    const name = identifier(member);
    const completable = completables?.templates.find((entry) => entry.member === member);
    const complete = completable?.names.map(
      (variable) => [propertyKey(variable), completer("resources", completable, variable)] as const,
    );
    const readCall = callCode(code`options.resources.${name}`, [
      passedVariables(template.parts),
      code`context`,
    ]);
    return [
      {
        doc: entryDoc(template, [`Called when a client reads \`${template.template}\`.`]),
        signature: signature(
          name,
          [matchedVariables(template.parts), context],
          code`Awaitable<ResourceAnswer>`,
        ),
        row: shorthand([
          code`uriTemplate: ${literal(template.template)}`,
          code`name: ${literal(template.name)}`,
          ...(complete ? [code`complete: ${objectCode(complete)}`] : []),
          arrowMember(code`read`, code`(variables, _uri, context)`, readCall),
          ...(isWatched
            ? watchMembers(name, code`(variables, _uri, context)`, [
                passedVariables(template.parts),
                code`context`,
              ])
            : []),
        ]),
      },
    ];
  });
}
