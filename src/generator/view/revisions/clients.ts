import {
  arrayCode,
  type Code,
  code,
  generic,
  intersectionCode,
} from "../typescript/code.js";
import {
  handlerSignature,
  notificationsToClient,
  requestsToClient,
  resultType,
  type SignatureView,
} from "../roles/index.js";
import {
  commonIdentity,
  sharedMessages,
  sharedDoc,
  type Entry,
} from "./shared.js";

/** `connect` over several revisions. */
export interface ClientsView {
  readonly imports: readonly Code[];
  readonly handlers: readonly SignatureView[];
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
  const imports = [
    ...(requests.length > 0
      ? [code`type Awaitable`, code`type ClientContext`]
      : []),
    code`type ClientQuestions`,
    code`type ClientSettings`,
    code`negotiate`,
    code`type Transport`,
  ];
  const handlers = [
    ...requests.map((versions) => {
      const results = versions.map(({ context, message }) =>
        resultType(context, message),
      );
      const type = generic(code`Awaitable`, [intersectionCode(results)]);
      return {
        doc: sharedDoc(entries, versions),
        signature: handlerSignature(
          versions,
          [code`context: ClientContext`],
          type,
        ),
      };
    }),
    ...notifications.map((versions) => ({
      doc: sharedDoc(entries, versions),
      signature: handlerSignature(versions, [], code`void`),
    })),
  ];
  return {
    imports,
    handlers,
    info: commonIdentity(entries, "info"),
    clientCapabilities: commonIdentity(entries, "clientCapabilities"),
    sides: entries.map(
      ({ view }) => code`[${view.client}.clientSide, ${view.client}.Client]`,
    ),
    questions: arrayCode(
      entries.map(({ view }) => code`${view.client}.clientQuestions`),
    ),
  };
}
