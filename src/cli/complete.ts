import { resolve } from "node:path";
import {
  isList,
  isRecord,
  parseOrUndefined,
} from "../generator/ir/json/value.js";
import { bundledExtensions } from "../generator/read/index.js";
import { loadCodes } from "../generator/inputs/package.js";
import { knownRevisions } from "../generator/inputs/schemas.js";
import { readClientFiles } from "./clients/files.js";
import type { CommandSpec, OperandKind } from "./command.js";
import { readText } from "./destination/find.js";
import { commands, defaultCommand, flagSpecs, isSwitch } from "./commands.js";
import { flagAliases, type FlagName, namesOf, shells } from "./flag-specs.js";

/** A word that the shell may insert. */
interface Candidate {
  readonly text: string;
  /** What it means, in one line; empty for a value. */
  readonly about: string;
}

/**
 * The words that can replace the last word of a command line. Starts nothing
 * and runs no code of the user. Without candidates the shell completes the
 * names of files.
 */
export async function candidatesFor(
  line: readonly string[],
  directory: string,
): Promise<Candidate[]> {
  const words = withoutEquals(line);
  const current = words.pop() ?? "";
  const { command, operands, pendingFlag } = parseLine(words);
  const known = command ?? defaultCommand();
  const [, assigned, value = ""] = /^(--[a-z-]+)=(.*)$/s.exec(current) ?? [];
  const flag = assigned === undefined ? pendingFlag : flagNamed(assigned);
  if (flag !== null) {
    const prefix = assigned === undefined ? "" : `${assigned}=`;
    return (
      await valuesOf(
        flag,
        known,
        directory,
        assigned === undefined ? current : value,
      )
    ).map((text) => {
      return { text: prefix + text, about: "" };
    });
  }
  if (current.startsWith("-"))
    return flagsOf(known, words).filter(({ text }) => text.startsWith(current));
  const all = command === null && operands.length === 0 ? commandNames() : [];
  const last = command?.operands.at(-1);
  const kind = (
    command?.operands[operands.length] ??
    (last?.isList === true ? last : undefined)
  )?.kind;
  const values =
    kind === undefined ? [] : await wordsOf(kind, operands, directory);
  return [...all, ...plain(values)].filter(({ text }) =>
    text.startsWith(current),
  );
}

/**
 * Joins what bash splits: in `--runtime=package`, the sign is a word of its
 * own.
 */
function withoutEquals(line: readonly string[]): string[] {
  const isSign = (at: number): boolean =>
    line[at] === "=" && (line[at - 1] ?? "").startsWith("--");
  return line.flatMap((word, i) => {
    if (!isSign(i)) return [word];
    return i === line.length - 1 ? [""] : [];
  });
}

interface LineBeforeCursor {
  readonly command: CommandSpec | null;
  readonly operands: readonly string[];
  /** The flag whose value comes next. */
  readonly pendingFlag: FlagName | null;
}

/** Parses the words before the cursor. */
function parseLine(words: readonly string[]): LineBeforeCursor {
  const operands: string[] = [];
  let pendingFlag: FlagName | null = null;
  for (const word of words) {
    const flag: FlagName | null = pendingFlag === null ? flagNamed(word) : null;
    if (pendingFlag === null && flag === null && !word.startsWith("-"))
      operands.push(word);
    pendingFlag = flag === null || isSwitch(flag) ? null : flag;
  }
  const command = commands.find(({ name }) => name === operands[0]) ?? null;
  return {
    command,
    operands: command === null ? operands : operands.slice(1),
    pendingFlag,
  };
}

function flagNamed(word: string): FlagName | null {
  const name = word.replace(/^--?/, "");
  if (name === word) return null;
  const aliases = Object.entries(flagAliases).find(([, list]) =>
    list.includes(name),
  );
  if (aliases !== undefined) return aliases[0] as FlagName;
  return Object.hasOwn(flagSpecs, name) && word.startsWith("--")
    ? (name as FlagName)
    : null;
}

const commandNames = (): Candidate[] =>
  commands.map(({ name, describe }) => ({ text: name, about: describe }));

/** The flags of a command that can follow these words. */
function flagsOf(command: CommandSpec, words: readonly string[]): Candidate[] {
  const free = namesOf(command.flags).filter(
    (name) =>
      command.flags[name]?.list === true || !words.includes(`--${name}`),
  );
  const own = free.map((name) => ({
    text: `--${name}`,
    about: command.flags[name]?.describe ?? "",
  }));
  return [...own, { text: "--help", about: "show this help" }];
}

/**
 * The values of a flag that start with a text. In a list, the parts before the
 * last comma stay.
 */
async function valuesOf(
  flag: FlagName,
  command: CommandSpec,
  directory: string,
  text: string,
): Promise<string[]> {
  const { choices, list } = command.flags[flag] ?? flagSpecs[flag];
  const stem = list === true ? text.slice(0, text.lastIndexOf(",") + 1) : "";
  const all = choices ?? (await namesFor(flag, command, directory));
  return plain(all)
    .map((candidate) => stem + candidate.text)
    .filter((value) => value.startsWith(text));
}

async function namesFor(
  flag: FlagName,
  command: CommandSpec,
  directory: string,
): Promise<readonly string[]> {
  if (flag === "version") return [...(await revisions(directory)), "all"];
  if (flag === "extension")
    return (await bundledExtensions()).map(({ name }) => name);
  if (flag === "config" && command.flags["url"] !== undefined)
    return await entries(directory);
  return [];
}

async function wordsOf(
  kind: OperandKind,
  operands: readonly string[],
  directory: string,
): Promise<readonly string[]> {
  switch (kind) {
    case "revision":
      return await revisions(directory);
    case "server":
      return await entries(directory);
    case "tool":
      return await toolsIn(resolve(directory, operands[0] ?? ""));
    case "shell":
      return shells;
    case "code":
      return (await loadCodes()).map(({ code }) => code);
    default:
      return kind satisfies never;
  }
}

const revisions = async (directory: string): Promise<string[]> => [
  ...(await knownRevisions(directory)),
  "latest",
];

async function entries(directory: string): Promise<string[]> {
  const files = await readClientFiles(directory);
  return [...new Set(files.entries.map(({ name }) => name))];
}

/**
 * The tools of a snapshot; none for anything else, because completion starts no
 * server.
 */
async function toolsIn(path: string): Promise<string[]> {
  if (!path.endsWith(".json")) return [];
  const snapshot = parseOrUndefined((await readText(path)) ?? "");
  const tools = isRecord(snapshot) ? snapshot["tools"] : undefined;
  return isList(tools)
    ? tools.filter(isRecord).map(({ name }) => String(name))
    : [];
}

/**
 * The texts that no shell needs to quote. Others are left out, because they may
 * come from an untrusted file.
 */
function plain(texts: readonly string[]): Candidate[] {
  const isPlain = (text: string): boolean =>
    /^[\w@%+./][\w@%+,./#-]*$/.test(text);
  return texts.filter(isPlain).map((text) => ({ text, about: "" }));
}
