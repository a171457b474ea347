import { type AnswerFact, answers, names } from "../../ir/facts.js";
import { flatten, flattenType } from "../../ir/flatten.js";
import { type Index, index } from "../../ir/lookup.js";
import type { Message, Protocol, RequestMessage, Type } from "../../ir/model.js";
import { type Code, code, propertyKey, unionCode } from "../typescript/code.js";
import { docComment, paragraphs } from "../typescript/doc.js";
import type { Naming } from "../naming.js";
import type { ParamsPlan } from "../plan/params.js";
import { type Spell, typeText } from "../typescript/type-text.js";

/** One revision, with all that was chosen for its files. */
export interface Chosen {
  readonly protocol: Protocol;
  readonly declarations: Index;
  readonly plan: ParamsPlan;
  readonly naming: Naming;
  /** How this file writes a type of the revision. */
  readonly spell: Spell;
}

export function chosen(protocol: Protocol, plan: ParamsPlan, naming: Naming): Chosen {
  return { protocol, plan, naming, spell: naming.imported, declarations: index(protocol) };
}

export function requests({ protocol }: Chosen): RequestMessage[] {
  return protocol.messages.filter((message) => message.kind === "request");
}

export function notifications({ protocol }: Chosen): Extract<Message, { kind: "notification" }>[] {
  return protocol.messages.filter((message) => message.kind === "notification");
}

export function sentBy(side: "client" | "server", message: Message): boolean {
  return message.sender === side || message.sender === "either";
}

export function receivedBy(side: "client" | "server", message: Message): boolean {
  return sentBy(side === "client" ? "server" : "client", message);
}

/** The job a message has for the engine; null when it is the user's own business. */
export function jobOf({ protocol }: Chosen, method: string): string | null {
  return Object.entries(protocol.jobs).find(([, name]) => name === method)?.[0] ?? null;
}

export function wireKey(message: Message): Code {
  return propertyKey(message.method);
}

/** The message's own prose with sentences of ours below it. */
export function messageDoc(
  { declarations }: Chosen,
  message: Message,
  sentences: readonly string[],
): Code | null {
  const doc = declarations.get(message.name)?.doc;
  const deprecated = doc?.tags.find((tag) => tag.name === "deprecated");
  const tags = deprecated === undefined ? [] : [`@deprecated ${deprecated.text}`.trim()];
  return docComment([...paragraphs(doc?.text ?? ""), ...sentences], tags);
}

/** ``Needs the server's capability `tools`.`` for whoever sends the message; nothing when it needs none. */
export function needsSentence(choice: Chosen, message: Message): string[] {
  const { capability } = message;
  const extension = extensionOf(choice, message.name);
  if (extension !== undefined)
    return [`Belongs to the extension \`${extension}\`, which both sides declare.`];
  if (capability === null) return [];
  const whose = capability.side === "receiver" ? "receiver's" : `${capability.side}'s`;
  return [`Needs the ${whose} capability \`${capability.path}\`.`];
}

/** A params parameter of a function: its type, and whether it may be left out. */
export interface ParamsText {
  readonly type: Code;
  readonly optional: boolean;
}

/** What a handler gets; null when the message carries no params. */
export function heardParams({ plan, spell }: Chosen, message: Message): ParamsText | null {
  const name = plan.byMethod.get(message.method);
  if (name === null || name === undefined) return null;
  return { type: spell(name.name), optional: name.presence === "optional" };
}

/** What a caller gives: the same without the members that the engine fills. */
export function givenParams(choice: Chosen, message: Message): ParamsText | null {
  const heard = heardParams(choice, message);
  const { byMethod, written } = choice.plan;
  const name = written.params.get(byMethod.get(message.method)?.name ?? "");
  if (heard === null || name === undefined || message.kind !== "request") return heard;
  const type = written.types.find((one) => one.name === name);
  const isOptional = heard.optional || type?.properties.every(({ optional }) => optional) === true;
  return { type: choice.spell(name), optional: isOptional };
}

/** The type of the ordinary answer to a request. */
export function resultType({ spell }: Chosen, { results }: RequestMessage): Code {
  const [first] = results;
  return first === undefined ? code`unknown` : spell(first);
}

/** The member of the params that asks for another kind of answer, its type, and the name of that answer; undefined where none does. */
export function augmentOf({ declarations }: Chosen, { results }: RequestMessage): AnswerFact | undefined {
  return answers.find(({ result, type }) => results.includes(result) && declarations.has(type));
}

