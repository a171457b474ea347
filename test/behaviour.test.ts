import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const rows = [
  ...readFileSync(join(folder, "behaviour.md"), "utf8").matchAll(/^\| ([A-Z]+-\d+) *\| (.+?) *\|$/gm),
];
/** Ids in the names of tests, as against those in comments. */
const named = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g)].flatMap(
      ([name]) => name.match(/\b[A-Z]+-\d+\b/g) ?? [],
    ),
  );
const namedIn = (path: string): Set<string> => named(readFileSync(join(folder, path), "utf8"));
/** The same for each file of the runtime's tests, by its path from here. */
const carried = new Map(
  readdirSync(join(folder, "runtime"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `runtime/${path.replaceAll("\\", "/")}`)
    .map((path) => [path, namedIn(path)]),
);

describe("behaviour.md", () => {
  it("names for each requirement all files whose tests carry its id, or says to whom it is left and why", () => {
    expect(rows.length).toBeGreaterThan(250);
    const wrong = rows.filter(([, id = "", where = ""]) => {
      const told = [...where.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => path);
      const here = [...carried].filter(([, ids]) => ids.has(id)).map(([path]) => path);
      const elsewhere = told.filter((path) => !path.startsWith("runtime/") && namedIn(path).has(id));
      if (told.join() !== [...elsewhere, ...here.sort()].join()) return true;
      return told.length === 0 && !/^left to \S.{10}/.test(where);
    });
    expect(wrong.map(([row]) => row)).toEqual([]);
  });

  it("speaks of each requirement once", () => {
    const ids = rows.map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("knows every id that a test carries", () => {
    const ids = new Set(rows.map(([, id = ""]) => id));
    const sections =
      /^(JRPC|BATCH|LIFE|VERS|META|COMPAT|STDIO|HTTP|SESS|SSE|HDR|HSSE|DISC|MRTR|SUBS|CACHE|CANC|PROG|TIME|PAGE|PING|LOG|COMP|TOOL|SCHEMA|RES|PROMPT|TASK|XTASK|ROOT|SAMP|ELIC|EXT|CUST)-/;
    const strays = [...carried.values()]
      .flatMap((named) => [...named])
      .filter((id) => sections.test(id) && !ids.has(id));
    expect(strays).toEqual([]);
  });
});
