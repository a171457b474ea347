import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export type Message = Readonly<Record<string, unknown>>;
/** What a server sends for a request: messages before its result. */
export interface Answer {
  readonly before?: readonly Message[];
  readonly result?: object;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/**
 * Serves one revision over HTTP in this process, with any messages, until the
 * end of the test. Resolves with its URL.
 */
export async function answering(
  answerOf: (method: string, params: Message) => Answer,
  received: (message: Message) => void = () => undefined,
): Promise<string> {
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    if (request.method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(text) as Message;
    received(message);
    const { id, method, params = {} } = message;
    if (id === undefined || method === undefined)
      return response.writeHead(202).end();
    const { before = [], result } =
      method === "initialize"
        ? { result: opening }
        : answerOf(String(method), params as Message);
    const last =
      result === undefined
        ? { error: { code: -32601, message: "There is no such method." } }
        : { result };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const one of [...before, { id, ...last }])
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...one })}\n\n`);
    return response.end();
  });
  servers.push(http);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

const opening = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "desk", version: "1.0.0" },
};
