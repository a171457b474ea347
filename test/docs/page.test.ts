import { format } from "prettier";
import { beforeAll, describe, expect, it } from "vitest";
import type { Message, Protocol } from "../../src/generator/ir/model.js";
import { hostile } from "../hostile/corpus.js";
import { laughs } from "../hostile/laughs.js";
import { sample } from "../hostile/protocol.js";
import { filled, slotsOf } from "../hostile/slots.js";
import { invisible } from "../hostile/syntax.js";
import { revisions } from "../read/typescript/reading.js";
import { fixture, snapshotOf } from "../stubs/project.js";
import {
  entriesIn,
  type Page,
  pageOf,
  parsed,
  plainText,
  serverPageOf,
  type Tag,
} from "./making.js";
import { isWhole, runs, sampled } from "../whole.js";

/** Every tag and attribute of a page. */
const textTags: Readonly<Record<string, readonly string[]>> = {
  a: ["id", "href"],
  code: ["class"],
  ...Object.fromEntries(
    "h1 h2 h3 p br ul li strong em s pre del ins"
      .split(" ")
      .map((name) => [name, []]),
  ),
};

const empty = new Set(["br"]);

/** What no page may have, as any renderer shows it. */
function faultsOf({ html, markdown }: Page): string[] {
  // VitePress runs what is between double braces and includes a file at a
  // comment; Liquid runs what is between braces before that.
  const run = [
    ...(html.match(/\{\{/g) ?? []),
    ...(markdown.match(/\{[{%#]/g) ?? []),
  ];
  const included = markdown.match(/<!-- *@/g) ?? [];
  return [
    ...faultsIn(html, textTags),
    ...[...run, ...included].map((found) => `the text ${found}`),
  ];
}

function faultsIn(html: string, allowedTags: typeof textTags): string[] {
  const { tags } = parsed(html);
  const ids = tags.flatMap(({ attributes }) => attributes.get("id") ?? []);
  const known = new Set(ids);
  const faults = tags.flatMap(({ name, attributes }) => {
    const allowed = allowedTags[name];
    if (allowed === undefined) return [`the tag ${name}`];
    const strange = [...attributes.keys()].filter(
      (key) => !allowed.includes(key),
    );
    return strange.map((key) => `the attribute ${key} of ${name}`);
  });
  const links = tags.flatMap(({ name, attributes }) =>
    name === "a" ? (attributes.get("href") ?? []) : [],
  );
  const lost = links.filter(
    (href) => !href.startsWith("#") || !known.has(href.slice(1)),
  );
  return [
    ...faults,
    ...unbalanced(tags),
    ...lost.map((href) => `a link to ${href}`),
    ...ids
      .filter((id, i) => ids.indexOf(id) !== i)
      .map((id) => `the id ${id} twice`),
    ...(invisible.exec(html) ?? []).map(
      (char) => `invisible ${JSON.stringify(char)}`,
    ),
  ];
}

function unbalanced(tags: readonly Tag[]): string[] {
  const open: string[] = [];
  for (const { name, isEnd } of tags) {
    if (empty.has(name)) continue;
    if (!isEnd) open.push(name);
    else if (open.pop() !== name)
      return [`an end tag ${name} without a start tag`];
  }
  return open.map((name) => `${name} without an end tag`);
}

let all: readonly Protocol[] = [];
beforeAll(async () => {
  all = await revisions();
});

const isNewest = (protocol: Protocol): boolean => protocol === all.at(-1);

describe("a page", () => {
  it("has only the tags and attributes of Markdown, and every link leads to an entry of the page", async () => {
    const some = sampled(all, isNewest);
    const pages = [
      ...some.map((protocol) => pageOf({ kind: "revision", protocol })),
      await serverPageOf(fixture("weather")),
    ];
    expect(pages.length).toBe(isWhole ? 6 : 2);
    expect(pages.flatMap(faultsOf)).toEqual([]);
  });

  it("has the same bytes for the same source", () => {
    for (const protocol of sampled(all, isNewest)) {
      expect(pageOf({ kind: "revision", protocol })).toEqual(
        pageOf({ kind: "revision", protocol: structuredClone(protocol) }),
      );
    }
  });

  it.each([
    {},
    { printWidth: 40, bracketSameLine: true },
    { useTabs: true, singleAttributePerLine: true },
  ])("stays as it is when Prettier formats it: %j", async (options) => {
    const { markdown } = await serverPageOf(fixture("weather"));
    expect(await format(markdown, { ...options, parser: "markdown" })).toBe(
      markdown,
    );
  });

  it("of a server is the one beside this test", async () => {
    const { markdown } = await serverPageOf(fixture("weather"));
    await expect(markdown).toMatchFileSnapshot("weather.md");
  });

  it("of a revision that has everything is the one beside this test", async () => {
    const protocol = await sample();
    const messages = protocol.messages.flatMap((message): Message[] => {
      if (message.kind === "notification") {
        const method = `${message.method}/plain`;
        return [message, { ...message, method, filter: null, subject: null }];
      }
      const { method, conditions } = message;
      const [first] = conditions;
      if (first === undefined) {
        const inside = { method: `${method}/inside`, carriage: "embedded" };
        return [
          message,
          { ...message, ...inside, sender: "either" } as Message,
        ];
      }
      const present = { ...first, member: "cursor", values: null };
      return [{ ...message, conditions: [first, present] }];
    });
    const { markdown } = pageOf({
      kind: "revision",
      protocol: { ...protocol, messages },
    });
    await expect(markdown).toMatchFileSnapshot("sample.md");
  });

  it("has an entry for each method, type and constant of a revision", () => {
    for (const protocol of sampled(all, isNewest))
      expect(entriesIn(pageOf({ kind: "revision", protocol }))).toBe(
        protocol.messages.length + protocol.declarations.length,
      );
  });

  it("shows who sends a method, what it needs, its params, its result and an example of each", () => {
    const [protocol] = all.slice(-2);
    if (protocol === undefined) throw new Error("there is no revision");
    const { markdown } = pageOf({ kind: "revision", protocol });
    const entry =
      /^### <a id="method-tools-call">.*?(?=^### )/ms.exec(markdown)?.[0] ?? "";
    expect(entry.split("\n")).toEqual(
      expect.arrayContaining([
        "- Sent by: the client",
        "- Declared as: [`CallToolRequest`](#type-CallToolRequest)",
        "- Needs: the server’s capability `tools`",
        "**Params: [`CallToolRequestParams`](#type-CallToolRequestParams)**",
        "- `name` (required): `string`\\",
        "  - `progressToken`: [`ProgressToken`](#type-ProgressToken)\\",
        "**Result: [`CallToolResult`](#type-CallToolResult) or [`CreateTaskResult`](#type-CreateTaskResult)**",
        "- `content` (required): [`ContentBlock`](#type-ContentBlock)`[]`\\",
        "**Example of a request**",
        "**Example of a response**",
      ]),
    );
  });

  const newestPage = (at: number): string => {
    const protocol = all.at(at) as Protocol;
    return pageOf({ kind: "revision", protocol }).markdown;
  };

  it("shows the bases, the uses and the bounds of types, and the values of constants", () => {
    for (const words of [
      '### <a id="constant-PARSE_ERROR"></a>`PARSE_ERROR` `-32700`',
      "- Extends: [`BaseMetadata`](#type-BaseMetadata), [`Icons`](#type-Icons)",
      "- Used by: [`tools/list`](#method-tools-list)",
      "**Type:** [`TextContent`](#type-TextContent) `|` [`ImageContent`](#type-ImageContent)",
      "  0 to 1.",
      "- any other: `unknown`",
    ])
      expect(newestPage(-2)).toContain(words);
  });

  it("shows the deprecation of types and methods", () => {
    const newest = newestPage(-1);
    expect(newest).toMatch(
      /^_deprecated, inside a result_\n\n.*\n\n\*\*Deprecated\.\*\* Since 2026-07-28/m,
    );
    expect(newest).toContain(
      "~~[`sampling/createMessage`](#method-sampling-createMessage)~~",
    );
  });

  it("shows the tools, prompts, resources and templates of a server, and the hints of its tools", async () => {
    const { html } = await serverPageOf(fixture("weather"));
    for (const words of [
      "get_weather Current weather",
      "read-only, open-world",
      "modifies data, additive",
      "location (required): string\nA city, with its country where the name alone would not do.\nAt least 1 character.",
      "level (required): integer\n1 to 5.",
      "packing_list",
      "weather://stations/{id}{?from,to}",
      '"code": "AA-1"',
    ]) {
      expect(plainText(html)).toContain(words);
    }
  });

  it("has the facts of a server and of its entries, and a title that says something", async () => {
    const page = async (server: object) => {
      const text = snapshotOf({
        server: { name: "made", ...server },
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          experimental: { a: { b: { c: { d: 1 } } } },
          off: false,
        },
        tools: [
          {
            name: "t",
            title: "T",
            inputSchema: { type: "object" },
            execution: { taskSupport: "optional" },
            _meta: { "a/b": 1 },
          },
          { name: "u", title: "u", inputSchema: { type: "object" } },
        ],
        resources: [
          { name: "r", uri: "a://b", mimeType: "text/plain", size: 12 },
          { name: "s", uri: "a://c", mimeType: " " },
        ],
      });
      return (await serverPageOf(text)).markdown;
    };
    const titled = await page({
      title: "Library",
      version: "1.0",
      websiteUrl: "https://a.example",
    });
    for (const words of [
      "\n# Library\n",
      "- Version: `1.0`\n",
      "- Website: `https://a.example`\n",
      "`experimental.a.b.c`",
      "`logging`",
      "`tools.listChanged`",
      "`t` T\n\n- Runs as a task: `optional`\n",
      "</a>`u`\n",
      '**Metadata**\n\n```json\n{\n  "a/b": 1\n}',
      "- URI: `a://b`\n- Media type: `text/plain`\n- Size in bytes: `12`\n",
      "- URI: `a://c`\n\n",
    ])
      expect(titled).toContain(words);
    expect(titled).not.toContain("off");
    const plain = await page({ title: " ", version: "" });
    expect(plain).toMatch(/\n# made\n/);
    expect(plain).not.toMatch(/- (?:Version|Website):/);
  });

  it("leaves out metadata and capabilities that are too many, and a title that says nothing", async () => {
    const page = async (length: number, count: number) => {
      const names = Array.from({ length: count }, (_, i) => `c${i}`);
      const text = snapshotOf({
        capabilities: {
          experimental: Object.fromEntries(names.map((name) => [name, {}])),
        },
        tools: [
          {
            name: "t",
            title: "  ",
            inputSchema: { type: "object" },
            _meta: { a: "x".repeat(length - '{"a":""}'.length) },
          },
        ],
      });
      return (await serverPageOf(text)).markdown;
    };
    const most = await page(20_000, 60);
    expect(most).toContain("**Metadata**");
    expect(most).toContain("`experimental.c59`");
    expect(most).toContain("</a>`t`\n");
    const more = await page(20_001, 61);
    expect(more).not.toContain("**Metadata**");
    expect(more).toContain("`experimental.c59`");
    expect(more).not.toContain("`experimental.c60`");
  });

  it("has a bold label for each tool that only reads or that destroys, below its name and in the contents, and no other label", async () => {
    const hints = [
      { readOnlyHint: true },
      { readOnlyHint: false, destructiveHint: true },
      { destructiveHint: false },
      {},
    ];
    const tools = hints.map((annotations, i) => ({
      name: `t${i}`,
      inputSchema: { type: "object" },
      annotations,
    }));
    const { markdown } = await serverPageOf(snapshotOf({ tools }));
    expect(markdown).toContain(
      "- [Tools](#part-Tools): [`t0`](#tool-t0) **read-only**, [`t1`](#tool-t1) **destructive**, [`t2`](#tool-t2), [`t3`](#tool-t3)",
    );
    const lines = [...markdown.matchAll(/^### .*`(t\d)`\n\n(.*)$/gm)].map(
      ([, name, line]) => [name, line],
    );
    expect(lines.slice(0, 3)).toEqual([
      ["t0", "**read-only**"],
      ["t1", "**destructive**, _modifies data_"],
      ["t2", "_additive_"],
    ]);
    expect(markdown.match(/\*\*(read-only|destructive)\*\*/g)).toHaveLength(4);
  });

  it("shows each condition of a schema, its default and its examples, and what is inside lists, maps and alternatives", async () => {
    const inputSchema = {
      type: "object",
      properties: {
        when: {
          type: "string",
          format: "date",
          default: "2026-01-01",
          examples: ["2026-02-03"],
        },
        code: { type: "string", pattern: "^[A-Z]|x$" },
        tags: {
          type: "array",
          items: { type: "string" },
          uniqueItems: true,
          maxItems: 3,
        },
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "integer", minimum: 1 } },
          },
        },
        map: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: { a: { type: "null" } },
          },
        },
        either: {
          anyOf: [
            {
              type: "object",
              properties: { b: { const: 1 } },
              required: ["b"],
            },
            { type: "string" },
          ],
        },
        some: { type: "array", contains: { const: 1 } },
        most: {
          allOf: [
            { type: "string", not: { const: "a" } },
            { not: { const: "b" } },
          ],
        },
        old: { type: "boolean", deprecated: true },
      },
      dependentRequired: { code: ["when", "tags"] },
    };
    const { markdown } = await serverPageOf(
      snapshotOf({ tools: [{ name: "t", inputSchema }] }),
    );
    expect(markdown).toContain(`**Arguments**

Member code only with when, tags.

- \`when\`: \`string\`\\
  Format: date. Default: \`"2026-01-01"\`. Examples: \`"2026-02-03"\`.
- \`code\`: \`string\`\\
  Matches \`^[A-Z]|x$\`.
- \`tags\`: \`string[]\`\\
  At most 3 items. No duplicate items.
- \`rows\`: \`object[]\`
  - \`id\`: \`integer\`\\
    At least 1.
- \`map\`: \`{ [key: string]: object }\`
  - \`a\`: \`null\`
- \`either\`: \`{ b: 1 } | string\`
- \`some\`: \`unknown[]\`\\
  With items of a certain kind.
- \`most\`: \`string\`\\
  With exceptions (see the schema).
- \`old\` (deprecated): \`boolean\`

`);
  });

  const strings = { type: "object", additionalProperties: { type: "string" } };
  const point = { type: "object", properties: { x: { type: "number" } } };
  it.each<[shown: string, schema: object, below?: string]>([
    ["`{ [key: string]: string }`", strings],
    ["`{ [key: string]: string }[]`", { type: "array", items: strings }],
    ["`{ [key: string]: unknown }`", { type: "object" }],
    ["`object`", point, "  - `x`: `number`"],
    ["`object[]`", { type: "array", items: point }, "  - `x`: `number`"],
    [
      "`object[][]`",
      { type: "array", items: { type: "array", items: point } },
      "  - `x`: `number`",
    ],
    [
      "`object`",
      { ...point, additionalProperties: { type: "null" } },
      "  - `x`: `number`\n  - any other: `unknown`",
    ],
    ["`{ x?: number } | null`", { anyOf: [point, { type: "null" }] }],
    [
      '`{ "a b": 1 } | null`',
      {
        anyOf: [
          {
            type: "object",
            properties: { "a b": { const: 1 } },
            required: ["a b"],
          },
          { type: "null" },
        ],
      },
    ],
    [
      "`(string | null)[]`",
      { type: "array", items: { type: ["string", "null"] } },
    ],
    [
      "`[string, number?, ...boolean[]]`",
      {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "number" }],
        items: { type: "boolean" },
        minItems: 1,
      },
    ],
  ])("shows the type %s of a member", async (shown, member, below = "") => {
    const inputSchema = { type: "object", properties: { m: member } };
    const { markdown } = await serverPageOf(
      snapshotOf({ tools: [{ name: "t", inputSchema }] }),
    );
    const [, text] = /\*\*Arguments\*\*\n\n([^]*?)\n\n/.exec(markdown) ?? [];
    expect(text?.split("\\\n")[0]).toBe(
      ["- `m`: " + shown, ...(below === "" ? [] : [below])].join("\n"),
    );
  });
});

