import { memoryPair } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import * as generated from "../../../generated/index.js";
import {
  type AnyContext,
  type AnyHandler,
  byRevision,
  clientWire,
  type ClientOptions,
  errorOf,
  failure,
  info,
  join,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  revisions,
  serveWire,
  text,
  textOf,
} from "../kit/index.js";

const roots = { "roots/list": () => ({ roots: [] }) };
const bare = (options: ClientOptions = {}): ClientOptions => ({
  questions: undefined,
  ...options,
});
const question = { method: "roots/list" };
const asks = (members: Json): Json => ({
  resultType: "input_required",
  ...members,
});

describe("a client without the tables of questions", () => {
  it.each(revisions.map((one) => [one.revision, one] as const))(
    "of revision %s refuses a handler of a request of the server, and says what to import",
    async (_, { protocol }) => {
      const [clientTransport] = memoryPair();
      const error = await failure(
        protocol.Client.connect(clientTransport, { info, handlers: roots }),
      );
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(
        /"roots\/list".*import `clientQuestions`.*questions: clientQuestions/,
      );
    },
  );

  it("refuses such a handler over several revisions, also if the tables are of another revision", async () => {
    const handlers = { "roots/list": () => ({ roots: [] }) };
    const [clientTransport] = memoryPair();
    expect(
      await failure(generated.connect(clientTransport, { info, handlers })),
    ).toBeInstanceOf(TypeError);
    const questions = byRevision[modern.revision]?.clientQuestions;
    const error = await failure(
      legacy.protocol.Client.connect(clientTransport, {
        info,
        questions,
        handlers,
      }),
    );
    expect(error).toBeInstanceOf(TypeError);
  });

  it("answers a ping with a result, and a request with an error", async () => {
    const { wire } = await clientWire(legacy, bare());
    expect(errorOf(await wire.ask("a", "roots/list"))).toMatchObject({
      code: -32601,
    });
    expect(await wire.ask("b", "ping")).toMatchObject({ result: {} });
  });

  it.each(["ping", "roots/list"])(
    "answers %s with invalid params with an error",
    async (method) => {
      const { wire } = await clientWire(legacy, bare());
      expect(
        errorOf(await wire.ask(method, method, [] as never)),
      ).toMatchObject({ code: -32602 });
    },
  );

  it.each([
    [
      "a question",
      { inputRequests: { a: question } },
      "SessionError",
      "has no tables of questions",
    ],
    [
      "a question that is not an object",
      { inputRequests: { a: 1 } },
      "SessionError",
      "has no tables of questions",
    ],
    [
      "a list of questions",
      { inputRequests: [question] },
      "ValidationError",
      "expected inputRequests",
    ],
    [
      "a state that is not a string",
      { requestState: 1 },
      "ValidationError",
      "expected inputRequests",
    ],
    [
      "metadata that is not an object",
      { requestState: "s", _meta: 1 },
      "ValidationError",
      "expected inputRequests",
    ],
    [
      "neither questions nor a state",
      {},
      "ValidationError",
      "expected inputRequests",
    ],
  ])(
    "rejects a call whose result has %s",
    async (_, members, name, message) => {
      const { client, wire } = await clientWire(modern, bare());
      const calling = failure(client.callTool({ name: "t" }));
      await wire.answer(asks(members));
      expect(await calling).toMatchObject({
        name,
        message: expect.stringContaining(message) as unknown,
      });
      expect(await wire.rest()).toEqual([]);
    },
  );

  it("retries with the state if the result has no question", async () => {
    const { client, wire } = await clientWire(modern, bare());
    const calling = client.callTool({ name: "t" });
    await wire.answer(asks({ requestState: "s" }));
    const retry = await wire.answer({
      ...text("done"),
      resultType: "complete",
    });
    expect(retry).toMatchObject({ params: { requestState: "s" } });
    expect(textOf(await calling)).toBe("done");
  });
});

describe("a server without what it needs to ask", () => {
  const sentence =
    /cannot ask clients.*[Ii]mport `serverQuestions`.*questions: serverQuestions/;

  it.each(revisions.map((one) => [one.revision, one] as const))(
    "of revision %s rejects a question with an error that says what to import",
    async (_, { protocol }) => {
      const reasons: unknown[] = [];
      const handlers = {
        "tools/call": async (_params: Json, { request }: AnyContext) => {
          reasons.push(await failure(request("roots/list")));
          return text("not asked");
        },
      };
      const { client } = await join(protocol, {
        server: { questions: undefined, handlers },
      });
      expect(textOf(await client.callTool({ name: "t" }))).toBe("not asked");
      expect(reasons).toMatchObject([
        { name: "SessionError", reason: "place" },
      ]);
      expect(String(reasons[0])).toMatch(sentence);
    },
  );

  const calling = async (
    handler: AnyHandler,
    params: Json,
  ): Promise<{ answer: Json; errors: Error[] }> => {
    const errors: Error[] = [];
    const server = makeServer(modern.protocol, {
      questions: undefined,
      handlers: { "tools/call": handler },
      onError: (error) => void errors.push(error),
    });
    const wire = await serveWire(server);
    const answer = await wire.ask(1, "tools/call", {
      name: "t",
      ...params,
      _meta: metaFor(modern),
    });
    return { answer, errors };
  };

  it("does not send a result that asks for input, and reports why", async () => {
    const byHand = (): Json => ({
      resultType: "input_required",
      inputRequests: { a: question },
    });
    const { answer, errors } = await calling(byHand, {});
    expect(errorOf(answer)).toMatchObject({
      code: -32603,
      message: "Internal error",
    });
    expect(errors.map(String)).toEqual([expect.stringMatching(sentence)]);
  });

  it("rejects the state of a call, because it has sent none", async () => {
    const { answer } = await calling(() => text("called"), {
      requestState: "s",
    });
    expect(errorOf(answer)).toMatchObject({
      code: -32602,
      message: expect.stringContaining("requestState") as unknown,
    });
  });

  it("runs the work of context.once once in a call", async () => {
    let runs = 0;
    const { answer } = await calling(async (_params, { once }) => {
      await Promise.all([once("k", () => ++runs), once("k", () => ++runs)]);
      return text(`${runs}`);
    }, {});
    expect(textOf((answer as { result: Json }).result)).toBe("1");
  });
});
