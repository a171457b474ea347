import { describe, expect, it } from "vitest";
import { fetchDocument } from "../../src/auth/client/fetch.js";
import type { Context } from "../../src/auth/client/options.js";
import { fetchJson } from "../../src/auth/protect/issuer.js";

const address = "https://example.com/document";

/**
 * Answers with a document without an end; resolves once the rest of it is
 * cancelled.
 */
function endless(): {
  fetch: () => Promise<Response>;
  cancelled: Promise<void>;
} {
  let cancel: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => (cancel = resolve));
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    cancel: () => cancel(),
  });
  return { fetch: () => Promise.resolve(new Response(body)), cancelled };
}

describe("a document that is too long", () => {
  it("is read no further by a client that signs in", async () => {
    const { fetch, cancelled } = endless();
    const server = new URL(address);
    const context = {
      server,
      options: { fetch },
      skews: new Map(),
      refusedDocuments: new Set<string>(),
      allowPrivate: false,
    } as unknown as Context;
    await expect(fetchDocument(context, address, "a document")).rejects.toThrow(
      "more than 262144 bytes",
    );
    await cancelled;
  });

  it("is read no further by a protected server", async () => {
    const { fetch, cancelled } = endless();
    await expect(fetchJson(address, fetch)).rejects.toThrow(
      "more than 262144 bytes",
    );
    await cancelled;
  });
});
