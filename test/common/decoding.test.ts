import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  brotliCompressSync,
  createBrotliCompress,
  createGzip,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodedBody } from "../../src/common/decoding.js";

const response = (
  body: Readable,
  coding: string | undefined,
  length?: string,
): Parameters<typeof decodedBody>[0] =>
  Object.assign(body, {
    headers: { "content-encoding": coding, "content-length": length },
  });
const refuse = (message: string): Error => new Error(message);

describe("the body of a response", () => {
  it.each([
    [undefined, Buffer.from("words")],
    ["", Buffer.from("words")],
    ["identity", Buffer.from("words")],
    [" Identity ", Buffer.from("words")],
    ["gzip", gzipSync("words")],
    ["x-gzip", gzipSync("words")],
    [" GZip ", gzipSync("words")],
    ["deflate", deflateSync("words")],
    ["br", brotliCompressSync("words")],
  ])("is decoded from the coding %j", async (coding, bytes) => {
    const body = response(Readable.from([bytes]), coding);
    expect(await text(decodedBody(body, refuse))).toBe("words");
  });

  it.each([
    ["zstd", "zstd"],
    ["gzip, br", "gzip, br"],
    ["xgzip", "xgzip"],
    ["deflated", "deflated"],
    ["x".repeat(101), "x".repeat(100)],
  ])("is refused with the coding %j", (coding, shown) => {
    const body = response(Readable.from([]), coding);
    expect(() => decodedBody(body, refuse)).toThrow(
      `The response has the content coding "${shown}", which is not gzip, deflate or br. Send it without one.`,
    );
  });

  it("is not decoded if it is empty", () => {
    const body = response(Readable.from([]), "zstd", "0");
    expect(decodedBody(body, refuse)).toBe(body);
  });

  it.each([
    ["gzip", createGzip()],
    ["br", createBrotliCompress()],
  ])("is decoded as it arrives: %s", async (coding, coder) => {
    const decoded = decodedBody(response(coder, coding), refuse);
    coder.write("words");
    coder.flush();
    const [first] = (await decoded.take(1).toArray()) as Buffer[];
    expect(String(first)).toBe("words");
    coder.destroy();
  });

  it("fails if the response does", async () => {
    const body = response(
      new Readable({
        read() {
          this.destroy(new Error("the line broke"));
        },
      }),
      "gzip",
    );
    await expect(text(decodedBody(body, refuse))).rejects.toThrow(
      "the line broke",
    );
  });
});
