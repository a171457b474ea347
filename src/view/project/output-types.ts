import { type Code, code, identifier, literal } from "../typescript/code.js";

/**
 * Types of structured results, by the wire name of tools that promise none: `./forecast.js#Forecast`, a module and the name
 * that it exports a type under. A relative path starts from the folder of `client.ts`.
 */
export type OutputTypes = Readonly<Record<string, string>>;

/** A module, and the name of one of its types. */
export const outputTypeForm = /^([^#]+)#([A-Za-z_$][A-Za-z0-9_$]*)$/;

/** The type that the project states for a tool; null when it states none. */
export function outputTypeOf(outputTypes: OutputTypes, tool: string): Code | null {
  const [, path, name] = outputTypeForm.exec(Object.hasOwn(outputTypes, tool) ? (outputTypes[tool] ?? "") : "") ?? [];
  if (path === undefined || name === undefined) return null;
  return code`import(${literal(path)}).${identifier(name)}`;
}
