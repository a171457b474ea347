// The text of test/examples/generated-sdk/README.md. Every figure is counted or
// was measured; this file has none.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../../test/repository.js";
import type { Measured } from "./measure.js";

/** What a run of `npm run experiment` found. */
export interface Results {
  readonly date: string;
  readonly node: string;
  readonly suite: string;
  /** The command lines of the suite, one for each side of a revision. */
  readonly commands: readonly string[];
  readonly generated: readonly {
    readonly command: string;
    readonly files: number;
    readonly lines: number;
  }[];
  readonly runs: readonly {
    readonly client: string;
    readonly transport: string;
    readonly output: string;
  }[];
  /** The scenarios of a revision. */
  readonly scenarios: readonly {
    readonly side: string;
    readonly revision: string;
    readonly passed: number;
    readonly total: number;
  }[];
  /** Those of the extensions. */
  readonly extensions: readonly {
    readonly name: string;
    readonly passes: boolean;
  }[];
}

export const page = "test/examples/generated-sdk/README.md";

const count = (value: number): string => value.toLocaleString("en");
const lines = (value: number): string =>
  `${count(value)} ${value === 1 ? "line" : "lines"}`;
const rows = (value: number): string => (value === 0 ? "none" : count(value));
const code = (value: unknown): string =>
  `\`${JSON.stringify(value).replaceAll(",", ", ")}\``;
const table = (
  head: readonly string[],
  body: readonly (readonly string[])[],
): string =>
  [head, head.map(() => "---"), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
const fileLink = (path: string): string =>
  `[${path.replace(/^.*\//, "")}](../../../src/${path})`;

function program(path: string): string {
  const text = readFileSync(
    join(root, "test/examples/generated-sdk", path),
    "utf8",
  );
  return `\`${path}\`:\n\n\`\`\`typescript\n${text}\`\`\``;
}

/** The page, as Prettier formats it. */
export async function report(
  measured: Measured,
  results: Results,
): Promise<string> {
  const { layers, revisions, proposals, defects, tables, extensions, written } =
    measured;
  const total = (all: readonly { readonly lines: number }[]): number =>
    all.reduce((sum, one) => sum + one.lines, 0);
  const newest = revisions.at(-1)?.name ?? "";
  const passed = results.scenarios.reduce((sum, one) => sum + one.passed, 0);
  const all = results.scenarios.reduce((sum, one) => sum + one.total, 0);
  const output = (client: string): string => {
    const [first, ...others] = results.runs.filter(
      (run) => run.client === client,
    );
    if (
      first === undefined ||
      others.some((run) => run.output !== first.output)
    )
      throw new Error(`${client} does not print the same over each transport.`);
    return first.output;
  };
  const costRow = (one: Measured["proposals"][number]): string[] => [
    one.sep === null
      ? "–"
      : `[SEP-${one.sep}](https://github.com/modelcontextprotocol/modelcontextprotocol/pull/${one.sep})`,
    one.what,
    [
      one.factRows === 0 ? "" : count(one.factRows),
      (one.members ?? []).map((name) => `\`${name}\``).join(", "),
    ]
      .filter((part) => part !== "")
      .join(" and ") || "none",
    one.requirements === null
      ? "no measure"
      : one.files.length === 0
        ? "none"
        : `${lines(one.fileLines)}: ${one.files.map(fileLink).join(", ")}`,
    one.requirements === null
      ? "no measure"
      : one.places === 0
        ? "none"
        : `${lines(one.elsewhere)} in ${one.places}`,
    one.note ?? "",
  ];

  const text = `
# A generated SDK: the report

You get the figures of an experiment that the [roadmap of the protocol](https://modelcontextprotocol.io/development/roadmap) asks for. It generates an SDK and its quickstarts
from the specification, and finds out which layers a program can write. \`npm run experiment\` repeats it and writes this page, with every
figure. It needs a clone, and takes some minutes on a machine that does nothing else; \`npm run experiment -- report\` writes the page from the
[results](results.json) of the last run.

This is the run of ${results.date} with Node.js ${results.node.replace("v", "")} and version ${results.suite} of the conformance suite. Lines are lines of code, without comments and blank lines.

## The quickstarts

A weather server, its client, and a client of any server. [A snapshot](weather.mcp.json) describes the two tools of the server. These commands
generate:

${table(
  ["command", "files", "code"],
  results.generated.map((one) => [
    `\`npx ${one.command}\``,
    count(one.files),
    lines(one.lines),
  ]),
)}

