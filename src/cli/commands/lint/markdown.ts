import { prose } from "../../../ir/report/text.js";
import type { LintReport } from "../../report.js";
import { summary } from "../lint.js";

/** The rows as a list for a comment on a pull request. */
export function diagnosticsMarkdown({ cost, diagnostics }: LintReport): string {
  const rows = diagnostics.map(({ code, severity, message, hint, within }) => {
    const advice = hint === null ? "" : ` ${hint}.`;
    return `- **${severity} ${code}** ${prose(`${within.join(", ")}: ${message}.${advice}`, 400)}`;
  });
  return `## ${summary(cost, diagnostics)}\n${rows.join("\n")}\n`;
}
