import { finished } from "../../finished.js";
import {
  Diagnostics,
  type Diagnostic,
} from "../../../src/generator/diagnostics.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import { assemble } from "../../../src/generator/ir/derive/index.js";
import { index, type Declared } from "../../../src/generator/ir/lookup.js";
import type { Declaration, Protocol } from "../../../src/generator/ir/model.js";
import { digestOf } from "../../../src/generator/read/digest.js";
import { readJsonSchema } from "../../../src/generator/read/json/index.js";
import { revisionOf } from "../../../src/generator/read/revision.js";
import { sound } from "../../ir/invariants.js";
import { facts } from "../typescript/reading.js";
import { defectsOf, officialText } from "../../oracle/index.js";

/**
 * Reads a schema text. The diagnostics are those of the reader, without those
 * of the derivation.
 */
export function read(
  text: string,
  options: { file?: string; revision?: string; defects?: string } = {},
): { protocol: Protocol | null; reports: readonly Diagnostic[] } {
  const diagnostics = new Diagnostics();
  const { file = "notes/schema.json", revision, defects } = options;
  const defectsFile =
    defects === undefined
      ? null
      : { text: defects, file: "notes/json-defects.json" };
  const declared = readJsonSchema({ file, text }, defectsFile, diagnostics);
  const protocol =
    declared && assembled(declared, file, text, revision, diagnostics);
  return {
    protocol: protocol && sound(protocol),
    reports: finished(diagnostics.list).filter(
      ({ code }) => !code.startsWith("MG4"),
    ),
  };
}

/** The protocol that follows from the declarations of a file. */
function assembled(
  { declarations, locationOf }: Declared,
  file: string,
  text: string,
  revision: string | undefined,
  diagnostics: Diagnostics,
): Protocol | null {
  const source = {
    name: file,
    language: "json-schema",
    sha256: digestOf(text),
  } as const;
  const name = revisionOf(file, declarations, revision, diagnostics);
  return assemble(
    declarations,
    { revision: name, source, facts, locationOf },
    diagnostics,
  );
}

/** A schema file with these definitions. */
export function file(
  definitions: object,
  dialect: "draft-07" | "2020-12" = "2020-12",
): string {
  return dialect === "draft-07"
    ? JSON.stringify({
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions,
      })
    : JSON.stringify({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $defs: definitions,
      });
}

export function declarationOf(
  protocol: Protocol | null,
  name: string,
): Declaration {
  const match = protocol === null ? undefined : index(protocol).get(name);
  if (match === undefined) throw new Error(`there is no ${name}`);
  return match;
}

/**
 * The schema of the only member `x` of a definition as it is read, and all
 * diagnostics.
 */
export function schemaOf(
  given: unknown,
  dialect: "draft-07" | "2020-12" = "2020-12",
): {
  schema: Schema;
  codes: readonly string[];
  reports: readonly Diagnostic[];
} {
  const beside = {
    A: {
      type: "object",
      properties: {
        a: { type: "string" },
        f: { type: "string", format: "uri" },
      },
    },
    B: { type: "string" },
  };
  const text = file(
    { X: { type: "object", properties: { x: given } }, ...beside },
    dialect,
  );
  const { protocol, reports } = read(text);
  const [property] =
    protocol === null ? [] : propertiesIn(declarationOf(protocol, "X").schema);
  if (property === undefined) throw new Error(JSON.stringify(reports));
  const codes = reports.map(({ code }) => code);
  return { schema: property.schema, codes, reports };
}

/**
 * A bundled revision from its official `schema.json`, by default without its
 * known defects.
 */
export function official(revision: string, corrected = true): Protocol {
  const diagnostics = new Diagnostics();
  const path = `schema/${revision}/schema.json`;
  const text = officialText(revision);
  const declared = readJsonSchema(
    { file: path, text },
    corrected ? defectsOf(revision) : null,
    diagnostics,
  );
  const protocol =
    declared && assembled(declared, path, text, undefined, diagnostics);
  if (protocol === null || diagnostics.list.length > 0)
    throw new Error(JSON.stringify(diagnostics.list));
  return sound(protocol);
}
