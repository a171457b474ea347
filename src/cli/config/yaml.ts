import type { Document } from "yaml";
import { isMap, isNode, isSeq, parseDocument, stringify } from "yaml";
import type { Config, ServerJob } from "../../config.js";
import type { Diagnostics } from "../../generator/diagnostics.js";
import { exact, type Json } from "../../generator/ir/json.js";
import {
  locationsIn,
  type LocationOfPath,
  type Path,
} from "../../generator/read/json/text/tree.js";

/** The value of a text in YAML, and the position of each value in it. */
interface Parsed {
  readonly value: unknown;
  readonly locationOf: LocationOfPath;
}

/** Parses YAML; null after an error. */
export function parseYaml(
  text: string,
  file: string,
  diagnostics: Diagnostics,
): Parsed | null {
  const at = locationsIn(text, file);
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  try {
    if (error !== undefined) throw error;
    return {
      // Fails for an alias of nothing, and for a value that aliases multiply.
      value: document.toJS(),
      locationOf: (path, isKey) => at(offsetOf(document, path, isKey)),
    };
  } catch (thrown) {
    diagnostics.root.error(
      "MG741",
      at(error?.pos[0] ?? 0),
      `the file is not valid YAML: ${(thrown as Error).message}`,
      "fix the syntax",
    );
    return null;
  }
}

/** Where a value begins, or the name of a member. */
function offsetOf(
  document: Document.Parsed,
  path: Path,
  isKey: boolean,
): number {
  const above = path.slice(0, -1);
  const parent = document.getIn(above, true);
  const pairs = isKey && isMap(parent) ? parent.items : [];
  const pair = pairs.find(({ key }) => String(key) === path.at(-1));
  const node = pair?.key ?? document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  // What an alias stands for has no position of its own.
  return path.length === 0 ? 0 : offsetOf(document, above, false);
}

/** A value in YAML, with each string in one line. */
export const yamlOf = (value: unknown): string =>
  stringify(value, { lineWidth: 0 });

/**
 * The text of a valid configuration with one more server, and otherwise with
 * each character as before. Null if the list is written in brackets, or if the
 * new text would not say just that.
 */
export function withServerInYaml(
  before: string,
  job: ServerJob,
): string | null {
  const newLine = before.includes("\r\n") ? "\r\n" : "\n";
  const text = /(?:^|\n)$/.test(before) ? before : before + newLine;
  const document = parseDocument(text);
  const config = (document.toJS() ?? {}) as Config;
  const servers = [...(config.servers ?? []), job];
  const list: unknown = document.get("servers");
  const last: unknown = isSeq(list) ? list.items.at(-1) : undefined;
  const isFirst = last === undefined;
  const [start, end] = (isNode(last) && last.range) || [0, text.length];

  // What stands before the dash of the last server indents the new one.
  const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
  const indent = line.replace(/- *$/, "");
  const added = yamlOf(isFirst ? { servers } : [job])
    .replace(/^(?=.)/gm, indent)
    .replaceAll("\n", newLine);

  // The rest of the line of the last server may be a comment.
  const at = text.indexOf("\n", end - 1) + 1;
  const edited = text.slice(0, at) + added + text.slice(at);
  const wanted: unknown = { ...config, servers };
  return says(edited, wanted as Json) ? edited : null;
}

/** True if a text in YAML has this value. */
function says(text: string, value: Json): boolean {
  const document = parseDocument(text);
  return (
    document.errors.length === 0 &&
    exact(document.toJS() as Json) === exact(value)
  );
}
