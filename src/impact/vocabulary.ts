import type { Protocol } from "../ir/model.js";
import { Naming } from "../view/naming.js";
import { planParams } from "../view/plan/params.js";
import type { Code } from "../view/typescript/code.js";
import { Names } from "../view/typescript/names.js";
import { isName } from "../ir/compare/path.js";

/** What a generated name means in the protocol. A name may mean several things: a params type is also a part of a message. */
export type Meaning =
  | { readonly kind: "type" | "constant" | "guard"; readonly name: string; readonly path: string }
  | { readonly kind: "message"; readonly name: string; readonly path: string }
  /** A name that the generator adds, such as `Client`. */
  | { readonly kind: "entry"; readonly name: string; readonly path: string };

export interface Vocabulary {
  /** The meanings of a path inside a top-level declaration of a generated file. Paths are those of the diff. */
  readonly meanings: (owner: string, path: string) => readonly Meaning[];
  /** The names of guards, schema objects, rows and the methods that send a message. */
  readonly values: readonly string[];
}

/** The meanings of the names in the generated files of a protocol. */
export function vocabularyOf(protocol: Protocol): Vocabulary {
  const plan = planParams(protocol);
  const naming = new Naming(protocol, plan);
  const methods = new Map(protocol.messages.map((message) => [message.method, message]));
  const types = new Map(
    protocol.declarations.map(({ kind, name }) => [textOf(naming.type(name)), { kind, name }]),
  );
  const guards = new Map<string, string>();
  for (const { kind, name } of protocol.declarations) {
    if (kind === "constant") continue;
    guards.set(textOf(naming.guard(name)), name);
    guards.set(textOf(naming.schema(name)), name);
  }
  /** The schema's types behind those for callers and handlers. */
  const schemaTypes = new Map(
    [...plan.roleTypes.params, ...plan.roleTypes.results].map(([of, name]) => [name, of]),
  );
  const rows = new Map<string, string>();
  for (const message of protocol.messages) {
    rows.set(textOf(naming.row(message.method)), message.method);
    rows.set(textOf(naming.member(new Names(), message)), message.method);
    if (message.kind === "notification")
      rows.set(textOf(naming.sender(new Names(), message)), message.method);
  }

  /** The number of messages that use a type as params or result. A shared type does not belong to one message. */
  const uses = new Map<string, number>();
  for (const message of protocol.messages) {
    const results = message.kind === "request" ? message.results : [];
    for (const name of [plan.byMethod.get(message.method)?.name ?? "", ...results])
      uses.set(name, (uses.get(name) ?? 0) + 1);
  }

  const ofType = (name: string, path: string): Meaning[] => {
    const meanings: Meaning[] = [{ kind: "type", name, path }];
    const isShared = (uses.get(name) ?? 0) > 1;
    for (const { method, params, results, name: declaration } of protocol.messages.map(withResults)) {
      const paramsType = plan.byMethod.get(method)?.name;
      if (paramsType === name) {
        if (!isShared) meanings.push({ kind: "message", name: method, path: join("params", path) });
        if (params.declaredBy !== null)
          meanings.push({ kind: "type", name: params.declaredBy, path: join("params", path) });
      }
      if (declaration === name) meanings.push({ kind: "message", name: method, path });
      if (results.includes(name) && !isShared)
        meanings.push({ kind: "message", name: method, path: join("result", path) });
    }
    return meanings;
  };
  const meanings: Vocabulary["meanings"] = (owner, path) => {
    const [first = "", rest = ""] = firstStep(path);
    if (methods.has(first)) return [{ kind: "message", name: first, path: rest }];
    const type = types.get(owner);
    if (type?.kind === "constant") return [{ kind: "constant", name: type.name, path }];
    if (type !== undefined) return ofType(type.name, path);
    const guard = guards.get(owner);
    if (guard !== undefined && path === "") return [{ kind: "guard", name: guard, path }];
    const base = schemaTypes.get(owner);
    if (base !== undefined) return ofType(base, path);
    if (plan.synthesized.some(({ name }) => name === owner)) return ofType(owner, path);
    const method = path === "" ? rows.get(owner) : rows.get(first);
    if (method !== undefined && rest === "") return [{ kind: "message", name: method, path: "" }];
    return [{ kind: "entry", name: owner, path }];
  };
  return { meanings, values: [...guards.keys(), ...rows.keys()] };
}

/** The text of an identifier. */
function textOf({ layout }: Code): string {
  return typeof layout === "string" ? layout : "";
}

function withResults<M extends Protocol["messages"][number]>(
  message: M,
): M & { readonly results: readonly string[] } {
  return { ...message, results: message.kind === "request" ? message.results : [] };
}

function join(start: string, path: string): string {
  return path === "" || path.startsWith("[") || path.startsWith("{") ? start + path : `${start}.${path}`;
}

/** The name of the first member of a path, and the rest of the path. */
function firstStep(path: string): readonly [string, string] {
  const match = /^\[("(?:[^"\\]|\\.)*")\]\.?/.exec(path);
  if (match?.[1] !== undefined) return [JSON.parse(match[1]) as string, path.slice(match[0].length)];
  const end = path.search(/[.[{]/);
  if (end === -1) return [path, ""];
  return [path.slice(0, end), path.slice(end).replace(/^\./, "")];
}

/** The name of the last member of a path; null for one that ends with an element or an index signature. */
export function lastStep(path: string): string | null {
  const match = /\[("(?:[^"\\]|\\.)*")\]$/.exec(path);
  if (match?.[1] !== undefined) return JSON.parse(match[1]) as string;
  const name = path.slice(path.lastIndexOf(".") + 1);
  return isName(name) ? name : null;
}
