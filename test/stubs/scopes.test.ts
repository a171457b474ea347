import type { ServerDefinition } from "@mcpgen/runtime";
import { createHttpHandler, http } from "@mcpgen/runtime/http";
import { protect } from "@mcpgen/auth/protect";
import { describe, expect, it } from "vitest";
import { Client } from "../../generated/2025-11-25/client.js";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { fixture, project } from "./project.js";

const resource = "http://127.0.0.1:3000/mcp";
const scopes = { warn: ["weather:write", "weather:warn"] };

const server = project(fixture("weather"), { scopes }).then(({ files }) =>
  load(files, "server.ts"),
) as Promise<{
  createWeatherServer(handlers: object): ServerDefinition;
}>;

/**
 * Calls the tool `warn` of a protected server with a token of these scopes.
 * Returns its text, and the challenges of the server.
 */
async function warn(
  granted: string,
): Promise<{ result: unknown; challenges: (string | null)[] }> {
  const { createWeatherServer } = await server;
  const handlers = {
    tools: {
      getWeather: () => [],
      warn: () => [{ type: "text", text: "warned" }],
    },
  };
  const protection = protect({
    resource,
    issuers: ["http://127.0.0.1:3001"],
    verify: () => ({
      iss: "http://127.0.0.1:3001",
      sub: "ada",
      aud: resource,
      exp: Date.now() / 1000 + 60,
      scope: granted,
    }),
  });
  const handler = createHttpHandler(createWeatherServer(handlers), {
    protect: protection,
  });
  const challenges: (string | null)[] = [];
  const fetch = async (
    url: string | URL | Request,
    init?: RequestInit,
  ): Promise<Response> => {
    const response = await handler(new Request(url, init));
    if (response.status === 403)
      challenges.push(response.headers.get("www-authenticate"));
    return response;
  };
  const client = await Client.connect(
    http(resource, { fetch, headers: { authorization: "Bearer token" } }),
    {
      info: { name: "caller", version: "1.0.0" },
    },
  );
  const args = { level: 1, region: { code: "PT-11" } };
  const result = await client
    .callTool({ name: "warn", arguments: args })
    .then(({ content }) => content, String)
    .finally(() => client.close());
  await handler.close();
  return { result, challenges };
}

describe("scopes of tools in the configuration of a server", () => {
  it("are required of the callers of the generated server if it is protected", async () => {
    expect(await warn("weather:write weather:warn")).toEqual({
      result: [{ type: "text", text: "warned" }],
      challenges: [],
    });
    const { result, challenges } = await warn("weather:write");
    expect(result).toContain("403");
    expect(challenges).toEqual([
      expect.stringContaining('scope="weather:write weather:warn"'),
    ]);
  });

  it("are written into the rows of their tools, and change nothing else", async () => {
    const plain = await project(fixture("weather"));
    const scoped = await project(fixture("weather"), { scopes });
    expect(compile(scoped.all)).toEqual([]);
    const rowsOf = (files: ReadonlyMap<string, string>): string =>
      (files.get("server.ts") ?? "")
        .replace(/\s+/g, "")
        .replaceAll(/,(?=[}\]])/g, "");
    const row = ',undefined,["weather:write","weather:warn"]';
    expect(rowsOf(scoped.files)).toContain(row);
    expect(rowsOf(scoped.files).replace(row, "")).toBe(rowsOf(plain.files));
    for (const [path, text] of plain.all)
      if (path !== "server.ts") expect(scoped.all.get(path)).toBe(text);
  });

  it("change nothing if they are empty", async () => {
    const plain = await project(fixture("weather"));
    const { all, reports } = await project(fixture("weather"), {
      scopes: { warn: [] },
    });
    expect([all, reports]).toEqual([plain.all, plain.reports]);
  });
});
