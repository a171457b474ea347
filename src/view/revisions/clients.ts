import {
  arrayCode,
  type Code,
  code,
  generic,
  intersectionCode,
  propertyKey,
  signature,
} from "../typescript/code.js";
import type { HandlerView } from "../client.js";
import { notificationsToClient, requestsToClient, resultType } from "../roles/index.js";
import { anyParams, commonIdentity, sharedMessages, sharedDoc, type Entry } from "./shared.js";

/** `connect` over several revisions. */
export interface ClientsView {
  readonly imports: readonly Code[];
  readonly handlers: readonly HandlerView[];
  readonly info: Code;
  readonly clientCapabilities: Code;
  /** `[side, Client]` of each revision. */
  readonly sides: readonly Code[];
  /** The tables of questions of all revisions. */
  readonly questions: Code;
}

export function clientsView(entries: readonly Entry[]): ClientsView {
  const requests = sharedMessages(entries, requestsToClient);
  const notifications = sharedMessages(entries, notificationsToClient);
  return {
    imports: [
      ...(requests.length > 0 ? [code`type Awaitable`, code`type ClientContext`] : []),
      code`type ClientQuestions`,
      code`type ClientSettings`,
      code`negotiate`,
      code`type Transport`,
    ],
    handlers: [
      ...requests.map((entry): HandlerView => {
        const results = entry.of.map(({ context, message }) => resultType(context, message));
        return {
          doc: sharedDoc(entries, entry),
          signature: signature(
            code`${propertyKey(entry.method)}?`,
            [anyParams(entry), code`context: ClientContext`],
            generic(code`Awaitable`, [intersectionCode(results)]),
          ),
        };
      }),
      ...notifications.map((entry): HandlerView => {
        const name = code`${propertyKey(entry.method)}?`;
        return { doc: sharedDoc(entries, entry), signature: signature(name, [anyParams(entry)], code`void`) };
      }),
    ],
    info: commonIdentity(entries, "info"),
    clientCapabilities: commonIdentity(entries, "clientCapabilities"),
    sides: entries.map(({ view }) => code`[${view.client}.clientSide, ${view.client}.Client]`),
    questions: arrayCode(entries.map(({ view }) => code`${view.client}.clientQuestions`)),
  };
}
