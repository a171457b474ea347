import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const rows = [
  ...readFileSync(join(folder, "behaviour.md"), "utf8").matchAll(/^\| ([A-Z]+-\d+) *\| (.+?) *\|$/gm),
];
/** The text of each file of this folder, by its path from here. */
const texts = new Map(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")]),
);
const textOf = (path: string): string => texts.get(path) ?? readFileSync(join(folder, path), "utf8");
/** Ids in the names of tests, as against those in comments. */
const named = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/["'`][^"'`\n]*["'`]/g)].flatMap(([name]) => name.match(/\b[A-Z]+-\d+\b/g) ?? []),
  );

describe("behaviour.md", () => {
  it("names for each requirement the files whose tests carry its id, or says to whom it is left and why", () => {
    expect(rows.length).toBeGreaterThan(250);
    const wrong = rows.filter(([, id = "", where = ""]) => {
      const files = [...where.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = ""]) => file);
      if (files.length === 0) return !/^left to \S.{10}/.test(where);
      return !files.every((file) => named(textOf(file)).has(id));
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
    const strays = [...texts.values()]
      .flatMap((text) => [...named(text)])
      .filter((id) => sections.test(id) && !ids.has(id));
    expect(strays).toEqual([]);
  });
});
