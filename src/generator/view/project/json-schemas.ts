import type { Json, JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import type { Definition, Schema } from "../../ir/constraint.js";
import { propertiesIn } from "../../ir/constraint/form.js";
import { type Code, code, constant, jsonCode } from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import type { ProjectNaming } from "./naming.js";

/**
 * `json-schemas.ts`: the JSON Schemas of the tools, as the server lists them.
 */
interface JsonSchemasView {
  readonly schemas: readonly {
    readonly doc: Code | null;
    readonly text: Code;
  }[];
}

export function jsonSchemasView(
  snapshot: Snapshot,
  naming: ProjectNaming,
): JsonSchemasView {
  const definitions = new Map(
    snapshot.definitions.map((definition) => [definition.key, definition]),
  );
  const row = (
    key: string | null,
    schema: Json | undefined,
  ): JsonSchemasView["schemas"] => {
    if (key === null || schema === undefined) return [];
    return [
      {
        doc: docComment([
          `The JSON Schema of \`${String(naming.type(key).layout)}\`.`,
        ]),
        text: code`${constant(naming.jsonSchema(key), code`JsonSchema`, jsonCode(isShown(schema) ? schema : true))};`,
      },
    ];
  };
  return {
    schemas: [
      ...snapshot.tools.flatMap(({ input, output, raw }) => [
        ...row(input, raw["inputSchema"]),
        ...row(output, raw["outputSchema"]),
      ]),
      ...snapshot.prompts.flatMap(({ input }) =>
        row(input, argumentsSchema(definitions.get(input ?? ""))),
      ),
    ],
  };
}

/** True if `json-schemas.ts` contains the schema as listed. */
export function isShown(schema: Json | undefined): boolean {
  if (typeof schema === "boolean") return true;
  return (
    typeof schema === "object" &&
    schema !== null &&
    !Array.isArray(schema) &&
    isSmall(schema)
  );
}

/**
 * The maximum number of values in a schema. A larger one is replaced with a
 * schema that accepts everything.
 */
const maxValues = 10_000;

function isSmall(schema: Json): boolean {
  const open: Json[] = [schema];
  for (const next of open) {
    if (open.length > maxValues) return false;
    if (typeof next !== "object" || next === null) continue;
    for (const value of Object.values(next)) open.push(value as Json);
  }
  return true;
}

/** The schema of a prompt's arguments: each is a string member. */
function argumentsSchema(
  definition: Definition | undefined,
): JsonRecord | undefined {
  if (definition === undefined) return undefined;
  const members = propertiesIn(definition.schema);
  const description = ({ doc }: Schema): JsonRecord =>
    doc.text === "" ? {} : { description: doc.text };
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(({ name, schema }) => [
        name,
        { type: "string", ...description(schema) },
      ]),
    ),
    required: members.flatMap(({ name, optional }) => (optional ? [] : [name])),
  };
}
