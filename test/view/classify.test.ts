import { describe, expect, it } from "vitest";
import { revision as readRevision } from "../read/typescript/reading.js";
import { revisions } from "../repository.js";
import { generated, load } from "./generated.js";

type Classify = (message: unknown) => {
  readonly kind: string;
  readonly reason?: string;
  readonly messages?: readonly unknown[];
};

/** Parts of messages that JSON-RPC does not allow, beside `jsonrpc`. */
const wrongVersions = [undefined, null, "1.0", 2, {}];
const wrongIds = [{}, [], true, 1.5, Number.NaN];
const request = { jsonrpc: "2.0", id: 1, method: "ping" };
const error = { code: 1, message: "m" };

describe.each(revisions)("classify of %s", (revision) => {
  const loaded = readRevision(revision).then(async (protocol) => {
    const { files } = generated([protocol], {
      emit: ["types", "validators", "dispatch"],
    });
    return (await load(files, "dispatch.ts"))["classify"] as Classify;
  });

  it.each([0, -1, "", "a"])(
    "finds a request, a result and an error with the id %j, whatever their content",
    async (id) => {
      const classify = await loaded;
      expect(classify({ ...request, id })).toMatchObject({
        kind: "request",
        method: "ping",
      });
      expect(classify({ jsonrpc: "2.0", id, result: 5 })).toEqual({
        kind: "result",
        id,
      });
      expect(classify({ jsonrpc: "2.0", id, error: 5 })).toEqual({
        kind: "error",
        id,
      });
    },
  );

  it("finds notifications, and errors about a request that could not be read", async () => {
    const classify = await loaded;
    expect(classify({ jsonrpc: "2.0", method: "x" })).toMatchObject({
      kind: "notification",
      method: "x",
    });
    for (const id of [null, undefined])
      expect(classify({ jsonrpc: "2.0", id, error })).toEqual({
        kind: "error",
        id,
      });
  });

  it("finds that a message is invalid if its version is none of JSON-RPC", async () => {
    const classify = await loaded;
    for (const jsonrpc of wrongVersions)
      for (const content of [
        { id: 1, method: "ping" },
        { method: "x" },
        { id: 1, result: {} },
        { id: 1, error },
      ])
        expect(classify({ jsonrpc, ...content })).toEqual({
          kind: "invalid",
          reason: '"jsonrpc" must be "2.0"',
        });
  });

  it("finds that a message is invalid if its id is none of JSON-RPC", async () => {
    const classify = await loaded;
    for (const id of wrongIds)
      for (const content of [{ method: "ping" }, { result: {} }, { error }])
        expect(classify({ jsonrpc: "2.0", id, ...content })).toMatchObject({
          kind: "invalid",
          reason: expect.stringContaining(" id ") as string,
        });
  });

  it.each([
    { id: null, method: "ping" },
    { id: null, result: {} },
    { result: {} },
  ])("finds that %j is invalid", async (content) => {
    const classify = await loaded;
    expect(classify({ jsonrpc: "2.0", ...content }).kind).toBe("invalid");
  });

  it("finds no batch in a batch, so that a program may classify its messages by recursion", async () => {
    const classify = await loaded;
    const count = (message: unknown): number => {
      const { kind, messages = [] } = classify(message);
      return kind === "batch"
        ? messages.reduce<number>((sum, one) => sum + count(one), 0)
        : 1;
    };
    let deep: unknown = request;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const message of [deep, [request, [request]], [[]], []]) {
      expect(classify(message).kind).toBe("invalid");
      expect(count(message)).toBe(1);
    }
    const hasBatches = revision === "2025-03-26";
    expect(classify([request, request]).kind).toBe(
      hasBatches ? "batch" : "invalid",
    );
    expect(count([request, 5, null])).toBe(hasBatches ? 3 : 1);
  });
});
