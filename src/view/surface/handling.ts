import type { Surface } from "../../ir/surface/model.js";
import { arrayCode, type Code, code, generic, identifier, literal, signature, unionCode } from "../code.js";
import { arrow, calling, lambda, matchedVariables, partsCode, passedVariables, shorthand } from "./calls.js";
import { entryDoc, toolDoc } from "./docs.js";
import type { SurfaceNaming } from "./naming.js";

/** A function that the project writes for one tool, prompt, resource or template of its server. */
export interface HandlerView {
  readonly doc: Code | null;
  readonly signature: Code;
  /** An entry of the table that leads from the wire to it. */
  readonly row: Code;
}

const context = code`context: Context`;

export function toolHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  const definitions = new Map(surface.definitions.map((definition) => [definition.key, definition]));
  return surface.tools.map((tool, i) => {
    const name = identifier(naming.tools[i] ?? "");
    const output = tool.output === null ? null : naming.imported(tool.output);
    const answer = output === null ? code`ToolAnswer` : unionCode([output, generic(code`Reply`, [output])]);
    const row = shorthand([
      code`input: v.${naming.guard(tool.input)}`,
      code`output: ${tool.output === null ? code`undefined` : code`v.${naming.guard(tool.output)}`}`,
      arrow(code`run`, code`({ tools }, args, context)`, code`tools.${name}(args as never, context)`),
    ]);
    return {
      doc: toolDoc(tool, definitions.get(tool.input)),
      signature: signature(
        name,
        [code`args: ${naming.imported(tool.input)}`, context],
        generic(code`Awaitable`, [answer]),
      ),
      row: arrayCode([literal(tool.name), row]),
    };
  });
}

export function promptHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  return surface.prompts.map((prompt, i) => {
    const name = identifier(naming.prompts[i] ?? "");
    const { input } = prompt;
    const args =
      input === null ? code`args: { [name: string]: string }` : code`args: ${naming.imported(input)}`;
    const row = shorthand([
      code`input: ${input === null ? code`undefined` : code`v.${naming.guard(input)}`}`,
      arrow(code`run`, code`({ prompts }, args, context)`, code`prompts.${name}(args as never, context)`),
    ]);
    return {
      doc: entryDoc(prompt),
      signature: signature(name, [args, context], code`Awaitable<PromptAnswer>`),
      row: arrayCode([literal(prompt.name), row]),
    };
  });
}

export function resourceHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  return surface.resources.map((resource, i) => {
    const name = identifier(naming.resources[i] ?? "");
    return {
      doc: entryDoc(resource, [`Answers for \`${resource.uri}\`.`]),
      signature: signature(name, [context], code`Awaitable<ResourceAnswer>`),
      row: arrayCode([
        literal(resource.uri),
        lambda(code`({ resources }, context)`, code`resources.${name}(context)`),
      ]),
    };
  });
}

export function templateHandlers(surface: Surface, naming: SurfaceNaming): HandlerView[] {
  return surface.templates.flatMap((template, i) => {
    if (template.parts === null) return [];
    const name = identifier(naming.templates[i] ?? "");
    const handler = calling(code`resources.${name}`, [passedVariables(template.parts), code`context`]);
    const run = arrow(code`run`, code`({ resources }, variables, context)`, handler);
    return [
      {
        doc: entryDoc(template, [`Answers for \`${template.template}\`.`]),
        signature: signature(
          name,
          [matchedVariables(template.parts), context],
          code`Awaitable<ResourceAnswer>`,
        ),
        row: shorthand([code`parts: ${partsCode(template.parts)}`, run]),
      },
    ];
  });
}
