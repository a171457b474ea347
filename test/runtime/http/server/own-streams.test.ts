import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeListener } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { afterTest } from "../../kit/closing.js";
import { watch } from "../../kit/watch.js";

/** More than a connection takes before its client reads. */
const part = `data: ${"x".repeat(1_000_000)}\n\n`;
const count = 20;

/** A function of the user that answers with a stream of events. */
async function serving(seen: ReturnType<typeof watch>): Promise<string> {
  let sent = 0;
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        pull: (controller) => {
          controller.enqueue(new TextEncoder().encode(part));
          if (++sent < count) return;
          seen.saw("all");
          controller.close();
        },
        cancel: () => seen.saw("cancelled"),
      },
      { highWaterMark: 0 },
    );
  const headers = { "content-type": "text/event-stream" };
  const server = createServer(
    nodeListener(async () => new Response(body(), { headers })),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterTest(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const open = async (url: string): Promise<IncomingMessage> => {
  const [response] = (await once(get(url), "response")) as [IncomingMessage];
  return response;
};

describe("a stream of events that a function of the user sends", () => {
  it("waits while its client does not read, and goes on when it does", async () => {
    const seen = watch();
    const response = await open(await serving(seen));
    // The connection is full long before the end.
    await once(response, "readable");
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    await seen.until("all");
    expect(size).toBe(part.length * count);
  });

  it("is cancelled when its client leaves while it waits", async () => {
    const seen = watch();
    const response = await open(await serving(seen));
    await once(response, "readable");
    response.destroy();
    await seen.until("cancelled");
  });
});
