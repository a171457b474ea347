import { describe, expect, it } from "vitest";
import { memoryPair } from "@mcpgen/runtime";
import { connect, type Revision } from "../../../generated/index.js";
import {
  clientWire,
  failure,
  info,
  type Json,
  legacy,
  legacyRevisions,
  makeServer,
  revisions,
  Wire,
} from "../kit/index.js";
import { serve } from "@mcpgen/runtime";

/**
 * The lists of a server: the method, the member with the entries, and a valid
 * entry.
 */
const lists: readonly (readonly [
  method: string,
  list: "tools" | "prompts" | "resources" | "resourceTemplates",
  entry: Json,
])[] = [
  ["tools/list", "tools", { name: "good", inputSchema: { type: "object" } }],
  ["prompts/list", "prompts", { name: "good" }],
  ["resources/list", "resources", { name: "good", uri: "file:///good" }],
  [
    "resources/templates/list",
    "resourceTemplates",
    { name: "good", uriTemplate: "file:///{x}" },
  ],
];

type AnyLister = Record<
  string,
  (params?: object) => AsyncIterable<unknown> & Promise<Json>
>;

/** A client of a raw server that answers lists with these pages. */
async function listing(
  revision: string,
  pages: Readonly<Record<string, Json>>,
  capabilities: Json = { tools: {}, prompts: {}, resources: {} },
) {
  const [clientTransport, serverTransport] = memoryPair();
  const wire = new Wire(serverTransport);
  const warnings: string[] = [];
  const errors: Error[] = [];
  const connecting = connect(clientTransport, {
    info,
    mode: revision as Revision,
    onWarning: (text) => warnings.push(text),
    onError: (error) => errors.push(error),
  });
  void (async () => {
    for (;;) {
      const { id, method } = await wire.next();
      if (id === undefined) continue;
      const result = pages[String(method)] ?? {
        protocolVersion: revision,
        supportedVersions: [revision],
        serverInfo: info,
        capabilities,
      };
      wire.send({ jsonrpc: "2.0", id, result });
    }
  })().catch(() => {});
  const client = await connecting;
  return {
    client: client as unknown as AnyLister & AsyncDisposable,
    wire,
    warnings,
    errors,
  };
}

async function all(
  items: AsyncIterable<unknown> | undefined,
): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const item of items ?? []) list.push(item);
  return list;
}

