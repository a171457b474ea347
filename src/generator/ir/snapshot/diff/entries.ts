import type { JsonRecord } from "../model.js";
import { memberOf, show, unorderedText } from "./json.js";
import { deltaOf } from "../../change/delta.js";
import type { Delta } from "../../change/model.js";
import { step } from "../../compare/model.js";

/**
 * Compares the members of an entry that no program depends on, such as
 * descriptions and icons.
 */
export function compareTexts(
  old: JsonRecord,
  fresh: JsonRecord,
  comparedMembers: ReadonlySet<string>,
): Delta[] {
  const names = new Set(
    [...Object.keys(old), ...Object.keys(fresh)].filter(
      (name) => !comparedMembers.has(name),
    ),
  );
  return [...names].sort().flatMap((name): Delta[] => {
    const [before, after] = [memberOf(old, name), memberOf(fresh, name)];
    if (unorderedText(before) === unorderedText(after)) return [];
    const change =
      name === "description" ? "description-changed" : "words-changed";
    return [deltaOf(change, show(before), show(after), step(name))];
  });
}
