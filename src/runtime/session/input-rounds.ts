import { rpcError } from "../errors.js";
import { checkRequest, checkResult, fits } from "./check.js";
import { prepareQuestion } from "./question.js";
import { type Exchange, settle } from "../jsonrpc/exchange.js";
import { getOwn, isObject, type JsonObject, type WireRequest } from "../message.js";
import type { IncomingRequest } from "../tables.js";
import type { Handler, Identity } from "./config.js";
import { InputCollector, InputRound } from "./input-collector.js";
import { canonical, digest } from "./digest.js";
import type { ModernServer } from "./modern-server.js";
import { type CallState, fresh, read, record, write } from "./state.js";

/** A request whose handler may ask the client. */
interface InputCall {
  readonly server: ModernServer;
  readonly row: IncomingRequest;
  readonly message: WireRequest;
  readonly exchange: Exchange;
  readonly client: Identity;
  readonly handler: Handler;
}

/**
 * Takes a call through its rounds: a question goes out inside a result, and the handler runs again with the answer.
 * `inputResponses` and `requestState` are ours to judge; without them this is the first round.
 */
export function answerInRounds(call: InputCall): unknown {
  const { server, row, message } = call;
  const params = message.params as JsonObject;
  if (params["inputResponses"] !== undefined || params["requestState"] !== undefined) return resume(call);
  checkRequest(server.config.side, row, message);
  return run(call, params, undefined);
}

async function resume(call: InputCall): Promise<unknown> {
  const { server, row, message } = call;
  const { side, settings } = server.config;
  // MRTR-12
  checkRequest(side, row, message);
  const { inputResponses, requestState, ...rest } = message.params as JsonObject & {
    readonly inputResponses?: JsonObject;
  };
  let state: CallState | undefined;
  if (requestState !== undefined) {
    state = await read(settings, requestState, placeOf(call));
    record(state, inputResponses ?? {}, side.outgoingRequests);
  }
  // A handler that asks by itself gets its own state back, and the answers.
  const params = {
    ...rest,
    ...(inputResponses && { inputResponses }),
    ...(state?.own !== undefined && { requestState: state.own }),
  };
  // A client that knows the keys may answer at once; with a state, only what was asked counts.
  return run(call, params, state, state ? undefined : inputResponses);
}

function run(call: InputCall, params: JsonObject, known: CallState | undefined, early?: JsonObject): unknown {
  const { server, row, exchange, client, handler } = call;
  const collector = new InputCollector(server.config, client.capabilities, known, early);
  const context = server.contextOf(exchange, params, client, collector);
  return server.dispatcher.whenFree(exchange, () =>
    settle(
      collector.run(() => handler(params as never, context as never)),
      (result) => {
        if (result instanceof InputRound) return send(call, result.inputRequests, result.state, {});
        if (!isObject(result) || result["resultType"] !== "input_required") {
          return server.complete(row, result, client);
        }
        return askForHandler(call, result, collector.state);
      },
    ),
  );
}

/** MRTR-02, MRTR-03, MRTR-04: a handler that wrote the result itself keeps to the same rules. */
function askForHandler(call: InputCall, given: JsonObject, known = fresh()): Promise<JsonObject> {
  const { config } = call.server;
  const { method } = call.row.facts;
  const result = config.fit("results", method, given) as JsonObject;
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== "string") {
    throw new TypeError(`${method}: the handler's requestState is not a string.`);
  }
  if (inputRequests === undefined ? requestState === undefined : !isObject(inputRequests)) {
    throw new TypeError(
      `${method}: the handler asks for input without inputRequests and without requestState.`,
    );
  }
  const ask = ([key, request]: [string, unknown]): [string, unknown] => {
    const { method: asked, params } = isObject(request) ? request : ({} as JsonObject);
    if (!getOwn(config.side.outgoingRequests, String(asked))?.facts.embedded)
      throw new TypeError(`${method}: the handler asks for what is no input request.`);
    const question = prepareQuestion(config, String(asked), params, call.client.capabilities);
    return [key, { ...(request as JsonObject), params: question.params }];
  };
  const requests = inputRequests && Object.fromEntries(Object.entries(inputRequests).map(ask));
  const { round, answers, done } = known;
  const keeps = requestState !== undefined || answers.size > 0 || done.size > 0;
  const state = { answers, done, round: round + 1, pending: new Map(), own: requestState };
  return send(call, requests, keeps ? state : undefined, result);
}

async function send(
  call: InputCall,
  inputRequests: unknown,
  state: CallState | undefined,
  result: JsonObject,
): Promise<JsonObject> {
  const { server, row } = call;
  const requestState = state && (await write(server.config.settings, state, placeOf(call)));
  const _meta = server.signed(result);
  const asked = { ...result, resultType: "input_required", inputRequests, requestState, _meta };
  return checkResult(server.config.side, { ...row, result: row.input ?? row.result }, asked);
}

/** What a state belongs to: revision, method, params and principal. The members that differ between rounds do not count. */
function placeOf({ server, message, exchange }: InputCall): string {
  const { method, params } = message;
  const { revision } = server.config.side.revision;
  const passing = { _meta: undefined, inputResponses: undefined, requestState: undefined };
  try {
    const mark = digest(canonical({ ...(params as JsonObject), ...passing }));
    return JSON.stringify([revision, method, mark, exchange.info?.auth?.principal ?? null]);
  } catch {
    throw rpcError("INVALID_PARAMS", `${method}: the params are nested too deeply.`);
  }
}

/** MRTR-12, XTASK-06: the request without the answers that are malformed, which count as none. */
export function wellFormed(row: IncomingRequest, message: WireRequest): WireRequest {
  const { params } = message;
  if (!isObject(params) || !isObject(params["inputResponses"])) return message;
  const given = (entries: [string, unknown][]): JsonObject => ({
    ...params,
    inputResponses: Object.fromEntries(entries),
  });
  const right = Object.entries(params["inputResponses"]).filter((entry) => fits(row, given([entry])));
  return { ...message, params: given(right) };
}
