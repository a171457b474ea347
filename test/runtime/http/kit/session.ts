import type { Json, Revision } from "../../kit/index.js";
import type { Answer, Sent } from "./exchange.js";
import { hello, tell } from "./messages.js";
import type { Open } from "./server.js";

/** A legacy session whose requests a test sends. */
export class Session {
  readonly open: Open;
  readonly opening: Answer;
  readonly headers: Readonly<Record<string, string>>;

  private constructor(
    open: Open,
    opening: Answer,
    headers: Readonly<Record<string, string>>,
  ) {
    this.open = open;
    this.opening = opening;
    this.headers = headers;
  }

  static async start(
    open: Open,
    { facts, revision }: Revision,
    capabilities: Json = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Session> {
    const opening = await open.send({
      body: hello(revision, capabilities),
      headers,
    });
    const id = opening.header("mcp-session-id");
    const session = new Session(open, opening, {
      ...(id !== undefined && { "mcp-session-id": id }),
      ...(facts.headers.version && { [facts.headers.version]: revision }),
      ...headers,
    });
    await session.post(tell("notifications/initialized"));
    return session;
  }

  send(sent: Sent): Promise<Answer> {
    return this.open.send({
      ...sent,
      headers: { ...this.headers, ...sent.headers },
    });
  }

  post(body: unknown): Promise<Answer> {
    return this.send({ body });
  }

  listen(headers: Sent["headers"] = {}): Promise<Answer> {
    return this.send({
      method: "GET",
      headers: { accept: "text/event-stream", ...headers },
    });
  }

  /** The JSON body of the response to a request. */
  async ask(body: unknown): Promise<Json> {
    return (await this.post(body)).json();
  }
}
