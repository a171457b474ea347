import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it } from "vitest";
import { createServers, serverQuestions } from "../../generated/index.js";
import { directory, runHere } from "./support.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server over HTTP, of the revisions that the condition is true for, with a tool that asks its client. */
async function serverAt(isServed: (revision: string) => boolean): Promise<string> {
  const servers = createServers({
    info: { name: "asker", version: "1.0.0" },
    questions: serverQuestions,
    handlers: {
      "tools/list": () => ({ tools: [{ name: "ask", inputSchema: { type: "object" } }] }),
      "tools/call": async (_, context) => {
        const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
        const { action } = await context.request("elicitation/create", {
          message: "Your name?",
          requestedSchema,
        });
        return { content: [{ type: "text", text: `The answer is ${action}.` }] };
      },
    },
  });
  const handler = createHttpHandler(servers.filter(({ revision }) => isServed(revision)));
  const up = await serveHttp(handler, { port: 0 });
  closing.push(() => up.close());
  return up.url;
}

describe.each([
  ["before 2026-07-28", (revision: string) => revision === "2025-11-25"],
  ["since 2026-07-28", (revision: string) => revision === "2026-07-28"],
])("a server %s", (_, isServed) => {
  it("is written into a snapshot by pull", async () => {
    const place = directory();
    const url = await serverAt(isServed);
    const { code, err } = await runHere(["pull", "--url", url, "-o", "asker.mcp.json"], place);
    expect(code, err).toBe(0);
    const snapshot: unknown = JSON.parse(readFileSync(join(place, "asker.mcp.json"), "utf8"));
    expect(snapshot).toMatchObject({ server: { name: "asker" }, tools: [{ name: "ask" }] });
  });

  it("gets an answer that declines its question during a call", async () => {
    const url = await serverAt(isServed);
    const { code, out, err } = await runHere(["call", "--url", url, "ask"]);
    expect([code, out], err).toEqual([0, "The answer is decline.\n"]);
    expect(err).toContain("elicitation/create");
  });
});
