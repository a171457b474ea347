import { Diagnostics } from "../../../generator/diagnostics.js";
import { exitCodes } from "../../command-error.js";
import { fits } from "../../../generator/read/extend.js";
import type { Command } from "../../command.js";
import type { Style } from "../../terminal.js";
import {
  readExtended,
  readKnownExtensions,
} from "../../../generator/inputs/extensions.js";
import { latestOf } from "../../../generator/read/revisions.js";
import { pinnedRevisions } from "../../../generator/inputs/pins.js";
import type { Pin } from "../../../generator/inputs/lock.js";
import {
  knownRevisions,
  revisionSource,
} from "../../../generator/inputs/schemas.js";

/** One revision that commands know, as `mcpgen list --json` prints it. */
interface RevisionRow {
  readonly revision: string;
  readonly latest: boolean;
  readonly opening: "initialize" | "per-request";
  readonly batches: boolean;
  readonly types: number;
  readonly requests: number;
  readonly notifications: number;
  /** The extensions that fit it, by name. */
  readonly extensions: readonly string[];
  /** Only for a pinned revision. */
  readonly pinned?: Pin;
}

export const run: Command = async (_words, _flags, { directory }) => {
  const [names, pins] = await Promise.all([
    knownRevisions(directory),
    pinnedRevisions(directory),
  ]);
  const sources = await Promise.all(
    names.map((name) => revisionSource(name, directory)),
  );
  const protocols = await readExtended(sources, [], new Diagnostics());
  const known = [...(await readKnownExtensions(directory))];
  const rows = protocols.map((protocol, i): RevisionRow => {
    const { opening, batches, declarations, messages } = protocol;
    const revision = names[i] ?? "";
    const pinned = pins.get(revision);
    const extensions = known
      .filter(([, schema]) => fits(protocol, schema))
      .map(([word]) => word);
    return {
      revision,
      latest: revision === latestOf(names),
      opening,
      batches,
      types: declarations.filter(({ kind }) => kind !== "constant").length,
      requests: messages.filter(({ kind }) => kind === "request").length,
      notifications: messages.filter(({ kind }) => kind === "notification")
        .length,
      extensions,
      ...(pinned && { pinned }),
    };
  });
  return {
    exitCode: exitCodes.done,
    diagnostics: [],
    json: rows,
    data: (style) => revisionsText(rows, style),
  };
};

/** The rows for a terminal, one line each. */
function revisionsText(rows: readonly RevisionRow[], style: Style): string {
  const lines = rows.map((row) => {
    const counts = `${row.types} types, ${row.requests} requests, ${row.notifications} notifications`;
    const marks = [
      row.opening === "initialize"
        ? "opens with initialize"
        : "metadata on every request",
      ...(row.batches ? ["batches"] : []),
      ...(row.latest ? ["latest"] : []),
      ...(row.pinned === undefined ? [] : ["pinned"]),
      ...row.extensions.map((word) => `extension ${word}`),
    ];
    return `${style.bold(row.revision.padEnd(10))}  ${counts.padEnd(44)}${style.dim(marks.join(", "))}\n`;
  });
  return lines.join("");
}
