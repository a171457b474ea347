import { describe, expect, it } from "vitest";
import { createServers, serverQuestions } from "../../../generated/index.js";
import { convertBlocks } from "../../../src/runtime/core/session/outgoing.js";
import { callOf, ready } from "../kit/calls.js";
import {
  errorOf,
  info,
  type Json,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
} from "../kit/index.js";

const blocks = [
  { type: "text", text: "said" },
  { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  { type: "resource_link", name: "plan", uri: "file:///plan" },
];

describe.each(revisions)(
  "content that a revision lacks, at $revision",
  (one) => {
    const { revision } = one;
    const kinds = (content: unknown): unknown[] =>
      (content as Json[]).map(({ type }) => type);
    const expected = [
      "text",
      revision >= "2025-03-26" ? "audio" : "resource",
      revision >= "2025-06-18" ? "resource_link" : "text",
    ];

    it("VERS-05 VERS-11 is replaced or left out by a server of this revision alone, with a warning", async () => {
      const warnings: string[] = [];
      const handlers = {
        "tools/call": () => ({
          content: blocks,
          structuredContent: { n: 1 },
          "x-mine": true,
        }),
      };
      const wire = await ready(one, {
        handlers,
        onWarning: (message) => warnings.push(message),
      });
      const result = resultOf(await wire.ask(1, "tools/call", callOf(one)));
      expect(kinds(result["content"])).toEqual(expected);
      expect("structuredContent" in result).toBe(revision >= "2025-06-18");
      expect(result["x-mine"]).toBe(true);
      await wire.ask(2, "tools/call", callOf(one));
      const changes =
        expected.filter((kind, i) => kind !== blocks[i]?.type).length +
        (revision >= "2025-06-18" ? 0 : 1);
      expect(warnings).toHaveLength(changes);
      if (revision < "2025-06-18")
        expect((result["content"] as Json[])[2]?.["text"]).toBe(
          "plan: file:///plan",
        );
      if (revision < "2025-03-26")
        expect((result["content"] as Json[])[1]?.["resource"]).toEqual({
          uri: "data:audio/wav,",
          mimeType: "audio/wav",
          blob: "AAAA",
        });
    });

    it("VERS-11 is omitted from the identity of a server", async () => {
      const servers = createServers({
        info: { ...info, title: "T", icons: [] } as never,
        handlers: { "tools/call": () => ({ content: [] }) },
        onWarning: () => {},
      });
      const wire = await serveWire(
        servers.filter((server) => server.revision === revision),
      );
      if (one.isModern)
        return expect(errorOf(await wire.ask(1, "x"))).toBeDefined();
      const { serverInfo } = resultOf(await shakeHands(wire, revision)) as {
        serverInfo: Json;
      };
      expect("title" in serverInfo).toBe(revision >= "2025-06-18");
      expect("icons" in serverInfo).toBe(revision >= "2025-11-25");
    });
  },
);

describe.each(
  revisions.filter(({ revision }) =>
    ["2025-06-18", "2025-11-25"].includes(revision),
  ),
)(
  "a form that a server of all revisions sends to a client of $revision",
  ({ revision }) => {
    const isNew = revision >= "2025-11-25";
    const choice = {
      type: "string",
      title: "Colour",
      oneOf: [
        { const: "r", title: "Red" },
        { const: "g", title: "Green" },
      ],
    };
    const several = { type: "array", items: { anyOf: choice.oneOf } };

    /**
     * Calls a tool that asks with these fields. The client answers, if the
     * question arrives.
     */
    async function asked(
      properties: Json,
      content: Json,
    ): Promise<{ fields?: unknown; outcome: unknown; warnings: string[] }> {
      const warnings: string[] = [];
      const servers = createServers({
        info,
        questions: serverQuestions,
        handlers: {
          "tools/call": async (_, { request }) => {
            const form = {
              message: "?",
              requestedSchema: { type: "object", properties },
            } as never;
            const answer = await request("elicitation/create", form).catch(
              String,
            );
            return {
              content: [{ type: "text", text: JSON.stringify(answer) }],
            };
          },
        },
        onWarning: (text) => warnings.push(text),
      });
      const wire = await serveWire(servers);
      await shakeHands(wire, revision, { elicitation: {} });
      let message = await wire.ask(1, "tools/call", { name: "x" });
      let fields: unknown;
      if (message["method"] === "elicitation/create") {
        fields = ((message["params"] as Json)["requestedSchema"] as Json)[
          "properties"
        ];
        wire.send({
          jsonrpc: "2.0",
          id: message["id"],
          result: { action: "accept", content },
        });
        message = await wire.next();
      }
      const [block] = resultOf(message)["content"] as Json[];
      return { fields, outcome: JSON.parse(String(block?.["text"])), warnings };
    }

    it("VERS-05 ELIC-06 has a choice with titles in the notation of the revision, and its answer is accepted", async () => {
      const { oneOf, ...rest } = choice;
      const { fields, outcome, warnings } = await asked(
        { colour: choice },
        { colour: "g" },
      );
      expect(fields).toEqual({
        colour: isNew
          ? { ...rest, oneOf }
          : { ...rest, enum: ["r", "g"], enumNames: ["Red", "Green"] },
      });
      expect(outcome).toEqual({ action: "accept", content: { colour: "g" } });
      expect(warnings).toEqual(
        isNew
          ? []
          : [
              "elicitation/create: requestedSchema.properties.colour.oneOf is sent as enum and enumNames, because revision 2025-06-18 does not have it.",
            ],
      );
    });

    it("VERS-05 is rejected, and not sent, if the revision cannot express a choice of several values", async () => {
      const { fields, outcome } = await asked(
        { colours: several },
        { colours: ["r"] },
      );
      expect(fields).toEqual(isNew ? { colours: several } : undefined);
      expect(outcome).toEqual(
        isNew
          ? { action: "accept", content: { colours: ["r"] } }
          : expect.stringMatching(
              /^ValidationError: elicitation\/create: params\.requestedSchema\.properties\.colours/,
            ),
      );
    });
  },
);

it.each([
  [
    { a: "1", b: "2" },
    { type: "text", text: "1: 2", data: "2" },
  ],
  [
    { a: "1", b: 2 },
    { type: "text", text: undefined, data: 2 },
  ],
  [{ b: "2" }, { type: "text", text: undefined, data: "2" }],
])(
  "a block is replaced by text only if all members in that text are strings: %j",
  (members, expected) => {
    const changes: string[] = [];
    const rule = {
      kinds: { x: { as: { type: "text", text: "{a}: {b}", data: "{b}" } } },
    };
    const block = convertBlocks(
      { type: "x", ...members },
      rule,
      { tag: "type" },
      (change) => changes.push(change),
      "content",
    );
    expect(block).toEqual(expected);
    expect(changes).toEqual([
      'a block "x" in content is sent as a block "text"',
    ]);
  },
);
