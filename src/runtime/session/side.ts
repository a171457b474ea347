import type { Fitting, Fittings, NotificationRow, QuestionRules, RequestRow, SideTable } from "../tables.js";
import { answering } from "./answer.js";
import type { ClientQuestions, ClientSide, ServerQuestions, ServerSide } from "./config.js";

/** A value for each of some messages. */
type ByRow<Value> = readonly (readonly [row: { readonly method: string }, value: Value])[];

/** The messages of a revision in two lists, so that a program bundles the second one only if it sends or answers its requests. */
interface Messages {
  /** All messages but the requests that only a server sends. */
  readonly messages: readonly Row[];
  readonly questions: readonly RequestRow[];
  /** The rules of the specification for requests of a server. */
  readonly rules?: ByRow<QuestionRules>;
}
type Row = RequestRow | NotificationRow;

/** A side as generated code describes it. */
interface SideDefinition
  extends
    Pick<Messages, "messages">,
    Pick<SideTable, "revision" | "lastIssue" | "failures" | "capabilities" | "extensions"> {}

export interface ClientSideDefinition extends SideDefinition, Pick<ClientSide, "engine"> {}

export interface ServerSideDefinition extends SideDefinition, Pick<ServerSide, "levels" | "engine"> {
  readonly fitting: Pick<Fittings, "tag" | "params"> & { readonly results: ByRow<Fitting> };
}

export interface ClientQuestionsDefinition
  extends Messages, Pick<ClientQuestions, "revision" | "input" | "failures"> {}

export interface ServerQuestionsDefinition
  extends Messages, Pick<ServerQuestions, "revision" | "askOnWire" | "answerInRounds" | "input"> {}

/** Makes the tables of a client, which answers no request of the server but a ping. */
export function defineClientSide({ messages, ...side }: ClientSideDefinition): ClientSide {
  return { ...side, side: "client", ...tablesOf("client", messages), incomingRequests: {} };
}

/** Makes the tables with which a client answers requests of the server. It answers a ping without them. */
export function defineClientQuestions(definition: ClientQuestionsDefinition): ClientQuestions {
  const { messages, questions, rules, ...others } = definition;
  const { ping } = others.revision.wellKnown;
  const rows = [...messages, ...questions].filter(({ method }) => method !== ping);
  const { incomingRequests } = tablesOf("client", rows, rules);
  return { ...others, answering, incomingRequests };
}

/** Makes the tables of a server, which sends no requests. */
export function defineServerSide({ messages, fitting, ...side }: ServerSideDefinition): ServerSide {
  return {
    ...side,
    side: "server",
    ...tablesOf("server", messages),
    outgoingRequests: {},
    fitting: { ...fitting, results: byMethod(fitting.results) },
  };
}

/** Makes the tables with which a server sends requests. */
export function defineServerQuestions(definition: ServerQuestionsDefinition): ServerQuestions {
  const { messages, questions, rules, ...others } = definition;
  const { outgoingRequests } = tablesOf("server", [...messages, ...questions], rules);
  return { ...others, outgoingRequests };
}

type Tables = Pick<
  SideTable,
  "outgoingRequests" | "incomingRequests" | "outgoingNotifications" | "incomingNotifications"
>;

function tablesOf(
  side: SideTable["side"],
  messages: readonly Row[],
  rules: ByRow<QuestionRules> = [],
): Tables {
  const peer = side === "client" ? "server" : "client";
  const rulesOf = byMethod(rules.map(([row, value]) => [row, { rules: value }]));
  const table = (kind: string, notFrom: string) =>
    byMethod(
      messages
        .filter((row) => row.kind === kind && row.sender !== notFrom)
        .map((facts) => [facts, { facts, ...facts.checks, ...rulesOf[facts.method] }]),
    );
  return {
    outgoingRequests: table("request", peer) as Tables["outgoingRequests"],
    incomingRequests: table("request", side) as Tables["incomingRequests"],
    outgoingNotifications: table("notification", peer) as Tables["outgoingNotifications"],
    incomingNotifications: table("notification", side) as Tables["incomingNotifications"],
  };
}

const byMethod = <Value>(entries: ByRow<Value>): { readonly [method: string]: Value } =>
  Object.fromEntries(entries.map(([{ method }, value]) => [method, value]));
