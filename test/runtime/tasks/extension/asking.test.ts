import { McpError, observer } from "@mcpgen/runtime";
import { startTask } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { type Json, resultOf, text, textOf } from "../../kit/index.js";
import { carriers, declared } from "./extended.js";
import {
  able,
  call,
  filled,
  form,
  get,
  handlersOf,
  list,
  over,
  settled,
  tool,
} from "./kit.js";

describe.each(carriers)(
  "the tasks extension on a server over $carrier",
  ({ open }) => {
    it("XTASK-05 XTASK-06 asks each question with its own key, and accepts the answers one by one", async () => {
      const ask = tool("ask", async (_, { request }) => {
        const answers = await Promise.all([
          request("elicitation/create", form("name"), { key: "first" }),
          request("elicitation/create", form("town"), { key: "second" }),
        ]);
        const again = await request("elicitation/create", form("name"));
        return JSON.stringify(
          [...answers, again].map(
            ({ content }) => Object.values(content as Json)[0],
          ),
        );
      });
      const up = await open({ handlers: handlersOf(list(ask)) });
      const { taskId } = await call(up, "ask", able);
      const answer = async (inputResponses: Json): Promise<Json> =>
        resultOf(await up.ask("tasks/update", { taskId, inputResponses }));
      const keys = async (): Promise<string[]> => {
        const { inputRequests } = await settled(
          up,
          taskId,
          ({ status }) => status === "input_required",
        );
        return Object.keys(inputRequests as Json);
      };
      expect(await keys()).toEqual(["first", "second"]);
      expect((await get(up, taskId))["inputRequests"]).toMatchObject({
        first: { method: "elicitation/create", params: form("name") },
      });
      // Unknown, malformed and invalid responses are ignored.
      await answer({
        other: filled("name", "x"),
        first: { action: "perhaps" },
        second: filled("town", 7),
      });
      expect(await keys()).toEqual(["first", "second"]);
      await answer({ second: filled("town", "London") });
      expect(await keys()).toEqual(["first"]);
      await answer({
        first: filled("name", "Ada"),
        second: filled("town", "Paris"),
      });
      const [third = ""] = await keys();
      expect(["first", "second"]).not.toContain(third);
      await answer({
        [third]: filled("name", "Eve"),
        first: filled("name", "Bob"),
      });
      const { result } = await over(up, taskId);
      expect(result).toMatchObject(text('["Ada","London","Eve"]'));
    });

    it.each([
      [
        "elicitation/create",
        form("name"),
        filled("name", "Ada"),
        { action: 1 },
      ],
      [
        "sampling/createMessage",
        {
          messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
          maxTokens: 9,
        },
        {
          role: "assistant",
          model: "m",
          content: { type: "text", text: "Hi" },
        },
        { role: "assistant" },
      ],
      ["roots/list", {}, { roots: [{ uri: "file:///a" }] }, { roots: 1 }],
    ])(
      "XTASK-06 takes the first answer to %s that is valid",
      async (method, params, valid, invalid) => {
        const ask = tool("ask", async (_, { request }) =>
          JSON.stringify(await request(method, params, { key: "one" })),
        );
        const up = await open({ handlers: handlersOf(list(ask)) });
        const { taskId } = await call(up, "ask", {
          ...able,
          sampling: {},
          roots: {},
        });
        for (const one of [invalid, valid]) {
          await settled(
            up,
            taskId,
            ({ status }) => status === "input_required",
          );
          await up.ask("tasks/update", {
            taskId,
            inputResponses: { one },
          });
        }
        const { result } = await over(up, taskId);
        expect(JSON.parse(textOf(result as Json))).toMatchObject(valid);
      },
    );

    it("lets an observer see the work of a task and add to the `_meta` of its questions", async () => {
      const seen: unknown[] = [];
      const observe = observer(({ direction, method, taskId, id }) => ({
        meta: { "example.com/key": id },
        end: ({ kind }) =>
          void (
            method === "tasks/get" ||
            seen.push([direction, method, taskId, kind])
          ),
      }));
      const ask = tool("ask", async (_, { request }) => {
        await request("elicitation/create", form("name"), { key: "first" });
        return "done";
      });
      const up = await open({ handlers: handlersOf(list(ask)), observe });
      const { taskId } = await call(up, "ask", able);
      const { inputRequests } = await settled(
        up,
        taskId,
        ({ status }) => status === "input_required",
      );
      const _meta = { "example.com/key": "first" };
      expect(inputRequests).toMatchObject({
        first: { params: { ...form("name"), _meta } },
      });
      await up.ask("tasks/update", {
        taskId,
        inputResponses: { first: filled("name", "Ada") },
      });
      await over(up, taskId);
      expect(seen).toEqual([
        ["received", "tools/call", undefined, "ok"],
        ["sent", "elicitation/create", undefined, "ok"],
        ["received", "tasks/update", undefined, "ok"],
        ["received", "tools/call", taskId, "ok"],
      ]);
    });

    it("adds the option meta to a question, and withdraws it when the option signal aborts", async () => {
      const stop = new AbortController();
      const ask = tool("ask", async (_, { request }) => {
        const options = {
          key: "roots",
          meta: { "example.com/a": 1 },
          signal: stop.signal,
        };
        return request("roots/list", {}, options).catch(
          ({ message }: Error) => message,
        );
      });
      const up = await open({ handlers: handlersOf(list(ask)) });
      const { taskId } = await call(up, "ask", { ...able, roots: {} });
      const waiting = await settled(
        up,
        taskId,
        ({ status }) => status === "input_required",
      );
      expect(waiting["inputRequests"]).toMatchObject({
        roots: { params: { _meta: { "example.com/a": 1 } } },
      });
      stop.abort(new Error("No longer needed."));
      expect((await over(up, taskId))["result"]).toMatchObject(
        text("No longer needed."),
      );
    });

    it("VERS-11 treats the requests, the result and the error code of a task as those of a call without a task", async () => {
      const warnings: string[] = [];
      const errors: string[] = [];
      const url = { mode: "url", message: "?", url: "https://example.com/" };
      const all = list(
        tool("ask", (_, { request }) =>
          request("elicitation/create", { ...url, elicitationId: "1" }),
        ),
        tool("bad", () => ({ content: [{ type: "text", text: 5 }] })),
        tool("fail", () => {
          throw new McpError(-32002, "No.");
        }),
      );
      const up = await open({
        handlers: handlersOf(all),
        onError: ({ name }) => errors.push(name),
        onWarning: (message) => warnings.push(message),
      });
      const { taskId } = await call(up, "ask", {
        ...declared,
        elicitation: { url: {} },
      });
      const { inputRequests } = await settled(
        up,
        taskId,
        ({ status }) => status === "input_required",
      );
      expect(Object.values(inputRequests as Json)).toEqual([
        { method: "elicitation/create", params: url },
      ]);
      const outcomeOf = async (name: string): Promise<Json> =>
        over(up, (await call(up, name, able))["taskId"]);
      expect(await outcomeOf("bad")).toMatchObject({
        status: "failed",
        error: { code: -32603 },
      });
      expect(await outcomeOf("fail")).toMatchObject({
        status: "failed",
        error: { code: -32602, message: "No." },
      });
      expect(errors).toEqual(["ValidationError"]);
      expect(warnings).toEqual([
        "elicitation/create: elicitationId is left out, because revision 2026-07-28 does not have it.",
        "tools/call: the error -32002 is sent as -32602, because revision 2026-07-28 does not allow it.",
      ]);
    });

    it("XTASK-06 rejects a key that is used twice in a task", async () => {
      const ask = tool("ask", async (_, { request }) => {
        await request("elicitation/create", form("name"), { key: "k" });
        await request("elicitation/create", form("town"), { key: "k" });
      });
      const up = await open({
        handlers: handlersOf(list(ask)),
        onError: () => {},
      });
      const { taskId } = await call(up, "ask", able);
      await settled(up, taskId, ({ status }) => status === "input_required");
      await up.ask("tasks/update", {
        taskId,
        inputResponses: { k: filled("name", "Ada") },
      });
      // XTASK-08: an error that the tool throws becomes its result.
      expect(await over(up, taskId)).toMatchObject({
        status: "completed",
        result: { isError: true },
      });
    });

    it("XTASK-05 MRTR-04 does not ask a question that the client does not support, and the task names the missing capability", async () => {
      const ask = tool("ask", (_, { request }) =>
        request("elicitation/create", form("name")),
      );
      const up = await open({ handlers: handlersOf(list(ask)) });
      const task = await over(up, (await call(up, "ask"))["taskId"]);
      expect(task).toMatchObject({
        status: "failed",
        error: {
          code: -32021,
          data: { requiredCapabilities: { elicitation: {} } },
        },
      });
    });

    it("MRTR-01 lets a tool ask within the call first, and continue as a task with the answer", async () => {
      const ask = tool(
        "ask",
        async (_, context) => {
          const { content } = await context.request(
            "elicitation/create",
            form("name"),
            { key: "name" },
          );
          return startTask(context, () => String((content as Json)["name"]));
        },
        "forbidden",
      );
      const up = await open({ handlers: handlersOf(list(ask)) });
      const first = await call(up, "ask", able);
      expect(first).toMatchObject({
        resultType: "input_required",
        inputRequests: { name: {} },
      });
      const params = {
        name: "ask",
        arguments: {},
        requestState: first["requestState"],
      };
      const inputResponses = { name: filled("name", "Ada") };
      const second = resultOf(
        await up.ask("tools/call", { ...params, inputResponses }, able),
      );
      expect(second).toMatchObject({ resultType: "task" });
      expect((await over(up, second["taskId"]))["result"]).toMatchObject(
        text("Ada"),
      );
    });
  },
);
