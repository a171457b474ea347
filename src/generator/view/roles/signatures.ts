import { names } from "../../ir/facts.js";
import type { Message, RequestMessage } from "../../ir/model.js";
import {
  annotation,
  type Code,
  code,
  generic,
  intersectionCode,
  literal,
  signature,
  unionCode,
} from "../typescript/code.js";
import {
  callerParams,
  handlerParams,
  resultType,
  type RevisionContext,
  wireKey,
} from "./messages.js";

/** A function or a member with its comment. */
export interface SignatureView {
  readonly doc: Code | null;
  /** `"tools/call"?(params: …, context: …): …` */
  readonly signature: Code;
}

/** A message of a revision. */
export interface MessageIn<M extends Message> {
  readonly context: RevisionContext;
  readonly message: M;
}

/** The same message in one revision or several, the preferred one first. */
export type Versions<M extends Message> = readonly [
  MessageIn<M>,
  ...MessageIn<M>[],
];

/**
 * The parameter of a handler: the params of any version. It has no question
 * mark, because others may follow.
 */
export function anyParams(versions: Versions<Message>): Code {
  const params = versions.map(({ context, message }) =>
    handlerParams(context, message),
  );
  const types = params.flatMap((each) => (each === null ? [] : [each.type]));
  if (types.length === 0) return code`params: undefined`;
  const isOptional = params.some((each) => each === null || each.optional);
  return annotation(
    code`params`,
    isOptional ? [...types, code`undefined`] : types,
  );
}

/**
 * The parameter of a caller: params that all versions accept; null if none has
 * params.
 */
export function allParams(versions: Versions<Message>): Code | null {
  const params = versions.flatMap(
    ({ context, message }) => callerParams(context, message) ?? [],
  );
  if (params.length === 0) return null;
  const type = intersectionCode(params.map((each) => each.type));
  return params.every(({ optional }) => optional)
    ? code`params?: ${type}`
    : code`params: ${type}`;
}

/** The member for a handler. `others` are its further parameters. */
export function handlerSignature(
  versions: Versions<Message>,
  others: readonly Code[],
  type: Code,
): Code {
  const [{ message }] = versions;
  return signature(
    code`${wireKey(message)}?`,
    [anyParams(versions), ...others],
    type,
  );
}

/** The function `request` of the context of a handler, for one method. */
export function requestSignature(
  { method }: Message,
  params: Code | null,
  type: Code,
): Code {
  const parameters = [
    code`method: ${literal(method)}`,
    params ?? code`params?: undefined`,
    code`options?: AskOptions`,
  ];
  return signature(code`request`, parameters, type);
}

/** The promise of the result of a request. */
export function resultPromise(versions: Versions<RequestMessage>): Code {
  const results = versions.map(({ context, message }) =>
    resultType(context, message),
  );
  return generic(code`Promise`, [unionCode(results)]);
}

/** The function `notify` of the context of a handler, for one method. */
export function notifySignature(versions: Versions<Message>): Code {
  const [{ message }] = versions;
  const params = allParams(versions);
  const parameters = [
    code`method: ${literal(message.method)}`,
    ...(params === null ? [] : [params]),
  ];
  return signature(code`notify`, parameters, code`void`);
}

/**
 * The function `log` of the context of a handler; null if no revision has a
 * log.
 */
export function logSignature(
  contexts: readonly RevisionContext[],
): Code | null {
  const levels = contexts
    .filter(({ protocol }) => protocol.wellKnown.log !== undefined)
    .map(({ declarations, typeName }) =>
      declarations.has(names.levels) ? typeName(names.levels) : code`string`,
    );
  if (levels.length === 0) return null;
  const parameters = [
    code`level: ${intersectionCode(levels)}`,
    code`data: unknown`,
    code`logger?: string`,
  ];
  return signature(code`log`, parameters, code`void`);
}
