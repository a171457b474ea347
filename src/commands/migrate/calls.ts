import { ts } from "ts-morph";
import { member, type Program } from "./source.js";

/** A call of an old library in a handler, and what replaces it. */
export interface CallTransform {
  readonly id: string;
  readonly title: string;
  /** A statement in the handler of a tool, which is run as a test. */
  readonly example: readonly [before: string, after: string];
  /**
   * What is called: a member of the old context, or of the server; both without
   * the `server` between.
   */
  readonly calls: readonly string[];
  /** The new text; null if the arguments cannot be read. */
  convert(call: OldCall): string | null;
}

/** A call that is read. */
export interface OldCall {
  readonly program: Program;
  readonly args: readonly ts.Expression[];
  /** The new context in this handler, and the server. */
  readonly context: string;
  readonly server: string;
  /** True in a tool, resource or prompt, whose context has short forms. */
  readonly isFeature: boolean;
}

/** The texts of members of an object literal; null if one more is in it. */
function membersIn(
  { program, args: [object] }: OldCall,
  ...names: readonly string[]
): readonly string[] | null {
  if (object === undefined || !ts.isObjectLiteralExpression(object))
    return null;
  const keys = object.properties.map(({ name }) => name?.getText() ?? "...");
  if (!keys.every((key) => names.includes(key))) return null;
  return names.map((name) => {
    const value = member(object, name);
    return value ? program.textOf(value) : "";
  });
}

/** Arguments without the empty ones at the end. */
function listed(texts: readonly string[]): string {
  const named = texts.map((text) => text || "undefined");
  while (named.at(-1) === "undefined") named.pop();
  return named.join(", ");
}

/** The options of a question, the last argument. */
const optionsOf = ({ program, args }: OldCall, at: number): string =>
  args[at] ? program.textOf(args[at]) : "";

const whole = ({ program, args }: OldCall): string =>
  args[0] ? program.textOf(args[0]) : "";

const methodOf = (call: OldCall): string =>
  membersIn(call, "method", "params")?.[0] ?? "";

/**
 * The members of the params of a notification of this type; null for another
 * one.
 */
function paramsOf(
  call: OldCall,
  type: string,
  ...names: readonly string[]
): readonly string[] | null {
  const method = call.program.options.methods.get(type);
  if (methodOf(call).slice(1, -1) !== method) return null;
  const [object] = call.args;
  const params = member(object as ts.ObjectLiteralExpression, "params");
  return params ? membersIn({ ...call, args: [params] }, ...names) : null;
}

/** A question, by the type of its request. */
const asks =
  (type: string) =>
  (call: OldCall): string => {
    const method = JSON.stringify(call.program.options.methods.get(type));
    const texts = [method, whole(call), optionsOf(call, 1)];
    return `${call.context}.request(${listed(texts)})`;
  };

/** A notification to all clients, which needs no context. */
const announces =
  (name: string) =>
  (call: OldCall): string =>
    `${call.server}.notify.${name}(${whole(call)})`;

const notifies = [
  "context.sendNotification",
  "context.mcpReq.notify",
  "server.notification",
];

