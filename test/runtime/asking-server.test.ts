import {
  type InputPending,
  isInputPending,
  isRefusedError,
  memoryPair,
  serve,
  type Transport,
} from "@mcpgen/runtime";
import { describe, expect, it, vi } from "vitest";
import {
  type AnyContext,
  type AnyHandler,
  errorOf,
  type Json,
  makeServer,
  metaFor,
  modern,
  resultOf,
  type ServerOptions,
  serveWire,
  text,
  textOf,
  turns,
  Wire,
} from "./kit.js";

const all: Json = { sampling: { tools: {} }, roots: {}, elicitation: { form: {}, url: {} } };
const form = (message: string): Json => ({ message, requestedSchema: { type: "object", properties: {} } });
const accept: Json = { action: "accept", content: {} };
const name = (value: string): Json => ({ action: "accept", content: { name: value } });
const nameForm = {
  message: "Name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
let ids = 0;

/** A server with one tool, and a way to call it in rounds by hand. */
async function toolWire(tool: AnyHandler, options: ServerOptions = {}): Promise<Caller> {
  const handlers = { "tools/call": tool, "tools/list": tool };
  return new Caller(await serveWire(makeServer(modern.protocol, { handlers, ...options })));
}

class Caller {
  readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** One round: the whole answer. */
  call(more: Json = {}, capabilities: Json = all, method = "tools/call"): Promise<Json> {
    const _meta = { ...metaFor(modern, capabilities), ...(more["_meta"] as Json) };
    const params = { name: "tool", arguments: { a: 1 }, ...more, _meta };
    return this.wire.ask(ids++, method, params);
  }

  /** The next round after a result that asks for input. */
  async answer(asked: Json, inputResponses: Json, more: Json = {}): Promise<Json> {
    const { requestState } = resultOf(asked);
    return this.call({ inputResponses, requestState, ...more });
  }
}

const keysOf = (asked: Json): string[] => Object.keys(resultOf(asked)["inputRequests"] as Json);
const questionsOf = (asked: Json): Json[] =>
  Object.values(resultOf(asked)["inputRequests"] as Record<string, Json>);

describe("a handler that asks the client in the modern era", () => {
  it("MRTR-02 MRTR-03 MRTR-12 ends its run in a question, and runs again with the answer", async () => {
    let runs = 0;
    const caller = await toolWire(async (_, { request }) => {
      runs++;
      const { action } = await request("elicitation/create", form("Sure?"), { key: "sure" });
      return text(String(action));
    });
    const asked = await caller.call();
    expect(resultOf(asked)).toMatchObject({
      resultType: "input_required",
      inputRequests: { sure: { method: "elicitation/create", params: form("Sure?") } },
      requestState: expect.stringMatching(/^[\w-]+$/),
      _meta: { [String(modern.facts.meta.serverInfo)]: { name: "test" } },
    });
    expect(Object.keys(questionsOf(asked)[0] as Json)).toEqual(["method", "params"]);
    const done = await caller.answer(asked, { sure: accept });
    expect(resultOf(done)).toMatchObject({ resultType: "complete", ...text("accept") });
    expect(runs).toBe(2);
  });

  it("sends the questions of one round together, those of microtasks later too", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const later = Promise.resolve().then(() => Promise.resolve().then(() => request("roots/list")));
      const answers = await Promise.all([
        request("elicitation/create", form("One?")),
        request("elicitation/create", form("Two?")),
        later,
      ]);
      return text(JSON.stringify(answers.map(({ action }) => action ?? "roots")));
    });
    const asked = await caller.call();
    expect(
      questionsOf(asked).map(({ method, params }) => [method, (params as Json | undefined)?.["message"]]),
    ).toEqual([
      ["elicitation/create", "One?"],
      ["elicitation/create", "Two?"],
      ["roots/list", undefined],
    ]);
    const [one, two, roots] = keysOf(asked) as [string, string, string];
    // The answers come in another order than the questions went.
    const answers = { [roots]: { roots: [] }, [two]: { action: "decline" }, [one]: accept };
    expect(textOf(resultOf(await caller.answer(asked, answers)))).toBe('["accept","decline","roots"]');
  });

  it("asks the next question in the next round, and keeps the earlier answers in the state", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const first = await request("elicitation/create", form("First?"));
      await turns(2);
      const second = await request("elicitation/create", form("Second?"));
      return text(`${String(first["action"])} ${String(second["action"])}`);
    });
    const first = await caller.call();
    const [firstKey] = keysOf(first) as [string];
    const second = await caller.answer(first, { [firstKey]: { action: "decline" } });
    const [secondKey] = keysOf(second) as [string];
    expect(secondKey).not.toBe(firstKey);
    expect(resultOf(second)["requestState"]).not.toBe(resultOf(first)["requestState"]);
    expect(textOf(resultOf(await caller.answer(second, { [secondKey]: accept })))).toBe("decline accept");
  });

  it("tells equal questions apart by their count, and makes the keys the same in every run", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", form("Again?")),
        request("elicitation/create", {
          requestedSchema: { properties: {}, type: "object" },
          message: "Again?",
        }),
      ]);
      return text(answers.map(({ action }) => action).join());
    });
    const asked = await caller.call();
    expect(keysOf(await caller.call())).toEqual(keysOf(asked));
    const [one, two] = keysOf(asked) as [string, string];
    expect(two).toBe(one.replace(/0$/, "1"));
    expect(textOf(resultOf(await caller.answer(asked, { [one]: accept, [two]: { action: "cancel" } })))).toBe(
      "accept,cancel",
    );
  });

  it("runs what cleans up: finally, and the signal, both told of InputPending", async () => {
    const seen: string[] = [];
    const caller = await toolWire(async (_, { request, signal }) => {
      signal.addEventListener("abort", () => seen.push((signal.reason as InputPending).name));
      try {
        await request("roots/list");
      } catch (error) {
        seen.push(String(isInputPending(error)));
        throw error;
      } finally {
        seen.push("finally");
      }
      return text("done");
    });
    await caller.call();
    await turns();
    expect(seen.sort()).toEqual(["InputPending", "finally", "true"]);
  });

  it("drops what a run does after its question went out, and warns of a catch that swallows", async () => {
    const warnings: string[] = [];
    const told: Error[] = [];
    const tool: AnyHandler = async ({ _meta }, context) => {
      try {
        await context.request("roots/list");
      } catch {
        context.progress(50);
        context.log("error", "too late");
        await context.request("roots/list").catch(() => {});
        if ((_meta as Json)["throw"]) throw new Error("too late");
      }
      return text("too late");
    };
    const capabilities = { logging: {} };
    const caller = await toolWire(tool, {
      capabilities,
      onWarning: (text) => warnings.push(text),
      onError: (error) => told.push(error),
    });
    const { logLevel = "" } = modern.facts.meta;
    for (const extra of [{}, { throw: true }]) {
      const _meta = { progressToken: "p", [logLevel]: "debug", ...extra };
      expect(resultOf(await caller.call({ _meta }))["resultType"]).toBe("input_required");
    }
    expect(await caller.wire.rest()).toEqual([]);
    expect(warnings.filter((text) => text.includes("InputPending"))).toHaveLength(2);
    expect(told).toEqual([]);
  });

  it("sends progress and logs until its question goes out", async () => {
    const caller = await toolWire(async (_, context) => {
      context.progress(1);
      await context.request("roots/list");
      return text("done");
    });
    const first = await caller.call({ _meta: { progressToken: "p" } });
    expect(first["method"]).toBe("notifications/progress");
    expect(resultOf(await caller.wire.next())["resultType"]).toBe("input_required");
  });

  it("returns its result when it does not wait for the answer, and leaves no rejection behind", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const caller = await toolWire(async (_, { request }) => {
      void request("roots/list");
      return text("done");
    });
    expect(resultOf(await caller.call())).toMatchObject(text("done"));
    const sync = await toolWire((_, { request }) => {
      void request("roots/list");
      return text("done");
    });
    expect(resultOf(await sync.call())).toMatchObject(text("done"));
    const failing = await toolWire(async (_, { request }) => {
      await Promise.all([request("roots/list"), Promise.reject(new Error("no"))]);
    });
    expect(errorOf(await failing.call())["code"]).toBe(-32603);
    await turns();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("MRTR-13 holds nothing for a client that never comes back", async () => {
    const caller = await toolWire(async (_, { request }) => {
      await request("roots/list");
      return text("done");
    });
    for (let i = 0; i < 300; i++) await caller.call();
    expect(resultOf(await caller.call())["resultType"]).toBe("input_required");
  });

  it("CANC-03 stops asking when the call is cancelled", async () => {
    const caller = await toolWire(async (_, { request, signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await request("roots/list");
      return text("done");
    });
    const params = { name: "tool", _meta: metaFor(modern, all) };
    caller.wire.send({ jsonrpc: "2.0", id: "c", method: "tools/call", params });
    await turns();
    caller.wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } });
    expect(await caller.wire.rest()).toEqual([]);
  });
});

