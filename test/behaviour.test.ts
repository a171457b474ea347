import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const rows = [
  ...readFileSync(join(folder, "behaviour.md"), "utf8").matchAll(
    /^\| ([A-Z]+-\d+) *\| (.+?) *\| (\S.*?) *\|$/gm,
  ),
];
/** The ids in string literals, such as titles of tests, but not in comments. */
const named = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g)].flatMap(
      ([name]) => name.match(/\b[A-Z]+-\d+\b/g) ?? [],
    ),
  );
const namedIn = (path: string): Set<string> =>
  named(readFileSync(join(folder, path), "utf8"));
/**
 * The ids in each file of the runtime's tests, by its path from this folder.
 */
const carried = new Map(
  readdirSync(join(folder, "runtime"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `runtime/${path.replaceAll("\\", "/")}`)
    .map((path) => [path, namedIn(path)]),
);

describe("behaviour.md", () => {
  it("names for each requirement all test files with its id, or who is responsible for it", () => {
    expect(rows.length).toBeGreaterThan(250);
    const wrong = rows.filter(([, id = "", , where = ""]) => {
      const paths = [...where.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(
        ([, path = ""]) => path,
      );
      const here = [...carried]
        .filter(([, ids]) => ids.has(id))
        .map(([path]) => path);
      const elsewhere = paths.filter(
        (path) => !path.startsWith("runtime/") && namedIn(path).has(id),
      );
      if (paths.join() !== [...elsewhere, ...here.sort()].join()) return true;
      return paths.length === 0 && !/^left to \S.{10}/.test(where);
    });
    expect(wrong.map(([row]) => row)).toEqual([]);
  });

  it("states each requirement in one sentence", () => {
    const wrong = rows.filter(
      ([, , sentence = ""]) => !/^[^a-z].{15,}[^.]\.$/.test(sentence),
    );
    expect(wrong.map(([row]) => row)).toEqual([]);
  });

  it("has one row for each requirement", () => {
    const ids = rows.map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has a row for each id in the title of a test", () => {
    const ids = new Set(rows.map(([, id = ""]) => id));
    const sections =
      /^(JRPC|BATCH|LIFE|VERS|META|COMPAT|STDIO|HTTP|SESS|SSE|HDR|HSSE|DISC|MRTR|SUBS|CACHE|CANC|PROG|TIME|PAGE|PING|LOG|COMP|TOOL|SCHEMA|RES|PROMPT|TASK|XTASK|ROOT|SAMP|ELIC|EXT|APPS|SKILL|CUST|AUTH)-/;
    const idsWithoutRow = [...carried.values()]
      .flatMap((named) => [...named])
      .filter((id) => sections.test(id) && !ids.has(id));
    expect(idsWithoutRow).toEqual([]);
  });
});
