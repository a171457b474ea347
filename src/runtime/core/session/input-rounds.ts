import { rpcError } from "../errors.js";
import { checkRequest, checkResult } from "./check.js";
import { observeQuestion, prepareQuestion } from "./question.js";
import { settle } from "../../../common/timing.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { CallInRounds } from "./config.js";
import { InputCollector, InputRound } from "./input-collector.js";
import { canonical, digest } from "./digest.js";
import { outgoing } from "./outgoing.js";
import type { ModernServer } from "./modern-server.js";
import { type CallState, newState, read, record, write } from "./state.js";

/** A request whose handler may ask the client. */
export interface InputCall extends CallInRounds {
  readonly server: ModernServer;
}

/**
 * Answers a request whose handler may ask the client: a question is sent inside a result, and the handler runs again with the
 * answer. A request without `inputResponses` and `requestState` is the first round. Specification: "Multi Round-Trip Requests".
 */
export function answerInRounds(call: InputCall): unknown {
  const { server, row, message } = call;
  // Malformed answers make the params invalid (MRTR-12).
  const params = checkRequest(server.config.side, row, message) as JsonObject;
  const checked = params === message.params ? call : { ...call, message: { ...message, params } };
  const isResumed = params["inputResponses"] !== undefined || params["requestState"] !== undefined;
  return isResumed ? resume(checked) : run(checked, params, undefined);
}

async function resume(call: InputCall): Promise<unknown> {
  const { server, message } = call;
  const { side, settings } = server.config;
  const { inputResponses, requestState, ...rest } = message.params as JsonObject & {
    readonly inputResponses?: JsonObject;
  };
  let state: CallState | undefined;
  if (requestState !== undefined) {
    state = await read(settings, requestState, bindingOf(call));
    record(state, inputResponses ?? {}, side.outgoingRequests);
  }
  // A handler that writes `input_required` results itself gets its own state and the answers.
  const params = {
    ...rest,
    ...(inputResponses && { inputResponses }),
    ...(state?.own !== undefined && { requestState: state.own }),
  };
  // Without a state, the first request of a client may already contain answers by key. With a state, only pending questions are answered.
  return run(call, params, state, state ? undefined : inputResponses);
}

function run(
  call: InputCall,
  params: JsonObject,
  state: CallState | undefined,
  earlyAnswers?: JsonObject,
): unknown {
  const { server, row, exchange, client, handler } = call;
  const collector = new InputCollector(server, client.capabilities, state, earlyAnswers);
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

/** Sends an `input_required` result that the handler wrote itself, after the same checks (MRTR-02, MRTR-03, MRTR-04). */
function askForHandler(call: InputCall, value: JsonObject, previousState = newState()): Promise<JsonObject> {
  const { config } = call.server;
  const { method } = call.row.facts;
  const result = outgoing(call.server, "results", method, value) as JsonObject;
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== "string") {
    throw new TypeError(`${method}: the handler's requestState is not a string.`);
  }
  if (inputRequests === undefined ? requestState === undefined : !isObject(inputRequests)) {
    throw new TypeError(`${method}: the handler's result needs inputRequests (an object) or requestState.`);
  }
  const ask = ([key, request]: [string, unknown]): [string, unknown] => {
    const { method: name, params } = isObject(request) ? request : ({} as JsonObject);
    if (!getOwn(config.side.outgoingRequests, String(name))?.facts.embedded)
      throw new TypeError(
        `${method}: inputRequests.${key}: ${JSON.stringify(name)} is not an input request.`,
      );
    const question = prepareQuestion(call.server, String(name), params, call.client.capabilities);
    return [key, { ...(request as JsonObject), params: question.params }];
  };
  const requests = isObject(inputRequests)
    ? Object.fromEntries(Object.entries(inputRequests).map(ask))
    : undefined;
  const { round, answers, done } = previousState;
  const needsState = requestState !== undefined || answers.size > 0 || done.size > 0;
  const state = { answers, done, round: round + 1, pending: new Map(), own: requestState };
  return send(call, requests, needsState ? state : undefined, result);
}

async function send(
  call: InputCall,
  questions: JsonObject | undefined,
  state: CallState | undefined,
  result: JsonObject,
): Promise<JsonObject> {
  const { server, row, exchange } = call;
  const inputRequests =
    questions &&
    Object.fromEntries(
      Object.entries(questions).map(([key, question]) => [
        key,
        observeQuestion(server, exchange, key, question as JsonObject),
      ]),
    );
  const requestState = state && (await write(server.config.settings, state, bindingOf(call)));
  const _meta = server.metaFor(result);
  const inputResult = { ...result, resultType: "input_required", inputRequests, requestState, _meta };
  return checkResult(
    server.config.side,
    { ...row, result: server.config.side.input ?? row.result },
    inputResult,
  );
}

/** The call that a state is bound to: revision, method, params and principal. Ignores members that differ between rounds. */
function bindingOf({ server, message, exchange }: InputCall): string {
  const { method, params } = message;
  const { revision } = server.config.side.revision;
  const omit = { _meta: undefined, inputResponses: undefined, requestState: undefined };
  try {
    const hash = digest(canonical({ ...(params as JsonObject), ...omit }));
    return JSON.stringify([revision, method, hash, exchange.info?.auth?.principal ?? null]);
  } catch {
    throw rpcError("INVALID_PARAMS", `${method}: the params are nested too deeply.`);
  }
}
