import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  formatDiagnostic,
} from "../../../src/generator/diagnostics.js";
import type { Snapshot } from "../../../src/generator/ir/snapshot/model.js";
import { revisionsInText } from "../../../src/generator/read/snapshot/revisions.js";
import { readSnapshot } from "../../../src/generator/read/snapshot/index.js";

const server = { name: "notes", version: "0.1.0" };
const inputSchema = { type: "object" };

/** The lines that are said of a text, and what is read from it. */
function reading(text: string): {
  said: readonly string[];
  snapshot: Snapshot | null;
} {
  const diagnostics = new Diagnostics();
  const names = { file: "n.json", name: "n.json", newest: "2025-11-25" };
  const snapshot = readSnapshot(text, names, diagnostics);
  const said = diagnostics.list.map(formatDiagnostic).join("\n");
  return { said: said === "" ? [] : said.split("\n"), snapshot };
}

/** What is read from a file of a server with these members. */
function designed(members: object): Snapshot {
  const { said, snapshot } = reading(JSON.stringify({ server, ...members }));
  expect(said).toEqual([]);
  if (snapshot === null) throw new Error("nothing is read");
  return snapshot;
}

const again =
  "    hint: correct it, or create the snapshot again with `mcpgen pull`";

describe("the text of a snapshot", () => {
  it.each([
    ["[]", "[]"],
    ["3", "3"],
    ['"x"', '"x"'],
    ["null", "null"],
    [`["${"a".repeat(56)}"]`, `["${"a".repeat(56)}"]`],
    [`["${"a".repeat(57)}"]`, `["${"a".repeat(57)}"…`],
    [`[${"1234567890,".repeat(9)}1]`, `[${"1234567890,".repeat(5)}1234…`],
    [
      JSON.stringify([{ a: "1".repeat(40), b: "2".repeat(40), c: 3 }, 4]),
      `[{"a":"${"1".repeat(40)}","b":"222222…`,
    ],
  ])("is not %s, which is shown shortened in the error", (text, shown) => {
    expect(reading(` \n ${text}`)).toEqual({
      said: [`n.json:2:2 MG301 expected a snapshot, got ${shown}`],
      snapshot: null,
    });
  });

  it.each([
    ["x".repeat(30), `"${"x".repeat(30)}"`],
    ["x".repeat(31), `"${"x".repeat(30)}…"`],
  ])("with the word %s in place of a value quotes its start", (word, shown) => {
    expect(reading(`{"a":${word}}`).said).toEqual([
      `n.json:1:6 MG201 expected a JSON value, got ${shown}`,
      "    hint: write valid JSON",
    ]);
  });
});

