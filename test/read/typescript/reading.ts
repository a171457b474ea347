import { finished } from "../../finished.js";
import {
  Diagnostics,
  type Diagnostic,
} from "../../../src/generator/diagnostics.js";
import { index, type Index } from "../../../src/generator/ir/lookup.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import type {
  Declaration,
  Message,
  Protocol,
} from "../../../src/generator/ir/model.js";
import { digestOf } from "../../../src/generator/read/digest.js";
import {
  bundled,
  readLoaded,
  readPath,
} from "../../../src/generator/read/index.js";
import { bundledFacts } from "../../../src/generator/read/facts.js";
import { sound } from "../../ir/invariants.js";

/** The facts of a schema that has none of its own. */
export const facts = {
  own: null,
  bundled: await bundledFacts(new Diagnostics()),
};

/** Reads a schema text, and returns the diagnostics too. */
export async function read(
  text: string,
  options: { file?: string; revision?: string } = {},
): Promise<{ protocol: Protocol | null; reports: readonly Diagnostic[] }> {
  const diagnostics = new Diagnostics();
  const { file = "notes/schema.ts", ...rest } = options;
  const loaded = { file, text, sha256: digestOf(text) };
  const protocol = await readLoaded(
    loaded,
    { name: file, ...rest },
    diagnostics,
  );
  const reports = finished(diagnostics.list);
  return { protocol: protocol && sound(protocol), reports };
}

/**
 * The schema of a type, which is read as the alias `X` beside other
 * declarations.
 */
export async function schemaOf(type: string, beside = ""): Promise<Schema> {
  const { protocol, reports } = await read(
    `export type X = ${type};\n${beside}`,
  );
  const match = protocol === null ? undefined : index(protocol).get("X");
  if (match?.kind !== "alias")
    throw new Error(`not read: ${JSON.stringify(reports)}`);
  return match.schema;
}

const cache = new Map<string, Protocol>();

/** A bundled revision, read once for all tests of a file. */
export async function revision(name: string): Promise<Protocol> {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const diagnostics = new Diagnostics();
  const protocol = await readPath(`schema/${name}`, {}, diagnostics);
  if (protocol === null || diagnostics.list.length > 0)
    throw new Error(JSON.stringify(diagnostics.list));
  cache.set(name, sound(protocol));
  return protocol;
}

/** All bundled revisions, oldest first. */
export async function revisions(): Promise<Protocol[]> {
  const known = await bundled();
  return Promise.all(known.map((entry) => revision(entry.revision)));
}

export function declarationOf(protocol: Protocol, name: string): Declaration {
  const match = declarationsOf(protocol).get(name);
  if (match === undefined)
    throw new Error(`${protocol.revision} has no ${name}`);
  return match;
}

export function declarationsOf(protocol: Protocol): Index {
  return index(protocol);
}

export function messageOf(protocol: Protocol, method: string): Message {
  const match = protocol.messages.find((message) => message.method === method);
  if (match === undefined)
    throw new Error(`${protocol.revision} has no ${method}`);
  return match;
}
