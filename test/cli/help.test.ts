import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { addOns } from "../../src/cli/add-ons.js";
import { commands, flagSpecs } from "../../src/cli/commands.js";
import config from "../../src/cli/config/schema.json" with { type: "json" };
import {
  commandFlags,
  type CommandFlags,
  flagGroups,
  namesOf,
} from "../../src/cli/flag-specs.js";
import { parseArguments } from "../../src/cli/flags.js";
import { helpText } from "../../src/cli/help.js";
import { membersIn } from "../../src/cli/options.js";
import { stubParts } from "../../src/generator/stubs/parts.js";
import { allParts } from "../../src/generator/view/plan/parts.js";
import { root } from "../repository.js";

/**
 * The lines of a terminal that fit a help and the prompt below it, on most
 * screens.
 */
const maxLines = 32;
/** The list of commands has its groups, too. */
const maxLinesOfList = 37;

describe.each([80, 100])("the help on a terminal of %i columns", (width) => {
  it.each(
    [null, ...commands].map(
      (command) => [command?.name ?? "mcpgen", command] as const,
    ),
  )("fits a screen: %s", async (_, command) => {
    const lines = (await helpText(command, width)).split("\n");
    expect(lines.length).toBeLessThanOrEqual(
      command === null ? maxLinesOfList : maxLines,
    );
    expect(lines.filter((line) => line.length > width)).toEqual([]);
  });

  it.each(
    [null, ...commands].map(
      (command) => [command?.name ?? "mcpgen", command] as const,
    ),
  )("says what each flag is for: %s", async (_, command) => {
    const text = await helpText(command, width);
    const flags = text.match(/^ +(?:-\w, )?--[\w-]+.*$/gm) ?? [];
    if (command === null) expect(flags.length).toBeGreaterThan(3);
    for (const line of flags) expect(line).toMatch(/--[\w-]+ +\S+ \S/);
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    "shows at least two examples, each in a line of its own with its meaning: %s",
    async (_, command) => {
      const text = await helpText(command, width);
      const [, examples = ""] = /\nExamples:\n((?: {2}.*\n)+)/.exec(text) ?? [];
      const lines = examples.trimEnd().split("\n");
      expect(lines.length).toBeGreaterThanOrEqual(2);
      for (const line of lines)
        expect(line).toMatch(/^ {2}(?:.*\| )?mcpgen.* {2}# \S/);
    },
  );

  it.each(
    [null, ...commands].map(
      (command) => [command?.name ?? "mcpgen", command] as const,
    ),
  )(
    "ends with a link to its page, which begins with what to type: %s",
    async (name, command) => {
      const [, place = ""] =
        /\nGuide: https:\/\/github\.com\/mcpgen\/mcpgen\/\w+\/main\/(\S+)$/.exec(
          await helpText(command, width),
        ) ?? [];
      if (command === null) return expect(place).toBe("src/cli/README.md");
      const page = readFileSync(join(root, place, "README.md"), "utf8");
      const [, block] = /^# .+\n\n```\w+\n([^]*?)^```$/m.exec(page) ?? [];
      expect(block).toMatch(
        name === "generate"
          ? /\bmcpgen --version /
          : new RegExp(`\\bmcpgen ${name} `),
      );
    },
  );

  it.each(commands.map((command) => [command.name, command] as const))(
    "names every flag of the command once, and groups those that only some commands have: %s",
    async (_, { flags, elsewhere, ...command }) => {
      const text = await helpText(
        { flags, ...(elsewhere && { elsewhere }), ...command },
        width,
      );
      const [body = "", footer = ""] = text.split("\nExamples:\n");
      const below = footer.slice(footer.lastIndexOf("\n\n"));
      for (const flag of namesOf(flags)) {
        const isBelow =
          flagSpecs[flag].group === "common" ||
          elsewhere?.some((other) => other.flags.includes(flag)) === true;
        const places = [
          ...(isBelow ? below : body).matchAll(
            new RegExp(`^.*--${flag}(?![\\w-])`, "gm"),
          ),
        ];
        expect(places, flag).toHaveLength(1);
      }
      const titles: readonly string[] = Object.values(flagGroups).map(
        (title) => `${title}:`,
      );
      const shown = body.split("\n").filter((line) => titles.includes(line));
      expect(shown).toEqual(titles.filter((title) => shown.includes(title)));
    },
  );
});

describe("the help as people read it", () => {
  it("is the text of help.txt, for every command", async () => {
    const texts = await Promise.all(
      [null, ...commands].map((command) => helpText(command, 80)),
    );
    await expect(texts.join("\n\n\n")).toMatchFileSnapshot("help.txt");
  });
});

describe("the list of commands", () => {
  it("begins with the command that leads to a typed client, and the one that needs no server", async () => {
    expect(await helpText(null, 80)).toMatch(
      /^mcpgen add "npx .*" {2}# a typed client\nmcpgen --version latest --out gen {2}# \S/,
    );
  });

  it("has each command in one of four groups", async () => {
    const text = await helpText(null, 80);
    const titles = [...text.matchAll(/^(\w.*):$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      "Start",
      "Servers",
      "Revisions of the protocol",
      "Projects",
      "For every command",
    ]);
  });

  it("explains the flags of every command, to which the help of each command refers", async () => {
    const text = await helpText(null, 80);
    for (const [name, { group, describe }] of Object.entries(flagSpecs)) {
      if (group === "common")
        expect(text).toMatch(
          new RegExp(`--${name} +${describe.replace(/[()]/g, "\\$&")}`),
        );
    }
    for (const { name, describe } of commands)
      expect(text.replace(/ +/g, " ")).toContain(`\n ${name} ${describe}\n`);
  });
});

describe("the version of mcpgen", () => {
  it.each(["-V", "-v", "--version"])("is what %s alone asks for", (word) => {
    expect(parseArguments([word])).toEqual({ kind: "own version" });
  });
});

describe("a flag that the configuration has, too", () => {
  const { GenerateJob, ServerJob } = config.$defs;
  const { update, lint } = config.properties;

  const addOn = (name: string): CommandFlags =>
    addOns.find((command) => command.name === name)?.flags ?? {};

  it.each<[string, CommandFlags, object, readonly string[]]>([
    ["generate", commandFlags.generate, GenerateJob.properties, []],
    [
      "stubs",
      commandFlags.stubs,
      ServerJob.properties,
      ["snapshot", "source", "card", "outputTypes", "names", "scopes"],
    ],
    ["pull", commandFlags.pull, ServerJob.properties.source.properties, []],
    ["lint", addOn("lint"), lint.properties, []],
    ["update", addOn("update"), update.properties, ["folder", "tsconfig"]],
  ])("is there for each member but a few: %s", (_, flags, members, others) => {
    const set = Object.values(flags).map((flag) => flag?.sets?.member);
    expect(set).toEqual(
      expect.arrayContaining(
        Object.keys(members).filter((name) => !others.includes(name)),
      ),
    );
  });

  it.each([
    ["generate", GenerateJob.properties.emit.items.enum, allParts],
    ["stubs", ServerJob.properties.emit.items.enum, stubParts],
  ] as const)(
    "takes the parts that the program has: %s",
    (name, choices, parts) => {
      expect(choices).toEqual(parts);
      expect(commandFlags[name].emit.choices).toEqual(parts);
      expect(commandFlags[name].emit.describe).toContain(`${parts.join(", ")}`);
    },
  );

  it("has the value that the configuration has: a list, a number, a text or patterns", () => {
    const words =
      "stubs --exclude prompts:*,warn --unchecked a,b --header A:b,c --timeout 5 --name x";
    const request = parseArguments(words.split(" "));
    if (request.kind !== "run") throw new Error("The command was not parsed.");
    expect(membersIn(request.flags, commandFlags.stubs)).toEqual({
      exclude: { prompts: ["*"], tools: ["warn"] },
      unchecked: ["a", "b"],
      header: ["A:b,c"],
      timeout: 5,
      name: "x",
    });
  });
});

/**
 * An object in the types or in the schema of the configuration: its members,
 * which of them are required, and their texts.
 */
interface Shape {
  readonly members: readonly string[];
  readonly required: readonly string[];
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

interface Definition {
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly $ref?: string;
}

describe("the types of a configuration", () => {
  const text = readFileSync(join(root, "src/config.ts"), "utf8");
  const file = ts.createSourceFile(
    "config.ts",
    text,
    ts.ScriptTarget.Latest,
    true,
  );
  const interfaces = new Map(
    file.statements
      .filter(ts.isInterfaceDeclaration)
      .map((one) => [one.name.text, one] as const),
  );
  const membersOf = (name: string): readonly ts.PropertySignature[] => {
    const declaration = interfaces.get(name);
    const bases =
      declaration?.heritageClauses?.flatMap(({ types }) =>
        types.map((type) => type.getText()),
      ) ?? [];
    return [
      ...bases.flatMap(membersOf),
      ...(declaration?.members.filter(ts.isPropertySignature) ?? []),
    ];
  };
  const textsIn = (type: ts.TypeNode | undefined): string[] =>
    type !== undefined && ts.isUnionTypeNode(type)
      ? type.types
          .map((one) => one.getText())
          .filter((one) => one.startsWith('"'))
      : [];
  const shapeOfType = (name: string): Shape => {
    const members = membersOf(name).map(
      (member) => [member.name.getText(), member] as const,
    );
    const required = members.flatMap(([key, { questionToken }]) =>
      questionToken === undefined ? [key] : [],
    );
    const texts = members.map(
      ([key, { type }]) => [key, textsIn(type)] as const,
    );
    return {
      members: members.map(([key]) => key).sort(),
      required,
      texts: Object.fromEntries(texts.filter(([, list]) => list.length > 0)),
    };
  };

  const definitions = config.$defs as unknown as Readonly<
    Record<string, Definition>
  >;
  const shapeOfSchema = (definition: object): Shape => {
    const { properties = {}, required = [] } = definition as Definition;
    const members = Object.entries(properties).filter(
      ([key]) => key !== "$schema",
    );
    const texts = members.map(([key, { $ref = "", enum: own }]) => {
      const list = own ?? definitions[$ref.replace("#/$defs/", "")]?.enum ?? [];
      return [key, list.map((one) => JSON.stringify(one))] as const;
    });
    return {
      members: members.map(([key]) => key).sort(),
      required,
      texts: Object.fromEntries(texts.filter(([, list]) => list.length > 0)),
    };
  };
  const { ServerJob, GenerateJob, Selection } = config.$defs;
  const { source, names } = ServerJob.properties;

  it.each<[string, object]>([
    ["Config", config],
    ["GenerateJob", GenerateJob],
    ["ServerJob", ServerJob],
    ["ServerSource", source],
    ["NameOverrides", names],
    ["Selection", Selection],
    ["UpdateSettings", config.properties.update],
    ["LintSettings", config.properties.lint],
  ])(
    "have the members, the required ones and the fixed texts of its schema: %s",
    (name, definition) => {
      // The names of providers are data, which the types do not have.
      const { for: _, ...texts } = shapeOfSchema(definition).texts;
      expect(shapeOfType(name)).toEqual({
        ...shapeOfSchema(definition),
        texts,
      });
    },
  );
});
