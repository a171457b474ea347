import type { RequestMessage } from "../../ir/model.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  callCode,
  arrayCode,
  type Code,
  code,
  functionType,
  identifier,
  literal,
  signature,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { arrowMember, lambda, matchedVariables, passedVariables, shorthand } from "./calls.js";
import type { ProjectNaming } from "./naming.js";
import { declares, methodKey, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The subscriptions of a server: functions to implement, and the tables that call them. */
export interface WatchersView {
  /** `"resources/subscribe": ({ uri }, context) => watch(options.subscribe, uri, context)`, and the other one */
  readonly handlerEntries: readonly Code[];
  /** `WeatherWatchers` */
  readonly type: Code;
  /** The type of a watch function, as it is written in a table. */
  readonly watchType: Code;
  readonly resources: readonly WatcherView[];
  /** The templates that can be matched, in order. */
  readonly templates: readonly WatcherView[];
}

export interface WatcherView {
  readonly doc: Code | null;
  readonly signature: Code;
  readonly row: Code;
}

const contextParam = code`context: Context`;
const noResult = code`Awaitable<void>`;

/**
 * `constants` belong to the templates that can be matched. Null if the revision has no such requests, or the server does
 * not report changes or has no resources.
 */
export function watchersView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
  constants: readonly Code[],
): WatchersView | null {
  const [subscribe, unsubscribe] = [requestFor(context, "subscribe"), requestFor(context, "unsubscribe")];
  if (subscribe === null || unsubscribe === null || !declares(snapshot, subscribe)) return null;
  const resources = snapshot.resources.map(({ uri }, i): WatcherView => {
    const name = identifier(naming.resources[i] ?? "");
    const call = callCode(code`watchers.${name}?.`, [code`context`]);
    return {
      doc: docComment([`Called for subscriptions to \`${uri}\`.`]),
      signature: signature(code`${name}?`, [contextParam], noResult),
      row: arrayCode([literal(uri), lambda(code`(watchers, context)`, call)]),
    };
  });
  let matchable = 0;
  const templates = snapshot.templates.flatMap((template, i): WatcherView[] => {
    if (template.parts === null) return [];
    const name = identifier(naming.templates[i] ?? "");
    const call = callCode(code`watchers.${name}?.`, [passedVariables(template.parts), code`context`]);
    return [
      {
        doc: docComment([`Called for subscriptions to \`${template.template}\`.`]),
        signature: signature(code`${name}?`, [matchedVariables(template.parts), contextParam], noResult),
        row: shorthand([
          code`parts: ${constants[matchable++] ?? code`[]`}`,
          arrowMember(code`run`, code`(watchers, variables, context)`, call),
        ]),
      },
    ];
  });
  if (resources.length + templates.length === 0) return null;
  const handlerEntry = (request: RequestMessage, watchers: Code): Code =>
    arrowMember(
      methodKey(request),
      code`({ uri }, context)`,
      callCode(code`watch`, [code`options.${watchers}`, code`uri`, code`context`]),
    );
  const type = identifier(`${naming.stem}Watchers`);
  return {
    handlerEntries: [handlerEntry(subscribe, code`subscribe`), handlerEntry(unsubscribe, code`unsubscribe`)],
    type,
    watchType: functionType([code`watchers: ${type}`, contextParam], code`unknown`),
    resources,
    templates,
  };
}
