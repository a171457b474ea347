import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  callCode,
  type Code,
  code,
  generic,
  identifier,
  literal,
  nameList,
  signature,
  unionCode,
} from "../typescript/code.js";
import {
  arrowMember,
  type CallView,
  options,
  promptCalls,
  shorthand,
  templateCalls,
  type TemplateCallView,
  toolCalls,
} from "./calls.js";
import { completionView, type CompletionView } from "./completion.js";
import { entryDoc } from "./docs.js";
import type { ProjectNaming } from "./naming.js";
import { type ServerFeatures, serverFeatures } from "../plan/server-features.js";
import { type OutputTypes, outputTypeOf } from "./output-types.js";
import { subscriptionView, type SubscriptionView } from "./subscription.js";
import { memberType, methodName, requestFor, resultOf } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** `client.ts` of a project: what a server offers, as documented functions over any connection. */
export interface ProjectClientView extends ServerFeatures {
  readonly callTool: Code;
  readonly getPrompt: Code;
  readonly readResource: Code;
  /** The blocks of a tool's result. */
  readonly content: Code;
  readonly clientType: Code;
  readonly toolsType: Code;
  readonly promptsType: Code;
  readonly resourcesType: Code;
  readonly readOnlyType: Code;
  readonly readOnly: Code;
  readonly create: Code;
  /** `{ createWeatherClient, type WeatherClient }` */
  readonly clientImports: Code;
  /** `createWeatherClient(caller: Caller): WeatherClient` */
  readonly heading: Code;
  readonly connect: Code;
  readonly connectedType: Code;
  readonly tools: readonly CallView[];
  readonly prompts: readonly CallView[];
  readonly resources: readonly CallView[];
  readonly templates: readonly TemplateCallView[];
  /** True if the project declares types of results. */
  readonly hasOutputTypes: boolean;
  readonly completion: CompletionView | null;
  readonly subscription: SubscriptionView | null;
  /** The return type of `create`. */
  readonly clientObject: Code;
}

export function projectClientView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
  outputTypes: OutputTypes,
): ProjectClientView {
  const call = requestFor(context, "callTool");
  const get = requestFor(context, "getPrompt");
  const readRequest = requestFor(context, "readResource");
  const typeName = (suffix: string): Code => identifier(`${naming.stem}${suffix}`);
  const create = identifier(`create${naming.stem}Client`);
  const tools = toolCalls(snapshot, naming, outputTypes);
  const prompts = promptCalls(snapshot, naming, resultOf(context, get));
  const contents = generic(code`Promise`, [resultOf(context, readRequest)]);
  const resources = snapshot.resources.map((entry, i): CallView => {
    const name = identifier(naming.resources[i] ?? "");
    const value = code`caller.${readRequest === null ? code`readResource` : methodName(context, readRequest)}`;
    return {
      doc: entryDoc(entry, [`Reads \`${entry.uri}\`.`]),
      signature: signature(name, [options], contents),
      call: arrowMember(
        name,
        code`(options)`,
        code`${callCode(value, [code`{ uri: ${literal(entry.uri)} }`, code`options`])} as Promise<never>`,
      ),
    };
  });
  const templateViews = templateCalls(
    snapshot,
    naming,
    contents,
    readRequest === null ? code`readResource` : methodName(context, readRequest),
  );
  const templates = templateViews.filter((call) => call !== null);
  const completion = completionView(snapshot, naming, context);
  const constants = templateViews.map((call) => call?.constant ?? null);
  const subscription = subscriptionView(snapshot, naming, context, constants);
  const offers = serverFeatures(snapshot);
  const { hasTools, hasPrompts, hasResources, hasAny } = offers;
  const others = [...(hasPrompts ? [code`prompts`] : []), ...(hasResources ? [code`resources`] : [])];
  const readOnlyNames = naming.tools.filter((_, i) => snapshot.tools[i]?.hints.readOnly === true);
  const readOnlyTools = shorthand(
    readOnlyNames.map((name) => code`${identifier(name)}: tools.${identifier(name)}`),
  );
  return {
    ...offers,
    hasOutputTypes: snapshot.tools.some(
      ({ name, output }) => output === null && outputTypeOf(outputTypes, name) !== null,
    ),
    completion,
    subscription,
    callTool: call === null ? code`callTool` : methodName(context, call),
    getPrompt: get === null ? code`getPrompt` : methodName(context, get),
    readResource: readRequest === null ? code`readResource` : methodName(context, readRequest),
    content: memberType(context, call, "content"),
    clientType: typeName("Client"),
    toolsType: typeName("Tools"),
    promptsType: typeName("Prompts"),
    resourcesType: typeName("Resources"),
    readOnlyType: typeName("ReadOnly"),
    readOnly: generic(code`Pick`, [
      typeName("Tools"),
      readOnlyNames.length === 0 ? code`never` : unionCode(readOnlyNames.map((name) => literal(name))),
    ]),
    create,
    clientImports: nameList([create, code`type ${typeName("Client")}`]),
    heading: signature(create, [code`${hasAny ? code`caller` : code`_caller`}: Caller`], typeName("Client")),
    connect: identifier(`connect${naming.stem}`),
    connectedType: typeName("Connected"),
    tools,
    prompts,
    resources,
    templates,
    clientObject: shorthand([
      ...(hasTools ? [code`tools`] : []),
      ...others,
      ...(completion === null
        ? []
        : [
            code`complete: ${shorthand([
              ...(completion.prompts.length > 0 ? [code`prompts: completePrompts`] : []),
              ...(completion.templates.length > 0 ? [code`resources: completeResources`] : []),
            ])}`,
          ]),
      ...(subscription === null ? [] : [code`subscribe: watchers`]),
      ...(hasTools ? [code`readOnly: ${shorthand([code`tools: ${readOnlyTools}`, ...others])}`] : []),
    ]),
  };
}
