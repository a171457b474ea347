import { isMcpError, memoryPair, openClient } from "@mcpgen/runtime";
import {
  type AnyHandler,
  type AnyHandlers,
  everything,
  info,
  type Json,
  type Revision,
  Wire,
} from "../../kit/index.js";
import type { Chance } from "./chance.js";
import type { Judge } from "./judge.js";
import {
  arrived,
  judgeAll,
  type Outcome,
  rest,
  Reports,
  until,
} from "./outcome.js";
import { able } from "./peer.js";

/** The result of a handler of a client. */
interface HandlerResult {
  readonly method: string;
  readonly key: unknown;
  readonly value: unknown;
  readonly isThrown: boolean;
}

/**
 * One client of one revision, with a raw server: a call with random params, and
 * random results of its handlers.
 */
export async function callOnce(
  one: Revision,
  judge: Judge,
  chance: Chance,
  outcome: Outcome,
): Promise<void> {
  const { random } = chance;
  const { outgoingRequests, outgoingNotifications } = one.protocol.clientSide;
  const { incomingRequests } = one.protocol.clientQuestions;
  const reports = new Reports();
  const answers: HandlerResult[] = [];
  const handlers = Object.fromEntries(
    Object.keys(incomingRequests).map((method): [string, AnyHandler] => {
      return [
        method,
        (params, context) => answer(method, params, context, chance, answers),
      ];
    }),
  );
  const [clientTransport, serverTransport] = memoryPair();
  const wire = new Wire(serverTransport);
  const requests = new Map<unknown, { method: string; params?: unknown }>();
  const isOff = random.chance(0.2);
  const opening = openClient(
    one.protocol.clientSide as never,
    clientTransport,
    {
      info,
      questions: one.protocol.clientQuestions,
      handlers: handlers as AnyHandlers,
      capabilities: isOff ? {} : able,
      onError: reports.onError,
      onWarning: reports.onWarning,
    },
  );
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  const capabilities = {
    ...everything,
    ...(one.facts.wellKnown.taskResult && { tasks }),
  };
  await (one.isModern
    ? wire.answer({
        supportedVersions: [one.revision],
        capabilities,
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
      })
    : wire.answer({
        protocolVersion: one.revision,
        capabilities,
        serverInfo: info,
      }));
  const session = await opening;
  await rest();

  const { initialize, discover, listen } = one.facts.wellKnown;
  const method = random.pick(
    Object.keys(outgoingRequests).filter(
      (name) => ![initialize, discover, listen].includes(name),
    ),
  );
  const params = chance.wildParams(method);
  const notice = random.pick(Object.keys(outgoingNotifications));
  const noticeParams = chance.wildParams(notice);
  let noticeFault: unknown;
  await session
    .notify(notice, noticeParams)
    .catch((error: unknown) => (noticeFault = error));
  const controller = new AbortController();
  let fault: unknown;
  let isSettled = false;
  const call = async (): Promise<void> => {
    try {
      await (session.request(method, params, {
        signal: controller.signal,
        ...(random.chance(0.3) && { onProgress: () => {} }),
      }) as Promise<unknown>);
    } catch (error) {
      fault = error ?? "nothing";
    }
    isSettled = true;
  };
  const calling = call();
  const first = wire.seen.length;
  let index = first;
  let questions = 0;
  let ids = 0;
  const pending = new Map<unknown, Json>();
  const isCancelled = random.chance(0.05);
  const serve = (): boolean => {
    for (; index < wire.seen.length; index++) {
      const message = wire.seen[index] as Json;
      if (!("method" in message) || message["id"] === undefined) {
        const request = pending.get(message["id"]);
        if (request) wire.send(request);
        continue;
      }
      if (isCancelled) {
        controller.abort(
          random.pick([undefined, new Error("Enough."), "text", 5]),
        );
        continue;
      }
      const name = random.pick(
        Object.keys(incomingRequests).concat("none/such"),
      );
      const isAsking =
        questions < 3 && random.chance(0.6) && name !== "none/such";
      const reply = {
        jsonrpc: "2.0",
        id: message["id"],
        ...replyTo(String(message["method"]), chance),
      };
      if (isAsking) questions++;
      const inner = (): Json | undefined =>
        random.chance(0.8) ? chance.params(name) : chance.foreignParams(name);
      if (
        isAsking &&
        one.isModern &&
        outgoingRequests[String(message["method"])]?.asksInput
      ) {
        const inputRequests = { k: { method: name, params: inner() } };
        wire.send({
          jsonrpc: "2.0",
          id: message["id"],
          result: {
            resultType: "input_required",
            inputRequests,
            requestState: "s",
          },
        });
      } else if (isAsking && !one.isModern) {
        const id = `q${ids++}`;
        const question = { jsonrpc: "2.0", id, method: name, params: inner() };
        requests.set(id, { method: name, params: question.params });
        // The call is answered after the response to the request.
        pending.set(id, reply);
        wire.send(question);
      } else wire.send(reply);
    }
    return isSettled;
  };
  const isDone = await until(serve);
  await rest();
  serve();
  const setup = {
    revision: one.revision,
    method,
    params,
    answers,
    reports: reports.texts,
    error: String(fault),
  };
  const addFault = (why: string, more: Json = {}): void =>
    void outcome.faults.push({ ...more, ...setup, fault: why });
  if (!isDone) addFault("The call never ends.");
  await calling;
  const sent = wire.seen
    .slice(first)
    .filter((message) => message["method"] === method);
  if (
    fault === undefined &&
    !reports.of(method) &&
    !sent.some((message) => arrived(message["params"], params))
  )
    addFault("params of a call were changed in silence", { sent });
  if (
    noticeFault === undefined &&
    !reports.of(notice) &&
    !wire.seen.some(
      (message) =>
        message["method"] === notice &&
        arrived(message["params"], noticeParams),
    )
  )
    addFault("a notification was changed in silence", { notice, noticeParams });
  for (const result of answers) {
    if (reports.of(result.method) || fault !== undefined) continue;
    if (!wire.seen.some((message) => carries(message, result)))
      addFault("an answer was changed in silence", {
        value: result,
        seen: wire.seen,
      });
  }
  judgeAll(judge, wire.seen, "client", requests, outcome);
  await session.close();
}