/** In this order: the first one that can read a call converts it. */
export const callTransforms: readonly CallTransform[] = [
  {
    id: "log",
    title: "a log message",
    example: [
      `await server.sendLoggingMessage({ level: "info", data: "Begun." }, extra.sessionId);`,
      `await extra.log("info", "Begun.");`,
    ],
    calls: ["server.sendLoggingMessage"],
    convert: (call) => {
      const texts = membersIn(call, "level", "data", "logger");
      return texts && `${call.context}.log(${listed(texts)})`;
    },
  },
  {
    id: "log-message",
    title: "a log message as a notification",
    example: [
      `await extra.sendNotification({ method: "notifications/message", params: { level: "info", data: 1 } });`,
      `await extra.log("info", 1);`,
    ],
    calls: notifies,
    convert: (call) => {
      const names = ["level", "data", "logger"];
      const texts = paramsOf(call, "LoggingMessageNotification", ...names);
      return texts && `${call.context}.log(${listed(texts)})`;
    },
  },
  {
    id: "progress",
    title: "progress",
    example: [
      `await extra.sendNotification({ method: "notifications/progress", params: { progressToken: 1, progress: 2, total: 3 } });`,
      `await extra.progress(2, 3);`,
    ],
    calls: notifies,
    convert: (call) => {
      const names = ["progress", "total", "message", "progressToken"];
      const texts = paramsOf(call, "ProgressNotification", ...names);
      return texts && `${call.context}.progress(${listed(texts.slice(0, 3))})`;
    },
  },
  {
    id: "report-progress",
    title: "progress of FastMCP",
    example: [
      `await extra.reportProgress({ progress: 2, total: 3 });`,
      `await extra.progress(2, 3);`,
    ],
    calls: ["context.reportProgress"],
    convert: (call) => {
      const texts = membersIn(call, "progress", "total");
      return texts && `${call.context}.progress(${listed(texts)})`;
    },
  },
  {
    id: "notify",
    title: "a notification",
    example: [
      `await extra.sendNotification({ method: "notifications/resources/updated", params: { uri: "a://b" } });`,
      `await extra.notify("notifications/resources/updated", { uri: "a://b" });`,
    ],
    calls: notifies,
    convert: (call) => {
      const texts = membersIn(call, "method", "params");
      return texts && `${call.context}.notify(${listed(texts)})`;
    },
  },
  {
    id: "elicit",
    title: "a form for the user",
    example: [
      `const answer = await server.server.elicitInput({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });`,
      `const answer = await extra.elicit("Sure?", { type: "object", properties: {} });`,
    ],
    calls: [
      "server.elicitInput",
      "context.mcpReq.elicitInput",
      "context.elicit",
    ],
    convert: (call) => {
      const texts = membersIn(call, "message", "requestedSchema", "mode");
      return call.isFeature && texts && /^(["']form["'])?$/.test(texts[2] ?? "")
        ? `${call.context}.elicit(${listed([...texts.slice(0, 2), optionsOf(call, 1)])})`
        : asks("ElicitRequest")(call);
    },
  },
  {
    id: "sample",
    title: "a question to the model",
    example: [
      `const answer = await server.server.createMessage({ messages: [], maxTokens: 9 });`,
      `const answer = await extra.request("sampling/createMessage", { messages: [], maxTokens: 9 });`,
    ],
    calls: [
      "server.createMessage",
      "context.mcpReq.requestSampling",
      "context.session.requestSampling",
    ],
    convert: asks("CreateMessageRequest"),
  },
  {
    id: "roots",
    title: "the roots of the client",
    example: [
      `const { roots } = await server.server.listRoots();`,
      `const { roots } = await extra.request("roots/list");`,
    ],
    calls: ["server.listRoots"],
    convert: asks("ListRootsRequest"),
  },
  {
    id: "request",
    title: "another request to the client",
    example: [
      `const answer = await extra.sendRequest({ method: "roots/list" }, schema, { timeout: 9 });`,
      `const answer = await extra.request("roots/list", undefined, { timeout: 9 });`,
    ],
    calls: ["context.sendRequest", "context.mcpReq.send", "server.request"],
    convert: (call) => {
      const texts = membersIn(call, "method", "params");
      return (
        texts &&
        `${call.context}.request(${listed([...texts, optionsOf(call, 2)])})`
      );
    },
  },
  {
    id: "capabilities",
    title: "the capabilities of the client",
    example: [
      `if (server.server.getClientCapabilities()?.roots) return;`,
      `if (extra.client.capabilities?.roots) return;`,
    ],
    calls: ["server.getClientCapabilities"],
    convert: ({ context }) => `${context}.client.capabilities`,
  },
  {
    id: "client",
    title: "the name and version of the client",
    example: [
      `const name = server.server.getClientVersion()?.name;`,
      `const name = extra.client.info?.name;`,
    ],
    calls: ["server.getClientVersion"],
    convert: ({ context }) => `${context}.client.info`,
  },
  {
    id: "list-changed",
    title: "a list that changed",
    example: [
      `server.sendToolListChanged();`,
      `server.notify.toolsListChanged();`,
    ],
    calls: ["server.sendToolListChanged"],
    convert: announces("toolsListChanged"),
  },
  {
    id: "resource-list-changed",
    title: "the list of resources that changed",
    example: [
      `server.sendResourceListChanged();`,
      `server.notify.resourcesListChanged();`,
    ],
    calls: ["server.sendResourceListChanged"],
    convert: announces("resourcesListChanged"),
  },
  {
    id: "prompt-list-changed",
    title: "the list of prompts that changed",
    example: [
      `server.sendPromptListChanged();`,
      `server.notify.promptsListChanged();`,
    ],
    calls: ["server.sendPromptListChanged"],
    convert: announces("promptsListChanged"),
  },
  {
    id: "resource-updated",
    title: "a resource that changed",
    example: [
      `await server.server.sendResourceUpdated({ uri: "a://b" });`,
      `await server.notify.resourceUpdated({ uri: "a://b" });`,
    ],
    calls: ["server.sendResourceUpdated"],
    convert: announces("resourceUpdated"),
  },
];