/** The extension that a declaration came with; undefined for the revision's own. */
export function extensionOf({ protocol }: Chosen, name: string): string | undefined {
  return protocol.extensions.find(({ adds }) => adds.includes(name))?.id;
}

/** What a notification is about, where it has to say nothing else. */
export function subjectAlone({ declarations }: Chosen, message: Message): string | null {
  if (message.kind !== "notification") return null;
  const { type } = message.params;
  const inline = type?.kind === "object" ? type.properties : undefined;
  const named = type?.kind === "reference" ? flatten(declarations, type.name)?.properties : inline;
  const isAlone = named?.every(({ name, optional }) => optional || name === message.subject);
  return isAlone === true ? message.subject : null;
}

/** The answers to a request that an extension adds, each by its kind, with the extension. */
export function variantsOf(
  choice: Chosen,
  { results }: RequestMessage,
): { readonly kind: string; readonly result: string; readonly extension: string }[] {
  return results.flatMap((result) => {
    const extension = extensionOf(choice, result);
    const members = flatten(choice.declarations, result)?.properties ?? [];
    const type = members.find(({ name }) => name === names.resultType)?.type;
    const isKind = type?.kind === "literal" && typeof type.value === "string" && result !== results[0];
    return extension !== undefined && isKind ? [{ kind: String(type.value), result, extension }] : [];
  });
}

/** What a handler may return: the answer without what the engine fills, or the request for input. */
export function returnedType(choice: Chosen, message: RequestMessage): Code {
  const [, ...others] = message.results;
  const ordinary = ordinaryType(choice, message);
  const variants = variantsOf(choice, message).map(({ result }) => result);
  const more = message.asksInput ? others : variants;
  return more.length === 0
    ? ordinary
    : unionCode([ordinary, ...more.map((name) => writtenResult(choice, name))]);
}

/** The ordinary answer as a handler returns it. */
export function ordinaryType(choice: Chosen, { results }: RequestMessage): Code {
  const [result] = results;
  return result === undefined ? code`unknown` : writtenResult(choice, result);
}

const writtenResult = ({ plan, spell }: Chosen, name: string): Code =>
  spell(plan.written.results.get(name) ?? name);

/** The members of a result that the engine fills, as far as this result requires them. */
export function fillsOf({ protocol, declarations }: Chosen, result: string): Protocol["fills"] {
  const properties = flatten(declarations, result)?.properties ?? [];
  return protocol.fills.filter(
    ({ place, member }) =>
      place === "result" && properties.some(({ name, optional }) => name === member && !optional),
  );
}

/** The type of one item of a paged list. */
export function itemType(choice: Chosen, message: RequestMessage): Code | null {
  const [result] = message.results;
  if (message.items === null || result === undefined) return null;
  const member = flatten(choice.declarations, result)?.properties.find(({ name }) => name === message.items);
  const type: Type | undefined = member?.type;
  return type?.kind === "array" ? typeText(type.element, choice.spell) : null;
}

/** The guard that checks a declaration, as other files write it; what nothing is known about passes. */
export function guardOf({ naming }: Chosen, name: string | undefined): Code {
  return name === undefined ? code`() => true` : code`v.${naming.guard(name)}`;
}

/** The answers with an error that the schema ties to one code, by the code. */
export function errorAnswers({ protocol, declarations }: Chosen): (readonly [code: string, name: string])[] {
  return protocol.declarations.flatMap((declaration) => {
    if (declaration.kind !== "interface") return [];
    const isAnswer = declaration.bases.some(({ name }) => names.errorResponses.includes(name));
    const error = declaration.properties.find(({ name }) => name === names.error);
    if (!isAnswer || !error) return [];
    const { properties = [] } = flattenType(declarations, error.type) ?? {};
    const code = properties.find(({ name }) => name === names.code)?.type;
    const hasData = properties.some(({ name, optional }) => name === names.data && !optional);
    return code?.kind === "literal" && hasData ? [[String(code.value), declaration.name] as const] : [];
  });
}

/** The schema constant that checks a declaration, as other files write it. */
export function schemaOf({ naming }: Chosen, name: string | undefined): Code {
  return name === undefined ? code`anything` : code`v.${naming.schema(name)}`;
}
