import {
  type AnyHandler,
  type Json,
  makeServer,
  metaFor,
  modern,
  resultOf,
  type ServerOptions,
  serveWire,
  Wire,
} from "../kit/index.js";

/** Whatever a client may declare. */
export const all: Json = {
  sampling: { tools: {} },
  roots: {},
  elicitation: { form: {}, url: {} },
};
/** A form without fields. */
export const form = (message: string): Json => ({
  message,
  requestedSchema: { type: "object", properties: {} },
});
/** How a client answers it. */
export const accept: Json = { action: "accept", content: {} };
/** How a client answers that. */
export const name = (value: string): Json => ({
  action: "accept",
  content: { name: value },
});
/** A form that asks for a name. */
export const nameForm = {
  message: "Name?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
};
let ids = 0;

/** A server with one tool, and a way to call it in rounds by hand. */
export async function toolWire(
  tool: AnyHandler,
  options: ServerOptions = {},
): Promise<Caller> {
  const handlers = { "tools/call": tool, "tools/list": tool };
  return new Caller(
    await serveWire(makeServer(modern.protocol, { handlers, ...options })),
  );
}

/** Calls a tool in rounds by hand. */
export class Caller {
  readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** One round: the whole answer. */
  call(
    more: Json = {},
    capabilities: Json = all,
    method = "tools/call",
  ): Promise<Json> {
    const _meta = {
      ...metaFor(modern, capabilities),
      ...(more["_meta"] as Json),
    };
    const params = { name: "tool", arguments: { a: 1 }, ...more, _meta };
    return this.wire.ask(ids++, method, params);
  }

  /** The next round after a result that asks for input. */
  async answer(
    response: Json,
    inputResponses: Json,
    more: Json = {},
  ): Promise<Json> {
    const { requestState } = resultOf(response);
    return this.call({ inputResponses, requestState, ...more });
  }
}

/** The keys of what a round asks. */
export const keysOf = (response: Json): string[] =>
  Object.keys(resultOf(response)["inputRequests"] as Json);
/** The questions themselves. */
export const questionsOf = (response: Json): Json[] =>
  Object.values(resultOf(response)["inputRequests"] as Record<string, Json>);
