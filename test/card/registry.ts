import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";
import { root } from "../repository.js";

const folder = join(root, "test/fixtures/registry");
const [newest = ""] = readdirSync(folder)
  .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
  .sort()
  .reverse();
const text = readFileSync(join(folder, newest, "server.schema.json"), "utf8");
const schema = JSON.parse(text) as { readonly $id: string };

/** The newest format of `server.json` that the registry has published. */
export const registryFormat = { date: newest, id: schema.$id, text };

// The format has examples and a comment, which are no rules.
const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
const validate = ajv.compile(schema);

/** What that format refuses in a `server.json`; empty if it accepts it. */
export function refusedBy(content: unknown): string[] {
  validate(content);
  return (validate.errors ?? []).map(
    ({ instancePath, message = "" }: ErrorObject) =>
      `${instancePath} ${message}`,
  );
}
