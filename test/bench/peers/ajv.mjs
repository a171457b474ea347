// Ajv over the official JSON Schema, compiled when it is loaded. Prose-free, with the ledger's corrections applied.
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

const root = new URL("../../../", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** @returns a guard for each type asked for */
export function ajv(revision, types) {
  const compiler = new Ajv2020.default({ strict: false, validateFormats: false });
  compiler.addSchema(read(`test/oracle/${revision}.schema.json`), "protocol");
  return Object.fromEntries(
    types.map((type) => [type, compiler.compile({ $ref: `protocol#/$defs/${type}` })]),
  );
}
