import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  newState,
  read,
  write,
} from "../../../src/runtime/core/session/state.js";
import {
  type AnyContext,
  type AnyHandler,
  errorOf,
  type Json,
  makeServer,
  metaFor,
  modern,
  resultOf,
  text,
  turns,
  Wire,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";
import { all, Caller, toolWire } from "./kit.js";

describe("the state of a call", () => {
  afterEach(() => void vi.useRealTimers());

  const asking: AnyHandler = async (_, { request }) => {
    const { roots } = await request("roots/list", undefined, { key: "roots" });
    return text(String((roots as unknown[]).length));
  };
  const roots = { roots: { roots: [] } };
  const isRefused = (answer: Json): boolean =>
    errorOf(answer)?.["code"] === -32602;

  it("MRTR-10 rejects a request state with any changed character", async () => {
    const caller = await toolWire(asking);
    const response = await caller.call();
    const state = String(resultOf(response)["requestState"]);
    const other = (text: string, at: number): string =>
      text.slice(0, at) +
      String.fromCharCode(text.charCodeAt(at) ^ 1) +
      text.slice(at + 1);
    const changed = [
      `${state}-TAMPERED`,
      other(state, 0),
      state.slice(0, -1),
      state.slice(0, 16),
      "",
      "AAAA",
      other(state, state.length - 5),
      // The last letter of base64 holds bits that say nothing, and yet it may
      // not be another.
      other(state, state.length - 1),
      "x".repeat(100_000),
      `${state}\n`,
    ];
    for (const requestState of [...changed, 7, null, {}]) {
      expect(
        isRefused(await caller.answer(response, roots, { requestState })),
        String(requestState),
      ).toBe(true);
    }
    expect(resultOf(await caller.answer(response, roots))).toMatchObject(
      text("0"),
    );
  });

  it("MRTR-10 does not reveal the content of a request state", async () => {
    const caller = await toolWire(async (_, { request, once }) => {
      await once("secret", () => "swordfish");
      await request("roots/list", undefined, { key: "visible" });
    });
    const state = String(resultOf(await caller.call())["requestState"]);
    const bytes = Buffer.from(state, "base64url").toString("latin1");
    expect(bytes).not.toContain("swordfish");
    expect(bytes).not.toContain("visible");
  });

  it("MRTR-11 rejects a request state with other params, another name or another method", async () => {
    const caller = await toolWire(asking, {
      handlers: { "tools/call": asking, "prompts/get": asking },
    });
    const response = await caller.call();
    expect(
      isRefused(await caller.answer(response, roots, { arguments: { a: 2 } })),
    ).toBe(true);
    expect(
      isRefused(await caller.answer(response, roots, { name: "other" })),
    ).toBe(true);
    expect(
      isRefused(await caller.answer(response, roots, { later: true })),
    ).toBe(true);
    const { requestState } = resultOf(response);
    const params = {
      inputResponses: roots,
      requestState,
      arguments: { a: "1" },
    };
    expect(isRefused(await caller.call(params, all, "prompts/get"))).toBe(true);
  });

  it("MRTR-11 rejects a request state from another principal", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    let principal = "ada";
    const handlers = {
      "tools/call": async (params: Json, context: AnyContext) => {
        await asking(params, context);
        return text((context.auth as { principal: string }).principal);
      },
    };
    await serve(
      knowing(serverTransport, () => principal),
      makeServer(modern.protocol, { handlers }),
    );
    const caller = new Caller(new Wire(clientTransport));
    const response = await caller.call();
    principal = "eve";
    expect(isRefused(await caller.answer(response, roots))).toBe(true);
    principal = "ada";
    expect(resultOf(await caller.answer(response, roots))).toMatchObject(
      text("ada"),
    );
  });

  it("MRTR-11 is rejected after its lifetime", async () => {
    const caller = await toolWire(asking, { stateLifetime: -1 });
    const response = await caller.call();
    expect(isRefused(await caller.answer(response, roots))).toBe(true);
  });

  it("is decrypted with the current key and with earlier keys, also in another process", async () => {
    const [old, current] = ["o".repeat(32), new Uint8Array(32).fill(7)];
    const before = await toolWire(asking, { stateKeys: [old] });
    const response = await before.call();
    const after = await toolWire(asking, { stateKeys: [current, old] });
    expect(resultOf(await after.answer(response, roots))).toMatchObject(
      text("0"),
    );
    const without = await toolWire(asking, { stateKeys: [current] });
    expect(isRefused(await without.answer(response, roots))).toBe(true);
    expect(isRefused(await before.answer(await after.call(), roots))).toBe(
      true,
    );
  });

  it("needs keys of sufficient length, and causes one warning without keys", async () => {
    const warnings: string[] = [];
    const caller = await toolWire(asking, {
      onWarning: (text) => warnings.push(text),
    });
    for (let i = 0; i < 3; i++) await caller.answer(await caller.call(), roots);
    expect(warnings).toEqual([
      "stateKeys is not set, so a random key encrypts the state of calls that wait for input. After a restart, or on another replica, these calls fail.",
    ]);
    const errors: Error[] = [];
    const short = await toolWire(asking, {
      stateKeys: ["short"],
      onError: (error) => errors.push(error),
    });
    expect(errorOf(await short.call())["code"]).toBe(-32603);
    expect(errors[0]?.message).toContain("32 bytes");
  });

  it("may have 65,536 characters and is read until its last millisecond", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const settings = { stateKeys: ["k".repeat(32)], stateLifetime: 1000 };
    const writing = (size: number): Promise<string> => {
      const done = new Map([["a", "x".repeat(size)]]);
      return write(settings, { ...newState(), done }, "call");
    };
    // Three bytes take four characters.
    const overhead = Math.floor(((await writing(0)).length * 3) / 4);
    const size = 49_152 - overhead;
    const longest = await writing(size);
    expect(longest).toHaveLength(65_536);
    await expect(writing(size + 1)).rejects.toThrow(
      "The state of one call has 65538 characters; at most 65536 are allowed.",
    );
    vi.setSystemTime(1000);
    const { done } = await read(settings, longest, "call");
    expect(String(done.get("a"))).toHaveLength(size);
    vi.setSystemTime(1001);
    await expect(read(settings, longest, "call")).rejects.toThrow(
      "requestState: not issued by this server for this request, or expired.",
    );
  });

  it("limits the size of a request state", async () => {
    const errors: Error[] = [];
    const caller = await toolWire(
      async (_, { request, once }) => {
        await once("much", () => "x".repeat(70_000));
        await request("roots/list");
      },
      { onError: (error) => errors.push(error) },
    );
    expect(errorOf(await caller.call())).toEqual({
      code: -32603,
      message: "Internal error",
    });
    expect(errors[0]?.message).toContain("65536");
  });

  it("is not created for params that are nested too deeply", async () => {
    const sent: Json[] = [];
    let deliver: (message: unknown) => void = () => {};
    const carrier: Transport = {
      start: (receiver) =>
        void (deliver = (message) => receiver.message(message)),
      send: (message) => void sent.push(message as Json),
      close: async () => {},
    };
    await serve(
      carrier,
      makeServer(modern.protocol, { handlers: { "tools/call": asking } }),
    );
    const deep = JSON.parse(
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    ) as unknown;
    const params = { name: "tool", _meta: metaFor(modern, all) };
    deliver({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { ...params, arguments: { deep } },
    });
    deliver({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
    while (sent.length < 2) await turns(1);
    const [refused, accepted] = sent.sort(
      (a, b) => Number(a["id"]) - Number(b["id"]),
    );
    expect(isRefused(refused as Json)).toBe(true);
    expect(resultOf(accepted as Json)["resultType"]).toBe("input_required");
  });
});
