import {
  memoryPair,
  type Receiver,
  serve,
  type Transport,
} from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  failure,
  info,
  type Json,
  legacy,
  makeClient,
  makeServer,
  shakeHands,
  Wire,
} from "../kit/index.js";

const levels = 200_000;
/**
 * A list in a list in a list …: `JSON.parse` reads it, and `JSON.stringify`
 * throws.
 */
const deep = "[".repeat(levels) + "]".repeat(levels);

/** One end of a connection, and the receiver that gets its messages. */
function tapped(end: Transport): {
  transport: Transport;
  receiver: () => Receiver;
} {
  let receiver: Receiver | undefined;
  const transport: Transport = {
    start: (own) => end.start((receiver = own)),
    send: (message, options) => end.send(message, options),
    close: () => end.close(),
  };
  return { transport, receiver: () => receiver as Receiver };
}

const messages = [
  `{"jsonrpc":"2.0","error":${deep}}`,
  `{"jsonrpc":"2.0","id":${deep},"result":{}}`,
  `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`,
  `{"jsonrpc":"2.0","method":${deep}}`,
  `{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":${deep}}}`,
  `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${deep}}}`,
  deep,
].map((text) => [text.replace(deep, "[[[…]]]"), text] as const);

describe("a message that is nested too deeply to be written", () => {
  it.each(messages)("does not end a client: %s", async (_, text) => {
    const [clientTransport, serverTransport] = memoryPair();
    const wire = new Wire(serverTransport);
    const { transport, receiver } = tapped(clientTransport);
    const reports: string[] = [];
    const note = (report: string | Error): void =>
      void reports.push(String(report));
    const opening = makeClient(legacy.protocol, transport, {
      onError: note,
      onWarning: note,
    });
    await wire.answer({
      protocolVersion: legacy.revision,
      capabilities: {},
      serverInfo: info,
    });
    const client = await opening;
    await wire.next();
    receiver().message(JSON.parse(text));
    const ping = client.ping?.();
    // The client may answer the message first.
    while ((await wire.answer({}))["method"] !== "ping");
    expect(await ping).toEqual({});
    for (const report of reports) expect(report.length).toBeLessThan(1500);
  });

  it("is an error of the client if it is the revision that the server offers", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const wire = new Wire(serverTransport);
    const { transport, receiver } = tapped(clientTransport);
    const opening = failure(makeClient(legacy.protocol, transport));
    const { id } = await wire.next();
    const result = {
      protocolVersion: JSON.parse(deep) as unknown,
      capabilities: {},
      serverInfo: info,
    };
    receiver().message({ jsonrpc: "2.0", id, result });
    const error = await opening;
    expect(error.name).toBe("SessionError");
    expect(error.message).toContain(
      "The server supports a value that is nested too deeply to be shown;",
    );
  });

  it.each(messages)("does not end a server: %s", async (_, text) => {
    const [clientTransport, serverTransport] = memoryPair();
    const { transport, receiver } = tapped(clientTransport);
    await serve(transport, makeServer(legacy.protocol, { onError: () => {} }));
    const wire = new Wire(serverTransport);
    await shakeHands(wire, legacy.revision);
    receiver().message(JSON.parse(text));
    wire.send({ jsonrpc: "2.0", id: "after", method: "ping" });
    let answer: Json;
    do answer = await wire.next();
    while (answer["id"] !== "after");
    expect(answer["result"]).toEqual({});
  });
});
