import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fromBase64, toBase64 } from "../../src/common/base64.js";

afterEach(() => vi.unstubAllGlobals());

describe.each(["toBase64", "Buffer", "btoa"])(
  "base64 on a platform with `%s`",
  (name) => {
    const native = "toBase64" in Uint8Array.prototype;

    it("is written as the platform writes it, also for a part of a buffer and for more bytes than arguments", () => {
      const encode = (bytes: Uint8Array): string =>
        Buffer.from(bytes).toString("base64");
      if (name === "btoa") vi.stubGlobal("Buffer", undefined);
      const write = (bytes: Uint8Array): string =>
        toBase64(
          name === "toBase64"
            ? Object.assign(bytes.slice(), { toBase64: () => encode(bytes) })
            : bytes,
        );
      const long = Uint8Array.from(
        { length: 200_000 },
        (_, i) => (i * 7) % 256,
      );
      for (const bytes of [new Uint8Array(), long, long.subarray(3, 70_001)]) {
        const text = write(bytes);
        vi.unstubAllGlobals();
        expect(text).toBe(encode(bytes));
        if (name === "btoa" && !native) vi.stubGlobal("Buffer", undefined);
      }
    });
  },
);

it("base64 is read as it was written", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(fromBase64(toBase64(bytes))).toEqual(new Uint8Array(bytes));
    }),
  );
});

it.each(["a", "a===", "€", "ab=c", "%%%%"])(
  "the text %s is refused, which is not base64",
  (text) => {
    expect(fromBase64(text)).toBeUndefined();
  },
);
