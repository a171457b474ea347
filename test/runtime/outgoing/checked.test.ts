import { describe, expect, it } from "vitest";
import { callOf } from "../kit/calls.js";
import { where } from "../kit/where.js";
import {
  type AnyHandlers,
  errorOf,
  failure,
  join,
  makeServer,
  resultOf,
  revisions,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  turns,
  type Wire,
} from "../kit/index.js";

type One = (typeof revisions)[number];

/**
 * A server that answers calls with `value`, with an open session, and the
 * errors that it reports.
 */
async function answering(
  one: One,
  value: unknown,
): Promise<{ wire: Wire; errors: Error[] }> {
  const errors: Error[] = [];
  const options: ServerOptions = {
    handlers: { "tools/call": () => value } as AnyHandlers,
    onError: (error) => errors.push(error),
  };
  const wire = await serveWire(makeServer(one.protocol, options));
  if (!one.isModern) await shakeHands(wire, one.revision);
  await wire.rest();
  return { wire, errors };
}

describe.each(revisions)(
  "the outgoing messages of a server of $revision",
  (one) => {
    it.each([
      [{}, "tools/call result: content: expected an array, got nothing"],
      [undefined, "tools/call result: content: expected an array, got nothing"],
      [
        { content: [{ type: "text", text: 5 }] },
        "content[0].text: expected a string, got 5",
      ],
      [{ content: [{ type: "video" }] }, "content[0].type: expected"],
      [{ content: [], isError: "no" }, "isError: expected a boolean"],
    ])(
      "VERS-05 TOOL-20 include -32603 and a report with the path if a handler returns %j",
      async (value, place) => {
        const { wire, errors } = await answering(one, value);
        const answer = await wire.ask(1, "tools/call", callOf(one));
        expect(errorOf(answer)).toEqual({
          code: -32603,
          message: "Internal error",
        });
        expect(errors).toHaveLength(1);
        expect(errors[0]?.name).toBe("ValidationError");
        expect(errors[0]?.message).toContain(place);
      },
    );

    it.each([
      ["an object", (one: object) => ({ a: { one } })],
      ["a list", (one: object) => [[one]]],
    ])(
      "say that a result which contains itself in %s is circular",
      async (_, wrap) => {
        const value: Record<string, unknown> = { ...text("yes") };
        value["self"] = wrap(value);
        const { wire, errors } = await answering(one, value);
        const answer = await wire.ask(1, "tools/call", callOf(one));
        expect(errorOf(answer)).toMatchObject({ code: -32603 });
        expect(errors.map(({ message }) => message).join()).toContain(
          "circular",
        );
      },
    );

    it("JRPC-16 keep members that no revision defines", async () => {
      const { wire, errors } = await answering(one, {
        ...text("yes"),
        "x-later": [1],
      });
      expect(
        resultOf(await wire.ask(1, "tools/call", callOf(one))),
      ).toMatchObject({ "x-later": [1] });
      expect(errors).toEqual([]);
    });

    it("JRPC-11 include -32603 if a result is not JSON", async () => {
      const circle: Record<string, unknown> = { content: [] };
      circle["self"] = 1n;
      const errors: Error[] = [];
      const server = makeServer(one.protocol, {
        handlers: { "tools/call": () => circle },
        onError: (error) => errors.push(error),
      });
      const wire = await serveWire(server);
      if (!one.isModern) await shakeHands(wire, one.revision);
      await wire.rest();
      expect(
        errorOf(await wire.ask(1, "tools/call", callOf(one)))["code"],
      ).toBe(-32603);
      expect(errors).toHaveLength(1);
    });

    it("VERS-05 do not include an invalid notification, which is reported while the call continues", async () => {
      const errors: Error[] = [];
      const { client } = await join(one.protocol, {
        server: {
          capabilities: { resources: { subscribe: true, listChanged: true } },
          handlers: {
            "tools/call": (_, context) => {
              context.progress(Infinity);
              context.progress(1, "many" as never);
              return text("done");
            },
          },
          onError: (error) => errors.push(error),
        },
      });
      const messages: unknown[] = [];
      const call = client.callTool(
        { name: "x" },
        { onProgress: (progress) => messages.push(progress) },
      );
      expect(await call).toMatchObject(text("done"));
      await turns();
      expect(messages).toEqual([]);
      expect(errors.map(({ message }) => message)).toContain(
        "notifications/progress: params.progress: expected a number, got Infinity",
      );
    });
  },
);

describe.each(revisions)(
  "the outgoing messages of a client of $revision",
  (one) => {
    const asks = (method: string): boolean =>
      Object.hasOwn(one.protocol.clientQuestions.incomingRequests, method);

    it.each(where(asks("sampling/createMessage")))(
      "SAMP-09 VERS-05 do not include a response that the revision does not allow",
      async () => {
        const errors: Error[] = [];
        const { client } = await join(one.protocol, {
          server: {
            handlers: {
              "tools/call": async (_, context) => {
                const messages = [
                  { role: "user", content: { type: "text", text: "?" } },
                ];
                await context.request("sampling/createMessage", {
                  messages,
                  maxTokens: 5,
                });
                return text("done");
              },
            },
          },
          client: {
            capabilities: { sampling: {} },
            handlers: {
              "sampling/createMessage": () => ({
                role: "robot",
                model: "m",
                content: text(""),
              }),
            },
            onError: (error) => errors.push(error),
          },
        });
        const error = await failure(client.callTool({ name: "x" }));
        const fault = one.isModern ? error : errors[0];
        expect(fault?.name).toBe("ValidationError");
        expect(fault?.message).toMatch(
          /^sampling\/createMessage result: \w+: expected/,
        );
      },
    );

    it.each(where(asks("sampling/createMessage")))(
      "SAMP-09 do not include a sampling request with a wrong role or block",
      async () => {
        const faults: Error[] = [];
        const ask = async (
          message: unknown,
          context: Parameters<AnyHandlers[string]>[1],
        ): Promise<void> => {
          const params = { messages: [message], maxTokens: 5 };
          faults.push(
            await failure(context.request("sampling/createMessage", params)),
          );
        };
        const { client } = await join(one.protocol, {
          server: {
            handlers: {
              "tools/call": async (_, context) => {
                await ask(
                  { role: "robot", content: { type: "text", text: "?" } },
                  context,
                );
                await ask(
                  { role: "user", content: { type: "video" } },
                  context,
                );
                return text("done");
              },
            },
          },
          client: {
            handlers: {
              "sampling/createMessage": () => {
                throw new Error("It was asked.");
              },
            },
          },
        });
        expect(await client.callTool({ name: "x" })).toMatchObject(
          text("done"),
        );
        expect(faults.map(({ name }) => name)).toEqual([
          "ValidationError",
          "ValidationError",
        ]);
        expect(faults[0]?.message).toContain(
          "params.messages[0].role: expected",
        );
      },
    );
  },
);
