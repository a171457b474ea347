import {
  brotliCompressSync,
  createGzip,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { describe, expect, it } from "vitest";
import { failure, textOf } from "../../kit/index.js";
import { call, done, open, opening, ways } from "../kit/client.js";
import { event, json, paramsOf, result } from "../kit/script.js";

describe.each(ways)(
  "compressed responses over HTTP, by $way",
  ({ options }) => {
    it.each([
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
    ] as const)(
      "are decoded from %s, as JSON and as events",
      async (coding, compress) => {
        const script = await opening((seen, response) => {
          const isStream = paramsOf(seen)["name"] === "stream";
          const type = isStream ? "text/event-stream" : "application/json";
          response.writeHead(200, {
            "content-type": type,
            "content-encoding": coding,
          });
          response.end(
            compress(
              isStream
                ? event(result(seen, done))
                : JSON.stringify(result(seen, done)),
            ),
          );
        });
        const client = await open(script, options);
        for (const name of ["x", "stream"])
          expect(textOf(await client.callTool({ name }))).toBe("done");
      },
    );

    it("are decoded event by event", async () => {
      const script = await opening((seen, response) => {
        response.writeHead(200, {
          "content-type": "text/event-stream",
          "content-encoding": "gzip",
        });
        // The stream does not end.
        const gzip = createGzip();
        gzip.pipe(response);
        gzip.write(event(result(seen, done)));
        gzip.flush();
      });
      const client = await open(script, options);
      expect(textOf(await client.callTool(call))).toBe("done");
    });

    it.each(["application/json", "text/event-stream"])(
      "count against the limits with their decoded size, as %s",
      async (type) => {
        const bomb = gzipSync(Buffer.alloc(200_000_000, 32));
        const script = await opening((_, response) => {
          response
            .writeHead(200, {
              "content-type": type,
              "content-encoding": "gzip",
            })
            .end(bomb);
        });
        const client = await open(script, {
          ...options,
          maxMessageBytes: 100_000,
        });
        expect((await failure(client.callTool(call))).message).toContain(
          "longer than 100000 bytes",
        );
      },
    );
  },
);

describe.each(ways)(
  "a compressed response without messages, by $way",
  ({ options }) => {
    it("ends its call after 64 MiB", async () => {
      const bomb = gzipSync(`:${"c".repeat(1022)}\n`.repeat(70_000));
      expect(bomb.length).toBeLessThan(300_000);
      const script = await opening((_, response) => {
        response
          .writeHead(200, {
            "content-type": "text/event-stream",
            "content-encoding": "gzip",
          })
          .end(bomb);
      });
      const client = await open(script, options);
      expect((await failure(client.callTool(call))).message).toContain(
        "bytes without a message",
      );
      const [seen] = script.seen.filter(
        ({ body }) => body?.["method"] === "tools/call",
      );
      await seen?.cut;
    });
  },
);

describe("compressed responses over HTTP", () => {
  it("are not asked for", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const client = await open(script);
    await client.callTool(call);
    expect(
      script.seen.map(({ headers }) => headers["accept-encoding"]),
    ).toEqual(script.seen.map(() => "identity"));
  });

  it("reject the call with an error that names a coding that cannot be decoded, or is not the body's", async () => {
    let coding = "zstd";
    const script = await opening((seen, response) =>
      json(response, result(seen, done), 200, { "content-encoding": coding }),
    );
    const client = await open(script);
    expect((await failure(client.callTool(call))).message).toContain(
      'the content coding "zstd"',
    );
    coding = "gzip, br";
    expect((await failure(client.callTool(call))).message).toContain(
      'the content coding "gzip, br"',
    );
    coding = "gzip";
    expect((await failure(client.callTool(call))).message).toContain(
      "incorrect header check",
    );
  });
});
