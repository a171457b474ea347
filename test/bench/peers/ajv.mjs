import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { here, schema } from "../shared.mjs";

const options = { strict: false, validateFormats: false };

/** Ajv 8, compiled on the official JSON Schema when the program starts. */
export async function ajvCompiled(types) {
  const ajv = new Ajv2020(options);
  ajv.addSchema(schema(), "mcp");
  return new Map(
    types.map((type) => [type, ajv.compile({ $ref: `mcp#/$defs/${type}` })]),
  );
}

/** The same, compiled into a module before the start. */
export async function ajvStandalone(types, scratch) {
  const ajv = new Ajv2020({ ...options, code: { source: true, esm: true } });
  ajv.addSchema(schema(), "mcp");
  for (const type of types)
    ajv.addSchema({ $id: type, $ref: `mcp#/$defs/${type}` });
  const source = standaloneCode.default(
    ajv,
    Object.fromEntries(types.map((type) => [type, type])),
  );
  const file = join(scratch, "ajv-standalone.mjs");
  const runtime = pathToFileURL(join(here, "node_modules/")).href;
  writeFileSync(
    file,
    `import { createRequire } from "node:module"; const require = createRequire(${JSON.stringify(runtime)});\n${source}`,
  );
  const module = await import(pathToFileURL(file).href);
  return new Map(types.map((type) => [type, module[type]]));
}