/** The members of a file, one on a line from the second on, and what is said. */
const mistakes: readonly (readonly [
  members: Readonly<Record<string, unknown>>,
  said: readonly string[],
])[] = [
  [
    { server: 3 },
    ['n.json:2:11 MG302 "server" is 3, expected an object', again],
  ],
  [
    { server: { name: "a" } },
    [
      'n.json:2:11 MG302 the member "version" of "server" is missing or not a string',
      "    hint: add it",
    ],
  ],
  [
    { server, capabilities: [] },
    ['n.json:3:17 MG302 "capabilities" is [], expected an object', again],
  ],
  [
    { server, instructions: 4 },
    ['n.json:3:17 MG302 "instructions" is 4, expected a string', again],
  ],
  [
    { server, tool: [], $schema: 3 },
    [
      'n.json:3:1 MG302 unknown member "tool" of a snapshot',
      "    hint: remove it",
    ],
  ],
  [
    { server, ["t".repeat(81)]: [] },
    [
      `n.json:3:1 MG302 unknown member "${"t".repeat(80)}" of a snapshot`,
      "    hint: remove it",
    ],
  ],
  [
    { format: 2 },
    [
      "n.json:2:11 MG301 this snapshot has format 2, and this version of mcpgen reads format 1",
      "    hint: update mcpgen, or create it again with `mcpgen pull`",
    ],
  ],
  [
    { name: "notes" },
    [
      'n.json:1:1 MG301 this is not a snapshot: the member "server" is missing',
      '    hint: write "server": { "name": "…", "version": "0.1.0" } for a server of your own, or create the snapshot with `mcpgen pull`',
    ],
  ],
  [
    { format: 1, revision: "2025-11-25" },
    [
      'n.json:1:1 MG302 the member "server" is missing',
      "    hint: add it, or create the snapshot again with `mcpgen pull`",
    ],
  ],
  // The revisions.
  [
    { server, revision: 3 },
    ['n.json:3:13 MG302 "revision" is 3, expected a string', again],
  ],
  ...[[], "2025-11-25", ["2025-11-25", 3], {}].map(
    (revisions) =>
      [
        { server, revisions },
        [
          `n.json:3:14 MG302 "revisions" is ${JSON.stringify(revisions)}, expected a list with at least one revision`,
          "    hint: name them, or remove it",
        ],
      ] as const,
  ),
  [
    { format: 1, server, revisions: ["2025-11-25"] },
    [
      'n.json:4:14 MG302 "revisions" is for the file of a server that you design, and a file with "format" is a snapshot of `mcpgen pull`',
      '    hint: remove "format", or "revisions"',
    ],
  ],
  [
    { server, revision: "2025-11-25", revisions: ["2025-11-25"] },
    [
      'n.json:4:14 MG302 "revision" and "revisions" exclude each other',
      '    hint: keep "revisions" for several, "revision" for one',
    ],
  ],
  // The lists.
  ...["tools", "prompts", "resources", "resourceTemplates"].map(
    (list) =>
      [
        { server, [list]: {} },
        [
          `n.json:3:${list.length + 5} MG302 "${list}" is {}, expected a list`,
          again,
        ],
      ] as const,
  ),
  [
    { server, tools: [3, null] },
    [
      'n.json:3:11 MG302 found 3, expected an object with a "name"',
      "    in tool 0",
      again,
      'n.json:3:13 MG302 found null, expected an object with a "name"',
      "    in tool 1",
      again,
    ],
  ],
  [
    { server, prompts: ["x"] },
    [
      'n.json:3:13 MG302 found "x", expected an object with a "name"',
      "    in prompt 0",
      again,
    ],
  ],
  [
    { server, resources: [[]] },
    [
      'n.json:3:15 MG302 found [], expected an object with a "name" and a "uri"',
      "    in resource 0",
      again,
    ],
  ],
  [
    { server, resourceTemplates: [true] },
    [
      'n.json:3:23 MG302 found true, expected an object with a "name" and a "uriTemplate"',
      "    in resource template 0",
      again,
    ],
  ],
  [
    { server, resources: [{ uri: 5 }, { name: "a" }, { uri: "a:b" }] },
    [
      'n.json:3:15 MG302 the member "name" is missing or not a string',
      "    in resource 0",
      "    hint: add it",
      'n.json:3:15 MG302 the member "uri" is missing or not a string',
      "    in resource 0",
      "    hint: add it",
      'n.json:3:25 MG302 the member "uri" is missing or not a string',
      "    in resource 1",
      "    hint: add it",
      'n.json:3:38 MG302 the member "name" is missing or not a string',
      "    in resource 2",
      "    hint: add it",
    ],
  ],
  [
    { server, tools: [{ name: "n".repeat(81) }] },
    [
      'n.json:3:11 MG302 the member "inputSchema" is missing',
      `    in tool "${"n".repeat(80)}"`,
      "    hint: add one: every tool must have it",
    ],
  ],
];

/** The members that are ignored, as above. */
const ignored: typeof mistakes = [
  [
    {
      server,
      tools: ["2", "1"].map((title) => ({ name: "a", inputSchema, title })),
    },
    [
      "n.json:3:68 MG303 warning: the tool is listed twice; the first one is used",
      '    in tool "a"',
    ],
  ],
  [
    { server, prompts: [{ name: "a", arguments: { b: {} } }] },
    [
      'n.json:3:37 MG305 warning: "arguments" is {"b":{}}, expected a list; it is ignored',
      '    in prompt "a"',
    ],
  ],
  ...["a:{b", "a:b}", "a:{b}}", "{a:{b}", "}a:{b}"].map(
    (uriTemplate) =>
      [
        { server, resourceTemplates: [{ name: "a", uriTemplate }] },
        [
          `n.json:3:49 MG309 warning: the template "${uriTemplate}" has unmatched braces; no function is generated for it`,
          `    in resource template "${uriTemplate}"`,
          "    hint: write the template as in RFC 6570",
        ],
      ] as const,
  ),
  ...[
    "",
    "x".repeat(70) + "!",
    "!b",
    "b,",
    "a,b*,c-d",
    "b:0",
    "b:10000",
    "b*:1",
    "b%2",
  ].map(
    (inside) =>
      [
        {
          server,
          resourceTemplates: [{ name: "a", uriTemplate: `a:{${inside}}` }],
        },
        [
          `n.json:3:49 MG309 warning: the template "a:{${inside}}" has the invalid expression "{${inside}}"; no function is generated for it`,
          `    in resource template "a:{${inside}}"`,
          "    hint: write the template as in RFC 6570",
        ],
      ] as const,
  ),
  ...[
    ["http://json-schema.org/draft-03/schema#", "read as 2020-12"],
    ["https://json-schema.org/draft/next/schema", "read as 2020-12"],
    [
      "https://example.com/meta",
      "the schema is not checked, and its type is unknown",
    ],
    [3, "the schema is not checked, and its type is unknown"],
  ].map(
    ([$schema, outcome]) =>
      [
        { server, tools: [{ name: "a", inputSchema: { $schema } }] },
        [
          `n.json:3:48 MG305 warning: the dialect ${JSON.stringify($schema)} is unknown; ${outcome}`,
          '    in inputSchema, in tool "a"',
          "    hint: use draft-07 or 2020-12",
        ],
      ] as const,
  ),
];

