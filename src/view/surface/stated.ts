import type { Scope } from "../../diagnostics.js";
import type { Surface } from "../../ir/surface/model.js";
import { type Code, code, identifier, literal } from "../code.js";

/**
 * Types of structured results, by the wire name of tools that promise none: `./forecast.js#Forecast`, a module and the name
 * that it exports a type under. A relative path starts from the folder of `client.ts`.
 */
export type StatedTypes = Readonly<Record<string, string>>;

const parts = /^([^#]+)#([A-Za-z_$][A-Za-z0-9_$]*)$/;

/** The type that the project states for a tool; null when it states none. */
export function statedType(stated: StatedTypes, tool: string): Code | null {
  const [, path, name] = parts.exec(Object.hasOwn(stated, tool) ? (stated[tool] ?? "") : "") ?? [];
  if (path === undefined || name === undefined) return null;
  return code`import(${literal(path)}).${identifier(name)}`;
}

/** Reports what is stated of no tool, of one that speaks for itself, or in another form. */
export function reportStated(stated: StatedTypes, { tools }: Surface, scope: Scope): void {
  for (const [name, text] of Object.entries(stated)) {
    const tool = tools.find((entry) => entry.name === name);
    const shown = JSON.stringify(name.slice(0, 80));
    if (tool === undefined) {
      scope.warn(
        "MG312",
        null,
        `an output type is stated for the tool ${shown}, which the server does not have`,
      );
    } else if (tool.output !== null) {
      const message = `an output type is stated for the tool ${shown}, which has a schema of its own; that one counts`;
      scope.warn("MG312", null, message);
    } else if (!parts.test(text)) {
      const message = `the output type of the tool ${shown} is ${JSON.stringify(text.slice(0, 80))}, expected a module and a name`;
      scope.error("MG312", null, message, 'write it as "./forecast.js#Forecast"');
    }
  }
}
