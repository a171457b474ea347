import { Diagnostics, SchemaError } from "../../diagnostics.js";
import type { Protocol } from "../../ir/model.js";
import { exitCodes } from "../command-error.js";
import { fits } from "../../read/extend.js";
import type { Command } from "../command.js";
import type { RevisionRow } from "../report.js";
import type { Style } from "../terminal.js";
import { readBundledExtensions } from "../../sources/extensions.js";
import { latestOf, revisionNames } from "../../read/revisions.js";
import { bundledSource, readSource } from "../../sources/schemas.js";

export const run: Command = async () => {
  const names = await revisionNames();
  const latest = latestOf(names);
  const rows: RevisionRow[] = [];
  const known = [...(await readBundledExtensions())];
  for (const name of names) {
    const protocol = await readBundled(name);
    const extensions = known.filter(([, schema]) => fits(protocol, schema)).map(([word]) => word);
    rows.push({ ...describe(protocol, name === latest), extensions });
  }
  return { kind: "revisions", exitCode: exitCodes.done, rows, diagnostics: [], advice: "" };
};

/** The rows for a terminal, one line each. */
export function revisionsText(rows: readonly RevisionRow[], style: Style): string {
  const lines = rows.map((row) => {
    const counts = `${row.types} types, ${row.requests} requests, ${row.notifications} notifications`;
    const marks = [
      row.opening === "initialize" ? "opens with initialize" : "metadata on every request",
      ...(row.batches ? ["batches"] : []),
      ...(row.latest ? ["latest"] : []),
      ...row.extensions.map((word) => `extension ${word}`),
    ];
    return `${style.bold(row.revision)}  ${counts.padEnd(44)}${style.dim(marks.join(", "))}`;
  });
  return lines.join("\n");
}

async function readBundled(name: string): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const protocol = await readSource(await bundledSource(name), diagnostics);
  if (protocol === null) throw new SchemaError(diagnostics.list);
  return protocol;
}

function describe(protocol: Protocol, latest: boolean): Omit<RevisionRow, "extensions"> {
  const { revision, opening, batches, declarations, messages } = protocol;
  return {
    revision,
    latest,
    opening,
    batches,
    types: declarations.filter(({ kind }) => kind !== "constant").length,
    requests: messages.filter(({ kind }) => kind === "request").length,
    notifications: messages.filter(({ kind }) => kind === "notification").length,
  };
}
