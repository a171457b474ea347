import {
  type Prompt,
  prompts,
  resources,
  type ToolOutput,
  tools,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  failure,
  join,
  type Json,
  revisions,
  text,
} from "../kit/index.js";

const invalid = [
  [
    "text and blob together",
    { text: "a", blob: "YQ==" },
    "expected either text or blob",
  ],
  ["neither of them", {}, "expected either text or blob"],
  ["a blob of another alphabet", { blob: "__-8" }, "blob: expected base64"],
  ["a blob that is cut off", { blob: "YQ=" }, "blob: expected base64"],
] as const;

describe.each(revisions)("at $revision", ({ protocol }) => {
  const errors: string[] = [];
  const open = async (
    features: object,
    options: Json = {},
  ): Promise<AnyClient> => {
    errors.length = 0;
    const server = {
      handlers: features as never,
      onError: (error: Error) => errors.push(error.message),
    };
    return (await join(protocol, { server: { ...server, ...options } })).client;
  };

  describe("prompts()", () => {
    const get = async (content: Json): Promise<Json> => {
      const prompt: Prompt = {
        name: "p",
        get: () => [{ role: "user", content }],
      };
      const client = await open(prompts([prompt]));
      return client.getPrompt({ name: "p" });
    };
    const resource = (more: Json): Json => ({
      type: "resource",
      resource: { uri: "test://a", ...more },
    });

    it.each(invalid)(
      "sends no embedded resource with %s (PROMPT-05)",
      async (_, more, expected) => {
        expect(
          await failure(get(resource({ mimeType: "text/plain", ...more }))),
        ).toMatchObject({
          code: -32603,
        });
        expect(errors).toEqual([
          expect.stringContaining(`messages[0].content.resource`),
        ]);
        expect(errors[0]).toContain(expected);
      },
    );

    it.each([
      [{ uri: "a b" }, 'uri: expected a URI, got "a b".'],
      [{ uri: "plain" }, 'uri: expected a URI, got "plain".'],
      [{ uri: undefined }, "uri: expected a URI, got undefined."],
      [{ uri: 7 }, "uri: expected a URI, got 7."],
      [{ mimeType: "text" }, 'mimeType: expected a MIME type, got "text".'],
      [{ mimeType: null }, "mimeType: expected a MIME type, got null."],
      [
        { uri: "x".repeat(200) },
        `uri: expected a URI, got "${"x".repeat(99)}.`,
      ],
    ])(
      "sends no embedded resource with %j, and says what is expected (PROMPT-05)",
      async (more, expected) => {
        const content = resource({
          text: "a",
          mimeType: "text/plain",
          ...more,
        });
        expect(await failure(get(content))).toHaveProperty("code");
        expect(errors).toEqual([expect.stringContaining(expected)]);
      },
    );

    it.each([
      [{ text: "a" }, "text/plain"],
      [{ blob: "YQ==" }, "application/octet-stream"],
      [
        { text: "a", mimeType: "text/x; charset=utf-8" },
        "text/x; charset=utf-8",
      ],
    ] as const)(
      "sends the embedded resource %j with the MIME type %s (PROMPT-05)",
      async (more, mimeType) => {
        const { messages } = await get(resource(more));
        expect(messages).toMatchObject([
          { content: { resource: { uri: "test://a", ...more, mimeType } } },
        ]);
      },
    );

    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    it("sends an image (PROMPT-03)", async () => {
      expect(await get(image)).toMatchObject({
        messages: [{ content: image }],
      });
    });

    it.each([{ data: "a b" }, { mimeType: "png" }])(
      "sends no image with %j, which is not base64 or a MIME type (PROMPT-03)",
      async (more) => {
        expect(await failure(get({ ...image, ...more }))).toMatchObject({
          code: -32603,
        });
      },
    );
  });

  describe("resources()", () => {
    it.each(invalid)(
      "sends no contents with %s (RES-03, RES-10)",
      async (_, more, expected) => {
        const uri = "test://a";
        const read = (): Json => ({
          contents: [
            { uri, text: "fine" },
            { uri, ...more },
          ],
        });
        const client = await open(resources([{ uri, name: "a", read }]));
        expect(await failure(client.readResource({ uri }))).toMatchObject({
          code: -32603,
        });
        expect(errors).toEqual([expect.stringContaining(`contents[1]`)]);
        expect(errors[0]).toContain(expected);
      },
    );
  });

  describe("tools()", () => {
    const results = [
      {
        name: "tell",
        inputSchema: { type: "object", additionalProperties: false },
        handler: () => "the key is swordfish",
      },
      {
        name: "fail",
        handler: () => {
          throw new Error("no file /home/ada/swordfish");
        },
      },
      {
        name: "write",
        handler: () => ({
          content: [{ type: "text", text: "swordfish" }],
          isError: true,
        }),
      },
    ];
    const seen: unknown[] = [];
    const filter = (
      result: ToolOutput,
      { name }: { readonly name: string },
    ): object => {
      seen.push(name);
      return JSON.parse(
        JSON.stringify(result).replaceAll("swordfish", "…"),
      ) as object;
    };

    it("passes every result to the filter of the author, also failed ones, and sends what it returns (TOOL-20)", async () => {
      const client = await open(tools(results, { filter }));
      seen.length = 0;
      for (const { name } of results) {
        const result = await client.callTool({ name });
        expect(JSON.stringify(result)).toContain("…");
        expect(JSON.stringify(result)).not.toContain("swordfish");
      }
      const refused = await client.callTool({
        name: "tell",
        arguments: { swordfish: 1 },
      });
      expect(refused).toMatchObject({ isError: true });
      expect(seen).toEqual(["tell", "fail", "write", "tell"]);
    });

    it("sends a failed result if the filter throws, and never the original result (TOOL-20)", async () => {
      const client = await open(
        tools(results, {
          filter: () => {
            throw new Error("not this one");
          },
        }),
      );
      expect(await client.callTool({ name: "tell" })).toMatchObject({
        ...text("not this one"),
        isError: true,
      });
    });

    it("sends no block of a type that the protocol does not have (TOOL-20)", async () => {
      const odd = {
        name: "odd",
        handler: () => ({ content: [{ type: "video", data: "AAAA" }] }),
      };
      const client = await open(tools([odd]));
      expect(await client.callTool({ name: "odd" })).toMatchObject(
        text('{"content":[{"type":"video","data":"AAAA"}]}'),
      );
    });
  });
});
