import { McpError } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { startTask } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  type AnyHandlers,
  errorOf,
  type Json,
  metaFor,
  resultOf,
  serveWire,
  text,
  turns,
} from "../../kit/index.js";
import { gate } from "../../kit/watch.js";
import { carriers, declared, extension, tasked } from "./extended.js";
import { call, get, handlersOf, list, over, tool } from "./kit.js";

describe.each(carriers)(
  "the tasks extension on a server over $carrier",
  ({ open }) => {
    it("XTASK-01 EXT-02 returns a task only if the request itself declares the extension", async () => {
      const up = await open({
        handlers: handlersOf(
          list(
            tool("any", () => "ok"),
            tool("must", () => "ok", "required"),
          ),
        ),
      });
      expect(await call(up, "any")).toMatchObject({ resultType: "task" });
      expect(await call(up, "any", {})).toMatchObject({
        resultType: "complete",
        ...text("ok"),
      });
      const refused = errorOf(
        await up.ask("tools/call", { name: "must", arguments: {} }, {}),
      );
      expect(refused).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: declared },
      });
    });

    it("XTASK-01 rejects a task result of a handler if the client does not declare the extension", async () => {
      const task = {
        taskId: "1",
        status: "working",
        createdAt: "",
        lastUpdatedAt: "",
        ttlMs: null,
      };
      const up = await open({
        handlers: { "tools/call": () => ({ ...task, resultType: "task" }) },
      });
      expect(await call(up, "any")).toMatchObject(task);
      expect(
        errorOf(await up.ask("tools/call", { name: "any" }, {})),
      ).toMatchObject({ code: -32021 });
    });

    it.each(["never", "silent"])(
      "XTASK-01 returns the result at once for the tool %s, which does not support tasks",
      async (name) => {
        const silent = { name: "silent", handler: () => "ok" };
        const up = await open({
          handlers: handlersOf({
            ...tools([tool("never", () => "ok", "forbidden"), silent]),
          } as never),
        });
        expect(await call(up, name)).toMatchObject(text("ok"));
      },
    );

    it("JRPC-15 XTASK-08 replaces an error code of a failed task that the revision reserves, and warns", async () => {
      const warnings: string[] = [];
      const fails = (code: number) => () => {
        throw new McpError(code, "words", { some: "data" });
      };
      const up = await open({
        handlers: handlersOf(
          list(
            tool("old", fails(-32002)),
            tool("odd", fails(-32050)),
            tool("own", fails(4001)),
          ),
        ),
        onWarning: (message) => warnings.push(message),
      });
      for (const [name, code] of [
        ["old", -32602],
        ["odd", -32603],
        ["own", 4001],
      ] as const) {
        const { taskId } = await call(up, name);
        const error = { code, message: "words", data: { some: "data" } };
        expect(await over(up, taskId)).toMatchObject({
          status: "failed",
          statusMessage: "words",
          error,
        });
      }
      expect(warnings).toEqual([
        expect.stringContaining("-32002 is sent as -32602"),
        expect.stringContaining("-32050 is sent as -32603"),
      ]);
    });

    it("XTASK-03 XTASK-07 marks all other results as complete, and leaves acknowledgements otherwise empty", async () => {
      const work = gate<string>();
      const up = await open({
        handlers: handlersOf(list(tool("slow", () => work.ended))),
      });
      const { taskId, resultType } = await call(up, "slow");
      expect(resultType).toBe("task");
      expect(await get(up, taskId)).toMatchObject({
        resultType: "complete",
        status: "working",
      });
      for (const [method, params] of [
        ["tasks/update", { taskId, inputResponses: {} }],
        ["tasks/cancel", { taskId }],
      ] as const) {
        const { _meta, ...rest } = resultOf(await up.ask(method, params));
        expect(rest).toEqual({ resultType: "complete" });
      }
      expect(await get(up, taskId)).toMatchObject({ status: "cancelled" });
      work.end("too late");
      await turns();
      expect(await get(up, taskId)).not.toHaveProperty("result");
    });

    it("XTASK-04 makes a task readable as soon as it is returned, before its work begins", async () => {
      let hasStarted = false;
      const up = await open({
        handlers: handlersOf(list(tool("slow", () => (hasStarted = true)))),
      });
      const wire = await serveWire(up.server);
      const ask = (id: number, method: string, params: Json): void =>
        wire.send({
          jsonrpc: "2.0",
          id,
          method,
          params: { ...params, _meta: metaFor(tasked, declared) },
        });
      ask(1, "tools/call", { name: "slow" });
      const { resultType: _, taskId, ...task } = resultOf(await wire.next());
      expect(hasStarted).toBe(false);
      expect(taskId).toMatch(/^[\da-f-]{36}$/);
      expect(task).toMatchObject({
        status: "working",
        ttlMs: 3_600_000,
        pollIntervalMs: 5,
      });
      expect(new Date(String(task["createdAt"])).toISOString()).toBe(
        task["createdAt"],
      );
      expect(await get(up, taskId)).toMatchObject({ taskId });
    });

    const outcomes = async () => {
      const fail = (): never => {
        throw new McpError(-31000, "Not today", { until: "tomorrow" });
      };
      const up = await open({
        handlers: handlersOf(
          list(
            tool("done", () => "ok"),
            tool("wrong", () => ({ ...text("no"), isError: true })),
            tool("thrown", () => Promise.reject(new Error("no"))),
            tool("refused", fail),
          ),
        ),
      });
      return async (name: string): Promise<Json> =>
        over(up, (await call(up, name))["taskId"]);
    };

    it("XTASK-05 sends the result of a completed task", async () => {
      const outcome = await outcomes();
      expect(await outcome("done")).toMatchObject({
        status: "completed",
        result: { resultType: "complete", ...text("ok") },
      });
    });

    it.each(["wrong", "thrown"])(
      "XTASK-05 sends the failed result of the tool %s, whose task is completed",
      async (name) => {
        const outcome = await outcomes();
        expect(await outcome(name)).toMatchObject({
          status: "completed",
          result: { ...text("no"), isError: true },
        });
      },
    );

    it("XTASK-08 sends the error of a failed task, and no result", async () => {
      const outcome = await outcomes();
      const refused = await outcome("refused");
      expect(refused).toMatchObject({
        status: "failed",
        statusMessage: "Not today",
      });
      expect(refused["error"]).toEqual({
        code: -31000,
        message: "Not today",
        data: { until: "tomorrow" },
      });
      expect(refused).not.toHaveProperty("result");
    });

    it("XTASK-08 does not send the message of an error that a handler threw", async () => {
      const errors: Error[] = [];
      const broken = (): never => {
        throw new Error("a secret");
      };
      const handlers = handlersOf({
        "tools/call": ((_: Json, context: object) =>
          startTask(context, broken)) as never,
      });
      const up = await open({
        handlers,
        onError: (error) => errors.push(error),
      });
      const task = await over(up, (await call(up, "any"))["taskId"]);
      expect(task).toMatchObject({
        status: "failed",
        error: { code: -32603, message: "Internal error" },
      });
      expect(errors.map(({ message }) => message)).toEqual(["a secret"]);
    });

    const rejecting = async () => {
      const up = await open({
        handlers: handlersOf(list(tool("t", () => "ok"))),
      });
      const codeOf = async (
        method: string,
        params: Json,
        capabilities?: Json,
      ): Promise<unknown> =>
        errorOf(await up.ask(method, params, capabilities))["code"];
      return { up, codeOf };
    };

    it.each([
      ["tasks/get", {}],
      ["tasks/update", { inputResponses: {} }],
      ["tasks/cancel", {}],
    ])(
      "XTASK-07 XTASK-09 rejects %s with an unknown task id, and without the extension",
      async (method, params) => {
        const { codeOf } = await rejecting();
        for (const taskId of ["x", "constructor", "__proto__"]) {
          expect(await codeOf(method, { taskId, ...params })).toBe(-32602);
        }
        expect(await codeOf(method, { taskId: "x", ...params }, {})).toBe(
          -32021,
        );
      },
    );

    it("XTASK-09 rejects methods of other revisions", async () => {
      const { codeOf } = await rejecting();
      for (const method of ["tasks/result", "tasks/list"])
        expect(await codeOf(method, { taskId: "x" })).toBe(-32601);
    });

    it("XTASK-09 ignores the request for a task of another revision", async () => {
      const { up } = await rejecting();
      const response = await up.ask(
        "tools/call",
        { name: "t", arguments: {}, task: { ttl: 1 } },
        {},
      );
      expect(resultOf(response)).toMatchObject(text("ok"));
    });

    it("XTASK-09 removes an expired task and aborts its signal", async () => {
      const stopped = gate<unknown>();
      const wait = tool("wait", async (_, { signal }) => {
        signal.addEventListener("abort", () => stopped.end(signal.reason));
        return stopped.ended;
      });
      const up = await open({ handlers: handlersOf(list(wait), { ttl: 20 }) });
      const { taskId } = await call(up, "wait");
      expect(await stopped.ended).toMatchObject({
        message: "The task has expired.",
      });
      expect(errorOf(await up.ask("tasks/get", { taskId }))).toMatchObject({
        code: -32602,
      });
    });

    it.each(["plain", "count", "amiss", "thrown"])(
      "TOOL-06 converts the outcome of the started task %s to the same result as without a task",
      async (name) => {
        const count = {
          outputSchema: {
            type: "object",
            properties: { n: { type: "number" } },
          },
        };
        const up = await open({
          handlers: handlersOf(
            list(
              tool(
                "plain",
                (_, context) => startTask(context, () => "ok"),
                "forbidden",
              ),
              tool(
                "count",
                (_, context) => startTask(context, () => ({ n: 1 })),
                "forbidden",
                count,
              ),
              tool(
                "amiss",
                (_, context) => startTask(context, () => ({ n: "one" })),
                "forbidden",
                count,
              ),
              tool(
                "thrown",
                (_, context) =>
                  startTask(context, () => Promise.reject(new Error("no"))),
                "forbidden",
              ),
            ),
          ),
        });
        const { _meta, ...atOnce } = await call(up, name, {});
        const created = await call(up, name);
        expect(created["resultType"]).toBe("task");
        expect(await over(up, created["taskId"])).toMatchObject({
          status: "completed",
          result: atOnce,
        });
      },
    );

    it("EXT-03 declares the extension only if the handlers include tasks()", async () => {
      const capabilities = async (handlers: AnyHandlers): Promise<unknown> =>
        resultOf(await (await open({ handlers })).ask("server/discover"))[
          "capabilities"
        ];
      expect(await capabilities(handlersOf(list()))).toEqual({
        tools: {},
        extensions: { [extension]: {} },
      });
      expect(await capabilities(list())).toEqual({ tools: {} });
    });
  },
);
