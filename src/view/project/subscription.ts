import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  callCode,
  type Code,
  code,
  generic,
  identifier,
  literal,
  propertyKey,
  signature,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { arrowMember, type CallView, options } from "./calls.js";
import type { ProjectNaming } from "./naming.js";
import { declares, methodName, requestFor } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** How a client subscribes to resources: by a request for each, or by a stream with a filter. */
export interface SubscriptionView {
  /** `WeatherSubscribe` */
  readonly type: Code;
  readonly isStream: boolean;
  readonly subscribe: Code;
  readonly unsubscribe: Code;
  /** The two requests, as a connection declares them. */
  readonly methods: readonly Code[];
  /** The member of a stream's filter with the watched resources. */
  readonly filter: Code;
  readonly resources: readonly CallView[];
}

/** A stream has no response to wait for: a time limit or progress would not be of the subscription. */
const streamOptions = code`options?: Pick<CallOptions, "signal">`;

/** Null if the server does not report changes or has no resources. */
export function subscriptionView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
  constants: readonly (Code | null)[],
): SubscriptionView | null {
  const [subscribe, unsubscribe] = [requestFor(context, "subscribe"), requestFor(context, "unsubscribe")];
  const listen = requestFor(context, "listen");
  const notification = context.protocol.messages.find(
    (message) => message.kind === "notification" && message.filter !== null && message.subject !== null,
  );
  const filter = notification?.kind === "notification" ? notification.filter : null;
  const request = subscribe ?? (filter === null ? null : listen);
  const message = subscribe ?? notification;
  if (request === null || message === undefined || !declares(snapshot, message)) return null;
  const isStream = subscribe === null;
  const subscription = generic(code`Promise`, [code`Subscription`]);
  const row = (
    member: string,
    uri: Code,
    parameters: readonly Code[],
    names: Code,
    doc: string,
  ): CallView => {
    const name = identifier(member);
    return {
      doc: docComment([doc]),
      signature: signature(name, [...parameters, isStream ? streamOptions : options], subscription),
      call: arrowMember(name, names, callCode(code`subscribe`, [code`caller`, uri, code`options`])),
    };
  };
  const fixedViews = snapshot.resources.map(({ uri }, i) =>
    row(naming.resources[i] ?? "", literal(uri), [], code`(options)`, `Subscribes to \`${uri}\`.`),
  );
  const templateViews = snapshot.templates.flatMap(({ template }, i) => {
    const constant = constants[i];
    if (constant === null || constant === undefined) return [];
    const uri = code`expand(${constant}, { ...variables })`;
    const parameter = code`variables: t.${naming.variables(i)}`;
    const names = code`(variables, options)`;
    return [row(naming.templates[i] ?? "", uri, [parameter], names, `Subscribes to \`${template}\`.`)];
  });
  if (fixedViews.length + templateViews.length === 0) return null;
  const methods = [subscribe, unsubscribe].map((message) =>
    message === null ? code`unsubscribe` : methodName(context, message),
  );
  return {
    type: identifier(`${naming.stem}Subscribe`),
    isStream,
    subscribe: methodName(context, request),
    unsubscribe: unsubscribe === null ? code`unsubscribe` : methodName(context, unsubscribe),
    filter: propertyKey(filter ?? ""),
    methods: methods.map((name) =>
      signature(name, [code`params: { uri: string }`, options], generic(code`Promise`, [code`unknown`])),
    ),
    resources: [...fixedViews, ...templateViews],
  };
}
