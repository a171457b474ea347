import parse from "yargs-parser";
import { suggestion } from "../generator/read/nearest.js";
import { showOperand, type CommandSpec } from "./command.js";
import { commands, defaultCommand, flagSpecs, isSwitch } from "./commands.js";
import { usageError } from "./command-error.js";
import { type Flags, wordsIn } from "./flag-values.js";
import {
  flagAliases,
  type FlagName,
  type FlagSpec,
  namesOf,
} from "./flag-specs.js";

/** The parsed command line. */
type Request =
  | {
      readonly kind: "run";
      readonly command: CommandSpec;
      readonly operands: readonly string[];
      readonly flags: Flags;
    }
  | { readonly kind: "help"; readonly command: CommandSpec | null }
  | { readonly kind: "own version" }
  /**
   * The words of a command line up to the cursor, from a script of
   * `mcpgen completion`.
   */
  | { readonly kind: "complete"; readonly line: readonly string[] };

const names = namesOf(flagSpecs);

/**
 * Parses a command line. Throws an error with a suggestion for an unknown word.
 */
export function parseArguments(argv: readonly string[]): Request {
  if (argv[0] === "--complete")
    return { kind: "complete", line: argv.slice(1) };
  const [only = ""] = argv.length === 1 ? argv : [];
  if (argv.includes("-V") || ["-v", "--version"].includes(only))
    return { kind: "own version" };
  const words = joinDashes(argv);
  const { positionals, values } = split(words, names);
  const [first, ...others] = positionals;
  const match = commands.find((command) => command.name === first);
  if (values.has("help") || first === "help") {
    const topic =
      first === "help"
        ? commands.find((command) => command.name === others[0])
        : match;
    return { kind: "help", command: topic ?? null };
  }
  if (match === undefined && first !== undefined) throw unknownCommand(first);
  if (match?.takesArguments === true) return requestWithArguments(match, words);
  const command = match ?? defaultCommand();
  checkFlags(command, values);
  const operands = match === undefined ? positionals : others;
  checkOperands(command, operands);
  return {
    kind: "run",
    command,
    operands,
    flags: makeFlags(values, command, []),
  };
}

/**
 * The request of a command with `takesArguments`, in which only its own flags
 * are flags.
 */
function requestWithArguments(
  command: CommandSpec,
  words: readonly string[],
): Request {
  const own = namesOf(command.flags);
  const { rest, others } = takeArguments(words, [...own, "help"]);
  const { positionals, values } = split(rest, own);
  checkFlags(command, values);
  const operands = positionals.slice(1);
  checkOperands(command, operands);
  return {
    kind: "run",
    command,
    operands,
    flags: makeFlags(values, command, others),
  };
}

/**
 * Takes `--<name> <value>` and `--<name>=<value>` out of a command line, for
 * each name that is not known.
 */
function takeArguments(
  words: readonly string[],
  known: readonly string[],
): { readonly rest: readonly string[]; readonly others: Flags["others"] } {
  const rest: string[] = [];
  const others: (readonly [string, string | null])[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "--") return { rest: [...rest, ...words.slice(i)], others };
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined || known.includes(name)) {
      rest.push(word);
      continue;
    }
    const next = words[i + 1];
    // A negative number is a value, too.
    const isNext =
      value === undefined &&
      next !== undefined &&
      /^(?:[^-]|-$|-[\d.]|$)/.test(next);
    others.push([name, value ?? (isNext ? next : null)]);
    if (isNext) i++;
  }
  return { rest, others };
}

