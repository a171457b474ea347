import type { RevisionUpdate } from "../../../update/revisions.js";

/** What `--json` prints for a revision. The protocols themselves are left out: `mcpgen ir` prints them. */
export function revisionJson({ change, ...row }: RevisionUpdate): unknown {
  return { ...row, comparison: change?.comparison ?? null };
}