const textOf = (members: object): string =>
  `{\n${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n}`;

describe("a mistake in a snapshot", () => {
  it.each(mistakes)(
    "is an error with its place and advice: %j",
    (members, said) => {
      expect(reading(textOf(members))).toEqual({ said, snapshot: null });
    },
  );

  it.each(ignored)(
    "that can be left out is a warning with its place: %j",
    (members, said) => {
      const { said: got, snapshot } = reading(textOf(members));
      expect(got).toEqual(said);
      expect(snapshot).not.toBeNull();
    },
  );

  it("does not hide other ones", () => {
    const { said } = reading(
      textOf({ server: {}, tools: 1, prompts: [2], more: 3 }),
    );
    expect(said.filter((line) => !line.startsWith(" "))).toHaveLength(5);
  });
});

describe("the revisions of a file", () => {
  it.each<[members: object, revisions: unknown, revision: string]>([
    [{ server }, "all", "2025-11-25"],
    [{ server, revision: "2025-06-18" }, ["2025-06-18"], "2025-06-18"],
    [
      { server, revisions: ["2024-11-05", "2025-06-18", "2025-03-26"] },
      ["2025-06-18", "2025-03-26", "2024-11-05"],
      "2025-06-18",
    ],
    [
      { server, revisions: ["2025-06-18", "2025-06-18"] },
      ["2025-06-18"],
      "2025-06-18",
    ],
    [{ format: 1, revision: "2025-06-18", server }, null, "2025-06-18"],
    [{ revision: "2025-06-18", format: 1, server: {} }, null, "2025-06-18"],
  ])(
    "are the newest first, and the same with and without reading it: %j",
    (members, revisions, revision) => {
      const text = JSON.stringify(members);
      const { said, snapshot } = reading(text);
      expect(said).toEqual([]);
      expect(snapshot).toMatchObject({ revisions, revision });
      expect(revisionsInText(text)).toEqual(revisions);
    },
  );

  it("are unknown if it is not JSON", () => {
    expect(revisionsInText('{"server":')).toBeNull();
  });
});

