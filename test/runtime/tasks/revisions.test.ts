import type { ServerDefinition } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { createServers } from "../../../generated/index.js";
import {
  errorOf,
  join,
  makeServer,
  metaFor,
  modernRevisions,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
  textOf,
} from "../kit/index.js";
import { may, withTasks } from "./kit.js";

const without = revisions.filter(
  ({ facts }) => facts.wellKnown.taskResult === undefined,
);

describe.each(without)("tasks() at $revision, which has no tasks,", (one) => {
  const { protocol, isModern, facts } = one;

  it("XTASK-13 has no effect", async () => {
    const handlers = {
      ...tools([{ name: "t", handler: () => "ok", ...may("required") }]),
      ...tasks(),
    };
    const { client } = await join(protocol, { server: { handlers } });
    expect(client.server.capabilities).toEqual({ tools: {} });
    expect(textOf(await client.callTool({ name: "t", task: {} }))).toBe("ok");
    const wire = await serveWire(makeServer(protocol, { handlers }));
    if (!isModern) await shakeHands(wire, facts.revision);
    const params = { taskId: "1", ...(isModern && { _meta: metaFor(one) }) };
    expect(errorOf(await wire.ask(1, "tasks/get", params))).toMatchObject({
      code: -32601,
    });
  });
});

describe("tasks() on servers of all revisions", () => {
  it("XTASK-13 uses the kind of tasks that each revision has", async () => {
    const slow = { name: "slow", ...may("optional"), handler: () => "done" };
    const servers: readonly ServerDefinition[] = createServers({
      info: { name: "test", version: "1.0.0" },
      handlers: { ...tools([slow]), ...tasks() },
    });
    const wire = await serveWire(servers);
    const [newest] = modernRevisions;
    if (!newest) throw new Error("There is no modern revision.");
    const _meta = metaFor(newest);
    const plain = await wire.ask(1, "tools/call", {
      name: "slow",
      task: {},
      _meta,
    });
    expect(resultOf(plain)).toMatchObject({
      resultType: "complete",
      content: [{ text: "done" }],
    });
    const result = resultOf(await wire.ask(2, "server/discover", { _meta }));
    expect(result["capabilities"]).toEqual({ tools: {} });
    const [tasked] = withTasks;
    await shakeHands(wire, tasked?.revision ?? "");
    const created = resultOf(
      await wire.ask(3, "tools/call", { name: "slow", task: {} }),
    );
    expect(created).toMatchObject({ task: { status: "working" } });
  });
});
