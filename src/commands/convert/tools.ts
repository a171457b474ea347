import type { Diagnostics } from "../../generator/diagnostics.js";
import type { Tool } from "../../generator/ir/snapshot/model.js";
import type { ToolConverter } from "../../generator/stubs.js";
import { type Provider, providers } from "../lint/providers.js";
import { spellingsFor } from "./names.js";
import { type ConvertedSchema, convertSchema } from "./schema.js";

/** A tool as a provider takes it. */
export interface ConvertedTool extends ConvertedSchema {
  readonly name: string;
  readonly description: string;
}

/** The converter for a provider; undefined if nobody knows it. */
export function converterFor(id: string): ToolConverter | undefined {
  const provider = providers.find((one) => one.id === id);
  return provider === undefined
    ? undefined
    : (tools, diagnostics) => convertTools(tools, provider, diagnostics);
}

/**
 * The tools of a server as a provider takes them, in the same order. Notes what
 * the model does not learn of each.
 */
export function convertTools(
  tools: readonly Tool[],
  provider: Provider,
  diagnostics: Diagnostics,
): ConvertedTool[] {
  const spellings = spellingsFor(
    tools.map(({ name }) => name),
    provider.name,
  );
  return tools.map((tool) => {
    const converted = convertSchema(tool.raw["inputSchema"], provider);
    const { lost, words } = converted;
    if (lost.length > 0) {
      const more = lost.length > 3 ? `, and ${lost.length - 3} more` : "";
      const message = `the schema for ${provider.title} does not have ${lost.slice(0, 3).join(", ")}${more}`;
      const scope = diagnostics.in(
        `tool ${JSON.stringify(tool.name.slice(0, 80))}`,
      );
      scope.note(
        "MG319",
        null,
        message,
        "read the comment in tools.ts; the client still checks all arguments",
      );
    }
    const name = spellings.get(tool.name) ?? tool.name;
    return {
      ...converted,
      name,
      description: [tool.description ?? tool.title ?? [], ...words]
        .flat()
        .join(" "),
    };
  });
}
