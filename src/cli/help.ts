import yargs from "yargs";
import type { CommandSpec, WordSpec } from "./command.js";
import { commands, defaultCommand } from "./commands.js";
import { flagAliases, flagSpecs, type FlagName, type FlagSpec } from "./flag-specs.js";

/** The help of a command; without one, the list of commands and the flags of the default one. */
export async function helpText(command: CommandSpec | null, width: number): Promise<string> {
  const parser = yargs()
    .scriptName("mcpgen")
    .locale("en")
    .version(false)
    .help(false)
    .exitProcess(false)
    .wrap(width);
  if (command === null) {
    parser.usage(
      "mcpgen --version <revision> --out <dir>\n\nReads a revision of the Model Context Protocol and writes TypeScript.",
    );
    for (const { name, words, describe } of commands)
      parser.command([name, ...words.map(showWord)].join(" "), describe);
    parser.option("V", { describe: "print the version of mcpgen" });
  } else {
    const usage = command.name === "generate" ? "[generate]" : command.name;
    parser.usage(`mcpgen ${[usage, ...command.words.map(showWord)].join(" ")}\n\n${command.describe}`);
  }
  const current = command ?? defaultCommand();
  for (const name of current.flags) {
    const spec: FlagSpec = flagSpecs[name];
    const aliases: Partial<Record<FlagName, readonly string[]>> = flagAliases;
    parser.option(name, {
      describe: current.meanings?.[name] ?? spec.describe,
      ...(aliases[name] === undefined ? {} : { alias: aliases[name] }),
      ...(spec.choices === undefined ? {} : { choices: spec.choices }),
    });
  }
  parser.option("help", { alias: "h", describe: "show this help" });
  for (const [line, meaning] of current.examples) parser.example(line, meaning);
  return await parser.getHelp();
}

/** A positional argument in the help. */
export function showWord({ name, required }: WordSpec): string {
  return required ? `<${name}>` : `[${name}]`;
}
