import type {
  Snapshot,
  Template,
  TemplatePart,
} from "../../ir/snapshot/model.js";
import type { Definition } from "../../ir/constraint.js";
import {
  type Code,
  code,
  propertyKey,
  fromLayout,
} from "../typescript/code.js";
import { describedDoc } from "../typescript/described.js";
import { docComment, docOf } from "../typescript/doc.js";
import { type DeclarationView, type TypesView, typeView } from "../types.js";
import type { ProjectNaming } from "./naming.js";
import type { Definitions } from "../../ir/constraint/accepts.js";
import { typePrinter } from "../typescript/declaration.js";
import { printType } from "../typescript/schema-type.js";

/**
 * `types.ts` of a project: the arguments of tools and prompts, the results of
 * tools, the variables of templates.
 */
export function projectTypesView(
  snapshot: Snapshot,
  naming: ProjectNaming,
): TypesView {
  const docs = ownerDocs(snapshot);
  const definitions = new Map(
    snapshot.definitions.map((definition) => [definition.key, definition]),
  );
  const variables = snapshot.templates.flatMap(({ parts }) =>
    (parts ?? []).flatMap((part) =>
      typeof part === "string" ? [] : part.variables,
    ),
  );
  return {
    expandable: variables.some(
      ({ explode, prefix }) => explode || prefix === null,
    ),
    declarations: [
      ...snapshot.definitions.map((definition) =>
        declarationView(definition, definitions, naming, docs),
      ),
      ...snapshot.templates.flatMap((template, i) =>
        template.parts === null
          ? []
          : [variablesView(template, template.parts, naming.variables(i))],
      ),
    ],
  };
}

/**
 * A sentence for each root definition with its owner: its name, which can be
 * searched for, and its title.
 */
function ownerDocs({ tools, prompts }: Snapshot): ReadonlyMap<string, string> {
  const docs = new Map<string, string>();
  for (const { name, title, input, output } of tools) {
    docs.set(input, `The arguments of the tool ${labelOf(name, title)}.`);
    if (output !== null)
      docs.set(
        output,
        `The structured result of the tool ${labelOf(name, title)}.`,
      );
  }
  for (const { name, title, input } of prompts) {
    if (input !== null)
      docs.set(input, `The arguments of the prompt ${labelOf(name, title)}.`);
  }
  return docs;
}

function labelOf(name: string, title: string | null): string {
  return title === null || title === name
    ? `"${name}"`
    : `"${name}" ("${title}")`;
}

function declarationView(
  { key, schema }: Definition,
  definitions: Definitions,
  naming: ProjectNaming,
  docs: ReadonlyMap<string, string>,
): DeclarationView {
  const name = naming.type(key);
  const own = docs.get(key);
  const doc = docOf(describedDoc(schema), own === undefined ? [] : [own]);
  const type = printType(schema, definitions, typePrinter(naming.type));
  return typeView(doc, name, type, type.kind === "object");
}

/** The type of a variable for `expand` of a project's `uri.ts`. */
function variablesView(
  { name, template }: Template,
  parts: readonly TemplatePart[],
  type: Code,
): DeclarationView {
  const variables = new Map<
    string,
    { readonly optional: boolean; readonly many: boolean }
  >();
  for (const part of parts) {
    if (typeof part === "string") continue;
    const optional = part.operator !== "" && "?&#;".includes(part.operator);
    for (const { name, explode, prefix } of part.variables) {
      const previous = variables.get(name);
      variables.set(name, {
        optional: optional && previous?.optional !== false,
        many: (explode || prefix === null) && previous?.many !== false,
      });
    }
  }
  const members = [...variables].map(([name, { optional, many }]) => {
    const value = many ? code`Expandable` : code`string | number | boolean`;
    const mark = optional ? code`?: ` : code`: `;
    return { doc: null, text: code`${propertyKey(name)}${mark}${value};` };
  });
  const doc = docComment([
    `The variables of the resource template "${name}": \`${template}\`.`,
  ]);
  const alias = fromLayout([type.layout, " = { [key: string]: never };"]);
  return members.length === 0
    ? { doc, interface: null, alias, constant: null }
    : {
        doc,
        interface: { head: type, isEmpty: false, members },
        alias: null,
        constant: null,
      };
}
