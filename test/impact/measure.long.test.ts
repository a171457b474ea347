import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { changes } from "./changes.js";
import { impact, project } from "./kit.js";

const texts = new Map(
  ["client", "server", "host"].map((name) => [
    `src/${name}.ts`,
    readFileSync(new URL(`programs/${name}.ts`, import.meta.url), "utf8"),
  ]),
);

/** What a comment in a program says of the next line. */
interface Mark {
  /** "src/client.ts:12". */
  readonly at: string;
  readonly change: string;
  /** `!`: the line does not compile after the change. */
  readonly isError: boolean;
  /** `?`: the report does not name the line yet. */
  readonly isMissed: boolean;
  /**
   * A word of the sentence that must name the cause. `?` behind it: the
   * sentence does not have it yet.
   */
  readonly cause: string;
  readonly isUnexplained: boolean;
}

/**
 * The marks of all programs, such as `// touched by members! (isError), limits?
 * (hints), values (verbose?)`.
 */
const marks = marked("touched by").map(({ at, entry }): Mark => {
  const [, change = "", sign = "", cause = "", end = ""] =
    /^(\w+)([!?]?) \((.+?)(\??)\)$/.exec(entry) ?? [];
  if (!changes.some(({ name }) => name === change))
    throw new Error(`${at}: no change in "${entry}"`);
  return {
    at,
    change,
    isError: sign === "!",
    isMissed: sign === "?",
    cause,
    isUnexplained: end === "?",
  };
});

/**
 * Lines that the report names although they need no change, marked by
 * `// not touched by methods`.
 */
const superfluous = marked("not touched by");

function marked(
  words: string,
): readonly { readonly at: string; readonly entry: string }[] {
  return [...texts].flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => {
      const list = line.trim().startsWith(`// ${words} `)
        ? line.trim().slice(words.length + 4)
        : "";
      const at = `${file}:${index + 2}`;
      return list === ""
        ? []
        : list.split(", ").map((entry) => ({ at, entry }));
    }),
  );
}

const sorted = (lines: Iterable<string>): string[] =>
  [...new Set(lines)].sort();

/** "found of all". */
type Share = `${number}/${number}`;
const table: {
  change: string;
  compiler: Share;
  others: Share;
  causes: Share;
  false: number;
}[] = [];

afterAll(() => {
  console.table(table);
});

describe("the lines that the report names in three programs", () => {
  it.each(changes)(
    "are those that the change touches: $name",
    async ({ name, before, after }) => {
      const { lines } = await impact(
        project(await before(), Object.fromEntries(texts)),
        await after(),
      );
      const sentences = new Map<string, string>();
      for (const { file, line, change } of lines) {
        const at = `${file}:${line}`;
        sentences.set(at, `${sentences.get(at) ?? ""} ${change.toLowerCase()}`);
      }
      const own = marks.filter(({ change }) => change === name);
      const touched = sorted(own.map(({ at }) => at));
      const errors = sorted(
        own.filter(({ isError }) => isError).map(({ at }) => at),
      );
      const extra = [...sentences.keys()].filter((at) => !touched.includes(at));
      const isExplained = ({ at, cause }: Mark): boolean =>
        sentences.get(at)?.includes(cause.toLowerCase()) === true;
      const share = (all: readonly string[]): Share =>
        `${all.filter((at) => sentences.has(at)).length}/${all.length}`;
      table.push({
        change: name,
        compiler: share(errors),
        others: share(touched.filter((at) => !errors.includes(at))),
        causes: `${own.filter(isExplained).length}/${own.length}`,
        false: extra.length,
      });

      const ofCompiler = lines
        .filter(({ kind }) => kind === "type")
        .map(({ file, line }) => `${file}:${line}`);
      expect(sorted(ofCompiler), "lines that do not compile").toEqual(errors);
      expect(
        touched.filter((at) => !sentences.has(at)),
        "missed lines",
      ).toEqual(
        sorted(own.filter(({ isMissed }) => isMissed).map(({ at }) => at)),
      );
      expect(sorted(extra), "superfluous lines").toEqual(
        sorted(
          superfluous.filter(({ entry }) => entry === name).map(({ at }) => at),
        ),
      );
      expect(
        own
          .filter((mark) => !isExplained(mark) && !mark.isMissed)
          .map(({ at, cause }) => `${at} ${cause}`),
        "lines with another cause",
      ).toEqual(
        own
          .filter(({ isUnexplained }) => isUnexplained)
          .map(({ at, cause }) => `${at} ${cause}`),
      );
    },
  );
});
