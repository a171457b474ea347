import { isSessionError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  clientWire,
  errorOf,
  resultOf,
  revisions,
  text,
  textOf,
} from "../kit/index.js";
import {
  accept,
  form,
  keysOf,
  name,
  nameForm,
  questionsOf,
  toolWire,
} from "./kit.js";

describe("the answers of a client", () => {
  const asked = async () => {
    let runs = 0;
    const caller = await toolWire(async (_, { request }) => {
      runs++;
      const [sure, roots] = await Promise.all([
        request("elicitation/create", nameForm, { key: "name" }),
        request("roots/list", undefined, { key: "roots" }),
      ]);
      return text(
        `${JSON.stringify(sure["content"])} ${JSON.stringify(roots["roots"])}`,
      );
    });
    const response = await caller.call();
    const next = await caller.answer(response, {
      roots: { roots: [] },
      other: { action: "cancel" },
    });
    return { caller, next, runs: () => runs };
  };

  it("MRTR-12 requests missing responses again, and ignores unknown ones", async () => {
    const { caller, next, runs } = await asked();
    expect(keysOf(next)).toEqual(["name"]);
    expect(
      textOf(resultOf(await caller.answer(next, { name: name("Ada") }))),
    ).toBe('{"name":"Ada"} []');
    expect(runs()).toBe(3);
  });

  it.each([12345, null, {}, { action: "maybe" }, { roots: [] }])(
    "MRTR-12 rejects the malformed response %j, and runs nothing",
    async (answer) => {
      const { caller, next, runs } = await asked();
      expect(errorOf(await caller.answer(next, { name: answer }))["code"]).toBe(
        -32602,
      );
      expect(runs()).toBe(2);
    },
  );

  it.each([{ action: "accept", content: {} }, name(7 as never)])(
    "MRTR-12 requests a response again if it is not what the form asks for: %j",
    async (answer) => {
      const { caller, next } = await asked();
      expect(keysOf(await caller.answer(next, { name: answer }))).toEqual([
        "name",
      ]);
    },
  );

  it.each([
    ["null", null],
    ["a list", []],
    ["text", "x"],
  ])("MRTR-12 are rejected if they are %s", async (_, inputResponses) => {
    const caller = await toolWire(async (_, { request }) => {
      await request("roots/list");
    });
    const response = await caller.call();
    expect(
      errorOf(await caller.answer(response, inputResponses as never))["code"],
    ).toBe(-32602);
  });

  it("accepts a response before its question, under a key that the client knows", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const { content } = await request("elicitation/create", nameForm, {
        key: "name",
      });
      return text(JSON.stringify(content));
    });
    const early = await caller.call({
      inputResponses: { other: accept, name: name("Ada") },
    });
    expect(textOf(resultOf(early))).toBe('{"name":"Ada"}');
    for (const wrong of [accept, { action: "accept", content: { name: 7 } }]) {
      expect(
        keysOf(await caller.call({ inputResponses: { name: wrong } })),
      ).toEqual(["name"]);
    }
  });

  it("are used only for questions in the state, once the request has a state", async () => {
    const caller = await toolWire(async (_, { request }) => {
      await request("elicitation/create", form("First?"), { key: "first" });
      const { action } = await request("elicitation/create", form("Second?"), {
        key: "second",
      });
      return text(String(action));
    });
    const response = await caller.call();
    const next = await caller.answer(response, {
      first: accept,
      second: accept,
    });
    expect(keysOf(next)).toEqual(["second"]);
  });

  it("are never used for another question: a key with changed params is an error", async () => {
    let run = 0;
    const errors: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        const { action } = await request(
          "elicitation/create",
          form(`Delete ${run++ ? "all" : "one"}?`),
          {
            key: "sure",
          },
        );
        return text(String(action));
      },
      { onError: (error) => errors.push(error) },
    );
    const response = await caller.call();
    expect(
      errorOf(await caller.answer(response, { sure: accept }))["code"],
    ).toBe(-32603);
    const [error] = errors;
    expect(isSessionError(error) && error.reason).toBe("repeat");
    const [, before, now] =
      /differs between runs of the handler: .*params (\w+)\).*params (\w+)\)/.exec(
        String(error?.message),
      ) ?? [];
    expect(before).not.toBe(now);
  });

  it("are never used for another question: with automatic keys, changed params are a new question", async () => {
    let run = 0;
    const caller = await toolWire(async (_, { request }) => {
      const { action } = await request(
        "elicitation/create",
        form(`Delete ${run++ ? "all" : "one"}?`),
      );
      return text(String(action));
    });
    const response = await caller.call();
    const again = await caller.answer(response, {
      [String(keysOf(response)[0])]: accept,
    });
    expect(questionsOf(again)).toMatchObject([
      { params: { message: "Delete all?" } },
    ]);
  });

  it("gives requests with the same key one response, and rejects another method under that key", async () => {
    const errors: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        const same = await Promise.all([
          request("elicitation/create", form("Same?"), { key: "k" }),
          request("elicitation/create", form("Same?"), { key: "k" }),
        ]);
        if (same[0]?.["action"] === "decline")
          await request("roots/list", undefined, { key: "k" });
        return text(String(same[0] === same[1]));
      },
      { onError: (error) => errors.push(error) },
    );
    const response = await caller.call();
    expect(keysOf(response)).toEqual(["k"]);
    expect(textOf(resultOf(await caller.answer(response, { k: accept })))).toBe(
      "true",
    );
    await caller.answer(response, { k: { action: "decline" } });
    expect(isSessionError(errors[0]) && errors[0].reason).toBe("repeat");
  });

  it("are requested in a limited number of rounds", async () => {
    const errors: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        for (let i = 0; ; i++)
          await request("elicitation/create", form(`${i}?`), { key: `${i}` });
      },
      { limits: { rounds: 3 }, onError: (error) => errors.push(error) },
    );
    let response = await caller.call();
    for (let i = 0; i < 2; i++)
      response = await caller.answer(response, { [String(i)]: accept });
    expect(errorOf(await caller.answer(response, { 2: accept }))["code"]).toBe(
      -32603,
    );
    expect(isSessionError(errors[0]) && errors[0].reason).toBe("rounds");
  });
});

describe.each(revisions.filter(({ isModern }) => !isModern))(
  "an answer of a client of $revision",
  (one) => {
    const key = one.facts.meta.relatedTask;
    const task = { taskId: "t-1" };
    const handlers = {
      "roots/list": () => ({ roots: [], _meta: { "example.com/x": 1 } }),
    };

    it("has the task of its question, if the revision has tasks, and the members of its handler", async () => {
      const { client, wire } = await clientWire(one, { handlers });
      const related = "io.modelcontextprotocol/related-task";
      const answer = resultOf(
        await wire.ask("q", "roots/list", { _meta: { [related]: task } }),
      );
      expect(answer["_meta"]).toEqual({
        "example.com/x": 1,
        ...(key !== undefined && { [key]: task }),
      });
      const other = resultOf(
        await wire.ask("r", "roots/list", { _meta: { "example.com/y": 2 } }),
      );
      expect(other["_meta"]).toEqual({ "example.com/x": 1 });
      await client.close();
    });
  },
);
