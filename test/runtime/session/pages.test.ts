import { McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  type AnyContext,
  type AnyServer,
  errorOf,
  type Json,
  legacyRevisions,
  makeServer,
  revisions,
  serveWire,
  shakeHands,
  text,
  turns,
  type Wire,
} from "../kit/index.js";

const done = "notifications/elicitation/complete";
const capabilities = { elicitation: { form: {}, url: {} } };
const page = (elicitationId: string, url = "https://example.com/1"): Json => ({
  mode: "url",
  message: "?",
  url,
  elicitationId,
});

describe.each(
  legacyRevisions.filter(
    ({ protocol }) => protocol.serverSide.outgoingNotifications[done],
  ),
)("a page that a server of $revision sends a client to", (one) => {
  const warnings: string[] = [];
  const errors: string[] = [];
  const open = async (
    declared: Json = capabilities,
  ): Promise<{ server: AnyServer; wires: Wire[] }> => {
    warnings.length = errors.length = 0;
    const server = makeServer(one.protocol, {
      onWarning: (message) => warnings.push(message),
      onError: ({ message }) => errors.push(message),
      handlers: {
        "tools/call": async (
          { name, arguments: args }: Json,
          { request, notify }: AnyContext,
        ) => {
          const { id, url } = args as { id: string; url?: string };
          if (name === "done") notify(done, { elicitationId: id });
          else if (name === "error")
            throw new McpError(-32042, "Go there first.", {
              elicitations: [page(id, url)],
            });
          else await request("elicitation/create", page(id, url));
          return text("done");
        },
      },
    });
    const wires = [await serveWire(server), await serveWire(server)];
    for (const wire of wires) await shakeHands(wire, one.revision, declared);
    return { server, wires };
  };
  const send = (wire: Wire, name: string, id: string, url?: string): void =>
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: { id, url } },
    });
  const accept = async (wire: Wire): Promise<void> => {
    const question = await wire.answer({ action: "accept" });
    expect(question["method"]).toBe("elicitation/create");
  };
  const notices = async (wire: Wire): Promise<unknown[]> =>
    (await wire.rest())
      .filter(({ method }) => method === done)
      .map(({ params }) => params);

  it("is reported as complete only to the client that got the request (ELIC-11)", async () => {
    const { server, wires } = await open();
    const [ada, bob] = wires as [Wire, Wire];
    send(ada, "ask", "a");
    await accept(ada);
    await ada.next();
    server.notify["elicitationComplete"]?.({ elicitationId: "a" });
    expect(await notices(ada)).toEqual([{ elicitationId: "a" }]);
    expect(await notices(bob)).toEqual([]);
  });

  it("is reported as complete to the client that got it in an error, also from another client's handler (ELIC-10, ELIC-11)", async () => {
    const { wires } = await open();
    const [ada, bob] = wires as [Wire, Wire];
    send(ada, "error", "a");
    expect(errorOf(await ada.next())).toMatchObject({
      code: -32042,
      data: { elicitations: [page("a")] },
    });
    send(bob, "done", "a");
    expect(await bob.next()).toHaveProperty("result");
    expect(await notices(ada)).toEqual([{ elicitationId: "a" }]);
    expect(await notices(bob)).toEqual([]);
  });

  it("is not reported as complete if no client got its id, with a warning (ELIC-11)", async () => {
    const { server, wires } = await open();
    server.notify["elicitationComplete"]?.({ elicitationId: "never" });
    send(wires[0] as Wire, "done", "never");
    expect(await wires[0]?.next()).toHaveProperty("result");
    for (const wire of wires) expect(await notices(wire)).toEqual([]);
    expect(warnings).toEqual(
      Array(2).fill(expect.stringContaining(`${done} was not sent`)),
    );
  });

  it("is not requested with the id of another page or another client, and may be requested again (ELIC-20)", async () => {
    const { wires } = await open();
    const [ada, bob] = wires as [Wire, Wire];
    for (const _ of [1, 2]) {
      send(ada, "ask", "a");
      await accept(ada);
      expect(await ada.next()).toMatchObject({ result: text("done") });
    }
    send(ada, "ask", "a", "https://example.com/2");
    send(bob, "ask", "a");
    for (const wire of wires) {
      expect(errorOf(await wire.next())["code"]).toBe(-32603);
    }
    expect(errors).toEqual(
      Array(2).fill(
        expect.stringContaining('"a" is used for another URL or session'),
      ),
    );
    send(bob, "ask", "b");
    await accept(bob);
    expect(await bob.next()).toMatchObject({ result: text("done") });
  });

  it.each([
    [10_000, ["0", "1"]],
    [10_001, ["1"]],
  ])(
    "is reported as complete if it is among the last 10,000, of %i",
    async (count, reported) => {
      const elicitations = Array.from({ length: count }, (_, i) =>
        page(`${i}`),
      );
      const server = makeServer(one.protocol, {
        onWarning: () => {},
        handlers: {
          "tools/call": () => {
            throw new McpError(-32042, "Go there first.", { elicitations });
          },
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, one.revision, capabilities);
      send(wire, "error", "");
      await wire.next();
      for (const elicitationId of ["0", "1"])
        server.notify["elicitationComplete"]?.({ elicitationId });
      expect(await notices(wire)).toEqual(
        reported.map((elicitationId) => ({ elicitationId })),
      );
    },
  );

  it("is not reported as complete to a client without URL mode, by the server or from a handler (LIFE-06)", async () => {
    const { server, wires } = await open({ elicitation: { form: {} } });
    const [ada] = wires as [Wire];
    // Only an error can send such a client to a page.
    send(ada, "error", "a");
    await ada.next();
    server.notify["elicitationComplete"]?.({ elicitationId: "a" });
    send(ada, "done", "a");
    expect(await ada.next()).toHaveProperty("result");
    await turns();
    expect(await ada.rest()).toEqual([]);
  });
});

describe.each(
  revisions.filter(
    ({ protocol }) =>
      protocol.serverSide.outgoingNotifications["notifications/tasks/status"],
  ),
)("a server of $revision without tasks", (one) => {
  it("sends no status of a task, by the server or from a handler, and warns (LIFE-06)", async () => {
    const warnings: string[] = [];
    const method = "notifications/tasks/status";
    const at = new Date(0).toISOString();
    const task = {
      taskId: "1",
      status: "working",
      createdAt: at,
      lastUpdatedAt: at,
      ttl: null,
    };
    const server = makeServer(one.protocol, {
      onWarning: (message) => warnings.push(message),
      handlers: {
        "tools/call": (_: Json, { notify }: AnyContext) => {
          notify(method, task);
          return text("done");
        },
      },
    });
    const wire = await serveWire(server);
    await shakeHands(wire, one.revision);
    server.notify["taskStatus"]?.(task);
    expect(await wire.ask(1, "tools/call", { name: "x" })).toMatchObject({
      result: text("done"),
    });
    expect(await wire.rest()).toEqual([]);
    expect(warnings).toEqual(
      Array(2).fill(expect.stringContaining(`${method} was not sent`)),
    );
  });
});
