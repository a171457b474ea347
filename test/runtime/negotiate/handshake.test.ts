import { describe, expect, it } from "vitest";
import { connect, type Revision } from "../../../generated/index.js";
import { failure, info, turns } from "../kit/index.js";
import { hello, old, wired } from "./kit.js";

describe("connect", () => {
  it.each(["2099-01-01", "2024-10-07", "", 7])(
    "VERS-03 VERS-04 disconnects from a server that offers the unknown version %j",
    async (counter) => {
      const { wire, clientTransport } = wired();
      const connecting = failure(
        connect(clientTransport, { info, revisions: old }),
      );
      await wire.answer({ ...hello(""), protocolVersion: counter });
      const error = await connecting;
      expect(error.name).toBe("SessionError");
      expect(error.message).toContain(String(counter));
      await turns();
      expect(wire.closed).toBe(true);
      expect(wire.seen).toHaveLength(1);
    },
  );

  it("VERS-02 accepts a version that the server offers in an error", async () => {
    const { wire, clientTransport } = wired();
    const connecting = connect(clientTransport, { info, revisions: old });
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: {
        code: -32602,
        message: "?",
        data: { supported: [old[2]], requested: old[0] },
      },
    });
    await wire.answer(hello(old[2] as string));
    expect((await connecting).revision).toBe(old[2]);
  });

  it("VERS-05 checks results against the negotiated revision", async () => {
    const { wire, clientTransport } = wired();
    const connecting = connect(clientTransport, { info, revisions: old });
    await wire.answer({
      ...hello(old[3] as string),
      capabilities: { tools: {} },
    });
    const client = await connecting;
    await wire.next();
    const link = { type: "resource_link", uri: "a:b", name: "x" };
    const calling = failure(client.callTool({ name: "x" }));
    await wire.answer({ content: [link] });
    expect((await calling).name).toBe("ValidationError");
  });

  it("rejects revisions that were not generated", async () => {
    const { clientTransport } = wired();
    const error = await failure(
      connect(clientTransport, { info, mode: "2001-01-01" as Revision }),
    );
    expect(error.name).toBe("SessionError");
  });

  it("CANC-02 TIME-02 closes the connection if initialize is aborted, and sends no cancellation", async () => {
    const { wire, clientTransport } = wired();
    const error = await failure(
      connect(clientTransport, { info, revisions: old, timeout: 20 }),
    );
    expect(error.name).toBe("TimeoutError");
    await turns();
    expect(wire.closed).toBe(true);
    expect(wire.seen).toHaveLength(1);
  });

  it("JRPC-11 rejects a malformed initialize", async () => {
    const { wire, clientTransport } = wired();
    const connecting = failure(
      connect(clientTransport, { info, revisions: old }),
    );
    await wire.answer({
      protocolVersion: old[0],
      capabilities: [],
      serverInfo: info,
    });
    expect((await connecting).name).toBe("ValidationError");
  });
});
