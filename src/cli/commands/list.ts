import { Diagnostics, SchemaError } from "../../diagnostics.js";
import type { Protocol } from "../../ir/model.js";
import { exitCodes } from "../command-error.js";
import { fits } from "../../read/extend.js";
import type { Command } from "../commands.js";
import { readBundledExtensions } from "../../sources/extensions.js";
import { latestOf, revisionNames } from "../../read/revisions.js";
import { bundledSource, readSource } from "../../sources/schemas.js";

/** One bundled revision, as `mcpgen list --json` prints it. */
interface Row {
  readonly revision: string;
  readonly latest: boolean;
  readonly opening: Protocol["opening"];
  readonly batches: boolean;
  readonly types: number;
  readonly requests: number;
  readonly notifications: number;
  /** The bundled extensions that fit it, by the names that `--extension` takes. */
  readonly extensions: readonly string[];
}

export const run: Command = async (_words, flags, terminal) => {
  const names = await revisionNames();
  const latest = latestOf(names);
  const rows: Row[] = [];
  const known = [...(await readBundledExtensions())];
  for (const name of names) {
    const protocol = await readBundled(name);
    const extensions = known.filter(([, schema]) => fits(protocol, schema)).map(([word]) => word);
    rows.push({ ...describe(protocol, name === latest), extensions });
  }
  const { dataStyle: style } = terminal;
  const text = flags.on("json")
    ? JSON.stringify(rows, null, 2)
    : rows
        .map((row) => {
          const counts = `${row.types} types, ${row.requests} requests, ${row.notifications} notifications`;
          const how = row.opening === "initialize" ? "opens with a handshake" : "metadata on every request";
          const added = row.extensions.map((word) => `extension ${word}`);
          const marks = [
            how,
            ...(row.batches ? ["batches"] : []),
            ...(row.latest ? ["latest"] : []),
            ...added,
          ];
          return `${style.bold(row.revision)}  ${counts.padEnd(44)}${style.dim(marks.join(", "))}`;
        })
        .join("\n");
  await terminal.out(`${text}\n`);
  return exitCodes.done;
};

async function readBundled(name: string): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const protocol = await readSource(await bundledSource(name), diagnostics);
  if (protocol === null) throw new SchemaError(diagnostics.list);
  return protocol;
}

function describe(protocol: Protocol, latest: boolean): Omit<Row, "extensions"> {
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
