import { McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { callOf, ready } from "../kit/calls.js";
import {
  errorOf,
  failure,
  join,
  type Json,
  makeServer,
  revisions,
  serveWire,
  text,
} from "../kit/index.js";
import { where } from "../kit/where.js";
import { may, open, tool, withTasks } from "../tasks/kit.js";

describe.each(revisions)(
  "a value that is not a message at $revision",
  (one) => {
    it.each([[{ self: 1n }], [() => 1]])(
      "JRPC-15 causes -32603 if it is the data of an error",
      async (data) => {
        const errors: Error[] = [];
        const fail = (): never => {
          throw new McpError(-32010, "It failed.", data);
        };
        const wire = await ready(one, {
          handlers: { "tools/call": fail },
          onError: (error) => errors.push(error),
        });
        const answer = await wire.ask(1, "tools/call", callOf(one));
        expect(errorOf(answer)).toEqual({
          code: -32603,
          message: "Internal error",
        });
        expect(errors.map(({ name }) => name)).toEqual(["TypeError"]);
      },
    );

    it.each(["text", 0, NaN, null, []])(
      "VERS-05 is rejected as the params of a call: %s",
      async (params) => {
        const { client } = await join(one.protocol, {
          server: { handlers: { "tools/list": () => ({ tools: [] }) } },
        });
        expect((await failure(client.listTools(params as never))).name).toBe(
          "ValidationError",
        );
      },
    );

    it("VERS-05 is rejected as _meta of a call", async () => {
      const { client } = await join(one.protocol, {
        server: { handlers: { "tools/call": () => text("done") } },
      });
      expect(
        (await failure(client.callTool({ name: "x", _meta: [] }))).name,
      ).toBe("ValidationError");
    });

    it.each(where(one.isModern))(
      "VERS-05 is reported as _meta of a result",
      async () => {
        const errors: Error[] = [];
        const server = makeServer(one.protocol, {
          handlers: { "tools/call": () => ({ ...text("done"), _meta: [] }) },
          onError: (error) => errors.push(error),
        });
        const wire = await serveWire(server);
        expect(
          errorOf(await wire.ask(1, "tools/call", callOf(one)))["code"],
        ).toBe(-32603);
        expect(errors.map(({ name }) => name)).toEqual(["ValidationError"]);
      },
    );
  },
);

describe.each(withTasks)("the result of a task at $revision", (one) => {
  it("VERS-05 TASK-07 is checked like that of a call, and sets the task to failed if invalid", async () => {
    const errors: Error[] = [];
    const { tasks } = await import("@mcpgen/runtime/tasks");
    const { tools } = await import("@mcpgen/runtime/features");
    const bad = (): Json => ({ content: [{ type: "text", text: 5 }] });
    const { client, start } = await open(one.protocol, {
      handlers: {
        ...tools([{ ...tool("bad", bad), ...may("optional") }]),
        ...tasks(),
      },
      onError: (error) => errors.push(error),
    });
    const taskId = await start("bad");
    expect(await failure(client.getTaskPayload({ taskId }))).toMatchObject({
      code: -32603,
    });
    expect(errors.map(({ name }) => name)).toEqual(["ValidationError"]);
  });
});
