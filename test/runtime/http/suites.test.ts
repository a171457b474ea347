import type { Transport } from "@mcpgen/runtime";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { createSseHandler, sse } from "@mcpgen/runtime/sse";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { everythingServer } from "../kit/everything.js";
import {
  legacy,
  legacyRevisions,
  makeServer,
  modern,
  revisions,
} from "../kit/index.js";
import { lifecycleSuite } from "../lifecycle.suite.js";
import { transportSuite } from "../transport.suite.js";
import { sampled } from "../../whole.js";

const opened: { close(): unknown }[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

/** One URL for clients of every revision. */
const serving = serveHttp(
  createHttpHandler(
    revisions.map(({ protocol }) => makeServer(protocol, everythingServer)),
  ),
  { port: 0 },
);
void serving.then((server) => opened.push(server));

lifecycleSuite("HTTP", async () => http((await serving).url));
lifecycleSuite(
  "HTTP by fetch",
  async () =>
    http((await serving).url, { fetch: (url, init) => fetch(url, init) }),
  sampled(revisions, (one) => one === legacy || one === modern),
);

/** The same for clients of HTTP+SSE, at a URL that only supports them. */
const servingOld = serveHttp(
  createSseHandler(
    legacyRevisions.map(({ protocol }) =>
      makeServer(protocol, everythingServer),
    ),
  ),
  { port: 0 },
);
void servingOld.then((server) => opened.push(server));

lifecycleSuite(
  "HTTP+SSE",
  async () => sse((await servingOld).url),
  sampled(legacyRevisions, (one) => one === legacy),
);
lifecycleSuite(
  "HTTP, falling back to HTTP+SSE",
  async () => http((await servingOld).url),
  legacyRevisions.slice(-1),
);

/** Sends back each message as its response. */
const echoing = new Promise<string>((resolve) => {
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    request.pipe(response);
  }).listen(0, "127.0.0.1", () =>
    resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  opened.push({ close: () => server.closeAllConnections() }, server);
});

/**
 * Sends a value that is not a request in a batch, because a client ignores the
 * answer to one message that is not a request.
 */
function inBatches(transport: Transport): Transport {
  const isRequest = (value: unknown): boolean =>
    typeof value === "object" && value !== null && "id" in value;
  return {
    start: (receiver) =>
      transport.start({
        ...receiver,
        message: (answer) =>
          receiver.message(
            Array.isArray(answer) ? (answer as unknown[])[0] : answer,
          ),
      }),
    send: (value) => transport.send(isRequest(value) ? value : [value]),
    close: () => transport.close(),
  };
}

transportSuite("HTTP", async () => inBatches(http(await echoing)), 1000);
