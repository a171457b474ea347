import { memoryPair, serve } from "@mcpgen/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callOf, ready } from "../kit/calls.js";
import {
  type AnyContext,
  type AnyHandlers,
  errorOf,
  type Json,
  makeServer,
  metaFor,
  type Revision,
  revisions,
  type ServerOptions,
  shakeHands,
  text,
  Wire,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";
import { until } from "../kit/watch.js";

// The clock is paused, so that a test runs within one second.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const times = 5000;

/** Calls the tool once, and returns all messages up to the response. */
async function callAndHear(wire: Wire, params: Json): Promise<readonly Json[]> {
  wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const messages: Json[] = [];
  do messages.push(await wire.next());
  while (messages.at(-1)?.["id"] === undefined);
  return messages;
}

const valuesOf = (messages: readonly Json[]): unknown[] =>
  messages.slice(0, -1).map(({ params }) => (params as Json)["progress"]);

describe.each(revisions)("a server of $revision", (one) => {
  const asking = callOf(one, { _meta: { progressToken: "t" } });
  const flooding = (end: () => unknown): AnyHandlers => ({
    "tools/call": (_: Json, { progress }: AnyContext) => {
      for (let i = 1; i <= times; i++)
        progress(i, times, `step ${i} of <b>5,000</b>`);
      return end();
    },
  });

  it("sends few of 5,000 progress notifications, and the last before the answer (PROG-09)", async () => {
    const wire = await ready(one, { handlers: flooding(() => text("done")) });
    const first = Array.from({ length: 20 }, (_, i) => i + 1);
    expect(valuesOf(await callAndHear(wire, asking))).toEqual([
      ...first,
      times,
    ]);
    expect(await wire.rest()).toEqual([]);
  });

  it.each([
    ["a later response", () => Promise.resolve(text("done"))],
    ["a later error", () => Promise.reject(new Error("no"))],
    [
      "an error at once",
      () => {
        throw new Error("no");
      },
    ],
  ])("sends the last progress before %s (PROG-09)", async (_, end) => {
    const wire = await ready(one, {
      handlers: flooding(end),
      onError: () => {},
    });
    const first = Array.from({ length: 20 }, (_, i) => i + 1);
    expect(valuesOf(await callAndHear(wire, asking))).toEqual([
      ...first,
      times,
    ]);
  });

  it("sends the latest progress at the end of a second while the work continues (PROG-09)", async () => {
    let finish: (() => void) | undefined;
    const work = new Promise<Json>(
      (resolve) => (finish = () => resolve(text("done"))),
    );
    const wire = await ready(one, { handlers: flooding(() => work) });
    wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: asking });
    for (let i = 1; i <= 20; i++)
      expect(await wire.next()).toMatchObject({ params: { progress: i } });
    expect(await wire.next()).toMatchObject({ params: { progress: times } });
    finish?.();
    expect(await wire.next()).toMatchObject({ id: 1 });
  });

  it("sends the message of a progress notification as the author wrote it (PROG-08)", async () => {
    const wire = await ready(one, {
      handlers: flooding(() => text("done")),
    });
    const messages = await callAndHear(wire, asking);
    const [first] = messages.map(
      ({ params }) => (params as Json | undefined)?.["message"],
    );
    const { params } = one.protocol.serverSide.downgrades;
    const hasMessage =
      !params["notifications/progress"]?.omit?.includes("message");
    expect(first).toBe(hasMessage ? "step 1 of <b>5,000</b>" : undefined);
  });

  it("drops log messages above the limit, with one warning that contains their number (LOG-07)", async () => {
    const warnings: string[] = [];
    const options: ServerOptions = {
      capabilities: { logging: {} },
      onWarning: (message) => void warnings.push(message),
      handlers: {
        "tools/call": (_, { log }) => {
          for (let i = 0; i < times; i++) log("error", i);
          return text("done");
        },
      },
    };
    const key = String(one.facts.meta.logLevel);
    const params = callOf(one, {
      _meta: one.isModern ? { [key]: "debug" } : {},
    });
    const usual = await ready(one, options);
    expect(await callAndHear(usual, params)).toHaveLength(100 + 1);
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([
      "4900 log messages were not sent: the limit is 100 per second.",
    ]);
  });
});

/** A connection whose requests come from the current principal. */
async function connect(
  one: Revision,
  server: ReturnType<typeof makeServer>,
  principal: () => string,
): Promise<Wire> {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(knowing(serverTransport, principal), server);
  const wire = new Wire(clientTransport);
  if (!one.isModern) await shakeHands(wire, one.revision);
  await wire.rest();
  return wire;
}

describe.each(revisions)(
  "limits on requests to a server of $revision",
  (one) => {
    const completing: Json = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "v" },
      ...(one.isModern && { _meta: metaFor(one) }),
    };
    const completion = { values: ["v"] };

    it.each([
      [
        "tool calls (TOOL-19)",
        "tools/call",
        callOf(one),
        { toolCallsPerSecond: 2 },
      ],
      [
        "requests for completion (COMP-07)",
        "completion/complete",
        completing,
        { toolCallsPerSecond: 2 },
      ],
    ])(
      "refuse %s beyond them without running the handler, for each caller",
      async (_, method, params, limits) => {
        let runs = 0;
        const handlers: AnyHandlers = {
          [method]: () => {
            runs++;
            return { ...text("done"), completion };
          },
        };
        const server = makeServer(one.protocol, { handlers, limits });
        let principal = "ann";
        const wire = await connect(one, server, () => principal);
        const other = await connect(one, server, () => principal);
        for (const each of [wire, other])
          expect(await each.ask(1, method, params)).toHaveProperty("result");
        for (const each of [wire, other]) {
          expect(errorOf(await each.ask(2, method, params))).toEqual({
            code: -32603,
            message: `${method}: too many requests in one second.`,
          });
        }
        expect(runs).toBe(2);
        principal = "bob";
        expect(await wire.ask(3, method, params)).toHaveProperty("result");
        vi.setSystemTime(Date.now() + 1000);
        principal = "ann";
        expect(await wire.ask(4, method, params)).toHaveProperty("result");
        expect(runs).toBe(4);
      },
    );

    it("count each session separately if there is no principal (TOOL-19)", async () => {
      const server = makeServer(one.protocol, {
        handlers: { "tools/call": () => text("done") },
        limits: { toolCallsPerSecond: 1 },
      });
      for (let i = 0; i < 2; i++) {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(serverTransport, server);
        const wire = new Wire(clientTransport);
        if (!one.isModern) await shakeHands(wire, one.revision);
        await wire.rest();
        expect(await wire.ask(1, "tools/call", callOf(one))).toHaveProperty(
          "result",
        );
        expect(
          errorOf(await wire.ask(2, "tools/call", callOf(one)))["code"],
        ).toBe(-32603);
      }
    });
  },
);
