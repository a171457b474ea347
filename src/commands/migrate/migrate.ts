import { ts } from "ts-morph";
import type { Diagnostics, Location } from "../../generator/diagnostics.js";
import { convertServers } from "./servers.js";
import {
  Program,
  withPageFor,
  withImports,
  withoutMarks,
  type MigrateOptions,
  type SourceText,
} from "./source.js";

export interface MigratedFile extends SourceText {
  /** The number of rows and handlers that were converted. */
  readonly rows: number;
  /** The number of places that are left. */
  readonly places: number;
}

/**
 * Converts servers of the official SDK and of FastMCP, as far as it knows them.
 * The files may import each other. Returns none if they have no server, or if
 * an error ends the run.
 */
export function migrate(
  sources: readonly SourceText[],
  options: MigrateOptions,
  diagnostics: Diagnostics,
): readonly MigratedFile[] {
  const program = new Program(sources, options);
  for (const [path, { tree }] of program.files) {
    const { parseDiagnostics: list } = tree as {
      parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
    };
    const first = list?.[0];
    if (first === undefined) continue;
    const words = `syntax error: ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`;
    const location = locationIn(path, tree.text, first.start);
    diagnostics.root.error(
      "MG952",
      location,
      words,
      "correct it, and run again",
    );
  }
  if (diagnostics.hasErrors) return [];
  convertServers(program);
  for (const [path, { tree, refused }] of program.files)
    for (const { at, message, hint } of refused)
      diagnostics.root.error(
        "MG954",
        locationIn(path, tree.text, at),
        message,
        withPageFor(tree.text, hint),
      );
  const isFound = [...program.files.values()].some(
    (file) => file.places.length > 0 || file.isChanged,
  );
  if (diagnostics.hasErrors || !isFound) return [];
  return [...program.files].map(([path, file]) => {
    const { rows, places } = file;
    const { text, at } = withoutMarks(
      withImports(file, options.protocolOf(path)),
      file.mark,
    );
    const sorted = places.map((place, number) => ({
      ...place,
      at: at[number] ?? 0,
    }));
    for (const place of sorted.sort((a, b) => a.at - b.at))
      diagnostics.root.warn(
        "MG953",
        locationIn(path, text, place.at),
        place.message,
        withPageFor(file.tree.text, place.hint),
      );
    return {
      path,
      text: file.isCrlf ? text.replaceAll("\n", "\r\n") : text,
      rows,
      places: places.length,
    };
  });
}

function locationIn(file: string, text: string, at: number): Location {
  const before = text.slice(0, at);
  return {
    file,
    line: before.split("\n").length,
    column: at - before.lastIndexOf("\n"),
  };
}