describe("the state of a call", () => {
  const asking: AnyHandler = async (_, { request }) => {
    const { roots } = await request("roots/list", undefined, { key: "roots" });
    return text(String((roots as unknown[]).length));
  };
  const roots = { roots: { roots: [] } };
  const isRefused = (answer: Json): boolean => errorOf(answer)?.["code"] === -32602;

  it("MRTR-10 is refused when it was changed, at whatever place", async () => {
    const caller = await toolWire(asking);
    const asked = await caller.call();
    const state = String(resultOf(asked)["requestState"]);
    const other = (text: string, at: number): string =>
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
    const changed = [
      `${state}-TAMPERED`,
      other(state, 0),
      state.slice(0, -1),
      state.slice(0, 16),
      "",
      "AAAA",
      other(state, state.length - 5),
      // The last letter of base64 holds bits that say nothing, and yet it may not be another.
      other(state, state.length - 1),
      "x".repeat(100_000),
      `${state}\n`,
    ];
    for (const requestState of [...changed, 7, null, {}]) {
      expect(isRefused(await caller.answer(asked, roots, { requestState })), String(requestState)).toBe(true);
    }
    expect(resultOf(await caller.answer(asked, roots))).toMatchObject(text("0"));
  });

  it("MRTR-10 does not show what is in it", async () => {
    const caller = await toolWire(async (_, { request, once }) => {
      await once("secret", () => "swordfish");
      await request("roots/list", undefined, { key: "visible" });
    });
    const state = String(resultOf(await caller.call())["requestState"]);
    const bytes = Buffer.from(state, "base64url").toString("latin1");
    expect(bytes).not.toContain("swordfish");
    expect(bytes).not.toContain("visible");
  });

  it("MRTR-11 is refused with other params, another name, another method", async () => {
    const caller = await toolWire(asking, {
      handlers: { "tools/call": asking, "prompts/get": asking },
    });
    const asked = await caller.call();
    expect(isRefused(await caller.answer(asked, roots, { arguments: { a: 2 } }))).toBe(true);
    expect(isRefused(await caller.answer(asked, roots, { name: "other" }))).toBe(true);
    expect(isRefused(await caller.answer(asked, roots, { later: true }))).toBe(true);
    const { requestState } = resultOf(asked);
    const params = { inputResponses: roots, requestState, arguments: { a: "1" } };
    expect(isRefused(await caller.call(params, all, "prompts/get"))).toBe(true);
  });

  it("MRTR-11 is refused when another principal brings it", async () => {
    const [near, far] = memoryPair();
    let principal = "ada";
    // A carrier that knows who is calling.
    const knowing: Transport = {
      start: (receiver) =>
        far.start({
          message: (message) => receiver.message(message, { auth: { principal } }),
          malformed: (error) => receiver.malformed(error),
          ended: () => receiver.ended(),
          closed: (error) => receiver.closed(error),
        }),
      send: (message) => far.send(message),
      close: () => far.close(),
    };
    const handlers = {
      "tools/call": async (params: Json, context: AnyContext) => {
        await asking(params, context);
        return text((context.auth as { principal: string }).principal);
      },
    };
    await serve(knowing, makeServer(modern.protocol, { handlers }));
    const caller = new Caller(new Wire(near));
    const asked = await caller.call();
    principal = "eve";
    expect(isRefused(await caller.answer(asked, roots))).toBe(true);
    principal = "ada";
    expect(resultOf(await caller.answer(asked, roots))).toMatchObject(text("ada"));
  });

  it("MRTR-11 expires", async () => {
    const caller = await toolWire(asking, { stateLifetime: -1 });
    const asked = await caller.call();
    expect(isRefused(await caller.answer(asked, roots))).toBe(true);
  });

  it("opens with the current key and those before it, in another process too", async () => {
    const [old, current] = ["o".repeat(32), new Uint8Array(32).fill(7)];
    const before = await toolWire(asking, { stateKeys: [old] });
    const asked = await before.call();
    const after = await toolWire(asking, { stateKeys: [current, old] });
    expect(resultOf(await after.answer(asked, roots))).toMatchObject(text("0"));
    const without = await toolWire(asking, { stateKeys: [current] });
    expect(isRefused(await without.answer(asked, roots))).toBe(true);
    expect(isRefused(await before.answer(await after.call(), roots))).toBe(true);
  });

  it("warns once when no keys are set, and refuses keys that are too short", async () => {
    const warnings: string[] = [];
    const caller = await toolWire(asking, { onWarning: (text) => warnings.push(text) });
    for (let i = 0; i < 3; i++) await caller.answer(await caller.call(), roots);
    expect(warnings).toEqual([expect.stringContaining("stateKeys")]);
    const told: Error[] = [];
    const short = await toolWire(asking, { stateKeys: ["short"], onError: (error) => told.push(error) });
    expect(errorOf(await short.call())["code"]).toBe(-32603);
    expect(told[0]?.message).toContain("32 bytes");
  });

  it("is bounded in size", async () => {
    const told: Error[] = [];
    const caller = await toolWire(
      async (_, { request, once }) => {
        await once("much", () => "x".repeat(70_000));
        await request("roots/list");
      },
      { onError: (error) => told.push(error) },
    );
    expect(errorOf(await caller.call())).toEqual({ code: -32603, message: "Internal error" });
    expect(told[0]?.message).toContain("65536");
  });

  it("refuses params that are nested too deeply to be told apart, and goes on", async () => {
    const sent: Json[] = [];
    let deliver: (message: unknown) => void = () => {};
    const carrier: Transport = {
      start: (receiver) => void (deliver = (message) => receiver.message(message)),
      send: (message) => void sent.push(message as Json),
      close: async () => {},
    };
    await serve(carrier, makeServer(modern.protocol, { handlers: { "tools/call": asking } }));
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const params = { name: "tool", _meta: metaFor(modern, all) };
    deliver({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, arguments: { deep } } });
    deliver({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
    while (sent.length < 2) await turns(1);
    const [refused, asked] = sent.sort((a, b) => Number(a["id"]) - Number(b["id"]));
    expect(isRefused(refused as Json)).toBe(true);
    expect(resultOf(asked as Json)["resultType"]).toBe("input_required");
  });
});

describe("the answers of a client", () => {
  it("MRTR-12 are asked for again when missing or malformed; unknown ones are ignored", async () => {
    let runs = 0;
    const caller = await toolWire(async (_, { request }) => {
      runs++;
      const [sure, roots] = await Promise.all([
        request("elicitation/create", nameForm, { key: "name" }),
        request("roots/list", undefined, { key: "roots" }),
      ]);
      return text(`${JSON.stringify(sure["content"])} ${JSON.stringify(roots["roots"])}`);
    });
    const asked = await caller.call();
    let next = await caller.answer(asked, { roots: { roots: [] }, other: 12345, __proto__: 1 });
    expect(keysOf(next)).toEqual(["name"]);
    const malformed = [
      12345,
      null,
      {},
      { action: "maybe" },
      // ELIC-06: well formed, but not what the form asks for.
      { action: "accept", content: {} },
      name(7 as never),
    ];
    for (const answer of malformed) {
      next = await caller.answer(next, { name: answer });
      expect(keysOf(next), JSON.stringify(answer)).toEqual(["name"]);
    }
    expect(textOf(resultOf(await caller.answer(next, { name: name("Ada") })))).toBe('{"name":"Ada"} []');
    expect(runs).toBe(9);
  });

  it.each([
    ["null", null],
    ["a list", []],
    ["text", "x"],
  ])("MRTR-12 are refused when they are %s", async (_, inputResponses) => {
    const caller = await toolWire(async (_, { request }) => {
      await request("roots/list");
    });
    const asked = await caller.call();
    expect(errorOf(await caller.answer(asked, inputResponses as never))["code"]).toBe(-32602);
  });

  it("may come before their question, under a key that the client knows", async () => {
    const caller = await toolWire(async (_, { request }) => {
      const { content } = await request("elicitation/create", nameForm, { key: "name" });
      return text(JSON.stringify(content));
    });
    const early = await caller.call({ inputResponses: { other: accept, name: name("Ada") } });
    expect(textOf(resultOf(early))).toBe('{"name":"Ada"}');
    for (const malformed of [12345, accept, { action: "accept", content: { name: 7 } }]) {
      expect(keysOf(await caller.call({ inputResponses: { name: malformed } }))).toEqual(["name"]);
    }
  });

  it("count only for what was asked, once something was", async () => {
    const caller = await toolWire(async (_, { request }) => {
      await request("elicitation/create", form("First?"), { key: "first" });
      const { action } = await request("elicitation/create", form("Second?"), { key: "second" });
      return text(String(action));
    });
    const asked = await caller.call();
    const next = await caller.answer(asked, { first: accept, second: accept });
    expect(keysOf(next)).toEqual(["second"]);
  });

  it("never reach another question: a key that comes back with other params is not repeatable", async () => {
    let run = 0;
    const told: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        const { action } = await request("elicitation/create", form(`Delete ${run++ ? "all" : "one"}?`), {
          key: "sure",
        });
        return text(String(action));
      },
      { onError: (error) => told.push(error) },
    );
    const asked = await caller.call();
    expect(errorOf(await caller.answer(asked, { sure: accept }))["code"]).toBe(-32603);
    const [error] = told;
    expect(isRefusedError(error) && error.reason).toBe("repeat");
    const [, before, now] =
      /not repeatable: .*params (\w+)\).*params (\w+)\)/.exec(String(error?.message)) ?? [];
    expect(before).not.toBe(now);
  });

  it("never reach another question: with automatic keys, changed params are a new question", async () => {
    let run = 0;
    const caller = await toolWire(async (_, { request }) => {
      const { action } = await request("elicitation/create", form(`Delete ${run++ ? "all" : "one"}?`));
      return text(String(action));
    });
    const asked = await caller.call();
    const again = await caller.answer(asked, { [String(keysOf(asked)[0])]: accept });
    expect(questionsOf(again)).toMatchObject([{ params: { message: "Delete all?" } }]);
  });

  it("one key names one question in a run", async () => {
    const told: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        const same = await Promise.all([
          request("elicitation/create", form("Same?"), { key: "k" }),
          request("elicitation/create", form("Same?"), { key: "k" }),
        ]);
        if (same[0]?.["action"] === "decline") await request("roots/list", undefined, { key: "k" });
        return text(String(same[0] === same[1]));
      },
      { onError: (error) => told.push(error) },
    );
    const asked = await caller.call();
    expect(keysOf(asked)).toEqual(["k"]);
    expect(textOf(resultOf(await caller.answer(asked, { k: accept })))).toBe("true");
    await caller.answer(asked, { k: { action: "decline" } });
    expect(isRefusedError(told[0]) && told[0].reason).toBe("repeat");
  });

  it("rounds are capped", async () => {
    const told: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        for (let i = 0; ; i++) await request("elicitation/create", form(`${i}?`), { key: `${i}` });
      },
      { maxRounds: 3, onError: (error) => told.push(error) },
    );
    let asked = await caller.call();
    for (let i = 0; i < 2; i++) asked = await caller.answer(asked, { [String(i)]: accept });
    expect(errorOf(await caller.answer(asked, { 2: accept }))["code"]).toBe(-32603);
    expect(isRefusedError(told[0]) && told[0].reason).toBe("rounds");
  });
});

