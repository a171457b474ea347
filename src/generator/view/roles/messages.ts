import { anything } from "../../ir/constraint.js";
import {
  names,
  requestRules,
  type SelectedResult,
  selectedResults,
} from "../../ir/facts.js";
import { isOtherKind, kindOf } from "../../ir/derive/results.js";
import { factMethod } from "../../ir/renamed.js";
import {
  constantIn,
  itemsIn,
  propertiesIn,
  typeIn,
} from "../../ir/constraint/form.js";
import { flatten, flattenSchema } from "../../ir/flatten.js";
import { type Index, index } from "../../ir/lookup.js";
import type {
  Extension,
  Message,
  NotificationMessage,
  Protocol,
  RequestMessage,
  Side,
} from "../../ir/model.js";
import {
  type Code,
  code,
  identifier,
  propertyKey,
  unionCode,
} from "../typescript/code.js";
import {
  revisionPrinter,
  typeCode,
  type TypeNamer,
} from "../typescript/declaration.js";
import { deprecationOf, docComment, paragraphs } from "../typescript/doc.js";
import { printType } from "../typescript/schema-type.js";
import type { Naming } from "../naming.js";
import type { ParamsPlan } from "../plan/params.js";

/** One revision, with the names and types of its files. */
export interface RevisionContext {
  readonly protocol: Protocol;
  readonly declarations: Index;
  readonly plan: ParamsPlan;
  readonly naming: Naming;
  /** How this file writes a type of the revision. */
  readonly typeName: TypeNamer;
}

export function revisionContext(
  protocol: Protocol,
  plan: ParamsPlan,
  naming: Naming,
): RevisionContext {
  return {
    protocol,
    plan,
    naming,
    typeName: naming.importedType,
    declarations: index(protocol),
  };
}

export function requests({ protocol }: RevisionContext): RequestMessage[] {
  return protocol.messages.filter((message) => message.kind === "request");
}

export function notifications({
  protocol,
}: RevisionContext): NotificationMessage[] {
  return protocol.messages.filter((message) => message.kind === "notification");
}

export function sentBy(side: Side, message: Message): boolean {
  return message.sender === side || message.sender === "either";
}

export function receivedBy(side: Side, message: Message): boolean {
  return sentBy(side === "client" ? "server" : "client", message);
}

/**
 * The runtime's rules for a request of a server to its client; null without
 * any.
 */
export function rulesOf(
  { protocol, declarations }: RevisionContext,
  message: Message,
): Code | null {
  const method = factMethod(message, protocol.messages);
  const row = requestRules.find(
    (fact) => fact.method === method && declarations.has(fact.marker),
  );
  return row === undefined ? null : identifier(row.rules);
}

/** The names of all rules that the tables of a client and a server use. */
export function allRules(context: RevisionContext): Code[] {
  return requests(context).flatMap(
    (message) => rulesOf(context, message) ?? [],
  );
}

export function wireKey(message: Message): Code {
  return propertyKey(message.method);
}

/** The message's own prose, followed by further sentences. */
export function messageDoc(
  { declarations }: RevisionContext,
  message: Message,
  sentences: readonly string[],
): Code | null {
  const { text, tags } =
    declarations.get(message.name)?.schema.doc ?? anything.doc;
  return docComment([...paragraphs(text), ...sentences], deprecationOf(tags));
}

/**
 * ``Needs the server's capability `tools`.`` for the sender of the message;
 * empty without a capability.
 */
export function needsSentence(
  context: RevisionContext,
  message: Message,
): string[] {
  const { capability } = message;
  const extension = extensionOf(context, message.name);
  if (extension !== undefined)
    return [
      `Belongs to the extension \`${extension.id}\`, which ${extension.declaredBy ? "the server declares" : "both sides declare"}.`,
    ];
  if (capability === null) return [];
  const owner =
    capability.side === "receiver" ? "receiver's" : `${capability.side}'s`;
  return [`Needs the ${owner} capability \`${capability.path}\`.`];
}

/** A params parameter of a function: its type, and whether it is optional. */
export interface ParamsText {
  readonly type: Code;
  readonly optional: boolean;
}

/** The params of a handler; null if the message has none. */
export function handlerParams(
  { plan, typeName }: RevisionContext,
  message: Message,
): ParamsText | null {
  const name = plan.byMethod.get(message.method);
  if (name === null || name === undefined) return null;
  return { type: typeName(name.name), optional: name.presence === "optional" };
}

/** The params of a caller: those of a handler with optional engine defaults. */
export function callerParams(
  context: RevisionContext,
  message: Message,
): ParamsText | null {
  const params = handlerParams(context, message);
  const { byMethod, roleTypes } = context.plan;
  const name = roleTypes.params.get(byMethod.get(message.method)?.name ?? "");
  if (params === null || name === undefined || message.kind !== "request")
    return params;
  const type = roleTypes.types.find((entry) => entry.name === name);
  const members = type && propertiesIn(type.schema);
  const isOptional =
    params.optional || members?.every(({ optional }) => optional) === true;
  return { type: context.typeName(name), optional: isOptional };
}

/** The type of the ordinary result of a request. */
export function resultType(
  { typeName }: RevisionContext,
  { results }: RequestMessage,
): Code {
  const [first] = results;
  return first === undefined ? code`unknown` : typeName(first);
}

