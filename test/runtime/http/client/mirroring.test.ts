import { describe, expect, it } from "vitest";
import {
  type Answer,
  cached,
  failure as refusal,
  json,
  result,
} from "../kit/script.js";
import { clientWire, failure, type Json, modern } from "../../kit/index.js";
import { done, isCall, open, opening } from "../kit/client-modern.js";

describe("arguments that a tool requires in headers", () => {
  const annotated = (header: string, type = "string"): Json => ({
    type,
    "x-mcp-header": header,
  });
  const tool = (name: string, properties: Json): Json => ({
    name,
    inputSchema: { type: "object", properties },
  });
  const region = tool("region", {
    where: annotated("Region"),
    deep: {
      type: "object",
      properties: { count: annotated("Count", "integer") },
    },
    sure: annotated("Sure", "boolean"),
    plain: { type: "string" },
  });
  const serving = (
    tools: () => readonly Json[],
    call: Answer = (seen, response) => json(response, result(seen, done)),
  ) =>
    opening((seen, response, count) => {
      if (isCall(seen)) call(seen, response, count);
      else json(response, result(seen, { tools: tools(), ...cached }));
    });

  it("HDR-06 HDR-07 HDR-08 HDR-14 are the only ones that are sent in headers, after the tool was listed", async () => {
    const script = await serving(() => [region]);
    const client = await open(script);
    const args = { where: " us", deep: { count: 42 }, sure: false, plain: "p" };
    await client.callTool({ name: "region", arguments: args });
    await client.listTools();
    await client.callTool({ name: "region", arguments: args });
    await client.callTool({
      name: "region",
      arguments: { where: null, sure: true, deep: {} },
    });
    await client.callTool({ name: "region", arguments: { where: "" } });
    const paramHeaders = script.seen
      .filter(isCall)
      .map(({ headers }) =>
        Object.fromEntries(
          Object.entries(headers).filter(([name]) =>
            name.startsWith("mcp-param-"),
          ),
        ),
      );
    expect(paramHeaders).toEqual([
      {},
      {
        "mcp-param-region": "=?base64?IHVz?=",
        "mcp-param-count": "42",
        "mcp-param-sure": "false",
      },
      { "mcp-param-sure": "true" },
      { "mcp-param-region": "" },
    ]);
  });

  it.each([2 ** 53, -(2 ** 53), 1.5])(
    "HDR-08 fail the call if client and server could read the value %j differently",
    async (count) => {
      const script = await serving(() => [region]);
      const client = await open(script);
      await client.listTools();
      const error = await failure(
        client.callTool({ name: "region", arguments: { deep: { count } } }),
      );
      expect(error.name).toBe("ValidationError");
      expect(error.message).toContain("params.arguments.deep.count");
      expect(script.seen.filter(isCall)).toEqual([]);
    },
  );

  it("HDR-11 remove a tool from the list, with a warning, if their annotations are invalid", async () => {
    const bad = [
      tool("no name", { a: annotated("") }),
      tool("no token", { a: annotated("a b") }),
      tool("a list", { a: annotated("A", "array") }),
      tool("twice", { a: annotated("Same"), b: annotated("SAME") }),
      tool("below items", { a: { type: "array", items: annotated("A") } }),
    ];
    const script = await serving(() => [region, ...bad, tool("plain", {})]);
    const warnings: string[] = [];
    const client = await open(
      script,
      {},
      { onWarning: (warning) => warnings.push(warning) },
    );
    const { tools } = await client.listTools();
    expect((tools as readonly Json[]).map(({ name }) => name)).toEqual([
      "region",
      "plain",
    ]);
    expect(warnings).toHaveLength(bad.length);
    bad.forEach(({ name }, i) =>
      expect(warnings[i]).toContain(JSON.stringify(name)),
    );
  });

  it("HDR-12 have no effect on other transports", async () => {
    const bad = tool("no name", { a: annotated("") });
    const { client, wire } = await clientWire(modern);
    const listing = client.listTools();
    await wire.answer({ tools: [bad], ...cached });
    expect((await listing)["tools"]).toEqual([bad]);
  });

  it("HDR-13 are sent again once after the list is read again, if the server rejects the headers", async () => {
    let isStrict = false;
    const script = await serving(
      () => [isStrict ? region : tool("region", {})],
      (seen, response) => {
        if (isStrict && seen.headers["mcp-param-region"] !== "us")
          json(response, refusal(seen, -32020), 400);
        else json(response, result(seen, done));
      },
    );
    const client = await open(script);
    await client.listTools();
    isStrict = true;
    expect(
      await client.callTool({ name: "region", arguments: { where: "us" } }),
    ).toEqual(done);
    expect(script.methods.slice(2)).toEqual([
      "tools/call",
      "tools/list",
      "tools/call",
    ]);
    const error = await failure(
      client.callTool({ name: "region", arguments: { where: "de" } }),
    );
    expect(error).toMatchObject({ name: "McpError", code: -32020 });
    expect(script.methods.slice(5)).toEqual([
      "tools/call",
      "tools/list",
      "tools/call",
    ]);
  });

  it("HDR-13 are read again up to the page that has the tool", async () => {
    const cursors: unknown[] = [];
    const pages = [
      { tools: [tool("plain", {})], nextCursor: "1" },
      { tools: [tool("other", {}), region], nextCursor: "2" },
      { tools: [tool("last", {})] },
    ];
    const script = await opening((seen, response) => {
      const { cursor } = (seen.body?.["params"] ?? {}) as Json;
      if (!isCall(seen)) {
        cursors.push(cursor);
        json(
          response,
          result(seen, { ...pages[Number(cursor ?? 0)], ...cached }),
        );
      } else if (seen.headers["mcp-param-region"] === "us")
        json(response, result(seen, done));
      else json(response, refusal(seen, -32020), 400);
    });
    const client = await open(script);
    cursors.length = 0;
    const params = { name: "region", arguments: { where: "us" } };
    expect(await client.callTool(params)).toEqual(done);
    expect(cursors).toEqual([undefined, "1"]);
  });
});
