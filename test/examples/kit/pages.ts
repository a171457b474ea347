import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { revisions, root } from "../../repository.js";
import type { Job } from "./main.js";

/** The folder of the guides. */
export const examples: string = join(root, "test/examples");

/** The folders that pages generate with an extension, by its name or path. */
export const extended: Readonly<Record<string, string>> = {
  tasks: "tasked",
  skills: "skilled",
  [join(examples, "draft/schemas/groups.ts")]: "grouped",
  [join(examples, "draft/schemas/outputs.ts")]: "outputs",
};

/** The same folders as a part of a regular expression. */
export const extendedFolders: string = Object.values(extended).join("|");

/** The folders beside the page of a guide. */
export const foldersOf = (guide: string): string[] =>
  readdirSync(join(examples, guide), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => name);

/**
 * A program of a page: its whole text, and what the page says that it prints.
 */
export interface Program {
  readonly file: string;
  readonly text: string;
  /** Undefined for a program that prints nothing, such as a server. */
  readonly output: string | undefined;
}

/** A guide: `test/examples/<name>/README.md` and the programs beside it. */
export interface Guide {
  readonly name: string;
  readonly text: string;
  /** The revisions in which its programs run, as its second line says. */
  readonly revisions: readonly string[];
  /**
   * True if its programs need packages of others, which `npm run test:adapters`
   * installs.
   */
  readonly needsPackages: boolean;
  readonly programs: readonly Program[];
}

/** A fenced block. */
interface Fence {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page in order. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({
      language,
      text,
    }),
  );
}

/** The links of a page to files of the repository, without those in code. */
export function linksOf(page: string): string[] {
  const prose = page
    .replace(/^```[^]*?^```$/gm, "")
    .replace(/(?<!\[)`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of a page: its headings, as hosting sites name them. */
export function anchorsOf(page: string): string[] {
  const prose = page.replace(/^```[^]*?^```$/gm, "");
  const written = [...prose.matchAll(/<a id="([^"]*)">/g)].map(
    ([, id = ""]) => id,
  );
  const made = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...written, ...made];
}

/** The guides, which are the folders whose page has a line on revisions. */
export function readGuides(): Guide[] {
  return readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const text = readOptional(join(examples, name, "README.md"));
      const line = /^\*\*Revisions\*\*: (.+)\.$/m.exec(text ?? "")?.[1];
      return text === undefined || line === undefined
        ? []
        : [
            {
              name,
              text,
              revisions: revisionsIn(line),
              needsPackages: /^\*\*Packages\*\*: /m.test(text),
              programs: programsOf(text),
            },
          ];
    });
}

/**
 * The programs of a page. A block belongs to the file that its first line names
 * (`// client.ts`); several blocks of a file follow each other there. A block
 * of text is the output of the program above it.
 */
export function programsOf(page: string): Program[] {
  const texts = new Map<string, string[]>();
  const outputs = new Map<string, string>();
  let last: string | undefined;
  for (const { language, text } of fencesOf(page)) {
    const [, file, body = ""] = /^\/\/ ([\w-]+\.ts)\n([^]*)$/.exec(text) ?? [];
    if (language === "ts" && file !== undefined) {
      texts.set(file, [...(texts.get(file) ?? []), body]);
      last = file;
    } else if (language === "text" && last !== undefined) {
      outputs.set(last, (outputs.get(last) ?? "") + text);
    }
  }
  return [...texts].map(([file, parts]) => ({
    file,
    text: parts.join("\n"),
    output: outputs.get(file),
  }));
}

/** The commands that a page shows with their output: `$ mcpgen …`. */
export function commandsOf(
  page: string,
): { readonly command: string; readonly output: string }[] {
  return fencesOf(page).flatMap(({ language, text }) => {
    const [, command, output = ""] =
      /^\$ mcpgen (.*)\n([^]*)$/.exec(text) ?? [];
    return language === "console" && command !== undefined
      ? [{ command, output }]
      : [];
  });
}

/**
 * The runs of a program: once as in a user's project, where both sides agree on
 * the newest revision, and once in each older revision of the page, unless the
 * program chooses a revision itself.
 */
export function jobsOf(
  { name, revisions: own, programs }: Guide,
  program: Program,
  inProcesses: boolean,
): Job[] {
  const { file, text } = program;
  // A client that starts no server needs one that listens.
  const before = text.includes("@mcpgen/runtime/stdio")
    ? undefined
    : programs.find((one) => one.file === "server.ts");
  const choosesItself = new RegExp(
    String.raw`from "./(gen/\d{4}-\d\d-\d\d|${extendedFolders})/|\b(mode|revisions): ["[]`,
  ).test(text);
  const older =
    inProcesses || choosesItself
      ? []
      : own.filter((revision) => revision !== revisions.at(-1));
  return [undefined, ...older].map((revision) => ({
    guide: name,
    file,
    before: before?.file,
    revision,
    inProcesses,
  }));
}

/**
 * The revisions that a line names: `all`, `since <revision>`,
 * `before <revision>`, or one of them.
 */
function revisionsIn(line: string): string[] {
  const [word = "", date = ""] = line.split(" ");
  const chosen = revisions.filter(
    (revision) =>
      word === "all" ||
      word === revision ||
      (word === "since" && revision >= date) ||
      (word === "before" && revision < date),
  );
  if (chosen.length === 0 || (date !== "" && !revisions.includes(date)))
    throw new Error(`"**Revisions**: ${line}." names no bundled revision.`);
  return chosen;
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
