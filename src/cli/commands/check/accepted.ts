import { dirname, resolve } from "node:path";
import { byText } from "../../../common/by-text.js";
import { Diagnostics, schemaError } from "../../../generator/diagnostics.js";
import {
  isLaterFormat,
  recordOfFormat1,
} from "../../../generator/emit/write.js";
import type { AcknowledgedRow } from "../../../generator/ir/snapshot/diff/index.js";
import { textWithOwned } from "../../../generator/ir/json/owned.js";
import schema from "../../config/accepted.json" with { type: "json" };
import { configCodes, parseConfigJson } from "../../config/load.js";
import { checkShape } from "../../../generator/read/json/shape.js";
import { exists, readNamed } from "../../destination/find.js";
import { replaceInside } from "../../replace.js";
import { CommandError } from "../../command-error.js";
import { shownPath } from "../../../generator/inputs/paths.js";

/** The default file of accepted differences. */
const defaultAccepted = "mcpgen.accepted.json";

/** Accepted differences by snapshot. */
export interface Accepted {
  /** The path in reports. */
  readonly file: string;
  readonly path: string;
  /** The text of the file; null without one. */
  readonly text: string | null;
  readonly servers: ReadonlyMap<string, readonly AcknowledgedRow[]>;
}

/**
 * Reads the file of accepted differences; without a file, no difference is
 * accepted.
 */
export async function loadAccepted(
  named: string | undefined,
  directory: string,
): Promise<Accepted> {
  const name = named ?? defaultAccepted;
  const path = resolve(directory, name);
  const file = shownPath(name, directory);
  if (!(await exists(path)))
    return { file, path, text: null, servers: new Map() };
  const text = await readNamed(path, file);
  const record = recordOfFormat1(text);
  if (typeof record === "string" && isLaterFormat(record)) {
    const message = `${file} cannot be used: ${record}`;
    throw schemaError("MG743", message, "update mcpgen");
  }
  const diagnostics = new Diagnostics();
  const read = parseConfigJson(text, file, diagnostics, false);
  if (read !== null)
    checkShape(
      schema,
      read.value,
      diagnostics.root,
      read.locationOf,
      configCodes,
    );
  if (read === null || diagnostics.hasErrors)
    throw new CommandError(diagnostics.list);
  const { servers } = read.value as {
    readonly servers: Readonly<Record<string, readonly StoredRow[]>>;
  };
  const rows = Object.entries(servers).map(
    ([name, list]) => [name, list.map(rowIn)] as const,
  );
  return { file, path, text, servers: new Map(rows) };
}

/** A row as it is in a file. The texts had other names before. */
interface StoredRow extends Omit<AcknowledgedRow, "before" | "after"> {
  readonly before?: string | null;
  readonly after?: string | null;
  readonly was?: string | null;
  readonly is?: string | null;
}

function rowIn({
  was = null,
  is = null,
  before = was,
  after = is,
  ...row
}: StoredRow): AcknowledgedRow {
  return { ...row, before, after };
}

/** Writes the file with the servers sorted. */
export async function writeAccepted({
  path,
  text: before,
  servers,
}: Accepted): Promise<void> {
  const rows = [...servers]
    .filter(([, list]) => list.length > 0)
    .sort(([a], [b]) => byText(a, b));
  const owned = { format: 1, servers: Object.fromEntries(rows) };
  const text = textWithOwned(before, owned);
  await replaceInside(path, dirname(path), text ?? "");
}
