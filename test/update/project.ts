import { readFileSync } from "node:fs";
import { join } from "node:path";
import { directory, mcpgen, smallSchema, type Ended } from "../cli/support.js";

/** A small schema that names its revision, as the official ones do. */
export function schemaOf(revision: string, more = ""): string {
  return `export const LATEST_PROTOCOL_VERSION = ${JSON.stringify(revision)};\n${smallSchema}\n${more}`;
}

/**
 * What a source has at first: two revisions that are not bundled, and a draft.
 */
export const firstSchemas: Readonly<Record<string, string>> = {
  "schema/2027-01-15/schema.ts": schemaOf("2027-01-15"),
  "schema/2027-06-30/schema.ts": schemaOf(
    "2027-06-30",
    "export interface Note { text: string }",
  ),
  "schema/draft/schema.ts": schemaOf(
    "DRAFT-2028-v1",
    "export interface Sketch { text: string }",
  ),
};

/**
 * A member that one of them gets later: older clients that ask for a greeting
 * break.
 */
export const changedSchema: string = schemaOf("2027-01-15").replace(
  "params: { name: string }",
  "params: { name: string; title: string }",
);

/** A folder with a source and an empty project beside it. */
export function sourceAndProject(schemas = firstSchemas): {
  readonly source: string;
  readonly project: string;
} {
  return { source: directory(schemas), project: directory() };
}

export async function update(
  project: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await mcpgen(["update", ...args], { directory: project, environment });
}

export interface LockFile {
  readonly format: number;
  readonly sources: Readonly<
    Record<string, { readonly commit?: string; readonly etag?: string }>
  >;
  readonly revisions: Readonly<Record<string, PinRow>>;
  readonly extensions: Readonly<Record<string, PinRow>>;
}

export interface PinRow {
  readonly file: string;
  readonly source: string;
  readonly commit?: string;
  readonly etag?: string;
  readonly sha256: string;
  readonly revision?: string;
  readonly id?: string;
}

export const lockName = "mcpgen.lock.json";

export function lockIn(project: string): LockFile {
  return JSON.parse(readFileSync(join(project, lockName), "utf8")) as LockFile;
}