/** A handler of the client: sends progress, and returns a value or throws. */
async function answer(
  method: string,
  _params: Json,
  context: Parameters<AnyHandler>[1],
  chance: Chance,
  answers: HandlerResult[],
): Promise<unknown> {
  const { random } = chance;
  if (random.chance(0.2))
    context.progress(random.next(), random.pick([1, NaN, "x"]) as number);
  await Promise.resolve();
  const isThrown = random.chance(0.1);
  const value = isThrown ? chance.thrown() : chance.wildResult(method);
  answers.push({ method, key: context.requestId, value, isThrown });
  if (isThrown) throw value;
  return value;
}

/** The response of a raw server to a call, mostly a valid one. */
function replyTo(method: string, chance: Chance): Json {
  const { random } = chance;
  if (random.chance(0.1)) return { error: { code: -32603, message: "No." } };
  return {
    result:
      (random.chance(0.8)
        ? chance.result(method)
        : chance.foreignResult(method)) ?? {},
  };
}

/**
 * Whether the message contains the result of the handler, possibly with
 * defaults of a form (ELIC-07).
 */
function carries(
  message: Json,
  { key, value, isThrown }: HandlerResult,
): boolean {
  if (isThrown) {
    const error = message["error"] as Json | undefined;
    return (
      message["id"] === key &&
      isMcpError(value) &&
      error?.["code"] === value.code &&
      error["message"] === value.message
    );
  }
  const params = message["params"] as Json | undefined;
  const inside = (params?.["inputResponses"] as Json | undefined)?.[
    String(key)
  ];
  const isFilled = (value as Json | undefined)?.["action"] === "accept";
  const result =
    message["id"] === key && "result" in message ? message["result"] : inside;
  return (
    result !== undefined &&
    arrived(result, value, [], isFilled ? ["content"] : [])
  );
}
