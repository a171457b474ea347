import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  legacy,
  legacyRevisions,
  makeServer,
  resultOf,
  serveWire,
  shakeHands,
  turns,
  type Wire,
} from "../kit/index.js";
import { sampled } from "../../whole.js";

describe.each(legacyRevisions)(
  "a server of $revision with subscriptions",
  ({ revision, protocol }) => {
    it("RES-04 RES-05 notifies only the subscribers of a resource", async () => {
      const server = makeServer(protocol, {
        capabilities: { resources: { subscribe: true } },
      });
      const [one, other] = [await serveWire(server), await serveWire(server)];
      for (const wire of [one, other]) await shakeHands(wire, revision);
      expect(
        resultOf(await one.ask(1, "resources/subscribe", { uri: "file:///a" })),
      ).toEqual({});
      for (const uri of [
        "file:///a",
        "file:///a/below",
        "file:///ab",
        "file:///b",
      ]) {
        server.notify["resourceUpdated"]?.({ uri });
      }
      await turns();
      const uris = (await one.rest()).map(
        ({ params }) => (params as Json)["uri"],
      );
      expect(uris).toEqual(["file:///a", "file:///a/below"]);
      for (const _ of uris) await one.next();
      await one.ask(2, "resources/unsubscribe", { uri: "file:///a" });
      server.notify["resourceUpdated"]?.({ uri: "file:///a" });
      expect(await one.rest()).toEqual([]);
      expect(await other.rest()).toEqual([]);
    });

    const limited = async () => {
      const server = makeServer(protocol, {
        capabilities: { resources: { subscribe: true } },
        limits: { subscriptions: 2 },
        handlers: {
          "resources/subscribe": ({ uri }) => {
            if (uri === "no:way") throw new Error("no");
          },
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, revision);
      return { server, wire };
    };

    it("lets a handler reject a subscription", async () => {
      const { server, wire } = await limited();
      expect(
        errorOf(await wire.ask(1, "resources/subscribe", { uri: "no:way" }))[
          "code"
        ],
      ).toBe(-32603);
      server.notify["resourceUpdated"]?.({ uri: "no:way" });
      expect(await wire.rest()).toEqual([]);
    });

    it("limits the subscriptions of a client", async () => {
      const { wire } = await limited();
      for (const uri of ["a:1", "a:2"])
        expect(
          resultOf(await wire.ask(2, "resources/subscribe", { uri })),
        ).toEqual({});
      expect(
        errorOf(await wire.ask(3, "resources/subscribe", { uri: "a:3" })),
      ).toEqual({
        code: -32603,
        message: "A client may have at most 2 subscriptions.",
      });
    });
  },
);

describe.each(sampled(legacyRevisions, (one) => one === legacy))(
  "a server of $revision with subscriptions",
  ({ revision, protocol }) => {
    it("limits the bytes of subscriptions, in total and per session, until the sessions end", async () => {
      const server = makeServer(protocol, {
        capabilities: { resources: { subscribe: true } },
      });
      const open = async (): Promise<Wire> => {
        const wire = await serveWire(server);
        await shakeHands(wire, revision);
        return wire;
      };
      // Fewer characters than bytes.
      const subscribe = (wire: Wire, name: string): Promise<Json> =>
        wire.ask(1, "resources/subscribe", {
          uri: `a:${name}${"é".repeat(700_000)}`,
        });
      const wires: Wire[] = [];
      for (let i = 0; i < 12; i++) wires.push(await open());
      const [first, ...others] = wires as [Wire, ...Wire[]];
      for (const again of [1, 2, 3])
        expect(await subscribe(first, "1"), String(again)).toHaveProperty(
          "result",
        );
      expect(errorOf(await subscribe(first, "2"))).toEqual({
        code: -32603,
        message: "The server has reached its limit of subscriptions.",
      });
      const codes = [];
      for (const wire of others)
        codes.push(errorOf(await subscribe(wire, "1"))?.["code"]);
      expect(codes).toEqual([...Array<undefined>(10), -32603]);
      await first.transport.close();
      await turns();
      expect(await subscribe(others.at(-1) as Wire, "1")).toHaveProperty(
        "result",
      );
      const uri = `a:1${"é".repeat(700_000)}`;
      expect(
        await others[0]?.ask(2, "resources/unsubscribe", { uri }),
      ).toHaveProperty("result");
      expect(await subscribe(others[0] as Wire, "3")).toHaveProperty("result");
    });
  },
);
