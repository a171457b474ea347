import { defineServer, isMcpError } from "@mcpgen/runtime";
import {
  type AnyContext,
  type AnyHandlers,
  type AnyServer,
  everything,
  info,
  type Json,
  type Revision,
  serveWire,
} from "../../kit/index.js";
import { accountActions, act, actionOf, announcedBy } from "./actions.js";
import type { Chance } from "./chance.js";
import type { Judge } from "./judge.js";
import {
  arrived,
  type Fault,
  judgeAll,
  type Outcome,
  rest,
  Reports,
} from "./outcome.js";
import { Peer } from "./peer.js";

/**
 * One server of one revision, with a raw peer: a request whose handler performs
 * random actions.
 */
export async function serveOnce(
  one: Revision,
  judge: Judge,
  chance: Chance,
  outcome: Outcome,
): Promise<void> {
  const { random } = chance;
  const method = random.pick(askedOf(one));
  const actions = Array.from({ length: random.below(3) }, () =>
    actionOf(one, chance),
  );
  const isThrown = random.chance(0.15);
  const value = isThrown ? chance.thrown() : chance.wildResult(method);
  const reports = new Reports();
  const handler = async (_: Json, context: AnyContext): Promise<unknown> => {
    for (const action of actions)
      await act(action, context, (name, params) => announce[name]?.(params));
    isEnded = true;
    if (isThrown) throw value;
    return value;
  };
  let isEnded = false;
  const options = {
    info,
    questions: one.protocol.serverQuestions,
    capabilities: { ...everything, ...tasksOf(one) },
    handlers: { [method]: handler } as AnyHandlers,
    onError: reports.onError,
    onWarning: reports.onWarning,
  };
  // As in generated code, each function has the name of its method.
  const names = Object.fromEntries(
    announcedBy(one).map((name) => [name, name]),
  );
  const server = defineServer<AnyServer>(
    one.protocol.serverSide,
    options,
    names,
  );
  const announce = server.notify;
  const peer = new Peer(await serveWire(server), one, chance);
  await peer.open(
    actions
      .map(({ params }) => params?.["uri"])
      .filter((uri) => typeof uri === "string"),
  );
  const answer = await peer.call(method, chance.params(method));
  await rest();
  const setup = {
    revision: one.revision,
    method,
    value: value,
    isThrown,
    actions,
    reports: reports.texts,
  };
  if (answer === undefined)
    outcome.faults.push({ fault: "There is no answer.", ...setup });
  else if (isEnded)
    outcome.faults.push(
      ...accountOf(one, method, answer, value, isThrown, reports, setup),
    );
  // There is no subscription if its handler fails.
  const isOpen = method !== one.facts.wellKnown.subscribe;
  accountActions(one, isOpen ? actions : [], peer, reports, setup, outcome);
  judgeAll(judge, peer.wire.seen, "server", peer.openRequests, outcome);
  await peer.wire.transport.close();
}

/**
 * A server whose handler returns InputRequiredResult with random params; does
 * nothing for revisions without it.
 */
export async function inputOnce(
  one: Revision,
  judge: Judge,
  chance: Chance,
  outcome: Outcome,
): Promise<void> {
  const { random } = chance;
  const { outgoingRequests } = one.protocol.clientSide;
  const methods = Object.keys(outgoingRequests).filter(
    (name) => outgoingRequests[name]?.asksInput,
  );
  if (methods.length === 0) return;
  const method = random.pick(methods);
  const reports = new Reports();
  const requests = Array.from({ length: 1 + random.below(2) }, () => {
    const name = random.pick(
      Object.keys(one.protocol.serverQuestions.outgoingRequests),
    );
    return { method: name, params: chance.wildParams(name) };
  });
  const result = {
    resultType: "input_required",
    inputRequests: Object.fromEntries(
      requests.map((request, i) => [`k${i}`, request]),
    ),
    ...(random.chance(0.5) && { requestState: "mine" }),
  };
  const final = chance.result(method);
  const handler = ({ inputResponses }: Json): Json =>
    inputResponses === undefined ? result : final;
  const options = {
    info,
    questions: one.protocol.serverQuestions,
    handlers: { [method]: handler } as unknown as AnyHandlers,
    onError: reports.onError,
    onWarning: reports.onWarning,
  };
  const peer = new Peer(
    await serveWire(
      defineServer<AnyServer>(one.protocol.serverSide, options, {}),
    ),
    one,
    chance,
  );
  const {
    inputResponses: _,
    requestState: __,
    ...params
  } = chance.params(method) ?? {};
  const answer = await peer.call(method, params);
  await rest();
  const setup = {
    revision: one.revision,
    method,
    value: result,
    reports: reports.texts,
  };
  if (answer === undefined)
    outcome.faults.push({ fault: "There is no answer.", ...setup });
  for (const request of requests) {
    if (reports.of(request.method) || reports.of(method)) continue;
    if (
      peer.inside.some(
        (one) =>
          one["method"] === request.method &&
          arrived(one["params"], request.params),
      )
    )
      continue;
    // If the params or the capabilities of the call are invalid, the handler
    // does not run.
    if (
      peer.inside.length === 0 &&
      answer &&
      "error" in answer &&
      answer["error"]
    )
      continue;
    outcome.faults.push({
      fault: "a question was changed in silence",
      request,
      answer,
      ...setup,
    });
  }
  judgeAll(judge, peer.wire.seen, "server", peer.openRequests, outcome);
  await peer.wire.transport.close();
}

/** The requests that handlers of an author answer. */
const askedOf = ({ protocol, facts }: Revision): string[] => {
  const { initialize, discover, listen, ping } = facts.wellKnown;
  return Object.keys(protocol.clientSide.outgoingRequests).filter(
    (method) => ![initialize, discover, listen, ping].includes(method),
  );
};

const tasksOf = ({ facts }: Revision): Json =>
  facts.wellKnown.taskResult === undefined
    ? {}
    : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

function accountOf(
  one: Revision,
  method: string,
  answer: Json,
  value: unknown,
  isThrown: boolean,
  reports: Reports,
  setup: Json,
): Fault[] {
  if (reports.of(method)) return [];
  const error = answer["error"] as Json | undefined;
  if (isThrown) {
    if (
      isMcpError(value) &&
      error?.["code"] === value.code &&
      error["message"] === value.message
    )
      return [];
    return [{ fault: "an error was changed in silence", answer, ...setup }];
  }
  if (error)
    return [{ fault: "a result was refused in silence", answer, ...setup }];
  const facts = one.protocol.clientSide.outgoingRequests[method];
  const filled = one.isModern
    ? ["resultType", "_meta", ...Object.keys(facts?.engineDefaults ?? {})]
    : [];
  // CACHE-06: all pages of a list have one scope, which the cursor carries.
  const paged =
    one.isModern && facts?.items !== undefined
      ? ["nextCursor", "cacheScope"]
      : [];
  const asks =
    (value as Json | undefined)?.["resultType"] === "input_required"
      ? ["requestState"]
      : [];
  return arrived(answer["result"], value, filled, [...paged, ...asks])
    ? []
    : [{ fault: "a result was changed in silence", answer, ...setup }];
}
