import { McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { callOf } from "../kit/calls.js";
import {
  clientWire,
  errorOf,
  everything,
  type Json,
  makeServer,
  metaFor,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
} from "../kit/index.js";
import { where } from "../kit/where.js";

const fail = (): never => {
  throw new Error("the disk is on fire");
};
const internal = { code: -32603, message: "Internal error" };

/** A valid request of each method. */
const requests: readonly (readonly [method: string, params: Json])[] = [
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "test://a" }],
  ["resources/subscribe", { uri: "test://a" }],
  ["resources/unsubscribe", { uri: "test://a" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "p" }],
  [
    "completion/complete",
    {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "v" },
    },
  ],
  ["logging/setLevel", { level: "error" }],
  ["tools/list", {}],
];

describe.each(revisions)("an unexpected failure at $revision", (one) => {
  it("of a server's handler is answered with -32603 and the id, whatever the method, and the connection stays open (JRPC-21)", async () => {
    const known = requests.filter(([method]) =>
      Object.hasOwn(one.protocol.serverSide.incomingRequests, method),
    );
    expect(known.length).toBeGreaterThan(6);
    const errors: string[] = [];
    const server = makeServer(one.protocol, {
      capabilities: everything,
      onError: ({ message }) => errors.push(message),
      handlers: {
        ...Object.fromEntries(known.map(([method]) => [method, fail])),
        "tools/call": () => ({ content: [] }),
      },
    });
    const wire = await serveWire(server);
    if (!one.isModern) await shakeHands(wire, one.revision);
    const meta = one.isModern ? { _meta: metaFor(one) } : {};
    for (const [method, params] of known) {
      const answer = await wire.ask(method, method, { ...params, ...meta });
      expect([answer["id"], errorOf(answer)], method).toEqual([
        method,
        internal,
      ]);
    }
    expect(errors).toEqual(known.map(() => "the disk is on fire"));
    expect(
      resultOf(await wire.ask("last", "tools/call", { name: "t", ...meta })),
    ).toMatchObject({
      content: [],
    });
  });

  it.each([
    ["a code that is no integer", 1.5, "no", undefined],
    ["a message that is no text", 1, 7, undefined],
    ["data that is not JSON", 1, "no", 1n],
  ])(
    "of a server's handler that throws an McpError with %s is answered with -32603, and reported",
    async (_, code, message, data) => {
      const errors: string[] = [];
      const server = makeServer(one.protocol, {
        onError: (error) => errors.push(error.message),
        handlers: {
          "tools/call": () => {
            throw Object.assign(new McpError(code, "no", data), { message });
          },
        },
      });
      const wire = await serveWire(server);
      if (!one.isModern) await shakeHands(wire, one.revision);
      const answer = await wire.ask(1, "tools/call", callOf(one));
      expect(errorOf(answer)).toEqual(internal);
      expect(errors).toEqual([
        "An McpError needs an integer code, a string message, and data that is JSON.",
      ]);
    },
  );

  it.each(where(!one.isModern))(
    "of a client's handler for roots is answered with -32603 and the id (JRPC-21)",
    async () => {
      const { wire } = await clientWire(one, {
        handlers: { "roots/list": fail },
        onError: () => {},
      });
      for (const id of ["a", "b"]) {
        const answer = await wire.ask(id, "roots/list");
        expect([answer["id"], errorOf(answer)]).toEqual([id, internal]);
      }
    },
  );
});
