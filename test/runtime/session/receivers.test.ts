import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { urisAbove } from "../../../src/runtime/core/session/check.js";
import {
  errorOf,
  everything,
  type Json,
  legacyRevisions,
  makeServer,
  metaFor,
  modern,
  resultOf,
  shakeHands,
  Wire,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";

describe("the receivers of notifications about a resource", () => {
  it.each([
    ["tenant:/", "tenant://alice/plan.pdf", false],
    ["tenant:", "tenant://alice/plan.pdf", false],
    ["tenant://", "tenant://alice/plan.pdf", false],
    ["tenant://ali", "tenant://alice/plan.pdf", false],
    ["tenant://alice", "tenant://alice/plan.pdf", true],
    ["tenant://alice/", "tenant://alice/plan.pdf", true],
    ["tenant://alice/plan", "tenant://alice/plan.pdf", false],
    ["tenant://alice/plan.pdf", "tenant://alice/plan.pdf", true],
    ["file:///", "file:///home/ada", true],
    ["file:///home", "file:///home/ada", true],
    ["file:/", "file:///home/ada", false],
    ["note:/a", "note:/a/b", true],
    ["a:1", "a:1/2", true],
  ])(
    "RES-05 include the subscriber to %s for a notification about %s: %s",
    (expected, subject, holds) => {
      expect(urisAbove(subject).includes(expected)).toBe(holds);
    },
  );

  /**
   * A hook that lets tenants receive notifications about their own resources.
   */
  const calls: Json[] = [];
  const mayReceive = (
    subject: string,
    context: { method: string; auth: { principal?: string } | undefined },
  ) => {
    calls.push({ subject, ...context });
    if (subject.includes("broken")) throw new Error("The hook is broken.");
    return (
      subject === "tenant://shared" ||
      subject.startsWith(`tenant://shared/${context.auth?.principal}`)
    );
  };
  const open = async (protocol: Parameters<typeof makeServer>[0]) => {
    const errors: Error[] = [];
    const server = makeServer(protocol, {
      capabilities: everything,
      mayReceive,
      onError: (error) => void errors.push(error),
    });
    const join = async (principal: string): Promise<Wire> => {
      const [clientTransport, serverTransport]: [Transport, Transport] =
        memoryPair();
      await serve(
        knowing(serverTransport, () => principal),
        server,
      );
      return new Wire(clientTransport);
    };
    const announce = (): void => {
      for (const uri of [
        "tenant://shared/ada",
        "tenant://shared/bob",
        "tenant://shared/broken",
      ])
        server.notify["resourceUpdated"]?.({ uri });
    };
    return { errors, announce, ada: await join("ada"), bob: await join("bob") };
  };
  const uris = async (wire: Wire): Promise<unknown[]> =>
    (await wire.rest()).map(({ params }) => (params as Json)["uri"]);

  it("are chosen by `mayReceive` when a client subscribes and for each notification", async () => {
    const { ada, bob, announce, errors } = await open(modern.protocol);
    const resourceSubscriptions = [
      "tenant://shared",
      "tenant://alice",
      "tenant://broken",
    ];
    for (const wire of [ada, bob]) {
      const params = {
        _meta: metaFor(modern),
        notifications: { resourceSubscriptions },
      };
      const acknowledged = await wire.ask("l", "subscriptions/listen", params);
      expect(acknowledged["params"]).toMatchObject({
        notifications: { resourceSubscriptions: ["tenant://shared"] },
      });
    }
    announce();
    expect(await uris(ada)).toEqual(["tenant://shared/ada"]);
    expect(await uris(bob)).toEqual(["tenant://shared/bob"]);
    expect(errors.map(({ message }) => message)).toContain(
      "The hook is broken.",
    );
    expect(calls).toContainEqual({
      subject: "tenant://shared/ada",
      method: "notifications/resources/updated",
      auth: { principal: "bob" },
    });
  });

  it.each(legacyRevisions)(
    "are limited by `mayReceive` at $revision, when a client subscribes and for each notification",
    async ({ protocol, revision }) => {
      const { ada, bob, announce, errors } = await open(protocol);
      for (const wire of [ada, bob]) {
        await shakeHands(wire, revision);
        const subscribe = (uri: string): Promise<Json> =>
          wire.ask(uri, "resources/subscribe", { uri });
        expect(resultOf(await subscribe("tenant://shared"))).toEqual({});
        for (const uri of ["tenant://alice", "tenant://broken"])
          expect(errorOf(await subscribe(uri))["code"]).toBe(-32602);
      }
      announce();
      expect(await uris(ada)).toEqual(["tenant://shared/ada"]);
      expect(await uris(bob)).toEqual(["tenant://shared/bob"]);
      expect(errors.map(({ message }) => message)).toContain(
        "The hook is broken.",
      );
    },
  );

  it.each(legacyRevisions)(
    "have one subscription at $revision to a URI that they write in two ways, which either way ends",
    async ({ protocol, revision }) => {
      const server = makeServer(protocol, {
        capabilities: everything,
        limits: { subscriptions: 1 },
      });
      const [near, far] = memoryPair();
      await serve(far, server);
      const wire = new Wire(near);
      await shakeHands(wire, revision);
      const ask = async (method: string, uri: string): Promise<void> => {
        const answer = await wire.ask(method + uri, method, { uri });
        expect(resultOf(answer)).toEqual({});
      };
      const announce = (): unknown =>
        server.notify["resourceUpdated"]?.({ uri: "note:/A/b" });
      await ask("resources/subscribe", "note:/%41");
      await ask("resources/subscribe", "note:/A");
      announce();
      expect(await wire.next()).toMatchObject({ params: { uri: "note:/A/b" } });
      await ask("resources/unsubscribe", "note:/%41");
      announce();
      expect(await uris(wire)).toEqual([]);
    },
  );
});
