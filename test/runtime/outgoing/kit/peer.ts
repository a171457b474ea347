import {
  info,
  type Json,
  metaFor,
  type Revision,
  type Wire,
} from "../../kit/index.js";
import type { Action } from "./actions.js";
import type { Chance } from "./chance.js";
import { arrived, rest, until } from "./outcome.js";

/** All capabilities of a client. */
export const able: Json = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

/**
 * A raw client: it sends requests, and answers requests of the server with
 * random results.
 */
export class Peer {
  readonly openRequests = new Map<
    unknown,
    { method: string; params?: unknown }
  >();
  /** All requests that were embedded in results. */
  readonly inside: Json[] = [];
  #position = 0;
  #id = 0;
  readonly wire: Wire;

  readonly one: Revision;
  readonly chance: Chance;

  constructor(wire: Wire, one: Revision, chance: Chance) {
    this.wire = wire;
    this.one = one;
    this.chance = chance;
  }

  async open(uris: readonly unknown[]): Promise<void> {
    const { one } = this;
    if (one.isModern) {
      const notifications = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: uris,
      };
      this.#send(String(one.facts.wellKnown.listen), {
        notifications,
        _meta: metaFor(one, able),
      });
      await rest();
      return;
    }
    await this.call("initialize", {
      protocolVersion: one.revision,
      capabilities: able,
      clientInfo: info,
    });
    this.wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (const uri of uris) await this.call("resources/subscribe", { uri });
  }

  /**
   * Sends a request and participates until the response; undefined without a
   * response.
   */
  async call(
    method: string,
    params: Json | undefined,
    round = 0,
  ): Promise<Json | undefined> {
    const level = this.one.facts.meta.logLevel;
    const _meta = {
      ...(params?.["_meta"] as Json | undefined),
      ...(this.one.isModern && {
        ...metaFor(this.one, able),
        ...(level && { [level]: "debug" }),
      }),
      ...(method !== "initialize" && { progressToken: "token" }),
    };
    const id = this.#send(method, { ...params, _meta });
    let answer: Json | undefined;
    await until(() => (answer = this.#look(id)) !== undefined);
    const result = answer?.["result"] as Json | undefined;
    if (
      result?.["resultType"] !== "input_required" ||
      !this.one.isModern ||
      round > 4
    )
      return answer;
    const requests = Object.entries(
      (result["inputRequests"] ?? {}) as Record<string, Json>,
    );
    this.inside.push(...requests.map(([, request]) => request));
    const responses = requests.map(
      ([key, request]) => [key, this.#reply(request)] as const,
    );
    const { requestState } = result;
    const next = {
      ...params,
      inputResponses: Object.fromEntries(responses),
      requestState,
    };
    return this.call(method, asSent(next), round + 1);
  }

  /** Whether the value was sent unchanged. */
  hasReceived({ method, params }: Action): boolean {
    const sent = [...this.wire.seen, ...this.inside];
    return sent.some(
      (message) =>
        "method" in message &&
        message["method"] === method &&
        arrived(message["params"], params),
    );
  }

  #send(method: string, params: Json): number {
    const id = ++this.#id;
    this.openRequests.set(id, { method, params });
    this.wire.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** Answers requests of the server, and finds the response to a request. */
  #look(id: number): Json | undefined {
    for (; this.#position < this.wire.seen.length; this.#position++) {
      const message = this.wire.seen[this.#position] as Json;
      if ("method" in message && message["id"] !== undefined) {
        const isError = this.chance.random.chance(0.2);
        const error = { code: -1, message: "No." };
        const reply = isError ? { error } : { result: this.#reply(message) };
        this.wire.send({ jsonrpc: "2.0", id: message["id"], ...reply });
      }
    }
    return this.wire.seen.find((one) => one["id"] === id && !("method" in one));
  }

  /** A response to a request, mostly a valid one. */
  #reply({ method }: Json): unknown {
    const { chance } = this;
    if (chance.random.chance(0.8)) return chance.result(String(method));
    return chance.foreignResult(String(method)) ?? null;
  }
}

const asSent = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;
