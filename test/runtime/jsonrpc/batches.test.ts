import { describe, expect, it } from "vitest";
import { type Json, legacyRevisions, makeServer, modern, serveWire, turns } from "../kit/index.js";
import { callOf, ready } from "../kit/calls.js";
import { where } from "../kit/where.js";

describe.each(legacyRevisions)("arrays to a server of $revision", (one) => {
  const { facts } = one;
  const batch = (...ids: readonly number[]): Json[] =>
    ids.map((id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x" } }));

  it.each(where(facts.batches))(
    "BATCH-01 BATCH-02 answers each request of a batch, and no notification",
    async () => {
      const wire = await ready(one);
      wire.send([...batch(1, 2), { jsonrpc: "2.0", method: "notifications/none" }, ...batch(3)]);
      await turns();
      expect((await wire.rest()).map(({ id }) => id)).toEqual([1, 2, 3]);
    },
  );

  it.each(where(facts.batches))(
    "BATCH-04 answers -32600 to an empty batch and to each element that is no message",
    async () => {
      const wire = await ready(one);
      wire.send([]);
      wire.send([1, ...batch(2), []]);
      const answers = await wire.rest();
      expect(answers.map(({ id, error }) => [id, (error as Json | undefined)?.["code"]])).toEqual([
        [null, -32600],
        [null, -32600],
        [2, undefined],
        [null, -32600],
      ]);
    },
  );

  it.each(where(facts.batches))("bounds the length of a batch", async () => {
    const wire = await ready(one, { limits: { batch: 3 } });
    wire.send(batch(1, 2, 3, 4));
    expect(await wire.rest()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it("BATCH-03 rejects an array before initialize, and initialize inside an array", async () => {
    const wire = await serveWire(makeServer(one.protocol));
    wire.send([{ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }]);
    expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
  });

  it.each(where(!facts.batches))("BATCH-05 refuses an array", async () => {
    const wire = await ready(one);
    wire.send(batch(1, 2));
    expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
  });
});

it("BATCH-05 rejects an array in a modern server", async () => {
  const wire = await ready(modern);
  wire.send([{ jsonrpc: "2.0", id: 1, method: "tools/call", params: callOf(modern) }]);
  expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
});
