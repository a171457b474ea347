import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mcpgen } from "../cli/support.js";
import { filesIn } from "../files.js";
import { root } from "../repository.js";
import { compile } from "../view/compile.js";
import { sampled } from "../whole.js";
import { run } from "./kit/build.js";
import type { Job, Outcome } from "./kit/main.js";
import {
  anchorsOf,
  commandsOf,
  examples,
  extendedFolders,
  fencesOf,
  foldersOf,
  type Guide,
  jobsOf,
  linksOf,
  readGuides,
} from "./kit/pages.js";

const guides = readGuides();
/**
 * The guides whose programs run here; those of the others run with
 * `npm run test:adapters`.
 */
const ownGuides = guides.filter(({ needsPackages }) => !needsPackages);
const index = readFileSync(join(examples, "README.md"), "utf8");

/**
 * The guides whose programs have tests of their own, because they need other
 * servers or a browser.
 */
const otherGuides = ["auth/client", "auth/protect", "runtime/apps"].map(
  (name) => `src/${name}/README.md`,
);

/**
 * The guides whose clients start servers as processes. The other servers run in
 * the process of the test.
 */
const inProcesses = new Set(["stdio"]);

const jobs: Job[] = ownGuides.flatMap((guide) =>
  guide.programs
    .filter(({ output }) => output !== undefined)
    .flatMap((program) => jobsOf(guide, program, inProcesses.has(guide.name))),
);

const commands = guides.flatMap(({ name, text }) =>
  commandsOf(text).map(
    ({ command, output }) => [name, command, output] as const,
  ),
);

/**
 * The rows of the index about features: number, feature, link to a section,
 * link to a program, what is on the wire.
 */
const features = [
  ...index.matchAll(
    /^\| +(\d+) +\| (.+?) +\| \[.+?\]\((.+?)\) +\| \[.+?\]\((.+?)\) +\| `(.+?)` +\|$/gm,
  ),
].map(([, number, feature = "", section = "", program = "", wire = ""]) => ({
  number: Number(number),
  feature,
  section,
  program,
  wire,
}));

/** The guides whose programs `npm test` compiles. */
const compiled = new Set(["tools", "tasks"]);

/**
 * Tests for a program without packages that this repository lacks. The others
 * are compiled and run by a way (`npm run test:ways`).
 */
const isOwn = ({ text }: { readonly text: string }): boolean =>
  !text.includes('from "prom-client"');

/**
 * What a server logs comes through another pipe than its answers, so nothing
 * says which of them arrives first.
 */
function withLogsFirst(output: string): string {
  const lines = output.split("\n");
  const isLog = (line: string): boolean => line.startsWith("log: ");
  return [...lines.filter(isLog), ...lines.filter((line) => !isLog(line))].join(
    "\n",
  );
}

