import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.js";
import config from "../../src/cli/config/schema.json" with { type: "json" };
import {
  commandFlags,
  type FlagSpec,
  flagGroups,
  flagSpecs,
  namesOf,
  server,
} from "../../src/cli/flag-specs.js";
import { helpText } from "../../src/cli/help.js";
import { root } from "../repository.js";

/** The lines of a terminal that fit a help and the prompt below it, on most screens. */
const maxLines = 32;

describe.each([80, 100])("the help on a terminal of %i columns", (width) => {
  it.each([null, ...commands].map((command) => [command?.name ?? "mcpgen", command] as const))(
    "fits a screen: %s",
    async (_, command) => {
      const lines = (await helpText(command, width)).split("\n");
      expect(lines.length).toBeLessThanOrEqual(maxLines);
      expect(lines.filter((line) => line.length > width)).toEqual([]);
    },
  );

  it.each(commands.map((command) => [command.name, command] as const))(
    "shows at least two examples, each in a line of its own with its meaning: %s",
    async (_, command) => {
      const text = await helpText(command, width);
      const [, examples = ""] = /\nExamples:\n((?: {2}.*\n)+)/.exec(text) ?? [];
      const lines = examples.trimEnd().split("\n");
      expect(lines.length).toBeGreaterThanOrEqual(2);
      for (const line of lines) expect(line).toMatch(/^ {2}(?:.*\| )?mcpgen.* {2}# \S/);
    },
  );

  it.each([null, ...commands].map((command) => [command?.name ?? "mcpgen", command] as const))(
    "ends with a link to its page, which begins with what to type: %s",
    async (name, command) => {
      const [, place = ""] =
        /\nGuide: https:\/\/github\.com\/mcpgen\/mcpgen\/\w+\/main\/(\S+)$/.exec(
          await helpText(command, width),
        ) ?? [];
      if (command === null) return expect(place).toBe("src/cli/README.md");
      const page = readFileSync(join(root, place, "README.md"), "utf8");
      const [, block] = /^# .+\n\n```\w+\n([^]*?)^```$/m.exec(page) ?? [];
      expect(block).toMatch(name === "generate" ? /\bmcpgen --version / : new RegExp(`\\bmcpgen ${name} `));
    },
  );

  it.each(commands.map((command) => [command.name, command] as const))(
    "names every flag of the command once, and groups those that only some commands have: %s",
    async (_, { flags, elsewhere, ...command }) => {
      const text = await helpText({ flags, ...(elsewhere && { elsewhere }), ...command }, width);
      const [body = "", footer = ""] = text.split("\nExamples:\n");
      const below = footer.slice(footer.lastIndexOf("\n\n"));
      for (const flag of namesOf(flags)) {
        const isBelow =
          flagSpecs[flag].group === "common" ||
          elsewhere?.some((other) => other.flags.includes(flag)) === true;
        const places = [...(isBelow ? below : body).matchAll(new RegExp(`^.*--${flag}(?![\\w-])`, "gm"))];
        expect(places, flag).toHaveLength(1);
      }
      const titles: readonly string[] = Object.values(flagGroups).map((title) => `${title}:`);
      const shown = body.split("\n").filter((line) => titles.includes(line));
      expect(shown).toEqual(titles.filter((title) => shown.includes(title)));
    },
  );
});

describe("the list of commands", () => {
  it("begins with an example of the command that most people type first", async () => {
    expect(await helpText(null, 80)).toMatch(
      /^mcpgen --version <revision> .*\nmcpgen --version latest --out gen {2}# \S/,
    );
  });

  it("explains the flags of every command, to which the help of each command refers", async () => {
    const text = await helpText(null, 80);
    for (const [name, { group, describe }] of Object.entries(flagSpecs)) {
      if (group === "common")
        expect(text).toMatch(new RegExp(`--${name} +${describe.replace(/[()]/g, "\\$&")}`));
    }
    for (const { name, describe } of commands)
      expect(text.replace(/ +/g, " ")).toContain(`\n mcpgen ${name} ${describe}\n`);
  });
});

interface Member {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: Member;
  readonly $ref?: string;
}

describe("a flag that the configuration has, too", () => {
  const { GenerateJob, ServerJob } = config.$defs;
  const definitions = config.$defs as unknown as Readonly<Record<string, Member>>;
  const follow = (member: Member): Member => {
    const next = definitions[member.$ref?.replace("#/$defs/", "") ?? ""];
    return next === undefined ? member : follow(next);
  };
  const camelCase = (flag: string): string =>
    flag
      .replace("import-ext", "import-extension")
      .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

  it.each<[string, Readonly<Record<string, FlagSpec>>, object, readonly string[]]>([
    ["generate", commandFlags.generate, GenerateJob.properties, []],
    [
      "stubs",
      commandFlags.stubs,
      ServerJob.properties,
      ["snapshot", "source", "card", "for", "outputTypes", "names", "scopes"],
    ],
    ["pull", server, ServerJob.properties.source.properties, []],
    ["lint", commandFlags.lint, config.properties.lint.properties, []],
  ])("takes the same values there, and each member but a few has a flag: %s", (_, flags, members, others) => {
    const byMember = new Map(Object.entries(flags).map(([name, spec]) => [camelCase(name), spec]));
    for (const [name, given] of Object.entries(members) as [string, Member][]) {
      const [spec, member] = [byMember.get(name), follow(given)];
      if (others.includes(name)) continue;
      if (spec === undefined) throw new Error(`no flag for ${name}`);
      const isText = member.type === "string" || member.type === "number" || member.type === "integer";
      expect({ name, takes: spec.choices ?? "any" }).toEqual({ name, takes: member.enum ?? "any" });
      expect({ name, isList: spec.list === true }).toEqual({ name, isList: !isText && !member.enum });
    }
  });
});
