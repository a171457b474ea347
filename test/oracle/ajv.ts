import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { correctedSchema } from "./index.js";

/** Ajv over the official schema of a revision, without its known defects. */
export interface OfficialAjv {
  /** The definitions of the schema. */
  readonly definitions: Readonly<Record<string, AnySchemaObject>>;
  /**
   * A schema that refers to a type, or to a part of it:
   * `CallToolRequest/properties/params`.
   */
  refer(pointer: string): AnySchemaObject;
  compile(schema: AnySchemaObject): ValidateFunction;
  errorsText: Ajv["errorsText"];
}

export function officialAjv(revision: string): OfficialAjv {
  const schema = correctedSchema(revision);
  const container = "$defs" in schema ? "$defs" : "definitions";
  const ajv = new (container === "$defs" ? Ajv2020 : Ajv)({
    strict: false,
    // JSON has only finite numbers.
    strictNumbers: true,
    validateFormats: false,
  });
  ajv.addSchema(schema, "mcp");
  return {
    definitions: schema[container] as Readonly<Record<string, AnySchemaObject>>,
    refer: (pointer) => ({ $ref: `mcp#/${container}/${pointer}` }),
    compile: (one) => ajv.compile(one),
    errorsText: (errors) => ajv.errorsText(errors),
  };
}
