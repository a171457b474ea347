import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { serve } from "@mcpgen/runtime";
import {
  createHttpHandler,
  type HttpOptions,
  nodeListener,
} from "@mcpgen/runtime/http";
import { memoryPair } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { afterTest } from "../../kit/closing.js";
import { errorOf, modern, resultOf, textOf } from "../../kit/index.js";
import { type Answer, sendNode } from "../kit/exchange.js";
import { call, modernPost } from "../kit/messages.js";
import { Raw } from "../kit/raw.js";
import { serversWith } from "../kit/server.js";

type Listener = ReturnType<typeof nodeListener>;
/** What a framework leaves in `request.body`; none if it leaves nothing. */
type Parse = ((bytes: Buffer) => unknown) | undefined;

/** A server whose framework reads each body before its listener is called. */
async function reading(listener: Listener, parse: Parse): Promise<number> {
  const read = async (
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
  ): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (parse) request.body = parse(Buffer.concat(parts));
    listener(request, response);
  };
  const server = createServer(
    (request, response) => void read(request, response),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterTest(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const posted = modernPost(modern, call(1, "echo", { value: "häh" }));
const parsers: readonly (readonly [string, (bytes: Buffer) => unknown])[] = [
  ["an object", (bytes) => JSON.parse(String(bytes)) as unknown],
  ["a text", String],
  ["bytes", (bytes) => new Uint8Array(bytes)],
  ["a buffer", (bytes) => bytes],
];

describe("a body that a framework has read", () => {
  const serving = (parse: Parse, options: HttpOptions = {}): Promise<number> =>
    reading(
      nodeListener(createHttpHandler(serversWith({}, {}, [modern]), options)),
      parse,
    );

  it.each(parsers)("is answered if it left %s", async (_, parse) => {
    const port = await serving(parse);
    const answer = await sendNode(port, posted);
    expect(answer.status).toBe(200);
    expect(textOf(resultOf(await answer.json()))).toBe("häh");
  });

  it.each(parsers)(
    "is the body of a web request if it left %s",
    async (_, parse) => {
      const echo = async (request: Request): Promise<Response> =>
        new Response(`${request.method} ${await request.text()}`);
      const port = await reading(nodeListener(echo), parse);
      const answer = await sendNode(port, posted);
      expect(await answer.text()).toBe(`POST ${JSON.stringify(posted.body)}`);
    },
  );

  it("may have had a content coding, which the framework has removed", async () => {
    const port = await serving((bytes) => JSON.parse(String(bytes)) as unknown);
    const headers = { ...posted.headers, "content-encoding": "gzip" };
    expect((await sendNode(port, { ...posted, headers })).status).toBe(200);
  });

  it("is refused with the reason if it is not JSON or nothing was left of it", async () => {
    const errorOfAnswer = async (answer: Answer) => [
      answer.status,
      errorOf(await answer.json())["message"],
    ];
    const lost = "The body was read before, but request.body is not set.";
    const none = await sendNode(await serving(undefined), posted);
    expect(await errorOfAnswer(none)).toEqual([400, lost]);
    const text = await sendNode(await serving(() => "no JSON"), posted);
    expect(text.status).toBe(400);
    const echo = async (request: Request): Promise<Response> =>
      new Response(await request.text());
    const web = await sendNode(
      await reading(nodeListener(echo), undefined),
      posted,
    );
    expect(web.status).toBe(500);
  });

  it("counts for the limit of all bodies", async () => {
    const { length } = JSON.stringify(posted.body);
    for (const [bytes, status] of [
      [length, 200],
      [length - 1, 503],
    ] as const) {
      const limits = { bytes };
      const port = await serving(String, { limits });
      expect((await sendNode(port, posted)).status).toBe(status);
      expect((await sendNode(port, posted)).status).toBe(status);
    }
  });
});

describe("the URL of a web request", () => {
  it.each([
    ["/a?b", "h.example", "http://h.example/a?b"],
    ["/a", "h.example:81", "http://h.example:81/a"],
    ["http://other.example/a", "h.example", "http://other.example/a"],
    ["/a", "[", "http://localhost/a"],
    ["//", "h.example", "http://localhost/"],
    ["*", "h.example", "http://h.example/*"],
  ])("of the target %s and the host %s is %s", async (target, host, url) => {
    const show = (request: Request): Response => new Response(request.url);
    const server = createServer(nodeListener(show, false));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    afterTest(() => void server.close());
    const raw = new Raw((server.address() as AddressInfo).port).write(
      `OPTIONS ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    await raw.ended;
    expect(raw.text.split("\r\n\r\n")[1]).toBe(url);
  });
});

it("a transport cannot be served by no server", async () => {
  const [transport] = memoryPair();
  await expect(serve(transport, [])).rejects.toThrow(
    new TypeError("serve: expected at least one server."),
  );
});