describe("an entry of a snapshot", () => {
  it("has the schemas of its input and output, in this order", () => {
    const outputSchema = { type: "object", required: ["b"] };
    const { tools, definitions } = designed({
      tools: [
        { name: "b", outputSchema, inputSchema },
        { name: "a", inputSchema },
      ],
    });
    expect(
      tools.map(({ input, output, needsInput }) => [input, output, needsInput]),
    ).toEqual([
      ["tool a input", null, false],
      ["tool b input", "tool b output", false],
    ]);
    expect(definitions.map(({ key }) => key)).toEqual([
      "tool b input",
      "tool b output",
      "tool a input",
    ]);
  });

  it("is in the order of the code points of the ids", () => {
    const ids = ["b", "\u{1f600}", "a", "\uffee", "B", "a1"];
    const sorted = ["B", "a", "a1", "b", "\uffee", "\u{1f600}"];
    const { tools, resources } = designed({
      tools: ids.map((name) => ({ name, inputSchema })),
      resources: ids.map((uri, i) => ({ name: `${9 - i}`, uri })),
    });
    expect(tools.map(({ name }) => name)).toEqual(sorted);
    expect(resources.map(({ uri }) => uri)).toEqual(sorted);
  });

  it("is the first one of those with the same id", () => {
    const tools = ["2", "1"].map((title) => ({
      name: "a",
      inputSchema,
      title,
    }));
    const { snapshot } = reading(JSON.stringify({ server, tools }));
    expect(snapshot?.tools.map(({ title }) => title)).toEqual(["2"]);
  });

  it.each([
    [{}, null],
    [{ title: "A" }, "A"],
    [{ annotations: { title: "B" } }, "B"],
    [{ title: "A", annotations: { title: "B" } }, "A"],
    [{ title: 3, annotations: { title: "B" } }, "B"],
    [{ annotations: { title: 3 } }, null],
    [{ annotations: 3 }, null],
  ])("has its own title before that of its annotations: %j", (more, title) => {
    const tool = { name: "a", inputSchema, description: "D", ...more };
    const [read] = designed({ tools: [tool] }).tools;
    expect(read).toMatchObject({ name: "a", title, description: "D" });
  });

  it("has the hints that are true or false", () => {
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: "yes",
      openWorldHint: null,
    };
    const { tools } = designed({
      tools: [
        { name: "a", inputSchema, annotations },
        {
          name: "b",
          inputSchema,
          annotations: { idempotentHint: false, openWorldHint: true },
        },
        { name: "c", inputSchema },
      ],
    });
    expect(tools.map(({ hints }) => Object.values(hints))).toEqual([
      [true, false, null, null],
      [null, null, false, true],
      [null, null, null, null],
    ]);
  });

  it.each<[schema: object, needsInput: boolean]>([
    [{}, false],
    [{ type: "object", required: [] }, false],
    [{ type: "object", properties: { a: {} } }, false],
    [{ type: "object", required: ["a"] }, true],
    [{ type: "object", minProperties: 1 }, true],
    [{ anyOf: [{ required: ["a"] }, { required: ["b"] }] }, true],
  ])("needs an input if its schema refuses {}: %j", (schema, needsInput) => {
    const [tool] = designed({
      tools: [{ name: "a", inputSchema: schema }],
    }).tools;
    expect(tool?.needsInput).toBe(needsInput);
  });

  it("has the arguments with a name, each once, with what is said of them", () => {
    const { prompts, definitions } = designed({
      prompts: [
        {
          name: "p",
          arguments: [
            { name: "b", title: "T", required: true, order: 1 },
            { name: "a", title: "T", description: "D", required: false },
            { name: "b", description: "again" },
            { title: "no name" },
            "none",
            { name: "c" },
          ],
        },
        { name: "q", arguments: [{ name: "b", required: "yes" }] },
        { name: "r", arguments: [] },
        { name: "s" },
      ],
    });
    expect(prompts.map(({ input, needsInput }) => [input, needsInput])).toEqual(
      [
        ["prompt p input", true],
        ["prompt q input", false],
        ["prompt r input", false],
        [null, false],
      ],
    );
    const [, required, members] = definitions[0]?.schema.checks ?? [];
    expect(required).toEqual({ kind: "required", names: ["b"] });
    expect(
      members?.kind === "members" &&
        members.properties.map(({ name, schema }) => [
          name,
          schema.doc.text,
          schema.notes?.map((note) => Object.values(note)),
        ]),
    ).toEqual([
      [
        "b",
        "T",
        [
          ["title", "T", false],
          ["order", 1, false],
        ],
      ],
      [
        "a",
        "D",
        [
          ["title", "T", false],
          ["description", "D", false],
        ],
      ],
      ["c", "", []],
    ]);
  });
});

describe("the expressions of a URI template", () => {
  it.each<[template: string, parts: readonly unknown[]]>([
    ["a:b", ["a:b"]],
    ["{a}", [["", "a", false, null]]],
    ["x{a}{b}y", ["x", ["", "a", false, null], ["", "b", false, null], "y"]],
    [
      "{+a*,b.c:9999,d%20}",
      [["+", "a", true, null, "b.c", false, 9999, "d%20", false, null]],
    ],
    ...[..."+#./;?&"].map(
      (operator): [template: string, parts: readonly unknown[]] => [
        `{${operator}a:1}`,
        [[operator, "a", false, 1]],
      ],
    ),
  ])("are read with operators and modifiers: %s", (uriTemplate, parts) => {
    const [template] = designed({
      resourceTemplates: [{ name: "a", uriTemplate }],
    }).templates;
    expect(
      template?.parts?.map((part) =>
        typeof part === "string"
          ? part
          : [
              part.operator,
              ...part.variables.flatMap(({ name, explode, prefix }) => [
                name,
                explode,
                prefix,
              ]),
            ],
      ),
    ).toEqual(parts);
  });
});
