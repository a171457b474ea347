import yargs, { type Argv } from "yargs";
import {
  commandGroups,
  type CommandSpec,
  pageOf,
  showOperand,
} from "./command.js";
import { commands } from "./commands.js";
import { common, flagAliases, flagGroups, namesOf } from "./flag-specs.js";

/** The page on what all commands have. */
const guide = "https://github.com/mcpgen/mcpgen/blob/main/src/cli/README.md";

/**
 * The help of a command, which fits a screen; without one, the list of
 * commands.
 */
export async function helpText(
  command: CommandSpec | null,
  width: number,
): Promise<string> {
  const parser = yargs()
    .scriptName("mcpgen")
    .locale("en")
    .version(false)
    .help(false)
    .exitProcess(false)
    .wrap(width);
  if (command === null) describeProgram(parser);
  else describeCommand(parser, command);
  const help = await parser.getHelp();
  return command === null ? help.replace("\n\n", commandList) : help;
}

/** The commands by group, which yargs has no means for. */
function commandList(): string {
  const longest = Math.max(...commands.map(({ name }) => name.length));
  const groups = Object.entries(commandGroups).map(([group, title]) => {
    const lines = commands
      .filter((command) => command.group === group)
      .map(({ name, describe }) => `  ${name.padEnd(longest)}  ${describe}\n`);
    return `${title}:\n${lines.join("")}`;
  });
  return `\n\n${groups.join("")}\n`;
}

function describeProgram(parser: Argv): void {
  parser.usage(
    'mcpgen add "npx -y @modelcontextprotocol/server-everything"  # a typed client\nmcpgen --version latest --out gen  # TypeScript of the newest revision',
  );
  for (const [name, { describe }] of Object.entries(common))
    parser.option(name, { describe });
  parser.option("help", {
    alias: "h",
    describe: "after a command, show its flags and examples",
  });
  parser.option("V", { alias: "v", describe: "print the version of mcpgen" });
  parser.group([...namesOf(common), "help", "V"], `${flagGroups.common}:`);
  parser.epilogue(`Guide: ${guide}`);
}

function describeCommand(parser: Argv, command: CommandSpec): void {
  const {
    name,
    operands,
    describe,
    details,
    flags,
    examples,
    elsewhere = [],
  } = command;
  const usage = [
    name === "generate" ? "[generate]" : name,
    ...operands.map(showOperand),
  ].join(" ");
  const sentence = `${describe.charAt(0).toUpperCase()}${describe.slice(1)}.`;
  parser.usage(
    `mcpgen ${usage}\n\n${[sentence, details].filter(Boolean).join("\n")}`,
  );
  const own = namesOf(flags).filter(
    (flag) => !elsewhere.some((other) => other.flags.includes(flag)),
  );
  for (const [group, title] of Object.entries(flagGroups)) {
    if (group === "common") continue;
    for (const flag of own.filter((flag) => flags[flag]?.group === group)) {
      parser.option(flag, {
        alias: flagAliases[flag] ?? [],
        describe: flags[flag]?.describe ?? "",
      });
      parser.group(flag, `${title}:`);
    }
  }
  // Two columns would wrap most lines.
  for (const [line, meaning] of examples)
    parser.example(`${line}  # ${meaning}`, "");
  const last = namesOf(flags).filter((flag) => flags[flag]?.group === "common");
  const more = `Also ${[...last, "help"].map((flag) => `--${flag}`).join(", ")}: see mcpgen --help.`;
  const others = elsewhere.map(
    (other) =>
      `${other.flags.map((flag) => `--${flag}`).join(", ")}: see mcpgen ${other.command} --help.`,
  );
  parser.epilogue([...others, more, `Guide: ${pageOf(command)}`].join("\n"));
}
