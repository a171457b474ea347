import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Diagnostics } from "../../../diagnostics.js";
import type { AcknowledgedRow } from "../../../ir/snapshot/diff/index.js";
import schema from "../../config/accepted.json" with { type: "json" };
import { configCodes, parseConfigJson } from "../../config/load.js";
import { checkShape } from "../../../read/json/shape.js";
import { replaceFile } from "../../replace.js";
import { CommandError } from "../../command-error.js";
import { shownPath } from "../../../inputs/paths.js";

/** The default file of accepted drifts. */
export const defaultAccepted = "mcpgen.accepted.json";

/** Accepted drifts by snapshot. */
export interface Accepted {
  /** The path in reports. */
  readonly file: string;
  readonly path: string;
  readonly servers: ReadonlyMap<string, readonly AcknowledgedRow[]>;
}

/** Reads the file of accepted drifts; without a file, no drift is accepted. */
export async function loadAccepted(named: string | undefined, directory: string): Promise<Accepted> {
  const name = named ?? defaultAccepted;
  const path = resolve(directory, name);
  const file = shownPath(name, directory);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return { file, path, servers: new Map() };
  const diagnostics = new Diagnostics();
  const read = parseConfigJson(text, file, diagnostics, false);
  if (read !== null) checkShape(schema, read.value, diagnostics.root, read.locationOf, configCodes);
  if (read === null || diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const { servers } = read.value as {
    readonly servers: Readonly<Record<string, readonly AcknowledgedRow[]>>;
  };
  return { file, path, servers: new Map(Object.entries(servers)) };
}

/** Writes the file with the servers sorted. */
export async function writeAccepted({ path, servers }: Accepted): Promise<void> {
  const rows = [...servers].filter(([, list]) => list.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = `${JSON.stringify({ format: 1, servers: Object.fromEntries(rows) }, null, 2)}\n`;
  await replaceFile(path, text);
}
