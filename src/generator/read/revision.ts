import { constantIn } from "../ir/constraint/form.js";
import type { Diagnostics } from "../diagnostics.js";
import type { LocationOf } from "../ir/lookup.js";
import type { Declaration } from "../ir/model.js";
import { isDated } from "./revisions.js";

/** The constant with the schema's own revision. */
const constantName = "LATEST_PROTOCOL_VERSION";

/**
 * The revision's id: the requested name, otherwise the folder's name if it is a
 * date, otherwise the schema's own constant, otherwise the file's stem. The
 * constant is the least reliable, because released copies of a schema may
 * contain another revision.
 */
export function revisionOf(
  path: string,
  declarations: readonly Declaration[],
  name: string | undefined,
  diagnostics: Diagnostics,
  locationOf: LocationOf = () => null,
): string {
  const constant = declarations.find(
    (entry) => entry.kind === "constant" && entry.name === constantName,
  );
  const own =
    constant === undefined ? null : String(constantIn(constant.schema));
  const steps = path.split(/[/\\]/).filter((step) => step !== "");
  const folder = steps.at(-2) ?? "";
  const date = isDated(folder) ? folder : null;
  const stem = (steps.at(-1) ?? "schema").replace(/(\.d)?\.[^.]+$/, "");
  const revision = name ?? date ?? own ?? stem;
  if (own !== null && own !== revision) {
    diagnostics.root.note(
      "MG118",
      locationOf(constantName),
      `${constantName} is "${own}", but the schema is read as revision "${revision}", ` +
        (name === undefined ? "the name of its folder" : "the requested name"),
    );
  }
  return revision;
}
