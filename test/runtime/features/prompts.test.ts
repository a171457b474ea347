import {
  type Prompt,
  prompts,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  failure,
  join,
  type Json,
  makeServer,
  modern,
  modernRevisions,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
  metaFor,
} from "../kit/index.js";
import { carelessly } from "../kit/careless.js";

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `v${i}`);
const languages = ["Python", "PHP", "Ruby", "Rust"];
const entries: readonly Prompt[] = [
  {
    name: "review",
    title: "Review",
    description: "Reviews code",
    arguments: [
      { name: "code", description: "What to review", required: true },
      { name: "language", complete: languages },
      {
        name: "framework",
        complete: (typed, { language = "none" }) => [`${language}-${typed}`],
      },
    ],
    get: ({ code, language = "some language" }) =>
      `Review ${code} in ${language}.`,
  },
  {
    name: "image",
    get: () => [
      {
        role: "user",
        content: { type: "image", data: "AAAA", mimeType: "image/png" },
      },
    ],
  },
  { name: "whole", get: () => ({ description: "Other", messages: [] }) },
  { name: "odd", get: () => 7 },
  {
    name: "many",
    arguments: [
      {
        name: "n",
        complete: () => numbered(250),
      },
      {
        name: "told",
        complete: () => ({ values: ["a"], total: 900, hasMore: true }),
      },
      {
        name: "counted",
        complete: (typed) => numbered(Number(typed)),
      },
      {
        name: "partial",
        complete: () => ({ values: numbered(101), total: 900, hasMore: false }),
      },
    ],
    get: () => "",
  },
];

const template = {
  uriTemplate: "test://{city}/{street}",
  name: "address",
  complete: { city: ["Berlin", "Bern", "Oslo"] },
  read: () => "",
};

type Protocol = (typeof revisions)[number]["protocol"];
const open = async (protocol: Protocol): Promise<AnyClient> => {
  const fixed = { uri: "test://plain", name: "plain", read: () => "" };
  const handlers = {
    ...prompts(entries),
    ...resources([template, fixed]),
    ...tools([]),
  };
  return (await join(protocol, { server: { handlers } })).client;
};

/** The generated client has more methods than `AnyClient` lists. */
type Lists = Readonly<Record<"listPrompts", (params?: Json) => Promise<Json>>>;

