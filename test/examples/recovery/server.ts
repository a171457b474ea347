import { resources, tools } from "@mcpgen/runtime/features";
import { createHttpHandler } from "@mcpgen/runtime/http";
import { createServers, type Servers } from "./gen/index.js";

function createBakery(): Servers {
  let reads = 0;
  const contents = (uri: string) => [
    { uri, text: `${uri}, read ${++reads} times` },
  ];
  return createServers({
    info: { name: "bakery", version: "1.0.0" },
    handlers: {
      ...tools([{ name: "bake", handler: () => "A loaf of bread." }]),
      ...resources([
        {
          uri: "bakery://prices",
          name: "prices",
          read: () => ({
            contents: contents("bakery://prices"),
            ttlMs: 600_000,
            cacheScope: "public",
          }),
        },
        {
          uri: "bakery://oven",
          name: "oven",
          read: () => ({
            contents: contents("bakery://oven"),
            ttlMs: 1,
            cacheScope: "public",
          }),
        },
      ]),
    },
  });
}

/** A server at a URL, which can be stopped and started again. */
export class Bakery {
  #handler: ReturnType<typeof createHttpHandler> | undefined;

  start(): void {
    this.#handler = createHttpHandler(createBakery());
  }
  stop(): void {
    this.#handler = undefined;
  }
  /** Answers as a proxy does that has no server behind it. */
  fetch = async (url: URL, init: RequestInit): Promise<Response> =>
    this.#handler?.(new Request(url, init)) ??
    new Response("no server", { status: 503, headers: { "retry-after": "1" } });
}