describe("the guides", () => {
  let folder = "";
  const outcomes = new Map<Job, Outcome>();

  beforeAll(async () => {
    // Inside the checkout, so that programs find the package `ajv`.
    mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
    folder = mkdtempSync(join(root, "node_modules/.cache/guides-"));
    const all = await run(ownGuides, jobs, folder);
    for (const [i, outcome] of all.entries())
      outcomes.set(jobs[i] as Job, outcome);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are all in the index, which has each of the 48 features of the SDK audit once", () => {
    for (const { name } of guides)
      expect(index).toContain(`](${name}/README.md)`);
    expect(features.map(({ number }) => number)).toEqual(
      Array.from({ length: 48 }, (_, i) => i + 1),
    );
  });

  const pages = [
    ...guides.map(({ name }) => `test/examples/${name}/README.md`),
    ...otherGuides,
  ];
  it.each(pages)(
    "%s begins with what the reader gets, names the revisions, and ends with what to read next",
    (path) => {
      const text = readFileSync(join(root, path), "utf8");
      expect(text).toMatch(/^# .+\n\nYou get /);
      expect(text).toMatch(/^\*\*Revisions\*\*: /m);
      const [last = ""] = text.split(/^## /m).slice(-1);
      expect(last).toMatch(/^Next\n/);
      expect(linksOf(last).length).toBeGreaterThan(0);
    },
  );

  it.each(guides.map((guide) => [guide.name, guide] as const))(
    "%s shows the whole text of each program beside it",
    (name, { programs }: Guide) => {
      const files = Object.entries(filesIn(join(examples, name))).filter(
        ([file]) => /^[\w-]+\.ts$/.test(file),
      );
      const shown = programs.map(({ file, text }) => [file, text]);
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(files));
    },
  );

  it("show the whole text of each file in a folder that their programs read", () => {
    const missing = guides.flatMap(({ name, text }) =>
      foldersOf(name).flatMap((place) =>
        Object.entries(filesIn(join(examples, name, place)))
          .filter(
            ([path, content]) =>
              /\.(md|ts)$/.test(path) &&
              !fencesOf(text).some((one) => one.text === content),
          )
          .map(([path]) => `${name}/${place}/${path}`),
      ),
    );
    expect(missing).toEqual([]);
    expect(foldersOf("skills")).toEqual(["skills"]);
  });

  it("have no TypeScript without the name of its file, which would not be checked", () => {
    const texts = guides.flatMap(({ text }) =>
      fencesOf(text).filter(({ language }) => language === "ts"),
    );
    expect(
      texts.filter(({ text }) => !/^\/\/ [\w-]+\.ts\n/.test(text)),
    ).toEqual([]);
  });

  const [, printed = ""] = /^npx tsc (.*?) server\.ts/m.exec(index) ?? [];
  const chosen: readonly {
    readonly name: string;
    readonly options?: ts.CompilerOptions;
  }[] = [
    { name: "the strictest options" },
    {
      name: `the options ${printed}`,
      options: ts.parseCommandLine(printed.split(" ")).options,
    },
  ];
  it.each(sampled(chosen, ({ options }) => options === undefined))(
    "have programs that compile with $name",
    ({ options }) => {
      const place = `../../${relative(root, folder).replaceAll("\\", "/")}/`;
      const some = sampled(ownGuides, ({ name }) => compiled.has(name));
      const texts = some.flatMap(({ name, programs }) =>
        programs.filter(isOwn).map(({ file, text }) => {
          const own = text
            .replaceAll("./gen/", "../../generated/")
            .replace(new RegExp(`\\./(?=(${extendedFolders})/)`, "g"), place);
          return [`${name}/${file}`, own] as const;
        }),
      );
      expect(compile(new Map(texts), ["node"], options)).toEqual([]);
    },
  );

  it.each(
    jobs.map(
      (job) =>
        [
          job.guide,
          job.file,
          job.revision ?? "the newest revision",
          job,
        ] as const,
    ),
  )("%s/%s prints in %s what the page says", (_guide, file, _revision, job) => {
    const { output, errors } = outcomes.get(job) as Outcome;
    const page = guides.find(({ name }) => name === job.guide) as Guide;
    // A member that an older revision does not have is left out with a warning,
    // and one names each page that a server refuses.
    expect(
      errors.replace(
        /^\[mcpgen\] Warning: .* (is left out, because revision|is not allowed\. To allow it,) .*\n/gm,
        "",
      ),
    ).toBe("");
    const expected =
      page.programs.find((program) => program.file === file)?.output ?? "";
    expect(withLogsFirst(output)).toBe(withLogsFirst(expected));
  });

  it.each(commands)(
    "%s shows what mcpgen %s prints",
    async (name, command, output) => {
      const place = join(folder, `${name}-commands`);
      cpSync(join(examples, name), place, { recursive: true });
      const { out, err } = await mcpgen(command.split(" "), {
        directory: place,
      });
      expect(out + err).toBe(output);
    },
  );

  it.each(features.map((row) => [row.number, row.feature, row] as const))(
    "%i, %s, is explained in a section and sent by its program",
    (_number, _feature, { section, program, wire }) => {
      const [page = "", anchor = ""] = section.split("#");
      expect(anchorsOf(readFileSync(join(examples, page), "utf8"))).toContain(
        anchor,
      );
      const [name = "", file = ""] = program.split("/");
      expect(existsSync(join(examples, name, file))).toBe(true);
      const sent = jobs
        .filter((job) => job.guide === name && job.file === file)
        .flatMap((job) => outcomes.get(job)?.wire ?? []);
      expect(sent.some((message) => message.includes(wire))).toBe(true);
    },
  );
});

describe("a page of this repository", () => {
  const pages = [
    "README.md",
    ...["schema", "src", "templates", "test"].flatMap((folder) =>
      pagesIn(folder),
    ),
  ];

  it.each(pages)(
    "%s has only links that lead to a file and a heading",
    (path) => {
      const text = readFileSync(join(root, path), "utf8");
      const broken = linksOf(text).filter((link) => {
        const [file = "", anchor] = link.split("#");
        const target =
          file === "" ? join(root, path) : join(root, dirname(path), file);
        if (!existsSync(target)) return true;
        return (
          anchor !== undefined &&
          !anchorsOf(readFileSync(target, "utf8")).includes(anchor)
        );
      });
      expect(broken).toEqual([]);
    },
  );

  it.each(pages)("%s has only JSON that can be parsed", (path) => {
    const blocks = fencesOf(readFileSync(join(root, path), "utf8")).filter(
      ({ language }) => language === "json",
    );
    for (const { text } of blocks)
      expect(() => JSON.parse(text) as unknown).not.toThrow();
  });
});

/** The pages in a folder of the repository, without those of packages. */
function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return ["node_modules", "dist"].includes(entry.name)
          ? []
          : pagesIn(path);
      return entry.name.endsWith(".md") ? [path] : [];
    },
  );
}
