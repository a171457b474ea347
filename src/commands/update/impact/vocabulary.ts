import type { Protocol } from "../../../generator/ir/model.js";
import { Naming } from "../../../generator/view/naming.js";
import { planParams } from "../../../generator/view/plan/params.js";
import type { Code } from "../../../generator/view/typescript/code.js";
import { Names } from "../../../generator/view/typescript/names.js";

/**
 * What a generated name means in the protocol. A name may mean several things:
 * a params type is also a part of a message.
 */
export interface Meaning {
  /** "entry": a name that the generator adds, such as `Client`. */
  readonly kind: "type" | "guard" | "method" | "entry";
  readonly name: string;
  /** A path of the diff. */
  readonly path: string;
}

/**
 * Returns the meanings of a path inside a top-level declaration of a generated
 * file.
 */
export type Vocabulary = (owner: string, path: string) => readonly Meaning[];

/** The meanings of the names in the generated files of a protocol. */
export function vocabularyOf(protocol: Protocol): Vocabulary {
  const plan = planParams(protocol);
  const naming = new Naming(protocol, plan);
  const methods = new Set(protocol.messages.map(({ method }) => method));
  const named = new Map<string, Meaning>();
  for (const { kind, name } of protocol.declarations) {
    if (kind === "constant") continue;
    named.set(textOf(naming.type(name)), { kind: "type", name, path: "" });
    for (const guard of [naming.guard(name), naming.schema(name)])
      named.set(textOf(guard), { kind: "guard", name, path: "" });
  }
  for (const { name } of plan.synthesized)
    named.set(name, { kind: "type", name, path: "" });
  // The schema's types behind those for callers and handlers.
  for (const [of, name] of [
    ...plan.roleTypes.params,
    ...plan.roleTypes.results,
  ])
    named.set(name, { kind: "type", name: of, path: "" });
  const senders = new Map<string, Meaning>();
  for (const message of protocol.messages) {
    const meaning: Meaning = { kind: "method", name: message.method, path: "" };
    named.set(textOf(naming.row(message.method)), meaning);
    senders.set(textOf(naming.member(new Names(), message)), meaning);
    if (message.kind === "notification")
      senders.set(textOf(naming.sender(new Names(), message)), meaning);
  }

  const { log } = protocol.wellKnown;
  if (log !== undefined)
    senders.set("log", { kind: "method", name: log, path: "" });

  return (owner, path) => {
    const [first, rest] = firstStep(path);
    if (methods.has(first))
      return [{ kind: "method", name: first, path: rest }];
    const meaning = named.get(owner);
    if (meaning?.kind === "type")
      return meaningsOf(meaning.name, protocol, plan).map((start) => ({
        ...start,
        path: join(start.path, path),
      }));
    if (meaning?.kind === "guard" && path === "")
      return [meaning, ...meaningsOf(meaning.name, protocol, plan)];
    if (meaning !== undefined && path === "") return [meaning];
    const sent = rest === "" ? senders.get(first) : undefined;
    return [sent ?? { kind: "entry", name: owner, path }];
  };
}

/**
 * A type, the message that it declares or is a part of, and the type that has
 * it as `params`.
 */
function meaningsOf(
  name: string,
  { messages }: Protocol,
  { byMethod }: ReturnType<typeof planParams>,
): readonly Meaning[] {
  const own: Meaning[] = [{ kind: "type", name, path: "" }];
  const uses: Meaning[] = [];
  for (const message of messages) {
    const of = { kind: "method" as const, name: message.method };
    if (message.name === name) own.push({ ...of, path: "" });
    if (message.kind === "request" && message.results.includes(name))
      uses.push({ ...of, path: "result" });
    if (byMethod.get(message.method)?.name !== name) continue;
    uses.push({ ...of, path: "params" });
    const { declaredBy } = message.params;
    if (declaredBy !== null)
      own.push({ kind: "type", name: declaredBy, path: "params" });
  }
  // A type that several messages share does not belong to one of them.
  return uses.length > 1 ? own : [...own, ...uses];
}

/** The text of an identifier. */
function textOf({ layout }: Code): string {
  return typeof layout === "string" ? layout : "";
}

function join(start: string, path: string): string {
  return start === "" || path === "" || /^[[{]/.test(path)
    ? start + path
    : `${start}.${path}`;
}

/** The name of the first member of a path, and the rest of the path. */
function firstStep(path: string): readonly [string, string] {
  const match = /^\[("(?:[^"\\]|\\.)*")\]\.?/.exec(path);
  if (match?.[1] !== undefined)
    return [JSON.parse(match[1]) as string, path.slice(match[0].length)];
  const [, name = "", rest = ""] = /^([^.[{]*)\.?(.*)$/s.exec(path) ?? [];
  return [name, rest];
}