describe.each(revisions)("prompts() at $revision", (one) => {
  const { protocol, isModern, facts } = one;

  it("PROMPT-01 VERS-11 declares prompts and lists them with the members of the revision, without completers", async () => {
    const client = await open(protocol);
    expect(client.server.capabilities).toMatchObject({ prompts: {} });
    const { prompts: listed } = await (
      client as unknown as Lists
    ).listPrompts();
    expect((listed as readonly Json[])[0]).toEqual({
      name: "review",
      ...(facts.revision >= "2025-06-18" && { title: "Review" }),
      description: "Reviews code",
      arguments: [
        { name: "code", description: "What to review", required: true },
        { name: "language" },
        { name: "framework" },
      ],
    });
    expect((listed as readonly Json[])[1]).toEqual({ name: "image" });
  });

  it("PROMPT-01 returns the messages of a prompt from text, messages or a complete result", async () => {
    const client = await open(protocol);
    const args = { code: "x = 1", language: "Python" };
    expect(
      await client.getPrompt({ name: "review", arguments: args }),
    ).toMatchObject({
      description: "Reviews code",
      messages: [
        {
          role: "user",
          content: { type: "text", text: "Review x = 1 in Python." },
        },
      ],
    });
    expect(
      (await client.getPrompt({ name: "image" }))["messages"],
    ).toMatchObject([{ content: { type: "image" } }]);
    expect(await client.getPrompt({ name: "whole" })).toMatchObject({
      description: "Other",
      messages: [],
    });
    expect(await failure(client.getPrompt({ name: "odd" }))).toMatchObject({
      code: -32603,
    });
  });

  it.each(["other", "constructor"])(
    "PROMPT-02 rejects the unknown prompt %s",
    async (name) => {
      const client = await open(protocol);
      expect(await failure(client.getPrompt({ name }))).toMatchObject({
        code: -32602,
      });
    },
  );

  it("PROMPT-02 rejects a prompt without a required argument", async () => {
    const client = await open(protocol);
    const lacking = await failure(
      client.getPrompt({ name: "review", arguments: { language: "x" } }),
    );
    expect(lacking).toMatchObject({
      code: -32602,
      message: 'The prompt "review" needs the argument "code".',
    });
  });

  it("PROMPT-03 rejects an argument that is not a string", async () => {
    const client = await open(protocol);
    const params = { name: "review", arguments: { code: 7 } };
    const error = await carelessly(protocol.clientSide, () =>
      failure(client.getPrompt(params)),
    );
    expect(error).toMatchObject({ code: -32602 });
  });

  it("PAGE-04 PAGE-06 lists prompts page by page", async () => {
    const { client } = await join(protocol, {
      server: { handlers: { ...prompts(entries, { pageSize: 2 }) } },
    });
    const lists = client as unknown as Lists;
    const first = await lists.listPrompts();
    expect(first["prompts"]).toHaveLength(2);
    const second = await lists.listPrompts({ cursor: first["nextCursor"] });
    expect(second["prompts"]).toMatchObject([
      { name: "whole" },
      { name: "odd" },
    ]);
    expect(await failure(lists.listPrompts({ cursor: "7" }))).toMatchObject({
      code: -32602,
    });
  });

  it("PROMPT-04 declares listChanged if a function returns the prompts", async () => {
    const { client, server } = await join(protocol, {
      server: { handlers: { ...prompts(() => entries) } },
    });
    expect(client.server.capabilities).toMatchObject({
      prompts: { listChanged: true },
    });
    expect(() => server.notify["promptsListChanged"]?.()).not.toThrow();
    expect(await client.getPrompt({ name: "whole" })).toMatchObject({
      description: "Other",
    });
  });

  describe("completion", () => {
    const complete = async (
      ref: Json,
      name: string,
      value: string,
      context?: Json,
    ): Promise<Json> => {
      const wire = await serveWire(
        makeServer(protocol, {
          handlers: { ...prompts(entries), ...resources([template]) },
        }),
      );
      if (!isModern) await shakeHands(wire, facts.revision);
      const _meta = isModern ? metaFor(one) : undefined;
      return wire.ask(1, "completion/complete", {
        ref,
        argument: { name, value },
        ...(context && { context }),
        ...(_meta && { _meta }),
      });
    };
    const valuesOf = (answer: Json): unknown =>
      (resultOf(answer)["completion"] as Json)["values"];
    const review = { type: "ref/prompt", name: "review" };
    const address = { type: "ref/resource", uri: template.uriTemplate };

    it("COMP-01 suggests the values that begin with the typed text", async () => {
      expect(valuesOf(await complete(review, "language", "p"))).toEqual([
        "Python",
        "PHP",
      ]);
      expect(valuesOf(await complete(review, "language", ""))).toEqual(
        languages,
      );
      expect(valuesOf(await complete(address, "city", "ber"))).toEqual([
        "Berlin",
        "Bern",
      ]);
    });

    it("COMP-04 passes the other arguments to the completer", async () => {
      const context = { arguments: { language: "Ruby" } };
      expect(
        valuesOf(await complete(review, "framework", "r", context)),
      ).toEqual(["Ruby-r"]);
      expect(valuesOf(await complete(review, "framework", "r"))).toEqual([
        "none-r",
      ]);
    });

    it("COMP-02 returns at most 100 values, and their total number", async () => {
      const many = { type: "ref/prompt", name: "many" };
      const { completion } = resultOf(await complete(many, "n", "")) as {
        completion: Json;
      };
      expect(completion["values"]).toHaveLength(100);
      expect(completion).toMatchObject({ total: 250, hasMore: true });
      const limitedCompletion = resultOf(await complete(many, "told", ""))[
        "completion"
      ];
      expect(limitedCompletion).toEqual({
        values: ["a"],
        total: 900,
        hasMore: true,
      });
    });

    it.each([
      ["counted", "100", { values: numbered(100) }],
      ["counted", "101", { values: numbered(100), total: 101, hasMore: true }],
      ["partial", "", { values: numbered(100), total: 900, hasMore: true }],
    ])(
      "COMP-02 tells that there are more values only if there are: %s for %j",
      async (name, typed, completion) => {
        const many = { type: "ref/prompt", name: "many" };
        const answer = await complete(many, name, typed);
        expect(resultOf(answer)["completion"]).toEqual(completion);
      },
    );

    const long = "v".repeat(10_000);
    it.each([
      [long, {}, true],
      ["r", { language: long }, true],
      [`${long}v`, {}, false],
      ["r", { language: `${long}v`, code: "x" }, false],
      ["r", { code: "x", language: `${long}v` }, false],
    ])(
      "takes values of at most 10,000 characters, also of other arguments",
      async (typed, others, isAccepted) => {
        const answer = await complete(review, "framework", typed, {
          arguments: others,
        });
        expect(answer).toMatchObject(
          isAccepted
            ? { result: {} }
            : {
                error: {
                  code: -32602,
                  message:
                    "completion/complete: a value has more than 10000 characters.",
                },
              },
        );
      },
    );

    it("COMP-03 returns no completions for an argument without a completer", async () => {
      expect(valuesOf(await complete(review, "code", "x"))).toEqual([]);
      expect(valuesOf(await complete(address, "street", "x"))).toEqual([]);
    });

    it.each([
      [review, "other"],
      [review, "constructor"],
      [{ type: "ref/prompt", name: "other" }, "code"],
      [address, "other"],
      [{ type: "ref/resource", uri: "test://other" }, "city"],
      [{ type: "ref/prompt", name: template.uriTemplate }, "city"],
    ] as const)(
      "COMP-03 rejects for %j the unknown argument %s",
      async (ref, name) => {
        const { name: prompt, uri = prompt } = ref as Json;
        expect(await complete(ref as Json, name, "")).toMatchObject({
          error: {
            code: -32602,
            message: `There is no argument "${name}" of "${uri}".`,
          },
        });
      },
    );
  });

  it("COMP-03 returns no completions for a URI that is not a template", async () => {
    const client = await open(protocol);
    if (!client.server.capabilities["completions"])
      return expect(facts.revision).not.toBe(modern.facts.revision);
    const ref = { type: "ref/resource", uri: "test://plain" };
    const { completion } = await client.complete({
      ref,
      argument: { name: "any", value: "" },
    });
    expect(completion).toEqual({ values: [] });
  });
});

