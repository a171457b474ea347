import { type Code, code, generic, intersectionCode, propertyKey, signature } from "../typescript/code.js";
import type { HandlerView } from "../client.js";
import { clientNotices, clientRequests, resultType } from "../roles/index.js";
import { anyParams, everyIdentity, shared, sharedDoc } from "./shared.js";
import type { Entry } from "./view.js";

/** `connect` over several revisions. */
export interface ClientsView {
  readonly imports: readonly Code[];
  readonly handlers: readonly HandlerView[];
  readonly info: Code;
  readonly capabilities: Code;
  /** `[side, Client]` of each revision. */
  readonly sides: readonly Code[];
}

export function clientsView(entries: readonly Entry[]): ClientsView {
  const asked = shared(entries, clientRequests);
  const told = shared(entries, clientNotices);
  return {
    imports: [
      ...(asked.length > 0 ? [code`type Awaitable`, code`type ClientContext`] : []),
      code`type ClientSettings`,
      code`negotiate`,
      code`type Transport`,
    ],
    handlers: [
      ...asked.map((entry): HandlerView => {
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
      ...told.map((entry): HandlerView => {
        const name = code`${propertyKey(entry.method)}?`;
        return { doc: sharedDoc(entries, entry), signature: signature(name, [anyParams(entry)], code`void`) };
      }),
    ],
    info: everyIdentity(entries, "info"),
    capabilities: everyIdentity(entries, "clientCapabilities"),
    sides: entries.map(({ view }) => code`[${view.client}.clientSide, ${view.client}.Client]`),
  };
}
