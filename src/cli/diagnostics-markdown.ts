import type { Diagnostic } from "../generator/diagnostics.js";
import { prose } from "../generator/ir/report/text.js";

/**
 * The rows as a list for a comment on a pull request, below a line about all of
 * them, if there is one.
 */
export function diagnosticsMarkdown(
  line: string,
  diagnostics: readonly Diagnostic[],
): string {
  const rows = diagnostics.map(({ code, severity, message, hint, within }) => {
    const advice = hint === null ? "" : ` ${hint}.`;
    const place = within.length === 0 ? "" : `${within.join(", ")}: `;
    return `- **${severity} ${code}** ${prose(`${place}${message}.${advice}`)}`;
  });
  const title = line === "" ? "" : `## ${line}\n`;
  return `${title}${rows.join("\n")}\n`;
}
