import type { Scope } from "../../../diagnostics.js";
import type { Definition } from "../../../ir/constraint.js";
import { unknownType } from "../../../ir/snapshot/type-text.js";
import type { UntypedDefinition } from "../definitions.js";
import { Placeholders } from "./placeholders.js";
import { plain } from "./plain.js";
import type { PrintTask } from "./print.js";

/** Adds the type of each definition. A schema that the library cannot convert becomes `unknown`. */
export async function withTypes(
  definitions: readonly UntypedDefinition[],
  scope: Scope,
): Promise<Definition[]> {
  if (definitions.length === 0) return [];
  const tasks = new Map<string, PrintTask>();
  const entries = definitions.map((definition) => {
    const names = new Placeholders();
    const schema = plain(definition.schema, names) ?? {};
    const id = JSON.stringify(schema);
    const task = tasks.get(id) ?? { schema, text: null };
    tasks.set(id, task);
    return { definition, names, task };
  });
  const { print } = await import("./print.js");
  await print([...tasks.values()]);
  return entries.map(({ definition, names, task: { text } }): Definition => {
    if (text === null) {
      const owner = definition.root.slice(0, 120);
      scope.warn("MG310", null, `the type of the ${owner} cannot be printed; it is unknown`, null);
      return { ...definition, type: unknownType };
    }
    const { members, strings, references } = names;
    return { ...definition, type: { text, members, strings, references } };
  });
}
