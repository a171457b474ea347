import { PassThrough } from "node:stream";
import fc from "fast-check";
import { StdioServerTransport } from "@mcpgen/runtime/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everythingServer } from "./kit/everything.js";
import {
  clientWire,
  type Json,
  makeServer,
  metaFor,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
  text,
  turns,
} from "./kit/index.js";
import { runs } from "../whole.js";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(
  () =>
    void process.on("unhandledRejection", note).on("uncaughtException", note),
);
afterAll(
  () =>
    void process.off("unhandledRejection", note).off("uncaughtException", note),
);

const count = Number(process.env["FUZZ_RUNS"] ?? runs(40));

/** Any value, mostly almost valid messages. */
const message = (methods: readonly string[]): fc.Arbitrary<unknown> => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("", 0, -1, 1.5, null, true, "2.0", "__proto__", {}, []),
  );
  const params = fc.oneof(
    value,
    fc.dictionary(
      fc.constantFrom(
        "name",
        "uri",
        "_meta",
        "cursor",
        "requestId",
        "arguments",
        "level",
        "id",
      ),
      value,
    ),
  );
  const object = fc.record(
    {
      jsonrpc: fc.oneof(
        { weight: 9, arbitrary: fc.constant("2.0") },
        { weight: 1, arbitrary: value },
      ),
      id: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.string(), value),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...methods) },
        { weight: 1, arbitrary: value },
      ),
      params,
      result: value,
      error: value,
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: fc.array(object, { maxLength: 5 }) },
    value,
  );
};

describe.each(revisions)("any input at $revision", (one) => {
  const { protocol, facts, isModern, revision } = one;
  const { incomingNotifications, outgoingRequests } = protocol.clientSide;
  const { incomingRequests } = protocol.clientQuestions;
  const methods = [
    ...Object.keys(outgoingRequests),
    ...Object.keys(incomingRequests),
    ...Object.keys(incomingNotifications),
  ];

  it("keeps a server running that answers each request at most once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message(methods), { maxLength: 20 }),
        async (messages) => {
          const wire = await serveWire(makeServer(protocol, everythingServer));
          if (!isModern) await shakeHands(wire, revision);
          await wire.rest();
          for (const one of messages) wire.send(one);
          await turns(3);
          const before = wire.seen.length;
          const params = {
            name: "echo",
            arguments: { value: "still here" },
            ...(isModern && { _meta: metaFor(one) }),
          };
          wire.send({
            jsonrpc: "2.0",
            id: "the last",
            method: "tools/call",
            params,
          });
          while (wire.seen.slice(before).every(({ id }) => id !== "the last"))
            await turns(1);
          const answer = wire.seen.find(({ id }) => id === "the last") as Json;
          expect(resultOf(answer)).toMatchObject(text("still here"));
          const sent = messages
            .flat()
            .map((one) => (one as Json | null)?.["id"]);
          const answers = wire.seen
            .filter((one) => "result" in one || "error" in one)
            .map(({ id }) => id);
          const count = (ids: readonly unknown[], expected: unknown): number =>
            ids.filter((id) => id === expected).length;
          for (const id of answers.filter(
            (id) => id !== null && id !== undefined,
          )) {
            expect(count(answers, id), String(id)).toBeLessThanOrEqual(
              count([...sent, "hello", "the last"], id),
            );
          }
        },
      ),
      { numRuns: count },
    );
    expect(unhandled).toEqual([]);
  });

  it("keeps a client running", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message(methods), { maxLength: 20 }),
        async (messages) => {
          const { client, wire } = await clientWire(one, {
            handlers: { "roots/list": () => ({ roots: [] }) },
          });
          for (const one of messages) wire.send(one);
          await turns(2);
          const calling = client.callTool({ name: "x" });
          await turns(2);
          const { id } = wire.seen
            .filter(({ method }) => method === "tools/call")
            .at(-1) as Json;
          wire.send({
            jsonrpc: "2.0",
            id,
            result: { ...text("still here"), resultType: "complete" },
          });
          expect(await calling).toMatchObject(text("still here"));
        },
      ),
      { numRuns: count },
    );
    expect(facts.revision).toBe(revision);
    expect(unhandled).toEqual([]);
  });
});

describe("lines", () => {
  const line = fc.oneof(
    fc.jsonValue().map((value) => ({
      bytes: `${JSON.stringify(value)}\n`,
      values: [value],
      faults: 0,
    })),
    fc.constant({ bytes: "\ufeff{}\n", values: [{}], faults: 0 }),
    fc
      .constantFrom("\n", "\r\n", "  \n", "\t\r\n")
      .map((bytes) => ({ bytes, values: [], faults: 0 })),
    fc
      .constantFrom("{\n", "hello\n", "]\r\n", "NaN\n")
      .map((bytes) => ({ bytes, values: [], faults: 1 })),
    fc
      .integer({ min: 201, max: 600 })
      .map((n) => ({ bytes: `"${"x".repeat(n)}"\n`, values: [], faults: 1 })),
  );

  it("STDIO-02 STDIO-06 CUST-02 are read the same way for any split of the bytes", () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 50 })),
        (lines, sizes) => {
          const fits = lines.filter(
            ({ bytes, faults }) =>
              faults > 0 || Buffer.byteLength(bytes) <= 200,
          );
          const bytes = Buffer.from(fits.map(({ bytes }) => bytes).join(""));
          const messages: unknown[] = [];
          let faults = 0;
          const input = new PassThrough();
          new StdioServerTransport({
            input,
            output: new PassThrough(),
            limits: { messageBytes: 200 },
          }).start({
            message: (message) => messages.push(message),
            malformed: () => faults++,
            ended: () => {},
            closed: () => {},
          });
          for (let at = 0; at < bytes.length;) {
            const size = sizes.next().value;
            input.emit("data", bytes.subarray(at, at + size));
            at += size;
          }
          expect(JSON.stringify(messages)).toBe(
            JSON.stringify(fits.flatMap(({ values }) => values)),
          );
          expect(faults).toBe(
            fits.reduce((sum, { faults }) => sum + faults, 0),
          );
        },
      ),
      { numRuns: count * 5 },
    );
  });
});