describe.each(revisions)(
  "a list that a client of $revision reads",
  ({ revision }) => {
    it.each(lists)(
      "%s leaves out entries that it cannot read, and names them in a warning",
      async (method, list, good) => {
        const [required = "name"] = Object.keys(good).filter(
          (key) => key !== "name",
        );
        const bad = [
          null,
          "text",
          {},
          { ...good, name: 7 },
          { ...good, name: ["bad"], [required]: 7 },
        ];
        const { client, warnings } = await listing(revision, {
          [method]: {
            [list]: [...bad, good],
            nextCursor: null,
            _meta: { kept: true },
          },
        });
        expect(await all(client[list]?.())).toEqual([good]);
        const leftOut = warnings.filter((text) => text.includes("left out"));
        expect(leftOut).toHaveLength(bad.length);
        expect(leftOut[0]).toBe(
          `${method}: ${list}[0] is left out: expected an object, got null.`,
        );
        expect(leftOut[3]).toBe(
          `${method}: ${list}[3] is left out: name: expected a string, got 7.`,
        );
        expect(warnings).toContain(
          `${method}: nextCursor is null and is read as absent.`,
        );
        // The next read gives the same entries, and no warning again.
        const count = warnings.length;
        expect(await all(client[list]?.())).toEqual([good]);
        expect(warnings).toHaveLength(count);
      },
    );

    it.each(lists)(
      "%s reads a null member as absent, and names the entry in a warning",
      async (method, list, good) => {
        const { client, warnings } = await listing(revision, {
          [method]: {
            [list]: [
              good,
              {
                ...good,
                name: "other\u001b[2J",
                description: null,
                _meta: null,
                "x-own": null,
              },
            ],
          },
        });
        const other = { ...good, name: "other\u001b[2J", "x-own": null };
        const read = await all(client[list]?.());
        expect(read[0]).toEqual(good);
        expect(read[1]).toMatchObject(other);
        expect(read[1]).not.toHaveProperty("description");
        expect(warnings[0]).toBe(
          `${method}: ${list}[1] "other\\u001b[2J": description is null and is read as absent.`,
        );
      },
    );

    it.each(lists)(
      "%s leaves out an entry with metadata of another type",
      async (method, list, good) => {
        const { client, warnings } = await listing(revision, {
          [method]: { [list]: [{ ...good, name: "odd", _meta: "text" }, good] },
        });
        const isOfRevision = revision >= "2025-06-18";
        expect(await all(client[list]?.())).toHaveLength(isOfRevision ? 1 : 2);
        expect(
          warnings.some((text) => text.includes('"odd" is left out')),
        ).toBe(isOfRevision);
      },
    );

    it.each(lists)(
      "%s reads an entry without an optional member that does not match its type, and names both in a warning",
      async (method, list, good) => {
        const wrong = { description: ["no"], title: 7, "x-own": [] };
        const { client, warnings } = await listing(revision, {
          [method]: { [list]: [{ ...good, name: "odd", ...wrong }, good] },
        });
        const [odd, other] = (await all(client[list]?.())) as Json[];
        expect(odd).toMatchObject({ ...good, name: "odd", "x-own": [] });
        expect(odd).not.toHaveProperty("description");
        expect(other).toEqual(good);
        expect(warnings).toContain(
          `${method}: ${list}[0] "odd" is read without description: description: expected a string, got an array.`,
        );
      },
    );

    it.each([
      ["a list", { type: "array", items: { type: "string" } }],
      ["a text", { type: "string" }],
      ["nothing but a title", { title: "Result" }],
      ["a reference", { $ref: "#/$defs/r", $defs: { r: { type: "object" } } }],
      ["alternatives", { anyOf: [{ type: "object" }, { type: "null" }] }],
      ["a type that is a list", { type: ["object", "null"] }],
      ["a boolean", true],
      ["a type that is null", { type: null }],
    ])(
      "tools/list keeps a tool whose output schema is %s",
      async (_, outputSchema) => {
        const tool = { name: "odd", inputSchema: { type: "object" } };
        const { client, warnings } = await listing(revision, {
          "tools/list": { tools: [{ ...tool, outputSchema }] },
        });
        const read = await all(client["tools"]?.());
        if (revision === "2025-06-18" || revision === "2025-11-25") {
          expect(read).toEqual([tool]);
          expect(warnings.at(-1)).toMatch(
            /^tools\/list: tools\[0\] "odd" is read without outputSchema: outputSchema[.:]/,
          );
        } else {
          expect(read).toMatchObject([tool]);
        }
      },
    );

    it("tools/list leaves out a tool without a schema, and keeps one whose `required` is null", async () => {
      const inputSchema = {
        type: "object",
        required: null,
        properties: { a: { type: "string" } },
      };
      const tools = [
        { name: "absent" },
        { name: "null", inputSchema: null },
        { name: "kept", inputSchema },
      ];
      const { client, warnings } = await listing(revision, {
        "tools/list": { tools },
      });
      const isOpen = revision === "2026-07-28";
      const { required: _, ...without } = inputSchema;
      expect(await all(client["tools"]?.())).toEqual([
        { name: "kept", inputSchema: isOpen ? inputSchema : without },
      ]);
      expect(
        warnings.filter((text) =>
          /"(absent|null)" is left out: inputSchema: expected/.test(text),
        ),
      ).toHaveLength(2);
    });

    it.each(
      lists.flatMap(([method, list, good]) =>
        [
          {},
          { [list]: null },
          { [list]: { 0: good } },
          { [list]: [good], nextCursor: 7 },
        ].map((page) => [method, list, page as Json] as const),
      ),
    )(
      "%s stays an error if its %s are not a list: %j",
      async (method, list, page) => {
        const { client } = await listing(revision, { [method]: page });
        expect((await failure(all(client[list]?.()))).name).toBe(
          "ValidationError",
        );
      },
    );

    it("is an error if more than 1,000 entries cannot be read, so that a server cannot keep the client busy", async () => {
      const properties = Object.fromEntries(
        Array.from({ length: 5000 }, (_, i) => [`p${i}`, i % 2 === 0]),
      );
      const icons = Array.from({ length: 5000 }, () => ({ src: null }));
      const tools = [
        { name: "wide", inputSchema: { type: "object", properties } },
        {
          name: "icons",
          inputSchema: { type: "object" },
          icons,
          description: 1,
        },
        ...Array.from({ length: 900 }, (_, i) => ({ name: `t${i}` })),
      ];
      const { client, warnings } = await listing(revision, {
        "tools/list": { tools },
      });
      expect(await all(client["tools"]?.())).toMatchObject([
        { name: "wide" },
        { name: "icons" },
      ]);
      expect(warnings.length).toBeLessThanOrEqual(1000);
      const untitled = { inputSchema: { type: "object" }, description: null };
      const nulls = Array.from({ length: 1100 }, (_, i) => ({
        name: `n${i}`,
        ...untitled,
      }));
      for (const worse of [[...tools, ...tools], nulls]) {
        const { client } = await listing(revision, {
          "tools/list": { tools: worse },
        });
        expect((await failure(all(client["tools"]?.()))).name).toBe(
          "ValidationError",
        );
      }
    });
  },
);