A person writes ${lines(total(written))}, in ${count(written.length)} files: ${written.map(({ path, lines: own }) => `[${path.replace(/^src\//, "")}](${path}) (${own})`).join(", ")}. These are a
handler and the client:

${program("src/weather/handlers/tools/get-alerts.ts")}

${program("src/client.ts")}

The client prints this over stdio and over HTTP:

\`\`\`text
${output("client")}\`\`\`

[The client of any server](src/any-client.ts) uses only what the schemas say. It connects in each revision, also over both transports:

\`\`\`text
${output("any-client")}\`\`\`

## The layers

${table(
  ["layer", "who writes it", "code"],
  [
    [
      "types, guards, tables, clients, servers of all revisions",
      "generated from the schemas",
      lines(layers.generated),
    ],
    [
      "what no schema says, for all revisions",
      "by hand: [facts.ts](../../../src/generator/ir/facts.ts)",
      lines(layers.facts),
    ],
    [
      "what no schema says, for one revision",
      "by hand: `facts.json`",
      lines(layers.factFiles),
    ],
    [
      "helpers that are copied beside generated files",
      "by hand: [copied](../../../src/README.md)",
      lines(layers.copied),
    ],
    [
      "the core of the runtime: both sides, both eras, stdio and HTTP",
      "by hand",
      lines(layers.core),
    ],
    [
      "the generator with its command line",
      "by hand; no program contains it",
      lines(layers.generator),
    ],
    [
      "its templates",
      "by hand; no program contains them",
      lines(layers.templates),
    ],
  ],
)}

In the core, ${layers.parts.map((part) => `\`${part.name}\` has ${lines(part.lines)}`).join(", ")}. The rest is \`ports\`, errors and functions that other packages use
too. Only revisions that open with \`initialize\` need ${lines(layers.eras.legacy)} of it, and only those without need ${lines(layers.eras.modern)}. An add-on is in a
program that imports it:

${table(
  ["add-on", "code"],
  layers.addOns.map((one) => [
    one.name.startsWith("@")
      ? `[\`${one.name}\`](../../../src/auth/README.md)`
      : `[${one.name}](../../../src/runtime/${one.name}/README.md)`,
    lines(one.lines),
  ]),
)}

So the layers of messages are generated: their types and guards, the table of methods, the client, the server. The layers of behaviour are not: when to send,
what to do when nothing comes back, and whom to trust. The specification says these in prose, and ${count(measured.requirements)} rows of
[behaviour.md](../../behaviour.md) say which test proves each.

## What each revision costs

${table(
  [
    "revision",
    "declarations in its schema",
    "generated",
    "new rows in `facts.ts`",
    "members of `facts.json`",
    "files of `src/` that name it",
  ],
  revisions.map((one) => [
    one.name,
    count(one.declarations),
    lines(one.generated),
    rows(one.facts),
    count(one.members),
    rows(one.named),
  ]),
)}

A row is new with the first revision whose result is another one without it. The first revision also needs what all revisions have in common. The
extensions need more: ${extensions.map((one) => `${one.name} ${rows(one.facts)}`).join(", ")}.

## What each proposal of ${newest} costs

Comments in the code name the requirements of [behaviour.md](../../behaviour.md). A file counts in full for a proposal if it meets two conditions. More than half of the
requirements that it names are of the proposal, and the declarations that name them are a fifth of its code. In the other files, only these declarations count; they may do
other work too, so that one may count for two proposals. What names no requirement is not counted: the true cost is higher.

