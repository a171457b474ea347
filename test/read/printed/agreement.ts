import type { Difference } from "../../../src/generator/ir/change/model.js";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { read as readJson } from "../json/reading.js";
import { read as readText } from "../typescript/reading.js";

/**
 * What the generator loses or adds, by name. Each tells from a row of the
 * difference whether it is this loss; the row goes from the printed schema to
 * the written one.
 */
export const losses: Readonly<Record<string, (row: Difference) => boolean>> = {
  "a generic declaration is printed itself, with its parameters as types": ({
    change,
    subject,
  }) =>
    change === "type-removed" &&
    /^(Page|Pair|Tree|Maybe|[TU](_\d+)?)(<T>)?$/.test(subject.name),
  "an instance of a generic alias of the library has the alias's name": ({
    change,
    subject,
  }) =>
    change === "type-removed" &&
    /^(Exclude|Extract)(_\d+)?$/.test(subject.name),
  "an instance that contains itself has its name in another spelling": ({
    change,
    subject,
  }) => /^type-(removed|added|renamed)$/.test(change) && /</.test(subject.name),
  "the text of a template literal has no line break": ({
    change,
    before,
    after,
  }) =>
    change === "condition-changed" &&
    before?.replaceAll(".*", String.raw`[\s\S]*`) === after,
};

/**
 * Everything in which a schema.ts and the schema.json that was printed of it
 * differ and that no loss explains; that one cannot be read is a difference.
 * `found` gets the names of the losses. Without a schema.json, only the
 * schema.ts is read.
 */
export async function disagreement(
  text: string,
  json: object | null,
  found: Set<string> = new Set(),
): Promise<readonly string[]> {
  const written = await readText(text, { revision: "twin" });
  const printed =
    json === null
      ? written
      : readJson(JSON.stringify(json), { revision: "twin" });
  const errors = [...written.reports, ...printed.reports].filter(
    ({ severity }) => severity === "error",
  );
  if (written.protocol === null || printed.protocol === null)
    return errors.map(({ code, message }) => `${code} ${message}`);
  return diff(printed.protocol, written.protocol)
    .differences.filter((row) => {
      const loss = Object.keys(losses).find((name) => losses[name]?.(row));
      if (loss !== undefined) found.add(loss);
      return loss === undefined && row.change !== "restated";
    })
    .map((row) => JSON.stringify(row));
}
