import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterTest } from "../../kit/closing.js";
import { info, type Json } from "../../kit/index.js";

/** A received request. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** The body as JSON, undefined when there was none. */
  readonly body: Json | undefined;
  /**
   * Resolves at the end of the exchange, with true if the client disconnected
   * before the response was complete.
   */
  readonly cut: Promise<boolean>;
}

export type Answer = (
  seen: Seen,
  response: ServerResponse,
  count: number,
) => void;

/** A scripted HTTP server, which records all requests. */
export class Script {
  readonly seen: Seen[] = [];
  answer: Answer;
  readonly #server: Server;
  #wake: (() => void)[] = [];

  private constructor(answer: Answer) {
    this.answer = answer;
    this.#server = createServer(
      (request, response) => void this.#take(request, response),
    );
  }

  /**
   * With a `keepAliveTimeout` of 0 the server announces none, and never closes
   * an idle connection.
   */
  static async open(
    answer: Answer,
    { keepAliveTimeout = 5000 } = {},
  ): Promise<Script> {
    const script = new Script(answer);
    script.#server.keepAliveTimeout = keepAliveTimeout;
    await new Promise<void>((resolve) =>
      script.#server.listen(0, "127.0.0.1", resolve),
    );
    afterTest(() => script.close());
    return script;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /**
   * The methods of the bodies in the order of the requests, or the HTTP methods
   * of requests without a body.
   */
  get methods(): readonly string[] {
    return this.seen.map(({ method, body }) =>
      body ? String(body["method"] ?? "answer") : method,
    );
  }

  /** The first request that satisfies the condition, once it is received. */
  async until(holds: (seen: Seen) => boolean): Promise<Seen> {
    for (;;) {
      const match = this.seen.find(holds);
      if (match) return match;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const cut = new Promise<boolean>((resolve) => {
      response.on("close", () => resolve(!response.writableFinished));
    });
    const body = text === "" ? undefined : (JSON.parse(text) as Json);
    const seen = { method, url, headers, body, cut };
    this.seen.push(seen);
    for (const wake of this.#wake.splice(0)) wake();
    this.answer(seen, response, this.seen.length);
  }
}

/** The params of a received message. */
export const paramsOf = ({ body }: Seen): Json =>
  (body?.["params"] ?? {}) as Json;

export const json = (
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Json = {},
): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(headers as Record<string, string>),
  });
  response.end(JSON.stringify(value));
};

export const events = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
  });

export const event = (value: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;

export const result = (seen: Seen, value: Json): Json => ({
  jsonrpc: "2.0",
  id: seen.body?.["id"],
  result: value,
});

export const failure = (seen: Seen, code: number, data?: unknown): Json => ({
  jsonrpc: "2.0",
  id: seen.body?.["id"],
  error: { code, message: "no", data },
});

/**
 * The usual responses of a legacy server with sessions; `calls` answers all
 * other requests.
 */
export function legacyScript(
  revision: string,
  calls: Answer,
  {
    listens = false,
    session = "s-1",
  }: { listens?: boolean; session?: string } = {},
): Answer {
  return (seen, response, count) => {
    const method = seen.body?.["method"];
    if (
      seen.method === "GET" &&
      !listens &&
      seen.headers["last-event-id"] === undefined
    ) {
      return void response.writeHead(405).end();
    }
    if (seen.method === "DELETE") return void response.writeHead(200).end();
    if (method === "initialize") {
      const capabilities = {
        tools: {},
        logging: {},
        resources: { subscribe: true },
        prompts: {},
      };
      const answer = {
        protocolVersion: revision,
        capabilities,
        serverInfo: info,
      };
      return json(
        response,
        result(seen, answer),
        200,
        session === "" ? {} : { "Mcp-Session-Id": session },
      );
    }
    if (seen.body && seen.body["id"] === undefined)
      return void response.writeHead(202).end();
    if (seen.body && method === undefined)
      return void response.writeHead(202).end();
    calls(seen, response, count);
  };
}

/** The members of a cacheable result of the modern era. */
export const cached = {
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
};

/**
 * The usual responses of a modern server with these capabilities; `calls`
 * answers all requests except the probe.
 */
export function modernScript(
  revision: string,
  calls: Answer,
  more: Json = {},
): Answer {
  return (seen, response, count) => {
    if (seen.body?.["method"] !== "server/discover")
      return calls(seen, response, count);
    const capabilities = {
      tools: {},
      logging: {},
      resources: {},
      prompts: {},
      ...more,
    };
    json(
      response,
      result(seen, { supportedVersions: [revision], capabilities, ...cached }),
    );
  };
}
