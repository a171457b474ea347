import type {
  Downgrade,
  Downgrades,
  NotificationRow,
  QuestionRules,
  RequestRow,
  SideTable,
} from "../tables.js";
import type { ServerQuestions, ServerSide } from "./config.js";

/** A value for each of some messages. */
type ByRow<Value> = readonly (readonly [
  row: { readonly method: string },
  value: Value,
])[];

/**
 * The messages of a revision in two lists, so that a program bundles the second
 * one only if it sends or answers its requests.
 */
export interface Messages {
  /** All messages but the requests that only a server sends. */
  readonly messages: readonly Row[];
  readonly questions: readonly RequestRow[];
  /** The rules of the specification for requests of a server. */
  readonly rules?: ByRow<QuestionRules>;
}
type Row = RequestRow | NotificationRow;

/** A side as generated code describes it. */
export interface SideDefinition
  extends
    Pick<Messages, "messages">,
    Pick<
      SideTable,
      "revision" | "lastIssue" | "failures" | "capabilities" | "extensions"
    > {}

type Tables = Pick<
  SideTable,
  | "outgoingRequests"
  | "incomingRequests"
  | "outgoingNotifications"
  | "incomingNotifications"
>;

/** The tables of a side by method. */
export function tablesOf(
  side: SideTable["side"],
  messages: readonly Row[],
): Tables {
  const peer = side === "client" ? "server" : "client";
  const table = (kind: string, notFrom: string) =>
    byMethod(
      messages
        .filter((row) => row.kind === kind && row.sender !== notFrom)
        .map((row) => [row, row]),
    );
  return {
    outgoingRequests: table("request", peer) as Tables["outgoingRequests"],
    incomingRequests: table("request", side) as Tables["incomingRequests"],
    outgoingNotifications: table(
      "notification",
      peer,
    ) as Tables["outgoingNotifications"],
    incomingNotifications: table(
      "notification",
      side,
    ) as Tables["incomingNotifications"],
  };
}

/** All messages of a revision, with their rules. */
export function allMessages({
  messages,
  questions,
  rules = [],
}: Messages): readonly Row[] {
  const rulesOf = byMethod(
    rules.map(([row, value]) => [row, { rules: value }]),
  );
  return [...messages, ...questions].map((row) => ({
    ...row,
    ...rulesOf[row.method],
  }));
}

const byMethod = <Value>(
  entries: ByRow<Value>,
): { readonly [method: string]: Value } =>
  Object.fromEntries(entries.map(([{ method }, value]) => [method, value]));

export interface ServerSideDefinition
  extends SideDefinition, Pick<ServerSide, "levels" | "engine"> {
  readonly downgrades: Omit<Downgrades, "results"> & {
    readonly results: ByRow<Downgrade>;
  };
}

export interface ServerQuestionsDefinition
  extends
    Messages,
    Pick<
      ServerQuestions,
      "revision" | "askOnWire" | "answerInRounds" | "input"
    > {}

/** Makes the tables of a server, which sends no requests. */
export function defineServerSide({
  messages,
  downgrades,
  ...side
}: ServerSideDefinition): ServerSide {
  return {
    ...side,
    side: "server",
    ...tablesOf("server", messages),
    outgoingRequests: {},
    downgrades: { ...downgrades, results: byMethod(downgrades.results) },
  };
}

/** Makes the tables with which a server sends requests. */
export function defineServerQuestions(
  definition: ServerQuestionsDefinition,
): ServerQuestions {
  const { messages: _, questions: _1, rules: _2, ...others } = definition;
  const { outgoingRequests } = tablesOf("server", allMessages(definition));
  return { ...others, outgoingRequests };
}
