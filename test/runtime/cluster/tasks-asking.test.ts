import { memorySharedStore } from "@mcpgen/runtime/cluster";
import { http } from "@mcpgen/runtime/http";
import { taskOutcome } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { ask } from "../http/kit/messages.js";
import {
  type ClientOptions,
  makeClient,
  resultOf,
  textOf,
} from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import {
  filled,
  form,
  related,
  type TaskedClient,
  withTasks,
} from "../tasks/kit.js";
import { at, closingProcesses } from "./kit.js";
import {
  callsAt,
  startTaskProcess,
  startThree,
  type Work,
} from "./tasks.kit.js";

closingProcesses();

describe.each(withTasks)(
  "a task of a cluster at $revision that asks the client",
  (revision) => {
    const { get, open, start } = callsAt(revision);

    it("asks the client on the stream of a request for its result in any process, and takes the answer in any", async () => {
      const [one, two, three] = startThree(revision, async (_, { request }) => {
        const answers = [];
        for (const name of ["flour", "oven"])
          answers.push(await request("elicitation/create", form(name)));
        return JSON.stringify(answers);
      });
      const session = await open(one, { elicitation: { form: {} } });
      const taskId = await start(session);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      for (const name of ["flour", "oven"]) {
        const question = await stream.message();
        expect(question).toMatchObject({
          method: "elicitation/create",
          params: { message: name },
        });
        expect(question["params"]).toMatchObject({
          _meta: { [related]: { taskId } },
        });
        expect(await get(at(one, session), taskId)).toMatchObject({
          status: "input_required",
        });
        const result = filled(name, "yes");
        await at(three, session).post({
          jsonrpc: "2.0",
          id: question["id"],
          result,
        });
      }
      const answers = JSON.parse(
        textOf(resultOf(await stream.message())),
      ) as unknown;
      expect(answers).toMatchObject([
        filled("flour", "yes"),
        filled("oven", "yes"),
      ]);
    });

    it("asks again on the next stream if the client has left the first one", async () => {
      const [one, two, three] = startThree(revision, async (_, { request }) =>
        JSON.stringify(await request("elicitation/create", form("flour"))),
      );
      const session = await open(one, { elicitation: { form: {} } });
      const taskId = await start(session);
      const left = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      expect(await left.message()).toMatchObject({
        method: "elicitation/create",
      });
      await at(two, session).post({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 3 },
      });
      const stream = await at(three, session).post(
        ask(4, "tasks/result", { taskId }),
      );
      const question = await stream.message();
      await at(one, session).post({
        jsonrpc: "2.0",
        id: question["id"],
        result: filled("flour", "yes"),
      });
      expect(textOf(resultOf(await stream.message()))).toContain("flour");
    });

    it("is waited for by our client although the process that it waits at stops", async () => {
      const [answered, { ended, end }] = [gate<void>(), gate<void>()];
      const work: Work = async (_, { request }) => {
        const answer = await request("elicitation/create", form("flour"));
        answered.end();
        await ended;
        return JSON.stringify(answer);
      };
      const store = memorySharedStore();
      const [one, two] = [
        startTaskProcess(revision, work, { store }),
        startTaskProcess(revision, work, { store }),
      ];
      let current = one;
      const methods: string[] = [];
      const route: typeof fetch = (input, init) => {
        const request = new Request(input, init);
        methods.push(request.method);
        return current.handler(request);
      };
      const client = await makeClient(
        revision.protocol,
        http("http://127.0.0.1/mcp", { fetch: route }),
        {
          handlers: { "elicitation/create": () => filled("flour", "yes") },
        } as ClientOptions,
      );
      const created = await client.callTool({
        name: "work",
        arguments: {},
        task: {},
      });
      current = two;
      const outcome = taskOutcome(client as TaskedClient, created as never);
      await answered.ended;
      methods.length = 0;
      current = one;
      await two.close();
      // Its stream was that of a process that has stopped.
      await until(() => methods.includes("POST"));
      end();
      expect(textOf(await outcome)).toContain("yes");
      await client.close();
    });

    it("rejects the question in the handler with the error of the client", async () => {
      const [one, two] = startThree(revision, async (_, { request }) => {
        const error = await request("elicitation/create", form("flour")).catch(
          (reason: unknown) => reason,
        );
        return String((error as Error).message);
      });
      const session = await open(one, { elicitation: { form: {} } });
      const taskId = await start(session);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      const { id } = await stream.message();
      await at(two, session).post({
        jsonrpc: "2.0",
        id,
        error: { code: -1, message: "No person is here." },
      });
      expect(textOf(resultOf(await stream.message()))).toContain(
        "No person is here.",
      );
    });
  },
);
