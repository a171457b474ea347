import type { Snapshot } from "../../ir/snapshot/model.js";
import { type Code, code, identifier, signature } from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { matchedVariables } from "./calls.js";
import type { ProjectNaming } from "./naming.js";
import { declares, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The type of functions that are called for subscriptions. */
export interface WatchersView {
  /** `WeatherWatchers` */
  readonly type: Code;
  readonly members: readonly { readonly doc: Code | null; readonly signature: Code }[];
}

/** Null if the revision has no such requests, or the server does not report changes or has no resources. */
export function watchersView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
): WatchersView | null {
  const [subscribe, unsubscribe] = [requestFor(context, "subscribe"), requestFor(context, "unsubscribe")];
  if (subscribe === null || unsubscribe === null || !declares(snapshot, subscribe)) return null;
  const member = (uri: string, name: string | undefined, parameters: readonly Code[]) => ({
    doc: docComment([`Called for subscriptions to \`${uri}\`.`]),
    signature: signature(
      code`${identifier(name ?? "")}?`,
      [...parameters, code`context: Context`],
      code`Awaitable<void>`,
    ),
  });
  const members = [
    ...snapshot.resources.map(({ uri }, i) => member(uri, naming.resources[i], [])),
    ...snapshot.templates.flatMap(({ template, parts }, i) =>
      parts === null ? [] : [member(template, naming.templates[i], [matchedVariables(parts)])],
    ),
  ];
  return members.length === 0 ? null : { type: identifier(`${naming.stem}Watchers`), members };
}