describe("context.once", () => {
  it("runs its work once per call, over all rounds, and keeps the result", async () => {
    let charged = 0;
    const caller = await toolWire(async (_, { request, once }) => {
      const [first, same] = await Promise.all([
        once("charge", async () => ({ receipt: ++charged })),
        once("charge", () => ({ receipt: -1 })),
      ]);
      await request("elicitation/create", form("Sure?"), { key: "1" });
      await request("elicitation/create", form("Really?"), { key: "2" });
      return text(JSON.stringify([first, same]));
    });
    const one = await caller.call();
    const two = await caller.answer(one, { 1: accept });
    expect(textOf(resultOf(await caller.answer(two, { 2: accept })))).toBe('[{"receipt":1},{"receipt":1}]');
    expect(charged).toBe(1);
    await caller.call();
    expect(charged).toBe(2);
  });

  it("is waited for at the end of a round, and done again when it failed", async () => {
    const runs: string[] = [];
    const caller = await toolWire(async (_, { request, once }) => {
      const slow = once("slow", async () => {
        await turns(10);
        runs.push("slow");
        return runs.length;
      });
      const failing = once("failing", () => {
        runs.push("failing");
        throw new Error("not this time");
      }).catch(() => "caught");
      await request("elicitation/create", form("Sure?"), { key: "1" });
      return text(JSON.stringify([await slow, await failing]));
    });
    const asked = await caller.call();
    expect(runs).toEqual(["failing", "slow"]);
    expect(textOf(resultOf(await caller.answer(asked, { 1: accept })))).toBe('[2,"caught"]');
    expect(runs).toEqual(["failing", "slow", "failing"]);
  });
});