interface Split {
  readonly positionals: readonly string[];
  /** By flag name, including `help`; a switch has no texts. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Splits a command line into words and these flags, under their main names. */
function split(words: readonly string[], known: readonly FlagName[]): Split {
  const switches = known.filter(isSwitch);
  const texts = known.filter((name) => !isSwitch(name));
  const aliases = Object.entries({ ...flagAliases, help: ["h"] }).map(
    ([name, others]): [string, string[]] => [name, [...others]],
  );
  const parsed: Readonly<Record<string, unknown>> = parse([...words], {
    string: [...texts, "_", "--"],
    boolean: [...switches, "help"],
    alias: Object.fromEntries(aliases),
    configuration: {
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "populate--": true,
      "strip-aliased": true,
    },
  });
  const values = new Map<string, string[]>();
  for (const [name, value] of Object.entries(parsed)) {
    if (name === "_" || name === "--" || value === undefined || value === false)
      continue;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    values.set(
      name,
      list.filter((entry) => typeof entry === "string"),
    );
  }
  const rest = parsed["--"];
  const positionals = [...list(parsed["_"]), ...list(rest)];
  return { positionals, values };
}

/**
 * Joins a flag with a value that begins with a dash, which yargs-parser would
 * read as a word of its own: `-`, and an argument such as `-depth=2` after
 * `--arg`.
 */
function joinDashes(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const isValue = (i: number): boolean => {
    const [flag = "", word = ""] = [argv[i - 1], argv[i]];
    if (end !== -1 && i > end) return false;
    if (flag === "--arg") return /^-.*=/s.test(word);
    return (
      word === "-" &&
      names.some((name) => !isSwitch(name) && flag === `--${name}`)
    );
  };
  return argv.flatMap((word, i) => {
    if (isValue(i)) return [];
    return [isValue(i + 1) ? `${word}=${argv[i + 1]}` : word];
  });
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function checkFlags(command: CommandSpec, values: Split["values"]): void {
  for (const [name, texts] of values) {
    const dashes = name.length === 1 ? "-" : "--";
    const spec = Object.hasOwn(command.flags, name)
      ? command.flags[name as FlagName]
      : undefined;
    if (spec === undefined) throw unknownFlag(command, `${dashes}${name}`);
    if (!isSwitch(name as FlagName)) checkValue(name, spec, texts);
  }
}

function checkValue(
  name: string,
  spec: FlagSpec,
  texts: readonly string[],
): void {
  const { choices } = spec;
  const words =
    spec.list === true && choices !== undefined ? wordsIn(texts) : texts;
  if (words.length === 0 || texts.some((text) => text.trim() === "")) {
    if (name === "version") {
      throw usageError(
        "MG702",
        "--version needs a revision",
        "use latest, all, or a revision from mcpgen list; mcpgen --version alone prints the version of mcpgen",
      );
    }
    throw usageError(
      "MG702",
      `--${name} needs a value`,
      `for example --${name} <${spec.value ?? choices?.join("|")}>`,
    );
  }
  if (texts.length > 1 && spec.list !== true) {
    throw usageError(
      "MG702",
      `--${name} is set ${texts.length} times`,
      "set it once",
    );
  }
  const wrong =
    choices === undefined
      ? undefined
      : words.find((word) => !choices.includes(word));
  if (choices === undefined || wrong === undefined) return;
  const message = `--${name} must be one of ${choices.join(", ")}; found "${wrong}"`;
  throw usageError("MG702", message, suggestion(wrong, choices));
}

function checkOperands(
  command: CommandSpec,
  operands: readonly string[],
): void {
  const missing = command.operands
    .slice(operands.length)
    .filter(({ isRequired }) => isRequired);
  if (missing.length > 0) {
    const [[example]] = command.examples;
    throw usageError(
      "MG703",
      `mcpgen ${command.name} needs ${missing.map(showOperand).join(" and ")}`,
      `for example: ${example.replace("$0", "mcpgen")}`,
    );
  }
  const extra = operands.slice(command.operands.length);
  if (extra.length === 0 || command.operands.at(-1)?.isList === true) return;
  throw usageError(
    "MG703",
    `mcpgen ${command.name} does not accept ${extra.map((operand) => `"${operand}"`).join(", ")}`,
    command.gone?.["operand"] ??
      `mcpgen ${command.name} --help shows its usage`,
  );
}

function unknownCommand(word: string): Error {
  const names = commands.map((command) => command.name);
  return usageError(
    "MG703",
    `unknown command "${word}"`,
    suggestion(word, names, (near) => `mcpgen ${near}`) ??
      "mcpgen --help lists the commands",
  );
}

/** The error for a flag, with its dashes, that a command does not have. */
function unknownFlag(command: CommandSpec, flag: string): Error {
  const name = flag.replace(/^--?/, "");
  const isOfOther = Object.hasOwn(flagSpecs, name);
  const known = [...namesOf(command.flags), "help", "revision"];
  const hint = suggestion(name, isOfOther ? [] : known, (near) => `--${near}`);
  return usageError(
    "MG701",
    isOfOther
      ? `mcpgen ${command.name} has no flag ${flag}`
      : `unknown flag ${flag}`,
    command.gone?.[flag] ??
      hint ??
      `mcpgen ${command.name} --help lists the flags`,
  );
}

function makeFlags(
  values: Split["values"],
  command: CommandSpec,
  others: Flags["others"],
): Flags {
  return {
    known: namesOf(command.flags),
    others,
    unknown: (flag) => unknownFlag(command, flag),
    text: (name) => values.get(name)?.join(",") ?? null,
    texts: (name) => values.get(name) ?? [],
    list: (name) => wordsIn(values.get(name) ?? []),
    on: (name) => values.has(name),
  };
}
