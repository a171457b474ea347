import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import {
  type AnyContext,
  type AnyHandlers,
  everything,
  type Json,
  makeServer,
  type Revision,
  type ServerOptions,
  serveWire,
} from "../../kit/index.js";
import { accountActions, act, actionOf } from "./actions.js";
import type { Chance } from "./chance.js";
import type { Judge } from "./judge.js";
import { judgeAll, type Outcome, rest, Reports } from "./outcome.js";
import { Peer } from "./peer.js";

/**
 * A server with `tools()`, `prompts()`, `resources()` and tasks over random
 * values of their handlers.
 */
export async function featureOnce(
  one: Revision,
  judge: Judge,
  chance: Chance,
  outcome: Outcome,
): Promise<void> {
  const { random } = chance;
  const isThrown = random.chance(0.2);
  const method = random.pick(["tools/call", "prompts/get", "resources/read"]);
  const whole = chance.wildResult(method) as Json | undefined;
  const inner = Object.values(whole ?? {});
  const value = isThrown
    ? chance.thrown()
    : random.chance(0.6) || inner.length === 0
      ? whole
      : random.pick(inner);
  const actions = Array.from({ length: random.below(3) }, () =>
    actionOf(one, chance),
  );
  const handler = async (_: unknown, context: AnyContext): Promise<unknown> => {
    for (const action of actions)
      if (action.kind !== "announce") await act(action, context, () => {});
    if (isThrown) throw value;
    return value;
  };
  const reports = new Reports();
  const hasTasks =
    one.facts.wellKnown.taskResult !== undefined && random.chance(0.5);
  const options = {
    capabilities: everything,
    handlers: {
      ...tools([
        { name: "x", handler, execution: { taskSupport: "optional" } } as never,
      ]),
      ...prompts([{ name: "x", get: handler } as never]),
      ...resources([{ uri: "file:///x", name: "x", read: handler } as never]),
      ...(hasTasks && tasks({ list: true })),
    } as unknown as AnyHandlers,
    onError: reports.onError,
    onWarning: reports.onWarning,
  } satisfies ServerOptions;
  const peer = new Peer(
    await serveWire(makeServer(one.protocol, options)),
    one,
    chance,
  );
  await peer.open(
    actions
      .map(({ params }) => params?.["uri"])
      .filter((uri) => typeof uri === "string"),
  );
  const params =
    method === "resources/read" ? { uri: "file:///x" } : { name: "x" };
  const setup = {
    revision: one.revision,
    method,
    value: value,
    isThrown,
    actions,
    reports: reports.texts,
  };
  const isTask = hasTasks && method === "tools/call";
  const answer = await peer.call(
    method,
    isTask ? { ...params, task: {} } : params,
  );
  if (answer === undefined)
    outcome.faults.push({ fault: "There is no answer.", ...setup });
  const task = (answer?.["result"] as Json | undefined)?.["task"] as
    Json | undefined;
  if (task) {
    const { taskId } = task;
    for (const [next, more] of [
      ["tasks/get", { taskId }],
      ["tasks/result", { taskId }],
      ["tasks/list", {}],
      ["tasks/cancel", { taskId }],
    ] as const) {
      const then = await peer.call(next, more);
      if (then === undefined)
        outcome.faults.push({
          fault: `There is no answer to ${next}.`,
          ...setup,
        });
      else if (next === "tasks/result" && "result" in then)
        for (const fault of judge.check("CallToolResult", then["result"]))
          outcome.faults.push({ fault, answer: then, ...setup });
    }
  }
  await rest();
  accountActions(one, actions, peer, reports, setup, outcome);
  judgeAll(judge, peer.wire.seen, "server", peer.openRequests, outcome);
  await peer.wire.transport.close();
}