describe("where a client may be asked", () => {
  it("MRTR-01 only in the methods that say so; elsewhere it is a typed error", async () => {
    const told: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        await request("roots/list");
      },
      { onError: (error) => told.push(error) },
    );
    expect(errorOf(await caller.call({}, all, "tools/list"))["code"]).toBe(-32603);
    expect(isRefusedError(told[0]) && told[0].reason).toBe("place");
  });

  it("MRTR-03 only for what the revision has", async () => {
    const told: Error[] = [];
    const caller = await toolWire(
      async (_, { request }) => {
        await request("ping");
      },
      { onError: (error) => told.push(error) },
    );
    expect(errorOf(await caller.call())["code"]).toBe(-32603);
    expect(isRefusedError(told[0]) && told[0].reason).toBe("method");
  });

  const url = { mode: "url", message: "Go", url: "https://example.com/" };
  const sample = { messages: [], maxTokens: 1 };
  const tool = { name: "t", inputSchema: { type: "object" } };
  it.each([
    ["nothing", {}, "roots/list", undefined, { roots: {} }],
    ["nothing", {}, "elicitation/create", form("?"), { elicitation: {} }],
    [
      "URL mode alone",
      { elicitation: { url: {} } },
      "elicitation/create",
      form("?"),
      { elicitation: { form: {} } },
    ],
    [
      "form mode alone",
      { elicitation: { form: {} } },
      "elicitation/create",
      url,
      { elicitation: { url: {} } },
    ],
    ["elicitation", { elicitation: {} }, "elicitation/create", url, { elicitation: { url: {} } }],
    [
      "sampling",
      { sampling: {} },
      "sampling/createMessage",
      { ...sample, tools: [tool] },
      { sampling: { tools: {} } },
    ],
  ])(
    "MRTR-04 META-05 ELIC-02 SAMP-04 a client that declares %s is not asked for more (%#)",
    async (_, declared, method, params, requiredCapabilities) => {
      const caller = await toolWire(async (_, { request }) => {
        await request(method, params as Json);
      });
      expect(errorOf(await caller.call({}, declared))).toMatchObject({
        code: -32021,
        data: { requiredCapabilities },
      });
    },
  );

  it.each([
    ["elicitation", { elicitation: {} }, "elicitation/create", form("?")],
    ["elicitation", { elicitation: {} }, "elicitation/create", { mode: "form", ...form("?") }],
    ["URL mode", { elicitation: { url: {} } }, "elicitation/create", url],
    ["sampling", { sampling: {} }, "sampling/createMessage", sample],
    [
      "sampling with tools",
      { sampling: { tools: {} } },
      "sampling/createMessage",
      { ...sample, tools: [tool] },
    ],
  ])("ELIC-01 a client that declares %s is asked for it (%#)", async (_, declared, method, params) => {
    const caller = await toolWire(async (_, { request }) => {
      await request(method, params as Json);
    });
    expect(questionsOf(await caller.call({}, declared))).toEqual([{ method, params }]);
  });
});

