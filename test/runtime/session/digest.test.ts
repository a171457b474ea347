import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, digest } from "../../../src/runtime/core/session/digest.js";

describe("digest", () => {
  it("is the first half of SHA-256, for text of every length", async () => {
    const sha = (text: string): string =>
      createHash("sha256").update(text).digest("hex").slice(0, 32);
    for (let length = 0; length < 200; length++) {
      const text = "é".repeat(length >> 1) + "x".repeat(length & 1);
      expect(await digest(text), String(length)).toBe(sha(text));
    }
  });
});

describe("canonical", () => {
  it("does not depend on the order of members, and differs for all other differences", () => {
    expect(canonical({ b: 1, a: [{ d: null, c: "x" }], e: undefined })).toBe(
      '{"a":[{"c":"x","d":null}],"b":1}',
    );
    expect(canonical([undefined])).toBe("[null]");
    const same = (value: unknown): boolean =>
      canonical(JSON.parse(canonical(value))) === canonical(value);
    fc.assert(fc.property(fc.jsonValue(), same));
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        (a, b) => (canonical(a) === canonical(b)) === fcEqual(a, b),
      ),
    );
  });
});
const fcEqual = (a: unknown, b: unknown): boolean => {
  try {
    expect(JSON.parse(JSON.stringify(a))).toEqual(
      JSON.parse(JSON.stringify(b)),
    );
    return true;
  } catch {
    return false;
  }
};
