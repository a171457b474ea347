import { answering } from "./answer.js";
import type { ClientQuestions, ClientSide } from "./config.js";
import { type Messages, type SideDefinition, tablesOf } from "./side.js";

export interface ClientSideDefinition extends SideDefinition, Pick<ClientSide, "engine"> {}

export interface ClientQuestionsDefinition
  extends Messages, Pick<ClientQuestions, "revision" | "input" | "failures"> {}

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
