import type { Report } from "./report.js";
import {
  printDiagnostics,
  printJson,
  printed,
  type Terminal,
} from "./terminal.js";

/**
 * Prints a report: text on the standard error, and data on the standard output.
 */
export async function printReport(
  report: Report,
  terminal: Terminal,
  {
    json,
    markdown,
    quiet,
  }: Readonly<Record<"json" | "markdown" | "quiet", boolean>>,
): Promise<void> {
  printText(report, terminal, quiet, markdown);
  if (json && report.json !== undefined)
    return await printJson(terminal, report.json);
  if (markdown && report.markdown)
    return await terminal.out(printed(report.markdown()));
  const data = printed(report.data?.(terminal.dataStyle) ?? "");
  if (data === "") return;
  if (report.diagnostics.some(({ severity }) => severity === "error"))
    terminal.print(data);
  else await terminal.out(data);
}

/**
 * Prints the text of a report; with `quiet`, only its errors. With `markdown`,
 * what the Markdown says is not said again.
 */
export function printText(
  report: Report,
  terminal: Terminal,
  quiet: boolean,
  markdown: boolean,
): void {
  const { diagnostics, errors = [], advice = "" } = report;
  const print = (text = ""): void => {
    if (!quiet && !markdown && text !== "") terminal.print(printed(text));
  };
  print(report.differences?.(terminal.style));
  printDiagnostics(terminal, errors);
  if (!markdown || !report.isInMarkdown)
    printDiagnostics(terminal, diagnostics, quiet);
  print(report.text?.(terminal.style));
  print(advice);
}
