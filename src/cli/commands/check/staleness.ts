import type { Diagnostics } from "../../../diagnostics.js";
import { MANIFEST, planFiles, type Plan, type PlannedFile, type WriteRequest } from "../../../emit/write.js";
import { CommandError } from "../../command-error.js";

/** Is what stands in a directory what would be generated now, and if not, why? */
export interface Staleness {
  /** "generator": nothing but the version of mcpgen has changed since. */
  readonly state: "current" | "stale" | "generator";
  readonly reasons: readonly StaleReason[];
  readonly files: readonly { readonly path: string; readonly state: PlannedFile["state"] | "leftover" }[];
}

export interface StaleReason {
  /**
   * "absent": nothing was ever generated there. "source": the schema or snapshot is another one by now. "options": it was
   * asked for otherwise. "files": something was edited, removed or left over. "generator": another version made it.
   */
  readonly kind: "absent" | "source" | "options" | "files" | "generator";
  /** A clause: what was, and what is. */
  readonly text: string;
}

/** Compares a destination with what a run would write there. */
export async function stalenessOf(request: WriteRequest, diagnostics: Diagnostics): Promise<Staleness> {
  const plan = await planFiles(request, diagnostics);
  if (plan === null) throw new CommandError(diagnostics.list);
  const stale = plan.files.filter(({ state }) => state !== "unchanged" && state !== "reformatted");
  const leftovers = plan.leftovers.filter(({ state }) => state === "unmodified");
  const files = [
    ...stale.filter(({ path }) => path !== MANIFEST || stale.length === 1),
    ...leftovers.map(({ path }) => ({ path, state: "leftover" as const })),
  ].map(({ path, state }) => ({ path, state }));
  if (stale.length === 0) return { state: "current", reasons: [], files: [] };
  const reasons = reasonsOf(request, plan, stale);
  const isGenerator = reasons.length > 0 && reasons.every(({ kind }) => kind === "generator");
  return { state: isGenerator ? "generator" : "stale", reasons, files };
}

function reasonsOf(
  { provenance }: WriteRequest,
  { manifest }: Plan,
  stale: readonly PlannedFile[],
): StaleReason[] {
  if (manifest === null) return [{ kind: "absent", text: "nothing was generated there yet" }];
  const reasons: StaleReason[] = [];
  const pins = new Map(manifest.sources.map((source) => [source.name, source]));
  for (const { name, sha256 } of provenance.sources) {
    const pin = pins.get(name);
    pins.delete(name);
    if (pin === undefined) reasons.push({ kind: "source", text: `${name} is a new source` });
    else if (pin.sha256 !== sha256) {
      const [was, is] = [pin.sha256, sha256].map((digest) => digest.slice(0, 8));
      reasons.push({ kind: "source", text: `${name} has changed since (sha256 ${was}… became ${is}…)` });
    }
  }
  for (const name of pins.keys()) reasons.push({ kind: "source", text: `${name} is no longer a source` });
  const options = Object.entries(provenance.options).filter(([name, value]) => {
    return (
      JSON.stringify(value) !== JSON.stringify((manifest.options as object as Record<string, unknown>)[name])
    );
  });
  if (options.length > 0) {
    reasons.push({
      kind: "options",
      text: `asked for with another ${options.map(([name]) => name).join(", ")}`,
    });
  }
  if (manifest.generator !== provenance.generator) {
    const text = `made by mcpgen ${manifest.generator}, and this is ${provenance.generator}`;
    reasons.push({ kind: "generator", text });
  }
  // Whatever else was changed is what the last run wrote; these are not.
  const touched = stale.filter(({ path, state }) => {
    return state === "edited" || state === "foreign" || (state === "new" && manifest.files.has(path));
  });
  if (touched.length > 0) {
    const count = touched.length === 1 ? "1 file differs" : `${touched.length} files differ`;
    reasons.push({ kind: "files", text: `${count} from what was generated` });
  } else if (reasons.length === 0) {
    // What a job chooses of a server is no option that the manifest knows.
    reasons.push({ kind: "options", text: "asked for otherwise than when it was generated" });
  }
  return reasons;
}