describe.each(revisions)(
  "a client of $revision of a server that declares no lists",
  ({ revision }) => {
    it("LIFE-06 reads empty lists without a request, and warns once per method", async () => {
      const { client, wire, warnings } = await listing(revision, {}, {});
      const requests = wire.seen.length;
      const pages = {
        tools: "listTools",
        prompts: "listPrompts",
        resources: "listResources",
      } as const;
      for (const [list, name] of [
        ...Object.entries(pages),
        ["resourceTemplates", "listResourceTemplates"] as const,
      ]) {
        expect(await all(client[list]?.())).toEqual([]);
        expect(await client[name]?.()).toMatchObject({ [list]: [] });
      }
      expect(warnings).toEqual([
        'tools/list needs {"tools":{}} among the server\'s capabilities. The list is empty.',
        'prompts/list needs {"prompts":{}} among the server\'s capabilities. The list is empty.',
        'resources/list needs {"resources":{}} among the server\'s capabilities. The list is empty.',
        'resources/templates/list needs {"resources":{}} among the server\'s capabilities. The list is empty.',
      ]);
      expect(wire.seen).toHaveLength(requests);
    });

    it.each([
      ["callTool", { name: "a" }],
      ["getPrompt", { name: "a" }],
      ["readResource", { uri: "a:b" }],
    ] as const)(
      "LIFE-06 rejects %s without a request",
      async (name, params) => {
        const { client, wire } = await listing(revision, {}, {});
        const requests = wire.seen.length;
        const call = async (): Promise<unknown> => client[name]?.(params);
        expect(await failure(call())).toMatchObject({
          name: "SessionError",
          reason: "capability",
        });
        expect(wire.seen).toHaveLength(requests);
      },
    );
  },
);

describe.each(legacyRevisions)(
  "boolean schemas of properties in $revision",
  ({ revision, protocol }) => {
    const properties = { any: true, none: false, text: { type: "string" } };
    const asObjects = { any: {}, none: { not: {} }, text: { type: "string" } };

    it("are read as objects with the same meaning", async () => {
      const tools = [
        {
          name: "a",
          inputSchema: { type: "object", properties },
          outputSchema: { type: "object", properties },
        },
        {
          name: "b",
          inputSchema: { type: "object", properties: { text: {} } },
        },
        {
          name: "c",
          inputSchema: { type: "object", properties: { any: true } },
        },
      ];
      const { client, warnings } = await listing(revision, {
        "tools/list": { tools },
      });
      const read = (await all(client["tools"]?.())) as Json[];
      expect(read.map(({ name }) => name)).toEqual(["a", "b", "c"]);
      expect(read[0]).toMatchObject({ inputSchema: { properties: asObjects } });
      expect(read[2]).toMatchObject({
        inputSchema: { properties: { any: {} } },
      });
      expect((await client["listTools"]?.())?.["tools"]).toEqual(read);
      expect(warnings).toEqual([]);
    });

    it("are sent as objects with the same meaning, from a handler of one's own", async () => {
      const handlers = {
        "tools/list": () => ({
          tools: [{ name: "a", inputSchema: { type: "object", properties } }],
        }),
      };
      const [clientTransport, serverTransport] = memoryPair();
      await serve(serverTransport, makeServer(protocol, { handlers }));
      const wire = new Wire(clientTransport);
      await wire.ask(0, "initialize", {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: info,
      });
      wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      const { result } = await wire.ask(1, "tools/list");
      expect(result).toMatchObject({
        tools: [{ inputSchema: { properties: asObjects } }],
      });
    });
  },
);

it.each([
  [50, "is left out of"],
  [51, "fails"],
])(
  "an invalid tool in a page with %i members %s the list",
  async (count, what) => {
    const warnings: string[] = [];
    const { client, wire } = await clientWire(legacy, {
      onWarning: (warning) => warnings.push(warning),
    });
    const page: Record<string, unknown> = {
      tools: [
        { name: "n".repeat(100), inputSchema: 7 },
        { name: "good", inputSchema: { type: "object" } },
      ],
    };
    for (let i = 1; i < count; i++) page[`x${i}`] = i;
    const listing = client.listTools();
    await wire.answer(page);
    if (what === "fails") await expect(listing).rejects.toThrow("inputSchema");
    else {
      expect((await listing)["tools"]).toMatchObject([{ name: "good" }]);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^tools\/list: tools\[0\] "n{80}" is left out: inputSchema: expected an object/,
        ),
      ]);
    }
  },
);
