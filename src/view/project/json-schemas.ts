import type { Json, JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import type { Definition, Schema } from "../../ir/constraint.js";
import { type Code, code, constant, jsonCode } from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import type { ProjectNaming } from "./naming.js";

/** `json-schemas.ts`: what a server says of its tools' arguments and results, as it says it. */
export interface JsonSchemasView {
  readonly schemas: readonly { readonly doc: Code | null; readonly text: Code }[];
}

export function jsonSchemasView(snapshot: Snapshot, naming: ProjectNaming): JsonSchemasView {
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  const row = (key: string | null, schema: Json | undefined): JsonSchemasView["schemas"] => {
    if (key === null || schema === undefined) return [];
    return [
      {
        doc: docComment([`The JSON Schema of a \`${String(naming.type(key).layout)}\`.`]),
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
      ...snapshot.prompts.flatMap(({ input }) => row(input, argumentsSchema(definitions.get(input ?? "")))),
    ],
  };
}

/** Does `json-schemas.ts` hold the schema as the server lists it? */
export function isShown(schema: Json | undefined): boolean {
  if (typeof schema === "boolean") return true;
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) && isSmall(schema);
}

/** More values than this are not read, and not shown either: the schema stands here as one that accepts everything. */
const mostValues = 10_000;

function isSmall(schema: Json): boolean {
  let count = 0;
  const open: Json[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1;
    if (count > mostValues) return false;
    if (typeof next !== "object" || next === null) continue;
    for (const value of Object.values(next)) open.push(value as Json);
  }
  return true;
}

/** A prompt lists its arguments by name; as a schema, they are members that are texts. */
function argumentsSchema(definition: Definition | undefined): JsonRecord | undefined {
  if (definition === undefined) return undefined;
  const { checks } = definition.schema;
  const members = checks.flatMap((check) => (check.kind === "members" ? check.properties : []));
  const required = checks.flatMap((check) => (check.kind === "required" ? check.names : []));
  const described = ({ doc }: Schema): JsonRecord => (doc.text === "" ? {} : { description: doc.text });
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(({ name, schema }) => [name, { type: "string", ...described(schema) }]),
    ),
    required,
  };
}
