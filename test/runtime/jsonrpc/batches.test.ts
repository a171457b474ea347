import { describe, expect, it } from "vitest";
import {
  type Json,
  legacyRevisions,
  makeServer,
  modern,
  serveWire,
  turns,
} from "../kit/index.js";
import { callOf, ready } from "../kit/calls.js";
import { where } from "../kit/where.js";

describe.each(legacyRevisions)("arrays to a server of $revision", (one) => {
  const { facts } = one;
  const batch = (...ids: readonly number[]): Json[] =>
    ids.map((id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "x" },
    }));

  it.each(where(facts.batches))(
    "BATCH-01 BATCH-02 get a response to each request, and none to a notification",
    async () => {
      const wire = await ready(one);
      wire.send([
        ...batch(1, 2),
        { jsonrpc: "2.0", method: "notifications/none" },
        ...batch(3),
      ]);
      await turns();
      expect((await wire.rest()).map(({ id }) => id)).toEqual([1, 2, 3]);
    },
  );

  it.each(where(facts.batches))(
    "BATCH-04 get -32600 if they are empty, and for each element that is not a message",
    async () => {
      const wire = await ready(one);
      wire.send([]);
      wire.send([1, ...batch(2), []]);
      const answers = await wire.rest();
      expect(
        answers.map(({ id, error }) => [
          id,
          (error as Json | undefined)?.["code"],
        ]),
      ).toEqual([
        [null, -32600],
        [null, -32600],
        [2, undefined],
        [null, -32600],
      ]);
    },
  );

  it.each(where(facts.batches))(
    "are rejected above the maximum length",
    async () => {
      const wire = await ready(one, { limits: { batch: 3 } });
      wire.send(batch(1, 2, 3, 4));
      expect(await wire.rest()).toMatchObject([
        { id: null, error: { code: -32600 } },
      ]);
    },
  );

  it("BATCH-03 are rejected before initialize, and if they contain initialize", async () => {
    const wire = await serveWire(makeServer(one.protocol));
    wire.send([{ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }]);
    expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
  });

  it.each(where(!facts.batches))(
    "BATCH-05 are rejected in revisions without batches",
    async () => {
      const wire = await ready(one);
      wire.send(batch(1, 2));
      expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
    },
  );
});

it("BATCH-05 a modern server rejects an array", async () => {
  const wire = await ready(modern);
  wire.send([
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: callOf(modern) },
  ]);
  expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
});
