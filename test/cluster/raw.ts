import type { Json, Revision } from "../runtime/kit/index.js";
import { modernPost } from "../runtime/http/kit/messages.js";
import { until } from "./topology.js";

/**
 * A client at the level of HTTP, each of whose requests may go to another
 * address of the server.
 */
export class RawClient {
  readonly revision: Revision;
  readonly principal: string;
  readonly capabilities: Json;
  /** The id of the session; empty in revisions without sessions. */
  session = "";
  #count = 0;

  private constructor(
    revision: Revision,
    principal: string,
    capabilities: Json,
  ) {
    this.revision = revision;
    this.principal = principal;
    this.capabilities = capabilities;
  }

  /**
   * Opens a session, if the revision has them. Tries again until a process
   * answers.
   */
  static async open(
    url: string,
    revision: Revision,
    principal: string,
    capabilities: Json = {},
  ): Promise<RawClient> {
    const client = new RawClient(revision, principal, capabilities);
    if (revision.isModern) return client;
    const params = {
      protocolVersion: revision.revision,
      capabilities,
      clientInfo: { name: `client of ${principal}`, version: "1.0.0" },
    };
    await until("the start of a session", async () => {
      const response = await client.request(url, "initialize", params);
      await response.text();
      client.session = response.headers.get("mcp-session-id") ?? "";
      return response.ok;
    });
    const response = await client.send(url, "POST", {
      jsonrpc: "2.0",
      method: "notifications/initialized",
    });
    await response.text();
    return client;
  }

  /** Sends a request, as another principal if one is given. */
  request(
    url: string,
    method: string,
    params: Json,
    principal?: string,
  ): Promise<Response> {
    const message = { jsonrpc: "2.0", id: ++this.#count, method, params };
    const { revision, capabilities } = this;
    const { body, headers } = revision.isModern
      ? modernPost(revision, message, { capabilities })
      : { body: message, headers: {} };
    return this.send(
      url,
      "POST",
      body,
      headers as Record<string, string>,
      principal,
    );
  }

  /**
   * Sends a request and returns its response, without the other messages of its
   * stream.
   */
  async ask(url: string, method: string, params: Json): Promise<Json> {
    for await (const { message } of eventsOf(
      await this.request(url, method, params),
    ))
      if (message && message["method"] === undefined) return message;
    throw new Error(`The stream of ${method} ended without a response.`);
  }

  send(
    url: string,
    method: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    principal: string = this.principal,
  ): Promise<Response> {
    const { session, revision } = this;
    return fetch(url, {
      method,
      headers: {
        accept:
          method === "GET"
            ? "text/event-stream"
            : "application/json, text/event-stream",
        authorization: `Bearer ${principal}`,
        "content-type": "application/json",
        ...(session !== "" && {
          "mcp-session-id": session,
          "mcp-protocol-version": revision.revision,
        }),
        ...headers,
      },
      signal: AbortSignal.timeout(90_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}

/** One event of a stream. */
export interface StreamEvent {
  readonly id: string | undefined;
  /** Undefined for an event that only has an id. */
  readonly message: Json | undefined;
}

/**
 * The messages of a response: one of JSON, or the events of a stream until it
 * ends. Throws if it breaks.
 */
export async function* eventsOf(
  response: Response,
): AsyncGenerator<StreamEvent> {
  if (!response.headers.get("content-type")?.includes("event-stream")) {
    const text = await response.text();
    if (text.startsWith("{"))
      yield { id: undefined, message: JSON.parse(text) as Json };
    return;
  }
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string): string | undefined =>
        new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
      const [id, data] = [field("id"), field("data")];
      if (id !== undefined || data !== undefined)
        yield { id, message: data ? (JSON.parse(data) as Json) : undefined };
    }
  }
}