describe.each(modernRevisions)(
  "prompts() and resources() at $revision",
  ({ protocol }) => {
    it("MRTR-01 lets a prompt request input from the client", async () => {
      const ask = async (context: {
        request(method: string): Promise<unknown>;
      }): Promise<string> => {
        const { roots } = (await context.request("roots/list")) as {
          roots: readonly Json[];
        };
        return String(roots[0]?.["uri"]);
      };
      const handlers = {
        ...prompts([{ name: "ask", get: (_args, context) => ask(context) }]),
        ...resources([{ uri: "test://ask", name: "ask", read: ask }]),
      };
      const { client } = await join(protocol, {
        server: { handlers },
        client: {
          handlers: {
            "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
          },
        },
      });
      const { messages } = await client.getPrompt({ name: "ask" });
      expect(messages).toMatchObject([{ content: { text: "file:///home" } }]);
      const { contents } = await client.readResource({ uri: "test://ask" });
      expect(contents).toMatchObject([{ text: "file:///home" }]);
    });
  },
);

describe("prompts()", () => {
  it("rejects two prompts, or two arguments of a prompt, with the same name", () => {
    const get = (): string => "";
    expect(() =>
      prompts([
        { name: "a", get },
        { name: "a", get },
      ]),
    ).toThrow('"a" is declared twice');
    const args = [{ name: "x" }, { name: "x" }];
    expect(() => prompts([{ name: "a", arguments: args, get }])).toThrow(
      "two arguments with the same name",
    );
  });

  it("rejects a prompt without get, and names the function that it has", () => {
    const run = { name: "a", run: () => "" } as never;
    expect(() => prompts([run])).toThrow(
      'The prompt "a": get: expected a function, got undefined. Rename run to get.',
    );
  });

  it.each([
    ["a function that is a schema", { inputSchema: () => "" }, ""],
    [
      "a schema and another function",
      { outputSchema: () => "", SchemaOf: () => "" },
      " Rename SchemaOf to get.",
    ],
  ])(
    "rejects a prompt without get, and renames no schema: %s",
    (_, members, advice) => {
      expect(() => prompts([{ name: "a", ...members } as never])).toThrow(
        new TypeError(
          `The prompt "a": get: expected a function, got undefined.${advice}`,
        ),
      );
    },
  );

  it("returns no completions if a completer returns nothing", async () => {
    const nothing = [{ name: "n", complete: () => undefined }];
    const handlers = {
      ...prompts([{ name: "p", arguments: nothing, get: () => "" }]),
    };
    const { client } = await join(modern.protocol, { server: { handlers } });
    const ref = { type: "ref/prompt", name: "p" };
    const { completion } = await client.complete({
      ref,
      argument: { name: "n", value: "" },
    });
    expect(completion).toEqual({ values: [] });
  });

  it("uses a handler for completion/complete before all completers", async () => {
    const byHand = {
      "completion/complete": () => ({ completion: { values: ["mine"] } }),
    };
    const { client } = await join(modern.protocol, {
      server: { handlers: { ...prompts(entries), ...byHand } },
    });
    const ref = { type: "ref/prompt", name: "review" };
    const { completion } = await client.complete({
      ref,
      argument: { name: "language", value: "" },
    });
    expect(completion).toEqual({ values: ["mine"] });
  });
});
