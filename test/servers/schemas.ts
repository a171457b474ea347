import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";

/** A schema of a tool, and the key of its definition in the model. */
export interface SchemaRow {
  readonly key: string;
  readonly tool: string;
  readonly member: "inputSchema" | "outputSchema";
  readonly schema: unknown;
}

/** All schemas of the tools of a server. */
export function schemasOf(snapshot: Snapshot): SchemaRow[] {
  return snapshot.tools.flatMap(({ name, input, output, raw }) => {
    const rows: SchemaRow[] = [
      {
        key: input,
        tool: name,
        member: "inputSchema",
        schema: raw["inputSchema"],
      },
    ];
    if (output !== null)
      rows.push({
        key: output,
        tool: name,
        member: "outputSchema",
        schema: raw["outputSchema"],
      });
    return rows;
  });
}

/** Whether Ajv accepts a value. */
export function ajvFor(schema: unknown): (value: unknown) => boolean {
  const options = {
    strict: false,
    strictNumbers: true,
    validateFormats: false,
    ownProperties: true,
  } as const;
  const isOld = JSON.stringify(schema).includes("json-schema.org/draft-07");
  const validate = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(
    schema as object,
  );
  return (value) => validate(value) === true;
}

/** The names and values in a schema. */
export function wordsOf(schema: unknown): string[] {
  const results = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    results.add(key);
    if (typeof value === "string") results.add(value);
    return value;
  });
  return [...results];
}
