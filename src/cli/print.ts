import { toolVersion } from "../inputs/package.js";
import { filesText } from "./commands/generate/report.js";
import { pulledLine } from "./commands/pull/report.js";
import { exitCodes } from "./command-error.js";
import type { FailedReport, FileReport, PullReport, Report, TextReport } from "./report.js";
import { formatBytes, printJson, printDiagnostics, visible, type Terminal } from "./terminal.js";

export interface PrintOptions {
  readonly json: boolean;
  readonly markdown: boolean;
  readonly quiet: boolean;
}

/** Prints a report: text on the standard error, and data on the standard output. */
export async function printReport(
  report: Report,
  terminal: Terminal,
  { json, markdown, quiet }: PrintOptions,
): Promise<void> {
  await printText(report, terminal, quiet);
  if (report.kind === "text") {
    if (report.text !== "") await terminal.out(report.text);
  } else if (json) {
    await printJson(terminal, jsonOf(report));
  } else if (report.kind === "call") {
    const { resultText } = await import("./commands/call/report.js");
    const { written = [], rest = report.result } = report;
    for (const { path, bytes } of written)
      if (!quiet) terminal.print(visible(`${path}: written, ${formatBytes(bytes)}\n`));
    const text = rest === null ? "" : resultText(rest);
    // The text of an error goes to the standard error, because it is not the requested data.
    if (report.exitCode === exitCodes.done) await terminal.out(text);
    else terminal.print(text);
  } else if (report.kind === "tools") {
    const { toolsText } = await import("./commands/call/report.js");
    await terminal.out(toolsText(report.snapshot, terminal.dataStyle));
  } else if (report.kind === "revisions") {
    const { revisionsText } = await import("./commands/list.js");
    await terminal.out(`${revisionsText(report.rows, terminal.dataStyle)}\n`);
  } else if (report.kind === "logins") {
    const { loginsText } = await import("./auth/report.js");
    await terminal.out(visible(loginsText(report.grants)));
  } else if (report.kind === "check" && markdown) {
    const { checksMarkdown } = await import("./commands/check/report.js");
    await terminal.out(visible(checksMarkdown(report.jobs.map(({ check }) => check))));
    const { cost, diagnostics } = report;
    if (cost === null && diagnostics.length === 0) return;
    const { diagnosticsMarkdown } = await import("./commands/lint/markdown.js");
    await terminal.out(visible(`\n${diagnosticsMarkdown(cost, diagnostics)}`));
  } else if (report.kind === "lint" && markdown) {
    const { diagnosticsMarkdown } = await import("./commands/lint/markdown.js");
    await terminal.out(visible(diagnosticsMarkdown(report.cost, report.diagnostics)));
  } else if (report.kind === "update" && markdown) {
    const { updateMarkdown } = await import("./commands/update/report.js");
    await terminal.out(visible(updateMarkdown(report)));
  }
}

/** Prints the text of a report; with `quiet`, only its errors. */
export async function printText(report: Report, terminal: Terminal, quiet: boolean): Promise<void> {
  const { style } = terminal;
  if (!quiet && report.kind === "files" && report.stale.length > 0) {
    const { staleDiff } = await import("./commands/generate/check.js");
    for (const file of report.stale) terminal.print(staleDiff(file, style));
  }
  if (!quiet && report.kind === "migrate") {
    const { migrateText } = await import("./commands/migrate/report.js");
    terminal.print(migrateText(report, style));
  }
  // The errors that ended a job are printed with all its diagnostics.
  if (report.kind === "job check") printDiagnostics(terminal, report.errors);
  printDiagnostics(terminal, report.diagnostics, quiet && report.kind !== "failed");
  if (quiet) return;
  if (report.kind === "files") terminal.print(filesText(report, style));
  if (report.kind === "pull") terminal.print(pulledLine(report));
  if (report.kind === "update") {
    const { updateText } = await import("./commands/update/report.js");
    terminal.print(updateText(report, style));
  }
  if (report.kind === "login" || report.kind === "logout") {
    const { signInText } = await import("./auth/report.js");
    terminal.print(visible(signInText(report)));
  }
  if (report.kind === "job check") {
    const { jobText } = await import("./commands/check/report.js");
    if (report.errors.length === 0) terminal.print(jobText(report.check, style));
    if (report.sourceless !== null) {
      terminal.print(visible(`${report.sourceless}: has no source and was not checked\n`));
    }
  }
  if (report.advice !== "") terminal.print(visible(report.advice));
}

/** What `--json` prints. */
function jsonOf(report: Exclude<Report, TextReport>): unknown {
  const { exitCode, diagnostics } = report;
  const ok = exitCode === exitCodes.done;
  switch (report.kind) {
    case "files": {
      const { out, revisions, mode, files } = report;
      return { ok, generator: toolVersion(), out, revisions, mode, files: files.map(fileJson), diagnostics };
    }
    case "failed":
      return { ok, out: report.out, diagnostics };
    case "snapshot only":
      return { ok, out: null, snapshot: report.snapshot };
    case "jobs":
      return { ok, config: report.config, jobs: report.jobs.map(jsonOf) };
    case "pull": {
      const { out, state, revision, tools, prompts, resources, resourceTemplates } = report;
      return { ok, out, state, revision, tools, prompts, resources, resourceTemplates, diagnostics };
    }
    case "pulls":
      return { ok, config: report.config, servers: report.servers.map(serverJson) };
    case "job check": {
      const { out, snapshot, output, drift } = report.check;
      const comparison = drift && {
        ...drift.comparison,
        audience: drift.audience,
        accepted: drift.accepted,
        idle: drift.idle,
      };
      return {
        ok,
        out,
        snapshot,
        output,
        drift: comparison,
        diagnostics: [...diagnostics, ...report.errors],
      };
    }
    case "check": {
      const { config, jobs, cost } = report;
      const own =
        cost === null ? diagnostics.length > 0 && { diagnostics } : { lint: { ...cost, diagnostics } };
      return { ok, config, jobs: jobs.map(jsonOf), ...own };
    }
    case "login": {
      const { server, isNeeded, grant } = report;
      return { ok, server, isNeeded, ...grant, diagnostics };
    }
    case "logins":
      return report.grants;
    case "call":
      return report.result;
    case "tools":
      return report.tools;
    case "lint":
      return { ok, ...report.cost, diagnostics };
    case "migrate": {
      const files = report.files.map(({ before: _before, text: _text, ...file }) => file);
      return { ok, mode: report.mode, files, diagnostics };
    }
    case "logout":
      return {
        ok,
        server: report.server,
        wasSignedIn: report.wasSignedIn,
        revocations: report.revocations,
        diagnostics,
      };
    case "revisions":
      return report.rows;
    case "update": {
      const { source, version, mode, revisions, extensions, impacts } = report;
      return { ok, source, ...version, mode, revisions, extensions, impacts, diagnostics };
    }
    default:
      return report satisfies never;
  }
}

function serverJson(part: PullReport | FailedReport): unknown {
  if (part.kind === "failed") return jsonOf(part);
  return { ok: part.exitCode === exitCodes.done, out: part.out, state: part.state };
}

function fileJson({ path, state, bytes }: FileReport): FileReport {
  return { path, state, bytes };
}
