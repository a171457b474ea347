import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  type AnyHandlers,
  type Json,
  makeServer,
  resultOf,
  shakeHands,
  turns,
  Wire,
} from "../kit/index.js";
import { gate } from "../kit/watch.js";
import { form, tool, withTasks } from "./kit.js";

/**
 * A carrier with one stream for each request of the client, and the request to
 * whose stream each message of the server went.
 */
function streamed(): [Transport, Transport, unknown[]] {
  const [client, server] = memoryPair();
  const streams: unknown[] = [];
  const carrier: Transport = {
    start: (receiver) => server.start(receiver),
    send: (message, options) => {
      const { method } = message as Json;
      if (method !== undefined) streams.push([method, options?.inReplyTo]);
      return server.send(message);
    },
    close: () => server.close(),
  };
  return [client, carrier, streams];
}

describe.each(withTasks)("what a task sends at $revision", (one) => {
  const { revision, protocol } = one;

  it.each([
    { opened: [10], closed: [], stream: 10 },
    { opened: [10, 11], closed: [], stream: 11 },
    { opened: [10, 11], closed: [11], stream: 10 },
    { opened: [10, 11], closed: [10], stream: 11 },
    { opened: [10, 11, 12], closed: [11, 12], stream: 10 },
    { opened: [10, 11, 12], closed: [12, 10], stream: 11 },
  ])(
    "TASK-08 goes to stream $stream of $opened that wait for the result, once $closed have ended",
    async ({ opened, closed, stream }) => {
      const [mine, carrier, streams] = streamed();
      const work = gate<string>();
      const asking = tool("ask", async (_, { request }) => {
        await work.ended;
        return String(await request("elicitation/create", form("who")));
      });
      const handlers = { ...tools([asking]), ...tasks() } as AnyHandlers;
      await serve(carrier, makeServer(protocol, { handlers }));
      const wire = new Wire(mine);
      await shakeHands(wire, revision, { elicitation: {} });
      const params = { name: "ask", task: {} };
      const created = resultOf(await wire.ask(1, "tools/call", params));
      const { taskId } = created["task"] as Json;
      const send = (message: Json): void =>
        wire.send({ jsonrpc: "2.0", ...message });
      for (const id of opened)
        send({ id, method: "tasks/result", params: { taskId } });
      for (const requestId of closed)
        send({ method: "notifications/cancelled", params: { requestId } });
      await turns();
      work.end("");
      await wire.next();
      await wire.next();
      expect(streams).toEqual([
        ["notifications/tasks/status", stream],
        ["elicitation/create", stream],
      ]);
    },
  );
});
