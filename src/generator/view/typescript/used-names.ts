import type { Code } from "./code.js";
import { isList, type Layout } from "./layout.js";

/**
 * A literal, or the rest of a line after a quote that has no end, such as an
 * apostrophe in a comment.
 */
const stringLiteral = /"(?:[^"\\\n]|\\.)*("?)|'(?:[^'\\\n]|\\.)*('?)/g;

/** The names that some code uses outside of its literals. */
export function usedNames(
  bodies: readonly Code[],
  names: readonly string[],
): ReadonlySet<string> {
  let missing = names;
  let word = wordOf(missing);
  for (const { layout } of bodies) {
    const bare = textOf(layout).replace(
      stringLiteral,
      (match, double = "", single = "") => {
        const isClosed = double + single !== "";
        return isClosed ? "" : match;
      },
    );
    if (!word.test(bare)) continue;
    missing = missing.filter((name) => !wordOf([name]).test(bare));
    if (missing.length === 0) break;
    word = wordOf(missing);
  }
  return new Set(names.filter((name) => !missing.includes(name)));
}

/** All text of a layout, in any order. */
function textOf(layout: Layout): string {
  const texts: string[] = [];
  const open: Layout[] = [layout];
  for (const next of open) {
    if (typeof next === "string") texts.push(next);
    else if (isList(next)) {
      for (const part of next) {
        if (typeof part === "string") texts.push(part);
        else open.push(part);
      }
    } else if (next.kind === "ifBreak") open.push(next.broken, next.flat);
    else if (next.kind !== "line" && next.kind !== "comment")
      open.push(next.of);
  }
  return texts.join("\n");
}

function wordOf(names: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${names.join("|")})\\b`);
}
