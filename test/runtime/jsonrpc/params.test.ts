import { describe, expect, it } from "vitest";
import { ready } from "../kit/calls.js";
import {
  errorOf,
  metaFor,
  resultOf,
  revisions,
  text,
  textOf,
} from "../kit/index.js";

describe.each(revisions)("params at $revision", (one) => {
  const methods = Object.keys(one.protocol.clientSide.outgoingRequests);
  const wrong = [[], "x", 5];

  it("JRPC-20 answers a request with -32602 if its params are not an object, for any method", async () => {
    const wire = await ready(one, {
      handlers: { "tools/call": () => text("done") },
    });
    for (const method of [...methods, "no/such/method"]) {
      for (const params of wrong) {
        const answer = await wire.ask(
          `${method} ${JSON.stringify(params)}`,
          method,
          params as never,
        );
        expect([method, params, errorOf(answer)?.["code"]]).toEqual([
          method,
          params,
          -32602,
        ]);
      }
    }
  });

  it("takes null for absent params, and for the arguments of a call without any", async () => {
    const wire = await ready(one);
    const _meta = one.isModern ? { _meta: metaFor(one) } : {};
    const answer = await wire.ask(1, "tools/call", {
      name: "x",
      arguments: null,
      ..._meta,
    });
    expect(JSON.parse(textOf(resultOf(answer)))).toMatchObject({ name: "x" });
    expect(JSON.parse(textOf(resultOf(answer)))).not.toHaveProperty(
      "arguments",
    );
    expect(
      errorOf(await wire.ask(2, "tools/call", { name: null, ..._meta })),
    ).toMatchObject({
      code: -32602,
    });
  });

  it.runIf(!one.isModern)(
    "JRPC-20 takes params of null as absent where params are optional",
    async () => {
      const wire = await ready(one);
      expect(resultOf(await wire.ask(1, "ping", null as never))).toEqual({});
      wire.send({ jsonrpc: "2.0", id: 2, method: "tools/list", params: null });
      expect(errorOf(await wire.next())?.["code"]).not.toBe(-32602);
    },
  );

  it("JRPC-20 drops and reports a notification if its params are not an object", async () => {
    const errors: Error[] = [];
    const messages: unknown[] = [];
    const wire = await ready(one, {
      onError: (error) => void errors.push(error),
      handlers: {
        "tools/call": () => text("done"),
        "notifications/cancelled": () => messages.push("cancelled"),
      } as never,
    });
    for (const params of wrong)
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    const params = { name: "x", ...(one.isModern && { _meta: metaFor(one) }) };
    expect(resultOf(await wire.ask(1, "tools/call", params))).toMatchObject({
      content: [{ text: "done" }],
    });
    expect(messages).toEqual([]);
    expect(errors.map(({ message }) => message)).toEqual(
      wrong.map(() => "notifications/cancelled: params: expected an object."),
    );
  });
});
