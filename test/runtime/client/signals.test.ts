import { getEventListeners } from "node:events";
import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { expect, it } from "vitest";
import { onAbort, pause } from "../../../src/common/timing.js";
import { clientWire, failure, legacy, modern } from "../kit/index.js";

const receiver = {
  message: () => {},
  malformed: () => {},
  ended: () => {},
  closed: () => {},
};

it("one AbortSignal serves any number of clients, calls and waits, and Node.js does not warn of its listeners", async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const listeners = (): number => getEventListeners(signal, "abort").length;
  const transports = Array.from({ length: 20 }, (_, i) =>
    (i % 2 ? http : sse)("http://127.0.0.1:9/x", { signal }),
  );
  const starts = transports.map((transport) =>
    Promise.resolve(transport.start(receiver)).catch(() => {}),
  );
  expect(listeners()).toBe(1);
  const failures: Promise<Error>[] = [];
  for (let i = 0; i < 20; i++) {
    const { client } = await clientWire(i % 2 ? legacy : modern);
    failures.push(
      failure(client.callTool({ name: "x" }, { signal })),
      failure(pause(60_000, signal)),
    );
  }
  expect(listeners()).toBe(1);
  stop.abort(new Error("enough"));
  for (const { message } of await Promise.all(failures))
    expect(message).toBe("enough");
  await Promise.all(starts);
  for (const transport of transports) await transport.close();
  expect(listeners()).toBe(0);
});

it("a listener that was removed, twice, is not called, and others are", () => {
  const stop = new AbortController();
  const called: string[] = [];
  const forget = onAbort(stop.signal, () => called.push("first"));
  onAbort(stop.signal, () => called.push("second"));
  forget();
  forget();
  stop.abort();
  expect(called).toEqual(["second"]);
});