${table(["proposal", "what", "facts", "files of its own", "declarations elsewhere", "note"], proposals.map(costRow))}

"No measure" means that no requirement is about this proposal alone, so that any figure would be a guess.

## Faults of the specification

Generating from \`schema.ts\` and from \`schema.json\` must give the same. These are the differences, in which \`schema.json\` is wrong (\`json-defects.json\` beside each
schema):

${table(
  ["where", "revisions", "found", "right", "reason"],
  defects.map((one) => [
    `\`${one.pointer ?? one.rule ?? ""}\``,
    one.revisions.length === revisions.length
      ? "all"
      : one.revisions.join(", "),
    one.found === undefined ? "" : code(one.found),
    one.right === undefined ? "" : code(one.right),
    one.reason,
  ]),
)}

## What no schema says

A generator needs ${count(tables.reduce((sum, one) => sum + one.rows, 0))} rows about meaning that no schema has, in ${count(tables.length)} tables of
[facts.ts](../../../src/generator/ir/facts.ts).

${table(
  ["table", "rows", "what it says"],
  tables.map((one) => [
    `\`${one.name}\``,
    count(one.rows),
    one.says.replace(/:$/, "."),
  ]),
)}

## Conformance

The [server and the client of the suite](../../conformance/server.ts) are programs on the same generated files.

${table(
  ["side", "revision", "scenarios that pass"],
  results.scenarios.map((one) => [
    one.side,
    one.revision,
    `${one.passed} of ${one.total}`,
  ]),
)}

${count(results.extensions.filter((one) => one.passes).length)} of ${count(results.extensions.length)} runs about extensions pass. The suite skips ${measured.expected.map((name) => `\`${name}\``).join(", ") || "none"} for every server.

These are the command lines of the suite, \`npx @modelcontextprotocol/conformance@${results.suite}\`, with the programs of this folder:

\`\`\`sh
${results.commands.map((one) => one.replace(/^\$ /, "")).join("\n")}
\`\`\`

[Its own output](conformance.log), run after run, is beside the [results](results.json).

## What a person must still do for Tier 1

The requirements are those of the [SDK tiers](https://modelcontextprotocol.io/community/sdk-tiers), read on 2026-11-26. Experimental features and extensions do not count for a tier.

${table(
  ["requirement of Tier 1", "today", "who does it"],
  [
    [
      "all conformance tests pass",
      `${passed} of ${all} scenarios`,
      "a program, with each commit",
    ],
    [
      "a new revision is supported before its release",
      "[Try a draft](../draft/README.md)",
      "a program for messages; a person for facts, behaviour and its tests",
    ],
    [
      "issues are sorted within two business days",
      "[a promise](../../../.github/maintaining.md#issues)",
      "a person",
    ],
    [
      "critical faults are mended within seven days",
      "[a promise](../../../.github/maintaining.md#issues)",
      "a person",
    ],
    [
      "a stable release",
      `${measured.version}${measured.version.includes("-") ? ": not yet" : ""}`,
      "a person decides, [a command](../../../.github/maintaining.md#releases) releases",
    ],
    [
      "documentation with examples of all features",
      `${count(measured.features)} [features](../README.md#features), each with a program`,
      "a person writes, tests run the programs",
    ],
    [
      "a policy on dependencies",
      "[yes](../../../.github/maintaining.md#dependencies)",
      "a person",
    ],
    ["a roadmap", "[yes](../../../ROADMAP.md)", "a person"],
  ],
)}

## Next

- [Try a draft](../draft/README.md): what is generated on the first day of a proposal.
- [How mcpgen is built](../../../src/README.md).
`;
  const path = join(root, page);
  return format(text.trimStart(), {
    ...(await resolveConfig(path)),
    filepath: path,
  });
}
