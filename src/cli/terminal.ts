import { randomUUID } from "node:crypto";
import { escapePoint, escapeUnit, invisible } from "../common/invisible.js";
import {
  type Diagnostic,
  formatDiagnostic,
  withHintsOnce,
} from "../generator/diagnostics.js";
import type { Dialogue } from "./dialogue.js";

/** The environment of a command: its streams, folder and settings. */
export interface Terminal {
  /** The directory that relative paths start from. */
  readonly directory: string;
  /** Prints data. Resolves when the reader can take more. */
  out(text: string): Promise<void>;
  /** Prints progress and diagnostics on the standard error. */
  print(text: string): void;
  /** Shows what the run is doing, until null: see `status.ts`. */
  status(text: string | null): void;
  /** The standard input, for commands that accept `-`. */
  readonly input: AsyncIterable<Uint8Array>;
  /** For questions to the user; null without an interactive terminal. */
  readonly dialogue: Dialogue | null;
  /** The maximum width of a line. */
  readonly columns: number;
  /**
   * The style of the standard error; data has its own, because only one of the
   * two may go to a file.
   */
  readonly style: Style;
  readonly dataStyle: Style;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
}

/** The codes that begin and end each format. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/**
 * Begins each code of a format until the text is printed. It is a secret of
 * this process, so that no text of others contains it.
 */
const mark = randomUUID();

/**
 * Formats text that `printed` prints; each function returns its text unchanged
 * if colours are off.
 */
export type Style = Readonly<
  Record<keyof typeof codes, (text: string) => string>
>;

export function makeStyle(colours: boolean): Style {
  const entries = Object.entries(codes).map(([format, [on, off]]) => {
    const paint = (text: string): string =>
      `${mark}${on}m${text}${mark}${off}m`;
    return [
      format,
      (text: string) => (colours && text !== "" ? paint(text) : text),
    ];
  });
  return Object.fromEntries(entries) as Style;
}

/**
 * By convention a flag decides first, then NO_COLOR and FORCE_COLOR, then
 * whether the output is a terminal.
 */
export function wantsColours(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
  flag: boolean,
): boolean {
  if (flag) return false;
  if ((environment["NO_COLOR"] ?? "") !== "") return false;
  const force = environment["FORCE_COLOR"];
  if (force !== undefined && force !== "")
    return force !== "0" && force !== "false";
  return isTerminal && environment["TERM"] !== "dumb";
}

/** A whole text of a command, with its formats, and all else visible. */
export function printed(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split(mark);
  return lines
    .map((part) => part.split("\t").map(visible).join("\t"))
    .join("\u001b[");
}

/**
 * Escapes characters of untrusted text that could control the terminal or hide
 * text.
 */
export function visible(text: string): string {
  return text.replace(invisible, (char) =>
    char === "\n" ? char : escapePoint(char),
  );
}

/**
 * The same for JSON, with JSON escapes, so that its meaning does not change.
 */
export function visibleJson(text: string): string {
  return text.replace(invisible, (char) =>
    char === "\n" ? char : escapeUnit(char),
  );
}

/** Prints a value as JSON on the standard output. */
export async function printJson(
  terminal: Terminal,
  value: unknown,
): Promise<void> {
  await terminal.out(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints diagnostics as compilers do; with `quiet`, only errors. */
export function printDiagnostics(
  terminal: Terminal,
  diagnostics: readonly Diagnostic[],
  quiet = false,
): void {
  const shown = diagnostics.filter(
    ({ severity }) => !quiet || severity === "error",
  );
  for (const diagnostic of withHintsOnce(shown)) {
    const text = `${formatDiagnostic(diagnostic)}\n`;
    terminal.print(printed(paintDiagnostic(text, diagnostic, terminal.style)));
  }
}

function paintDiagnostic(
  text: string,
  { code, severity }: Diagnostic,
  style: Style,
): string {
  const paint =
    severity === "error"
      ? style.red
      : severity === "warning"
        ? style.yellow
        : style.cyan;
  const [first = "", ...rest] = text.split("\n");
  return [first.replace(code, () => paint(code)), ...rest.map(style.dim)].join(
    "\n",
  );
}

/** A readable size; the same on every machine. */
export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
