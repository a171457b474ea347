import {
  prompts,
  type Resource,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  failure,
  join,
  type Json,
  revisions,
  textOf,
} from "../kit/index.js";
import { standard } from "./tools/kit.js";

type Protocol = (typeof revisions)[number]["protocol"];

/** A Standard Schema without a JSON Schema, as generated projects have. */
const text = standard((value) =>
  typeof value["text"] === "string" ? value : "expected text",
);
const tool = (name: string): object => ({
  name,
  inputSchema: { type: "object" },
  description: `Does ${name}.`,
});

interface Lists {
  readonly tools?: readonly object[];
  readonly prompts?: readonly object[];
  readonly resources?: readonly object[];
}

async function open(protocol: Protocol, lists: Lists): Promise<AnyClient> {
  const page: Resource = {
    uriTemplate: "a://c{/path*}",
    name: "c",
    read: (variables: Readonly<Record<string, string>>) =>
      `at ${variables["path"]}`,
  };
  const say = {
    name: "say",
    inputSchema: text,
    handler: (args: object) => Object.values(args).join(),
  };
  const ask = {
    name: "ask",
    arguments: [{ name: "topic", required: true }],
    get: () => "Why?",
  };
  const handlers = {
    ...tools([say], { listed: lists.tools ?? [] }),
    ...prompts([ask], { listed: lists.prompts ?? [] }),
    ...resources([{ uri: "a://b", name: "b", read: () => "fixed" }, page], {
      listed: lists.resources ?? [],
    }),
  };
  return (await join(protocol, { server: { handlers } })).client;
}

type List = () => Promise<Json>;
const all = (
  client: AnyClient,
): Record<"listPrompts" | "listResources" | "listResourceTemplates", List> =>
  client as never;

describe.each(revisions)(
  "the option listed of features at $revision",
  ({ protocol }) => {
    it("lists exactly the given entries, in their order", async () => {
      const listed = [tool("whisper"), tool("say")];
      const client = await open(protocol, { tools: listed });
      expect((await client.listTools())["tools"]).toEqual(listed);
      expect((await all(client).listPrompts())["prompts"]).toEqual([]);
      expect((await all(client).listResources())["resources"]).toEqual([]);
    });

    it("calls handlers that are listed or not, and rejects entries without a handler", async () => {
      const client = await open(protocol, { tools: [tool("whisper")] });
      expect(
        textOf(
          await client.callTool({ name: "say", arguments: { text: "hi" } }),
        ),
      ).toBe("hi");
      expect(await failure(client.callTool({ name: "whisper" }))).toMatchObject(
        { code: -32602 },
      );
      expect(await failure(client.getPrompt({ name: "ask" }))).toMatchObject({
        code: -32602,
      });
    });

    it("puts resources and templates into separate lists, and reads with the MIME type of the entry", async () => {
      const fixed = { uri: "a://b", name: "b", mimeType: "text/plain" };
      const template = { uriTemplate: "a://c{/path*}", name: "c" };
      const client = await open(protocol, { resources: [template, fixed] });
      expect((await all(client).listResources())["resources"]).toEqual([fixed]);
      expect(
        (await all(client).listResourceTemplates())["resourceTemplates"],
      ).toEqual([template]);
      expect((await client.readResource({ uri: "a://b" }))["contents"]).toEqual(
        [{ uri: "a://b", mimeType: "text/plain", text: "fixed" }],
      );
    });

    it("reads a template whose value is a list (RFC 6570, level 4)", async () => {
      const client = await open(protocol, {});
      expect(
        (await client.readResource({ uri: "a://c/x" }))["contents"],
      ).toEqual([{ uri: "a://c/x", text: "at x" }]);
      expect(
        await failure(client.readResource({ uri: "a://d/x" })),
      ).toMatchObject({
        data: { uri: "a://d/x" },
      });
    });
  },
);
