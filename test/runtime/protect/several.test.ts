import { protect } from "@mcpgen/auth/protect";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { serversWith } from "./serving.js";

const issuers = ["https://auth.example.com"];
const root = "/.well-known/oauth-protected-resource";

/**
 * What is served at the metadata URLs of an address with a protected server at
 * each path, and the warnings.
 */
async function documents(resources: readonly string[]): Promise<{
  readonly served: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}> {
  const warnings: string[] = [];
  const handlers = Object.fromEntries(
    resources.map((resource) => [
      new URL(resource).pathname,
      createHttpHandler(serversWith([]), {
        protect: protect({ resource, issuers }),
      }),
    ]),
  );
  await using up = await serveHttp(handlers, {
    port: 0,
    onWarning: (text) => void warnings.push(text),
  });
  const served: Record<string, unknown> = {};
  for (const path of ["", "/a", "/b"]) {
    const response = await fetch(new URL(root + path, up.url));
    served[path] = response.ok
      ? ((await response.json()) as { resource: string }).resource
      : response.status;
  }
  return { served, warnings };
}

describe("several protected servers at one address", () => {
  const [a, b, whole] = [
    "https://mcp.example.com/a",
    "https://mcp.example.com/b",
    "https://mcp.example.com/",
  ];

  it("serve no metadata at the root if none is at the root, and warn once", async () => {
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      const { served, warnings } = await documents(order);
      expect(served).toEqual({ "": 404, "/a": a, "/b": b });
      expect(warnings).toEqual([
        expect.stringContaining(`${root} is not served`),
      ]);
    }
  });

  it("serve at the root the metadata of the one that is there, in any order", async () => {
    for (const order of [
      [a, whole, b],
      [whole, b, a],
      [b, a, whole],
    ])
      expect(await documents(order)).toEqual({
        served: { "": whole, "/a": a, "/b": b },
        warnings: [],
      });
  });

  it("do not change what one alone serves", async () => {
    expect(await documents([a])).toEqual({
      served: { "": a, "/a": a, "/b": 404 },
      warnings: [],
    });
  });
});
