import { describe, expect, it } from "vitest";
import { createServers } from "../../../generated/index.js";
import {
  errorOf,
  info,
  type Json,
  legacy,
  legacyRevisions,
  metaFor,
  modern,
  resultOf,
  serveWire,
  shakeHands,
  text,
  turns,
  Wire,
} from "../kit/index.js";
import { where } from "../kit/where.js";
import { all, old } from "./kit.js";

describe("a server of several revisions on one connection", () => {
  const serveAll = (handlers = {}): Promise<Wire> =>
    serveWire(
      createServers({
        info,
        handlers: { "tools/call": () => text("done") as never, ...handlers },
      }),
    );
  const call = (_meta?: Json): Json => ({ name: "x", ...(_meta && { _meta }) });

  it("COMPAT-12 chooses the revision by the metadata first, for any method", async () => {
    const wire = await serveAll();
    expect(
      errorOf(await wire.ask(1, "initialize", { _meta: metaFor(modern) }))[
        "code"
      ],
    ).toBe(-32601);
    expect(
      resultOf(await wire.ask(2, "tools/call", call(metaFor(modern))))[
        "resultType"
      ],
    ).toBe("complete");
  });

  it("COMPAT-12 LIFE-07 applies the legacy rules to a request without metadata before initialize", async () => {
    const wire = await serveAll();
    expect(errorOf(await wire.ask(1, "tools/call", call()))["code"]).toBe(
      -32600,
    );
    expect(await wire.ask(2, "ping")).toMatchObject({ result: {} });
  });

  it("COMPAT-13 serves a session and stateless requests at the same time", async () => {
    const wire = await serveAll();
    await shakeHands(wire, legacy.revision);
    await wire.rest();
    expect(
      resultOf(await wire.ask(1, "tools/call", call(metaFor(modern))))[
        "resultType"
      ],
    ).toBe("complete");
    expect(resultOf(await wire.ask(2, "tools/call", call()))).toEqual(
      text("done"),
    );
    expect(errorOf(await wire.ask(3, "initialize", {}))["code"]).toBe(-32600);
  });

  it.each(where(legacyRevisions.some(({ facts }) => facts.batches)))(
    "COMPAT-13 BATCH-01 accepts the batches of a session between modern requests",
    async () => {
      const { revision } =
        legacyRevisions.find(({ facts }) => facts.batches) ?? legacy;
      const wire = await serveAll();
      await shakeHands(wire, revision);
      await wire.rest();
      await wire.ask(1, "tools/call", call(metaFor(modern)));
      wire.send([
        { jsonrpc: "2.0", id: 2, method: "tools/call", params: call() },
      ]);
      expect(resultOf(await wire.next())).toEqual(text("done"));
    },
  );

  it.each(legacyRevisions)(
    "VERS-02 uses $revision if the client offers it",
    async ({ revision }) => {
      const wire = await serveAll();
      expect(
        resultOf(await shakeHands(wire, revision))["protocolVersion"],
      ).toBe(revision);
    },
  );

  it.each(["2099-01-01", "1.0", modern.revision])(
    "VERS-02 VERS-04 offers its newest legacy revision if the client offers %s",
    async (offer) => {
      const wire = await serveAll();
      expect(resultOf(await shakeHands(wire, offer))["protocolVersion"]).toBe(
        old[0],
      );
    },
  );

  it("DISC-04 answers the discovery with all its revisions, the newest first", async () => {
    const wire = await serveAll();
    const answer = await wire.ask(2, "server/discover", {
      _meta: metaFor(modern),
    });
    expect(resultOf(answer)["supportedVersions"]).toEqual(all);
  });

  it.each(["server/discover", "tools/call", "no/such"])(
    "VERS-07 DISC-05 answers %s in an unknown version with all its revisions",
    async (method) => {
      const wire = await serveAll();
      const key = String(modern.facts.meta.protocolVersion);
      const _meta = { ...metaFor(modern), [key]: "2099-01-01" };
      expect(errorOf(await wire.ask(1, method, { _meta }))).toMatchObject({
        code: -32022,
        data: { supported: all, requested: "2099-01-01" },
      });
    },
  );

  it("CANC-03 cancels a request of either era by its id", async () => {
    const aborted: string[] = [];
    const wire = await serveAll({
      "tools/call": (
        _: unknown,
        { signal, revision }: { signal: AbortSignal; revision: string },
      ) =>
        new Promise(() =>
          signal.addEventListener("abort", () => aborted.push(revision)),
        ),
    });
    await shakeHands(wire, legacy.revision);
    await wire.rest();
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: call(metaFor(modern)),
    });
    wire.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call() });
    await turns();
    for (const requestId of [1, 2])
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId },
      });
    await turns();
    expect(aborted).toEqual([modern.revision, legacy.revision]);
  });
});
