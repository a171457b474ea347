import yargs, { type Argv } from "yargs";
import { type CommandSpec, meaningOf, pageOf, showOperand } from "./command.js";
import { commands } from "./commands.js";
import { flagAliases, flagGroups, type FlagGroup, type FlagName, flagSpecs } from "./flag-specs.js";

/** The page on what all commands have. */
const guide = "https://github.com/mcpgen/mcpgen/blob/main/src/cli/README.md";

/** The help of a command, which fits a screen; without one, the list of commands. */
export async function helpText(command: CommandSpec | null, width: number): Promise<string> {
  const parser = yargs()
    .scriptName("mcpgen")
    .locale("en")
    .version(false)
    .help(false)
    .exitProcess(false)
    .wrap(width);
  if (command === null) describeProgram(parser);
  else describeCommand(parser, command);
  return await parser.getHelp();
}

function describeProgram(parser: Argv): void {
  parser.usage(
    "mcpgen --version <revision> --out <dir>\nmcpgen --version latest --out gen  # TypeScript of the newest revision",
  );
  for (const { name, describe } of commands) parser.command(name, describe);
  const common = Object.entries(flagSpecs).filter(([, { group }]) => group === "common");
  for (const [name, { describe }] of common) parser.option(name, { describe });
  parser.option("help", { alias: "h", describe: "after a command, show its flags and examples" });
  parser.option("V", { describe: "print the version of mcpgen" });
  parser.group([...common.map(([name]) => name), "help", "V"], `${flagGroups.common}:`);
  parser.epilogue(`Guide: ${guide}`);
}

function describeCommand(parser: Argv, command: CommandSpec): void {
  const { name, operands, describe, details, flags, examples, elsewhere = [] } = command;
  const usage = [name === "generate" ? "[generate]" : name, ...operands.map(showOperand)].join(" ");
  const sentence = `${describe.charAt(0).toUpperCase()}${describe.slice(1)}.`;
  parser.usage(`mcpgen ${usage}\n\n${[sentence, details].filter(Boolean).join("\n")}`);
  const own = flags.filter((flag) => !elsewhere.some((other) => other.flags.includes(flag)));
  for (const [group, title] of Object.entries(flagGroups)) {
    if (group === "common") continue;
    for (const flag of own.filter((flag) => groupOf(flag, command) === group)) {
      const alias = (flagAliases as Partial<Record<FlagName, readonly string[]>>)[flag] ?? [];
      parser.option(flag, { alias, describe: meaningOf(flag, command) });
      parser.group(flag, `${title}:`);
    }
  }
  // Two columns would wrap most lines.
  for (const [line, meaning] of examples) parser.example(`${line}  # ${meaning}`, "");
  const common = flags.filter((flag) => groupOf(flag, command) === "common");
  const more = `Also ${[...common, "help"].map((flag) => `--${flag}`).join(", ")}: see mcpgen --help.`;
  const others = elsewhere.map(
    (other) => `${other.flags.map((flag) => `--${flag}`).join(", ")}: see mcpgen ${other.command} --help.`,
  );
  parser.epilogue([...others, more, `Guide: ${pageOf(name)}`].join("\n"));
}

/** `--config` names a server for the commands that read one; for others, flags such as `--timeout` are about the run. */
function groupOf(flag: FlagName, { flags }: CommandSpec): FlagGroup {
  const { group } = flagSpecs[flag];
  if (flag === "config") return flags.includes("url") ? "server" : group;
  // `--resource` of `call` is what to read.
  if (group === "sign-in" && !flags.includes("account")) return "arguments";
  return group === "server" && !flags.includes("url") ? "run" : group;
}
