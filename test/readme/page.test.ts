import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../repository.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("README.md");
const firstScreen = page.slice(0, page.indexOf("\n## How it works"));
const filesOf = (pattern: string): string[] =>
  execFileSync("git", ["ls-files", pattern], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block = ""]) => block);

describe("the first screen of the main page", () => {
  const [program = "", story = "", commands] = blocksOf(firstScreen);

  it("has the program, the commands that lead to it, and then the two that a fresh clone needs", () => {
    expect(blocksOf(firstScreen)).toHaveLength(3);
    expect(commands).toBe(
      "npm install && npx mcpgen --version 2025-03-26 --out ./gen\nnpm install && npm test\n",
    );
  });

  it("leads to the program by commands that the page explains further down", () => {
    const rest = page.slice(firstScreen.length);
    const lines = story.trim().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines.filter((line) => !rest.includes(line))).toEqual([]);
    expect(rest).toContain(`\nrun it: ${String(lines[1])}\n`);
  });

  it("has no line of code longer than 80 columns", () => {
    const lines = blocksOf(firstScreen).join("").split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it("shows under the mistake what the compiler prints further down, at the column that it names", () => {
    const lines = program.split("\n");
    const under = lines.findIndex((line) => /^\/\/ +~ /.test(line));
    const [marked = "", message] =
      /^\/\/ +~ (.+)$/.exec(lines[under] ?? "") ?? [];
    const column = marked.indexOf("~") + 1;
    expect(blocksOf(page)).toContain(
      `call.ts(${under},${column}): error TS2322: ${String(message)}\n`,
    );
  });

  it("shows under the right call what the program prints further down", () => {
    const [, printed] = /console\.log\(.+\);\n\/\/ (.+)\n/.exec(program) ?? [];
    expect(
      blocksOf(page).some((block) => block.startsWith(`${String(printed)}\n`)),
    ).toBe(true);
  });

  it("has five phrases in bold, each with a link to what it promises", () => {
    const phrases = [
      ...firstScreen.matchAll(/^- \*\*\[.+?\]\((.+?)\)\*\*: .+$/gm),
    ];
    expect(phrases).toHaveLength(5);
  });
});

describe("the main page", () => {
  it("links to every guide and every page of reference", () => {
    // The pages of add-ons are for developers, and src/README.md links to them;
    // that of MCP Apps is a guide, too. The page of the command line links to
    // those of commands.
    const isOfAddOn = (path: string): boolean =>
      /^src\/(?:runtime\/(?!apps\/)[^/]+|(?:cli\/)?commands\/[^/]+)\/README\.md$/.test(
        path,
      );
    const references = filesOf("src/*README.md").filter(
      (path) => !isOfAddOn(path),
    );
    const pages = [
      ...filesOf("test/examples/*README.md"),
      ...references,
      "schema/README.md",
    ];
    expect(pages.length).toBeGreaterThan(50);
    expect(
      pages.filter(
        (path) => !page.includes(`](${path})`) && !page.includes(`](${path}#`),
      ),
    ).toEqual([]);
  });

  it("installs in one place", () => {
    const installs = blocksOf(page).filter((block) =>
      /npm install (?!&&)/.test(block),
    );
    expect(installs).toHaveLength(1);
  });
});

describe("a page", () => {
  /** The pages that the project writes: those of test data have no links. */
  const pages = filesOf("*.md").filter(
    (path) => !/^test\/(golden|fixtures|keywords|oracle)\//.test(path),
  );
  /** The ids of a page: those of its headings are as GitHub makes them. */
  const idsOf = (text: string): string[] => {
    const seen = new Map<string, number>();
    const explicit = [...text.matchAll(/\bid="([^"]+)"/g)].map(
      ([, id = ""]) => id,
    );
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => {
      const id = title
        .replaceAll(/\[(.+?)\]\(.+?\)/g, "$1")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-");
      const count = seen.get(id) ?? 0;
      seen.set(id, count + 1);
      return count === 0 ? id : `${id}-${count}`;
    });
    return [...explicit, ...headings];
  };

  it.each(pages)("%s links only to files and headings that exist", (path) => {
    const text = read(path).replaceAll(/^```[^]*?^```$/gm, "");
    const links = [
      ...text.matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)/g),
    ];
    const broken = links.filter(([, file = "", id]) => {
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return (
        id !== undefined &&
        !idsOf(read(target)).includes(decodeURIComponent(id))
      );
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
