import { readFileSync } from "node:fs";
import type { AnySchemaObject } from "ajv";
import { Diagnostics, SchemaError } from "../../src/generator/diagnostics.js";
import { correct } from "../../src/generator/read/json/defects.js";
import { parseJson } from "../../src/generator/read/json/text/parse.js";
import {
  type JsonNode,
  locationsIn,
} from "../../src/generator/read/json/text/tree.js";

/** The revisions with an official schema here. */
export const revisions = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
] as const;

/** The text of the official `schema.json` without prose. */
export function officialText(revision: string): string {
  return readFileSync(
    new URL(`${revision}.schema.json`, import.meta.url),
    "utf8",
  );
}

/** The official `schema.json` without prose, as it was published. */
export function officialSchema(revision: string): AnySchemaObject {
  return JSON.parse(officialText(revision)) as AnySchemaObject;
}

/**
 * The same without its known defects, with which our validators must agree.
 * Returns a new copy on every call.
 */
export function correctedSchema(revision: string): AnySchemaObject {
  const diagnostics = new Diagnostics();
  const text = officialText(revision);
  const root = parseJson(
    text,
    locationsIn(text, `${revision}.schema.json`),
    diagnostics.root,
  );
  if (root === null) throw new SchemaError(diagnostics.list);
  const corrected = correct(root, defectsOf(revision), diagnostics.root);
  if (diagnostics.hasErrors) throw new SchemaError(diagnostics.list);
  return plain(corrected) as AnySchemaObject;
}

/** The known defects beside the bundled schema. */
export function defectsOf(revision: string): {
  readonly text: string;
  readonly file: string;
} {
  const path = new URL(
    `../../schema/${revision}/json-defects.json`,
    import.meta.url,
  );
  return {
    text: readFileSync(path, "utf8"),
    file: `schema/${revision}/json-defects.json`,
  };
}

/**
 * The pointer to a named type, for
 * `ajv.getSchema(id + pointerTo(revision, name))` or a `$ref`.
 */
export function pointerTo(revision: string, name: string): string {
  const container =
    "$defs" in officialSchema(revision) ? "$defs" : "definitions";
  return `#/${container}/${encodeURIComponent(name)}`;
}

function plain(node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(plain);
  return Object.fromEntries(
    [...node.members].map(([name, { value }]) => [name, plain(value)]),
  );
}
