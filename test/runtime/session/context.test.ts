import { describe, expect, it } from "vitest";
import {
  turns,
  type AnyHandlers,
  info,
  join,
  type Json,
  metaFor,
  modern,
  resultOf,
  type Revision,
  revisions,
  serveWire,
  shakeHands,
  text,
  textOf,
} from "../kit/index.js";
import { accept, form, toolWire } from "../asking/kit.js";
import { callOf, ready } from "../kit/calls.js";

describe.each(revisions)(
  "a handler of a server of $revision",
  ({ protocol, facts, isModern }) => {
    it("calls a handler that is a method of an object and destructures its context", async () => {
      class Handlers {
        readonly greeting = "hello";
        async "tools/call"(
          params: Json,
          context: {
            once: (key: string, work: () => string) => Promise<string>;
          },
        ) {
          const { once } = context;
          return text(
            `${this.greeting} ${await once("name", () => String(params["name"]))}`,
          );
        }
      }
      const server = protocol.createServer({
        info,
        handlers: new Handlers() as unknown as AnyHandlers,
      });
      const wire = await serveWire(server);
      if (!isModern) await shakeHands(wire, facts.revision);
      const params = {
        name: "Ada",
        ...(isModern && { _meta: metaFor(modern) }),
      };
      expect(textOf(resultOf(await wire.ask(1, "tools/call", params)))).toBe(
        "hello Ada",
      );
    });

    it("has no caller on a carrier that names none, and no stream to release", async () => {
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": (_, context) => {
              (context as unknown as { release(): void }).release();
              return text(String(context.auth));
            },
          },
        },
      });
      expect(textOf(await client.callTool({ name: "x" }))).toBe("undefined");
    });

    it("sends notifications of its request on the stream of the request, and none that the revision does not have", async () => {
      const wire = await ready(
        { protocol, facts, isModern, revision: facts.revision } as Revision,
        {
          handlers: {
            "tools/call": async (_, { notify, request }) => {
              notify("notifications/progress", {
                progressToken: 1,
                progress: 2,
              });
              const problems = [
                () => notify("no/such"),
                () => request("no/such"),
              ].map(async (work) => work());
              const ends = await Promise.allSettled(problems);
              return text(
                ends
                  .map((end) => `${(end as PromiseRejectedResult).reason}`)
                  .join("\n"),
              );
            },
          },
        },
      );
      const params = callOf({ facts, isModern } as Revision, {
        _meta: { progressToken: 1 },
      });
      wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const seen = [await wire.next(), await wire.next()];
      expect(seen[0]).toMatchObject({
        method: "notifications/progress",
        params: { progressToken: 1, progress: 2 },
      });
      const none = `SessionError: Revision ${facts.revision} has no no/such for a server to send.`;
      expect(textOf(resultOf(seen[1] as Json))).toBe(`${none}\n${none}`);
    });

    it("runs the function of context.once once per call", async () => {
      let runs = 0;
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": async (_, { once }) => {
              await Promise.all([
                once("a", () => ++runs),
                once("a", () => ++runs),
              ]);
              return text(String(await once("a", () => ++runs)));
            },
          },
        },
      });
      expect(textOf(await client.callTool({ name: "x" }))).toBe("1");
      expect(textOf(await client.callTool({ name: "x" }))).toBe("2");
    });

    it("runs the function of context.once again after it failed", async () => {
      let runs = 0;
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": async (_, { once }) => {
              const charge = (): Promise<number> =>
                once("charge", () => {
                  if (++runs === 1) throw new Error("not this time");
                  return runs;
                });
              const first = await charge().catch(
                (error: Error) => error.message,
              );
              return text(`${first}, ${await charge()}, ${await charge()}`);
            },
          },
        },
      });
      expect(textOf(await client.callTool({ name: "x" }))).toBe(
        "not this time, 2, 2",
      );
    });
  },
);

describe("context.once over the rounds of a call", () => {
  it("runs its work once per call, over all rounds, and keeps the result", async () => {
    let charged = 0;
    const caller = await toolWire(async (_, { request, once }) => {
      const [first, same] = await Promise.all([
        once("charge", async () => ({ receipt: ++charged })),
        once("charge", () => ({ receipt: -1 })),
      ]);
      await request("elicitation/create", form("Sure?"), { key: "1" });
      await request("elicitation/create", form("Really?"), { key: "2" });
      return text(JSON.stringify([first, same]));
    });
    const one = await caller.call();
    const two = await caller.answer(one, { 1: accept });
    expect(textOf(resultOf(await caller.answer(two, { 2: accept })))).toBe(
      '[{"receipt":1},{"receipt":1}]',
    );
    expect(charged).toBe(1);
    await caller.call();
    expect(charged).toBe(2);
  });

  it("completes before a round ends, and runs again if it failed", async () => {
    const runs: string[] = [];
    const caller = await toolWire(async (_, { request, once }) => {
      const slow = once("slow", async () => {
        await turns(10);
        runs.push("slow");
        return runs.length;
      });
      const failing = once("failing", () => {
        runs.push("failing");
        throw new Error("not this time");
      }).catch(() => "caught");
      await request("elicitation/create", form("Sure?"), { key: "1" });
      return text(JSON.stringify([await slow, await failing]));
    });
    const response = await caller.call();
    expect(runs).toEqual(["failing", "slow"]);
    expect(textOf(resultOf(await caller.answer(response, { 1: accept })))).toBe(
      '[2,"caught"]',
    );
    expect(runs).toEqual(["failing", "slow", "failing"]);
  });
});