/**
 * The member of the params that selects another kind of result, its type, and
 * that result; undefined without one.
 */
export function augmentOf(
  { declarations }: RevisionContext,
  { results }: RequestMessage,
): SelectedResult | undefined {
  return selectedResults.find(
    ({ result, type }) => results.includes(result) && declarations.has(type),
  );
}

/**
 * The extension that a declaration belongs to; undefined for the revision's
 * own.
 */
export function extensionOf(
  { protocol }: RevisionContext,
  name: string,
): Extension | undefined {
  return protocol.extensions.find(({ adds }) => adds.includes(name));
}

/** The subject of a notification, if all other members are optional. */
export function onlySubject(
  { declarations }: RevisionContext,
  message: NotificationMessage,
): string | null {
  const { schema } = message.params;
  const properties =
    schema === null
      ? undefined
      : flattenSchema(declarations, schema)?.properties;
  const hasOnlySubject = properties?.every(
    ({ name, optional }) => optional || name === message.subject,
  );
  return hasOnlySubject === true ? message.subject : null;
}

/**
 * The results of a request other than the ordinary one and the request for
 * input, by kind, each with the extension that adds it. A task, which has the
 * member that identifies it in other requests, is the first.
 */
export function variantsOf(
  context: RevisionContext,
  { results }: RequestMessage,
): {
  readonly kind: string;
  readonly result: string;
  readonly extension: string | undefined;
}[] {
  const { declarations, protocol } = context;
  const variants = results.slice(1).flatMap((result) => {
    const kind = kindOf(declarations, result);
    const extension = extensionOf(context, result)?.id;
    return kind === null || result === names.inputResult
      ? []
      : [{ kind, result, extension }];
  });
  const getTask = requests(context).find(
    ({ method }) => method === protocol.wellKnown.getTask,
  );
  const isTask = ({ result }: { readonly result: string }): boolean =>
    flatten(declarations, result)?.properties.some(
      ({ name }) => name === getTask?.headerMember,
    ) === true;
  return variants.sort((a, b) => Number(isTask(b)) - Number(isTask(a)));
}

/**
 * The return type of a handler: the result without engine defaults, or the
 * request for input.
 */
export function returnType(
  context: RevisionContext,
  message: RequestMessage,
): Code {
  const ordinary = ordinaryType(context, message);
  const [, ...others] = message.results;
  const otherKinds = others.filter((name) =>
    isOtherKind(context.declarations, name),
  );
  return otherKinds.length === 0
    ? ordinary
    : unionCode([
        ordinary,
        ...otherKinds.map((name) => handlerResultType(context, name)),
      ]);
}

/** The ordinary result as a handler returns it. */
export function ordinaryType(
  context: RevisionContext,
  { results }: RequestMessage,
): Code {
  const [result] = results;
  return result === undefined
    ? code`unknown`
    : handlerResultType(context, result);
}

const handlerResultType = (
  { plan, typeName }: RevisionContext,
  name: string,
): Code => typeName(plan.roleTypes.results.get(name) ?? name);

/** The required members of this result that the engine supplies. */
export function engineDefaultsOf(
  { protocol, declarations }: RevisionContext,
  result: string,
): Protocol["engineDefaults"] {
  const properties = flatten(declarations, result)?.properties ?? [];
  return protocol.engineDefaults.filter(
    ({ object, member }) =>
      object === "result" &&
      properties.some(({ name, optional }) => name === member && !optional),
  );
}

/** The type of one item of a paginated list. */
export function itemType(
  { declarations, typeName }: RevisionContext,
  { items, results }: RequestMessage,
): Code | null {
  const [result] = results;
  if (items === null || result === undefined) return null;
  const list = flatten(declarations, result)?.properties.find(
    ({ name }) => name === items,
  )?.schema;
  if (list === undefined || typeIn(list) !== "array") return null;
  return typeCode(
    printType(itemsIn(list), declarations, revisionPrinter(typeName)),
  );
}

/**
 * The guard of a declaration, as other files write it; a guard that accepts
 * anything if there is none.
 */
export function guardOf(
  { naming }: RevisionContext,
  name: string | undefined,
): Code {
  return name === undefined ? code`() => true` : code`v.${naming.guard(name)}`;
}

/** The error responses with a type of their own, by code. */
export function errorResponses({
  protocol,
  declarations,
}: RevisionContext): (readonly [code: string, name: string])[] {
  return protocol.declarations.flatMap(({ name: response, bases, schema }) => {
    const isResponse = bases.some(({ name }) =>
      names.errorResponses.includes(name),
    );
    const error = propertiesIn(schema).find(({ name }) => name === names.error);
    if (!isResponse || !error) return [];
    const { properties = [] } = flattenSchema(declarations, error.schema) ?? {};
    const member = properties.find(({ name }) => name === names.code);
    const code = member && constantIn(member.schema);
    const hasData = properties.some(
      ({ name, optional }) => name === names.data && !optional,
    );
    return code !== undefined && hasData
      ? [[String(code), response] as const]
      : [];
  });
}

/** The schema object of a declaration, as other files write it. */
export function schemaOf(
  { naming }: RevisionContext,
  name: string | undefined,
): Code {
  return name === undefined ? code`anything` : code`v.${naming.schema(name)}`;
}
