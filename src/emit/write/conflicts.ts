import type { Diagnostics } from "../../diagnostics.js";
import type { Plan } from "./plan.js";

/** Reports each file of the user that would be overwritten. Returns true if there are any. */
export function reportConflicts(plan: Plan, diagnostics: Diagnostics): boolean {
  const edited = plan.files.filter((file) => file.state === "edited");
  const foreign = plan.files.filter((file) => file.state === "foreign");
  for (const { path } of edited) {
    diagnostics.root.error(
      "MG804",
      null,
      `${path} was edited after it was generated; nothing was written`,
      "move your change out of the generated file, or overwrite it with --force",
    );
  }
  for (const { path } of foreign) {
    diagnostics.root.error(
      "MG804",
      null,
      `${path} was not written by mcpgen, but has the name of a generated file; nothing was written`,
      "move it away, or overwrite it with --force",
    );
  }
  return edited.length + foreign.length > 0;
}