describe("a page of hostile text", () => {
  // Every eighth turn puts every text into some slot; `npm run test:vectors`
  // puts each text into each slot.
  const step =
    process.env["MCPGEN_VECTORS"] !== undefined ? 1 : isWhole ? 8 : 48;
  const text =
    (turn: number): ((slot: number) => string) =>
    (slot) =>
      hostile[(turn + slot) % hostile.length] ?? "";

  it.each(
    hostile
      .map((words, turn) => ({ words: words.slice(0, 40), turn }))
      .filter((_, i) => i % step === 0),
  )(
    "from a server has only the tags of Markdown: turn $turn, $words",
    async ({ turn }) => {
      expect(faultsOf(await serverPageOf(server(text(turn))))).toEqual([]);
    },
  );

  it("from a schema has only the tags of Markdown", async () => {
    const protocol = await sample();
    const slots = slotsOf(protocol);
    const faults = hostile.flatMap((_, turn) => {
      if (turn % step !== 0) return [];
      // A reader only accepts identifiers as names of declarations; here a name
      // may be any text.
      const filling = slots.map(
        (slot, i) =>
          [slot, `${text(turn)(i)}${slot.name === null ? "" : i}`] as const,
      );
      const other = filled(protocol, filling);
      return faultsOf(pageOf({ kind: "revision", protocol: other }));
    });
    expect(faults).toEqual([]);
  });

  /** A server with another text in every slot that a page shows. */
  function server(word: (slot: number) => string): string {
    const schema = {
      type: "object",
      description: word(0),
      properties: {
        [word(1)]: {
          description: word(2),
          enum: [word(3), word(4)],
          default: word(9),
          examples: [word(8)],
        },
        nested: {
          type: "object",
          properties: { [word(5)]: { const: word(6) } },
        },
        part: { $ref: "#/$defs/part" },
        pattern: { type: "string", pattern: "^[a-z<>\"'&|`]+$" },
      },
      $defs: {
        part: {
          description: word(7),
          type: "object",
          properties: { [word(8)]: { type: "string" } },
        },
      },
      required: [word(9)],
      dependentRequired: { [word(10)]: [word(11)] },
    };
    const doc = {
      title: word(10),
      description: word(11),
      _meta: { [word(12)]: word(13) },
    };
    return snapshotOf({
      server: {
        name: word(14),
        title: word(15),
        version: word(16),
        websiteUrl: word(17),
      },
      capabilities: { [word(18)]: { [word(19)]: {} } },
      instructions: word(20),
      tools: [
        {
          name: word(21),
          ...doc,
          inputSchema: schema,
          outputSchema: schema,
          execution: { taskSupport: word(22) },
        },
      ],
      prompts: [
        {
          name: word(23),
          ...doc,
          arguments: [{ name: word(24), description: word(25) }],
        },
      ],
      resources: [
        { name: word(26), uri: word(27), ...doc, mimeType: word(28) },
      ],
      resourceTemplates: [{ name: word(29), uriTemplate: word(30), ...doc }],
    });
  }
});

describe("a page of a very large server", () => {
  it("has many tools, one of them with schemas that refer to each other many times", async () => {
    const tools = Array.from({ length: runs(2000) }, (_, i) => ({
      name: `tool${i}`,
      inputSchema: i === 0 ? laughs : {},
    }));
    expect(
      entriesIn(await serverPageOf(snapshotOf({ tools }))),
    ).toBeGreaterThan(runs(2000));
  });

  it("has the members of a schema that nests deeply, the deepest on one line", async () => {
    let inputSchema: object = { type: "string", description: "The last." };
    for (let depth = 60; depth > 0; depth -= 1)
      inputSchema = {
        type: "object",
        properties: { [`m${depth}`]: inputSchema },
      };
    const page = await serverPageOf(
      snapshotOf({ tools: [{ name: "deep", inputSchema }] }),
    );
    expect(faultsOf(page)).toEqual([]);
    expect(page.markdown).toMatch(/^ {16}- `m9`: `\{ m10\?: \{ m11\?: /m);
  });
});
