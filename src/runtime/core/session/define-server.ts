import type { Downgrade, Downgrades } from "../tables.js";
import type { ServerQuestions, ServerSide } from "./config.js";
import { byMethod, type ByRow, type Messages, type SideDefinition, tablesOf } from "./side.js";

export interface ServerSideDefinition extends SideDefinition, Pick<ServerSide, "levels" | "engine"> {
  readonly downgrades: Pick<Downgrades, "tag" | "params"> & { readonly results: ByRow<Downgrade> };
}

export interface ServerQuestionsDefinition
  extends Messages, Pick<ServerQuestions, "revision" | "askOnWire" | "answerInRounds" | "input"> {}

/** Makes the tables of a server, which sends no requests. */
export function defineServerSide({ messages, downgrades, ...side }: ServerSideDefinition): ServerSide {
  return {
    ...side,
    side: "server",
    ...tablesOf("server", messages),
    outgoingRequests: {},
    downgrades: { ...downgrades, results: byMethod(downgrades.results) },
  };
}

/** Makes the tables with which a server sends requests. */
export function defineServerQuestions(definition: ServerQuestionsDefinition): ServerQuestions {
  const { messages, questions, rules, ...others } = definition;
  const { outgoingRequests } = tablesOf("server", [...messages, ...questions], rules);
  return { ...others, outgoingRequests };
}
