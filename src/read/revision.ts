import type { Diagnostics } from "../diagnostics.js";
import type { LocationOf } from "../ir/check/location.js";
import type { Declaration } from "../ir/model.js";

/** The constant with the schema's own revision. */
const constantName = "LATEST_PROTOCOL_VERSION";

/**
 * The revision's id: the given name, otherwise the folder's name if it is a date, otherwise the schema's own constant,
 * otherwise the file's stem. The constant has the lowest trust, because tagged copies of a schema may have another one.
 */
export function revisionOf(
  path: string,
  declarations: readonly Declaration[],
  givenName: string | undefined,
  diagnostics: Diagnostics,
  locationOf: LocationOf = () => null,
): string {
  const constant = declarations.find((entry) => entry.kind === "constant" && entry.name === constantName);
  const own = constant?.kind === "constant" ? String(constant.value) : null;
  const steps = path.split(/[/\\]/).filter((step) => step !== "");
  const folder = steps.at(-2) ?? "";
  const dated = /^\d{4}-\d{2}-\d{2}$/.test(folder) ? folder : null;
  const stem = (steps.at(-1) ?? "schema").replace(/(\.d)?\.[^.]+$/, "");
  const revision = givenName ?? dated ?? own ?? stem;
  if (own !== null && own !== revision) {
    diagnostics.root.note(
      "MG118",
      locationOf(constantName),
      `the schema calls itself "${own}" in ${constantName}, but it is read as revision "${revision}", ` +
        (givenName === undefined ? "the name of its folder" : "as asked for"),
    );
  }
  return revision;
}
