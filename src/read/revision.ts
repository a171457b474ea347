import type { Diagnostics } from "../diagnostics.js";
import type { PlaceOf } from "../ir/check/place.js";
import type { Declaration } from "../ir/model.js";

/** The constant in which a schema says which revision it is. */
const constantName = "LATEST_PROTOCOL_VERSION";

/**
 * The revision's id: as told, else the date that names the file's folder, else the schema's own constant, else the
 * file's stem. The constant alone is not to be trusted: tagged copies of a schema are known to carry another.
 */
export function revisionOf(
  path: string,
  declarations: readonly Declaration[],
  told: string | undefined,
  diagnostics: Diagnostics,
  placeOf: PlaceOf = () => null,
): string {
  const constant = declarations.find((entry) => entry.kind === "constant" && entry.name === constantName);
  const own = constant?.kind === "constant" ? String(constant.value) : null;
  const steps = path.split(/[/\\]/).filter((step) => step !== "");
  const folder = steps.at(-2) ?? "";
  const dated = /^\d{4}-\d{2}-\d{2}$/.test(folder) ? folder : null;
  const stem = (steps.at(-1) ?? "schema").replace(/(\.d)?\.[^.]+$/, "");
  const chosen = told ?? dated ?? own ?? stem;
  if (own !== null && own !== chosen) {
    diagnostics.root.note(
      "MG118",
      placeOf(constantName),
      `the schema calls itself "${own}" in ${constantName}, but it is read as revision "${chosen}", ` +
        (told === undefined ? "the name of its folder" : "as asked for"),
    );
  }
  return chosen;
}
