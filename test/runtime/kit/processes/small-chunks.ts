import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { fetchJson } from "../../../../src/auth/protect/issuer.js";
import { fetchDocument } from "../../../../src/auth/client/fetch.js";
import type { Context } from "../../../../src/auth/client/options.js";
import { StdioServerTransport } from "@mcpgen/runtime/stdio";
import { Readable, Writable } from "node:stream";
import { everythingServer } from "../everything.js";
import { info, legacy, makeClient, makeServer } from "../index.js";

/*
 * Reads text in chunks of one byte in one of several ways, and says what it has read: `server` serves HTTP and says its port, `client URL`
 * connects to a server, and the others are sent as many spaces as the last argument says, and then a JSON value.
 */
const [way = "", detail = ""] = process.argv.slice(2);
const params = {
  protocolVersion: legacy.revision,
  capabilities: {},
  clientInfo: info,
};
const end = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params,
});

function* chunks(text: string): Generator<Uint8Array> {
  for (let i = 0; i < Number(detail); i++) yield new Uint8Array([32]);
  yield new TextEncoder().encode(text);
}
const stream = (text: string): ReadableStream<Uint8Array> => {
  const source = chunks(text);
  return new ReadableStream({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
};
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const ways: Readonly<Record<string, () => unknown>> = {
  server: async () => {
    const { port } = await serveHttp(
      createHttpHandler(makeServer(legacy.protocol, everythingServer)),
      {
        port: 0,
      },
    );
    say(`port ${port}`);
  },
  client: async () => {
    const client = await makeClient(legacy.protocol, http(detail));
    say("connected");
    await client.close();
  },
  web: async () => {
    const handler = createHttpHandler(
      makeServer(legacy.protocol, everythingServer),
    );
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const init = {
      method: "POST",
      headers,
      body: stream(end),
      duplex: "half" as const,
    };
    const response = await handler(new Request("http://localhost/mcp", init));
    say(await response.text());
  },
  stdio: () => {
    const transport = new StdioServerTransport({
      input: Readable.from(chunks(`${end}\n`)),
      output: new Writable(),
    });
    transport.start({
      message: (message) => say(JSON.stringify(message)),
      malformed: (error) => say(error.message),
      ended: () => {},
      closed: () => {},
    });
  },
  issuer: async () => {
    const { document } = await fetchJson("https://localhost", () =>
      Promise.resolve(new Response(stream(end))),
    );
    say(JSON.stringify(document));
  },
  auth: async () => {
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response(stream(end)));
    const server = new URL("https://example.com");
    const context = {
      server,
      options: { fetch },
      skews: new Map(),
      refusedDocuments: new Set(),
      allowPrivate: false,
    } as unknown as Context;
    say(
      JSON.stringify(
        await fetchDocument(context, "https://example.com/x", "a document"),
      ),
    );
  },
};
await ways[way]?.();
