import { checkRequest, isObject, lacking, missing, own, rpcError, settle } from "../index.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import type { JsonObject, WireRequest } from "../jsonrpc/message.js";
import type { IncomingRequest } from "../tables.js";
import type { Handler, Identity } from "./host.js";
import { Asking, Round } from "./asking.js";
import type { ModernServer } from "./modern-server.js";
import { type CallState, fresh, placeOf, record, type StateKeeper } from "./state.js";

/** A request whose handler may ask the client. */
export interface Askable {
  readonly row: IncomingRequest;
  readonly message: WireRequest;
  readonly exchange: Exchange;
  readonly client: Identity;
  readonly handler: Handler;
}

/** Takes a call through its rounds: a question goes out inside a result, and the handler runs again with the answer. */
export class Rounds {
  readonly #server: ModernServer;
  readonly #keeper: StateKeeper;

  constructor(server: ModernServer, keeper: StateKeeper) {
    this.#server = server;
    this.#keeper = keeper;
  }

  /** `inputResponses` and `requestState` are ours to judge; without them this is the first round. */
  answer(call: Askable): unknown {
    const { row, message } = call;
    const params = message.params as JsonObject;
    if (params["inputResponses"] !== undefined || params["requestState"] !== undefined)
      return this.#resume(call);
    checkRequest(this.#server.host.side, row, message);
    return this.#run(call, params, undefined);
  }

  async #resume(call: Askable): Promise<unknown> {
    const { row, message } = call;
    const { inputResponses, requestState, ...rest } = message.params as JsonObject;
    checkRequest(this.#server.host.side, row, { ...message, params: rest });
    if (inputResponses !== undefined && !isObject(inputResponses)) {
      throw rpcError("INVALID_PARAMS", `${message.method}: params.inputResponses: expected an object.`);
    }
    let state: CallState | undefined;
    if (requestState !== undefined) {
      state = await this.#keeper.read(requestState, this.#place(call));
      record(state, inputResponses ?? {}, this.#server.host.side.sends);
    }
    // A handler that asks by itself gets its own state back, and the answers that are well formed.
    const given = inputResponses ? { ...rest, inputResponses } : rest;
    const { params } = wellFormed(row, { ...message, params: given });
    return this.#run(
      call,
      {
        ...(params as JsonObject),
        ...(state?.own !== undefined && { requestState: state.own }),
      },
      state,
      // A client that knows the keys may answer at once; with a state, only what was asked counts.
      state ? undefined : inputResponses,
    );
  }

  #run(call: Askable, params: JsonObject, state: CallState | undefined, early?: JsonObject): unknown {
    const { row, exchange, client, handler } = call;
    const asking = new Asking(this.#server.host, client.capabilities, state, early);
    const context = this.#server.contextOf(exchange, params, client, asking);
    return this.#server.answers.whenFree(exchange, () =>
      settle(
        asking.run(() => handler(params as never, context as never)),
        (result) => {
          if (result instanceof Round) return this.#ask(call, result.inputRequests, result.state, {});
          if (!isObject(result) || result["resultType"] !== "input_required") {
            return this.#server.complete(row, result, client);
          }
          return this.#askForHandler(call, result, asking.state);
        },
      ),
    );
  }

  /** MRTR-02, MRTR-03, MRTR-04: a handler that wrote the result itself keeps to the same rules. */
  #askForHandler(call: Askable, result: JsonObject, known: CallState | undefined): Promise<JsonObject> {
    const { method } = call.row.facts;
    const { inputRequests, requestState } = result;
    if (requestState !== undefined && typeof requestState !== "string") {
      throw new TypeError(`${method}: the handler's requestState is not a string.`);
    }
    if (inputRequests === undefined ? requestState === undefined : !isObject(inputRequests)) {
      throw new TypeError(
        `${method}: the handler asks for input without inputRequests and without requestState.`,
      );
    }
    for (const request of Object.values((inputRequests ?? {}) as JsonObject)) {
      const row = isObject(request)
        ? own(this.#server.host.side.sends, String(request["method"]))
        : undefined;
      if (!row?.facts.embedded)
        throw new TypeError(`${method}: the handler asks for what is no input request.`);
      const needs = missing(row.facts, (request as JsonObject)["params"], call.client.capabilities);
      if (needs) {
        throw lacking(
          this.#server.host.side,
          `${row.facts.method} needs what the client does not declare.`,
          needs,
        );
      }
    }
    const state = { ...(known ?? fresh()), pending: new Map(), own: requestState };
    state.round++;
    const keeps = requestState !== undefined || state.answers.size > 0 || state.done.size > 0;
    return this.#ask(call, inputRequests, keeps ? state : undefined, result);
  }

  async #ask(
    call: Askable,
    inputRequests: unknown,
    state: CallState | undefined,
    result: JsonObject,
  ): Promise<JsonObject> {
    const requestState = state && (await this.#keeper.write(state, this.#place(call)));
    const _meta = this.#server.signed(result);
    return { ...result, resultType: "input_required", inputRequests, requestState, _meta };
  }

  #place({ message, exchange }: Askable): string {
    const { side } = this.#server.host;
    return placeOf(side.revision.revision, message, exchange);
  }
}

/** MRTR-12, XTASK-06: the request without the answers that are malformed, which count as none. */
export function wellFormed(row: IncomingRequest, message: WireRequest): WireRequest {
  const { params } = message;
  if (!isObject(params) || !isObject(params["inputResponses"])) return message;
  const given = (entries: [string, unknown][]): WireRequest => ({
    ...message,
    params: { ...params, inputResponses: Object.fromEntries(entries) },
  });
  return given(Object.entries(params["inputResponses"]).filter((entry) => row.request(given([entry]))));
}
