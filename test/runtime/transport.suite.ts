import type { Transport } from "@mcpgen/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { failure } from "./kit/index.js";

/** One end of a carrier, and the messages that it received. */
class Listener {
  readonly transport: Transport;
  readonly messages: unknown[] = [];
  readonly malformed: Error[] = [];
  closings = 0;
  error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  async start(): Promise<void> {
    const wake = (): void => this.#wake?.();
    await this.transport.start({
      message: (message) => {
        this.messages.push(message);
        wake();
      },
      malformed: (error) => {
        this.malformed.push(error);
        wake();
      },
      ended: wake,
      closed: (error) => {
        this.closings++;
        this.error = error;
        wake();
      },
    });
  }

  async until(done: () => boolean): Promise<void> {
    while (!done())
      await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

/**
 * The requirements of every carrier. `echoing` returns a transport that is not
 * started, whose peer echoes all messages; `many` is a number of messages that
 * it echoes in reasonable time.
 */
export function transportSuite(
  name: string,
  echoing: () => Promise<Transport>,
  many = 10_000,
): void {
  describe(`a transport: ${name}`, () => {
    const open: Transport[] = [];
    const listen = async (): Promise<Listener> => {
      const listener = new Listener(await echoing());
      open.push(listener.transport);
      await listener.start();
      return listener;
    };
    afterEach(async () => {
      for (const transport of open.splice(0)) await transport.close();
    });

    const values: readonly (readonly [string, unknown])[] = [
      [
        "an object",
        { jsonrpc: "2.0", method: "a", params: { deep: [{ er: null }] } },
      ],
      ["an array", [{ a: 1 }, { b: 2 }]],
      [
        "text with every kind of line end",
        { text: "a\nb\r\nc\u2028d\u2029e\u0085f\u0000" },
      ],
      [
        "JRPC-12 text beyond ASCII, lone surrogates too",
        { text: "é 漢字 🎲 \ud800 \u{10ffff}" },
      ],
      [
        "a member called __proto__",
        JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
      ],
      [
        "numbers at their limits",
        { numbers: [0, -1, 1.5e300, Number.MAX_SAFE_INTEGER] },
      ],
    ];
    it.each(values)(
      "CUST-01 STDIO-02 carries %s unchanged",
      async (_, value) => {
        const listener = await listen();
        await listener.transport.send(value);
        await listener.until(() => listener.messages.length > 0);
        expect(JSON.stringify(listener.messages)).toBe(JSON.stringify([value]));
      },
    );

    it("carries a message of several megabytes", async () => {
      const listener = await listen();
      const text = "0123456789abcdef".repeat(400_000);
      // A request, because an answer to anything else has to arrive within a
      // second over HTTP.
      await listener.transport.send({
        jsonrpc: "2.0",
        id: 1,
        method: "a",
        params: { text },
      });
      await listener.until(() => listener.messages.length > 0);
      const [message] = listener.messages as readonly {
        readonly params: { readonly text: string };
      }[];
      expect(message?.params.text === text).toBe(true);
    });

    it("CUST-05 keeps the order of thousands of messages", async () => {
      const listener = await listen();
      for (let i = 0; i < many; i++) void listener.transport.send({ i });
      await listener.until(() => listener.messages.length === many);
      expect(
        listener.messages.map((message) => (message as { i: number }).i),
      ).toEqual(Array.from({ length: many }, (_, i) => i));
    });

    it("CUST-05 delivers asynchronously, and shares no object with the sender", async () => {
      const listener = await listen();
      const message = { list: [1] };
      await listener.transport.send(message);
      expect(listener.messages).toEqual([]);
      message.list.push(2);
      await listener.until(() => listener.messages.length > 0);
      expect(listener.messages).toEqual([{ list: [1] }]);
      expect(listener.messages[0]).not.toBe(message);
    });

    it("throws for a value that is not JSON, and sends later messages", async () => {
      const listener = await listen();
      expect(() => listener.transport.send({ big: 1n })).toThrow(TypeError);
      const round: Record<string, unknown> = {};
      round["round"] = round;
      expect(() => listener.transport.send(round)).toThrow(TypeError);
      await listener.transport.send({ fine: true });
      await listener.until(() => listener.messages.length > 0);
      expect(listener.messages).toEqual([{ fine: true }]);
    });

    it("closes once, calls closed once, and rejects later messages", async () => {
      const listener = await listen();
      await Promise.all([
        listener.transport.close(),
        listener.transport.close(),
      ]);
      await listener.transport.close();
      expect(listener.closings).toBe(1);
      expect(listener.error).toBeUndefined();
      const late = failure(
        (async () => listener.transport.send({ late: true }))(),
      );
      expect((await late).name).toBe("TransportError");
      expect(listener.messages).toEqual([]);
    });

    it("delivers or drops each message that was sent before a close, but never a part of one", async () => {
      const listener = await listen();
      for (let i = 0; i < 100; i++)
        void listener.transport.send({ i, text: "x".repeat(10_000) });
      await listener.until(() => listener.messages.length > 10);
      await listener.transport.close();
      expect(listener.malformed).toEqual([]);
      expect(
        listener.messages.map((message) => (message as { i: number }).i),
      ).toEqual(Array.from({ length: listener.messages.length }, (_, i) => i));
    });
  });
}
