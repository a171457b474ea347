import { memoryPair, serve } from "@mcpgen/runtime";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { sendNode } from "../../http/kit/exchange.js";
import { modernPost } from "../../http/kit/messages.js";
import {
  type AnyContext,
  type AnyHandlers,
  type AnyServer,
  errorOf,
  type Json,
  makeServer,
  metaFor,
  resultOf,
  serveWire,
  turns,
  Wire,
} from "../../kit/index.js";
import { knowing } from "../../kit/principal.js";
import { declared, tasked } from "./extended.js";

/** A server whose tool continues when the test opens its gate. */
function held(): { readonly server: AnyServer; go(): void } {
  let go = (): void => {};
  const going = new Promise<void>((resolve) => (go = resolve));
  const work = {
    name: "work",
    execution: { taskSupport: "required" },
    handler: (async (_: Json, { request, progress, log }: AnyContext) => {
      await going;
      progress(1);
      log("error", "a line");
      const { action } = await request("elicitation/create", {
        message: "Go on?",
        requestedSchema: { type: "object", properties: {} },
      });
      return String(action);
    }) as never,
  };
  const handlers = { ...tools([work]), ...tasks() } as never as AnyHandlers;
  return {
    server: makeServer(tasked.protocol, {
      handlers,
      capabilities: { logging: {} },
    }),
    go,
  };
}

const able: Json = { ...declared, elicitation: {} };
const meta: Json = {
  ...metaFor(tasked, able),
  [String(tasked.facts.meta.logLevel)]: "debug",
  progressToken: "p",
};
const subscription = String(tasked.facts.meta.subscriptionId);
const ask = (
  wire: Wire,
  id: unknown,
  method: string,
  params: Json,
): Promise<Json> => wire.ask(id, method, { ...params, _meta: meta });
const begin = async (wire: Wire): Promise<unknown> =>
  resultOf(await ask(wire, "call", "tools/call", { name: "work" }))["taskId"];

describe("notifications/tasks", () => {
  it("XTASK-11 are sent only to listeners of the task, each with the whole task", async () => {
    const { server, go } = held();
    const [caller, listener, other] = [
      await serveWire(server),
      await serveWire(server),
      await serveWire(server),
    ];
    const taskId = await begin(caller);
    await begin(other);
    const agreed = await ask(listener, "listen", "subscriptions/listen", {
      notifications: { taskIds: [taskId, "unknown"] },
    });
    expect(agreed).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { taskIds: [taskId] } },
    });
    await ask(other, "listen", "subscriptions/listen", { notifications: {} });
    go();
    const asks = await listener.next();
    const { _meta, ...task } = asks["params"] as Json;
    expect(asks["method"]).toBe("notifications/tasks");
    expect(_meta).toEqual({ [subscription]: "listen" });
    expect(task).toMatchObject({
      taskId,
      status: "input_required",
      ttlMs: 3_600_000,
      pollIntervalMs: 1000,
    });
    const [key = ""] = Object.keys(task["inputRequests"] as Json);
    const {
      resultType: _,
      _meta: __,
      ...read
    } = resultOf(await ask(caller, 2, "tasks/get", { taskId }));
    expect(task).toEqual(read);
    await ask(caller, 3, "tasks/update", {
      taskId,
      inputResponses: { [key]: { action: "decline" } },
    });
    expect(await listener.next()).toMatchObject({
      params: { taskId, status: "working" },
    });
    expect(await listener.next()).toMatchObject({
      params: {
        taskId,
        status: "completed",
        result: { content: [{ type: "text", text: "decline" }] },
      },
    });
    for (const wire of [caller, listener, other])
      expect(await wire.rest()).toEqual([]);
  });

  it("XTASK-11 are sent on a stream over HTTP, and end with it", async () => {
    const { server, go } = held();
    const up = await serveHttp(createHttpHandler(server), { port: 0 });
    const post = (id: unknown, method: string, params: Json) =>
      sendNode(
        up.port,
        modernPost(
          tasked,
          { jsonrpc: "2.0", id, method, params },
          { capabilities: able },
        ),
      );
    const { taskId } = resultOf(
      await (
        await post(1, "tools/call", { name: "work", arguments: {} })
      ).json(),
    );
    const stream = await post("listen", "subscriptions/listen", {
      notifications: { taskIds: [taskId] },
    });
    expect(await stream.message()).toMatchObject({
      params: { notifications: { taskIds: [taskId] } },
    });
    go();
    expect(await stream.message()).toMatchObject({
      method: "notifications/tasks",
      params: {
        taskId,
        status: "input_required",
        _meta: { [subscription]: "listen" },
      },
    });
    stream.leave();
    await turns();
    await post(2, "tasks/cancel", { taskId });
    await up.close();
  });

  it("XTASK-09 EXT-02 cannot be subscribed to without the extension", async () => {
    const wire = await serveWire(held().server);
    const refused = await wire.ask(1, "subscriptions/listen", {
      notifications: { taskIds: ["x"] },
      _meta: metaFor(tasked),
    });
    expect(errorOf(refused)).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: declared },
    });
  });

  it("TASK-12 XTASK-11 are sent only to the principal who created the task", async () => {
    const { server } = held();
    const as = async (principal: string): Promise<Wire> => {
      const [clientTransport, serverTransport] = memoryPair();
      await serve(
        knowing(serverTransport, () => principal),
        server,
      );
      return new Wire(clientTransport);
    };
    const [ada, again, eve] = [
      await as("ada"),
      await as("ada"),
      await as("eve"),
    ];
    const taskId = await begin(ada);
    const listen = { notifications: { taskIds: [taskId] } };
    expect(
      resultOf(await ask(again, 1, "tasks/get", { taskId })),
    ).toMatchObject({ taskId });
    expect(errorOf(await ask(eve, 1, "tasks/get", { taskId }))).toMatchObject({
      code: -32602,
    });
    expect(
      errorOf(await ask(eve, 2, "tasks/cancel", { taskId })),
    ).toMatchObject({ code: -32602 });
    expect(await ask(eve, 3, "subscriptions/listen", listen)).toMatchObject({
      params: { notifications: { taskIds: [] } },
    });
    expect(await ask(again, 2, "subscriptions/listen", listen)).toMatchObject({
      params: listen,
    });
  });
});