describe("a handler that writes InputRequiredResult itself", () => {
  it("MRTR-10 gets its own state and the well-formed answers back; what travels is sealed", async () => {
    const caller = await toolWire(({ inputResponses, requestState }) => {
      if (!inputResponses) {
        const inputRequests = { who: { method: "elicitation/create", params: form("Who?") } };
        return { resultType: "input_required", inputRequests, requestState: "round 1" };
      }
      return text(JSON.stringify({ inputResponses, requestState }));
    });
    const asked = await caller.call();
    expect(resultOf(asked)["requestState"]).not.toContain("round");
    const answers = { who: accept, other: 12345 };
    expect(JSON.parse(textOf(resultOf(await caller.answer(asked, answers))))).toEqual({
      inputResponses: { who: accept },
      requestState: "round 1",
    });
    const tampered = { requestState: "round 1" };
    expect(errorOf(await caller.answer(asked, answers, tampered))["code"]).toBe(-32602);
  });

  it("may go without a state of its own", async () => {
    const caller = await toolWire(({ inputResponses }) =>
      inputResponses
        ? text("done")
        : { resultType: "input_required", inputRequests: { r: { method: "roots/list" } }, extra: true },
    );
    const asked = await caller.call();
    expect(resultOf(asked)).toMatchObject({ extra: true });
    expect(Object.keys(resultOf(asked))).not.toContain("requestState");
    expect(resultOf(await caller.answer(asked, { r: { roots: [] } }))).toMatchObject(text("done"));
  });

  it("may mix it with context.request and context.once", async () => {
    let ran = 0;
    const caller = await toolWire(async ({ inputResponses }, { request, once }) => {
      const n = await once("n", () => ++ran);
      await request("elicitation/create", form("First?"), { key: "first" });
      if (!(inputResponses as Json | undefined)?.["second"]) {
        return { resultType: "input_required", inputRequests: { second: { method: "roots/list" } } };
      }
      return text(`${n} of ${ran}`);
    });
    const first = await caller.call();
    const second = await caller.answer(first, { first: accept });
    expect(keysOf(second)).toEqual(["second"]);
    expect(textOf(resultOf(await caller.answer(second, { second: { roots: [] } })))).toBe("1 of 1");
  });

  it.each([
    ["MRTR-02 neither requests nor state", {}],
    ["MRTR-03 a request that is none", { inputRequests: { x: { method: "tools/call", params: {} } } }],
    ["MRTR-03 what is no request", { inputRequests: { x: 7 } }],
    ["requests that are no object", { inputRequests: [] }],
    ["a state that is no text", { requestState: 7 }],
  ])("is stopped when it sends %s", async (_, members) => {
    const told: Error[] = [];
    const caller = await toolWire(() => ({ resultType: "input_required", ...members }), {
      onError: (error) => told.push(error),
    });
    expect(errorOf(await caller.call())["code"]).toBe(-32603);
    expect(told).toHaveLength(1);
  });

  it("MRTR-04 is held to the client's capabilities", async () => {
    const caller = await toolWire(() => ({
      resultType: "input_required",
      inputRequests: { x: { method: "roots/list" } },
    }));
    expect(errorOf(await caller.call({}, { sampling: {} }))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });
});
