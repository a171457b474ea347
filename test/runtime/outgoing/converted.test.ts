import { describe, expect, it } from "vitest";
import { createServers } from "../../../generated/index.js";
import { callOf, ready } from "../kit/calls.js";
import { errorOf, info, type Json, resultOf, revisions, serveWire, shakeHands } from "../kit/index.js";

const blocks = [
  { type: "text", text: "said" },
  { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  { type: "resource_link", name: "plan", uri: "file:///plan" },
];

describe.each(revisions)("content that a revision lacks, at $revision", (one) => {
  const { revision } = one;
  const kinds = (content: unknown): unknown[] => (content as Json[]).map(({ type }) => type);
  const expected = [
    "text",
    revision >= "2025-03-26" ? "audio" : "resource",
    revision >= "2025-06-18" ? "resource_link" : "text",
  ];

  it("VERS-05 VERS-11 is replaced or left out by a server of this revision alone, with a warning", async () => {
    const warnings: string[] = [];
    const handlers = {
      "tools/call": () => ({ content: blocks, structuredContent: { n: 1 }, "x-mine": true }),
    };
    const wire = await ready(one, { handlers, onWarning: (message) => warnings.push(message) });
    const result = resultOf(await wire.ask(1, "tools/call", callOf(one)));
    expect(kinds(result["content"])).toEqual(expected);
    expect("structuredContent" in result).toBe(revision >= "2025-06-18");
    expect(result["x-mine"]).toBe(true);
    await wire.ask(2, "tools/call", callOf(one));
    const changes =
      expected.filter((kind, i) => kind !== blocks[i]?.type).length + (revision >= "2025-06-18" ? 0 : 1);
    expect(warnings).toHaveLength(changes);
    if (revision < "2025-06-18")
      expect((result["content"] as Json[])[2]?.["text"]).toBe("plan: file:///plan");
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
    const wire = await serveWire(servers.filter((server) => server.revision === revision));
    if (one.isModern) return expect(errorOf(await wire.ask(1, "x"))).toBeDefined();
    const { serverInfo } = resultOf(await shakeHands(wire, revision)) as { serverInfo: Json };
    expect("title" in serverInfo).toBe(revision >= "2025-06-18");
    expect("icons" in serverInfo).toBe(revision >= "2025-11-25");
  });
});
