import { type Code, code, identifier, literal } from "../typescript/code.js";

/**
 * Types of structured results, by the wire name of tools without an output
 * schema: `./forecast.js#Forecast` is a module and the name of an exported
 * type. A relative path starts from the folder of `client.ts`.
 */
export type OutputTypes = Readonly<Record<string, string>>;

/** A module and the name of one of its types. */
export const outputTypeForm = /^([^#]+)#([A-Za-z_$][A-Za-z0-9_$]*)$/;

/** The configured type of a tool's result; null without one. */
export function outputTypeOf(
  outputTypes: OutputTypes,
  tool: string,
): Code | null {
  const [, path, name] =
    outputTypeForm.exec(
      Object.hasOwn(outputTypes, tool) ? (outputTypes[tool] ?? "") : "",
    ) ?? [];
  if (path === undefined || name === undefined) return null;
  return code`import(${literal(path)}).${identifier(name)}`;
}
