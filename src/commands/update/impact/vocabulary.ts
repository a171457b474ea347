import type { Protocol } from "../../../generator/ir/model.js";
import { Naming } from "../../../generator/view/naming.js";
import {
  type ParamsPlan,
  planParams,
} from "../../../generator/view/plan/params.js";
import {
  type Code,
  identifier,
} from "../../../generator/view/typescript/code.js";
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
  const named = meaningsByName(protocol, plan);

  return (owner, path) => {
    const [first, rest] = firstStep(path);
    // `serverMethods["tools/call"]`: a table by methods.
    if (plan.byMethod.has(first)) {
      return [{ kind: "method", name: first, path: rest }];
    }

    const { kind, name } = named.get(owner) ?? { kind: "entry", name: owner };
    if (kind === "type") {
      const starts = meaningsOf(name, protocol, plan);
      return starts.map((start) => ({
        ...start,
        path: join(start.path, path),
      }));
    }
    if (path === "") {
      const whole: Meaning = { kind, name, path };
      if (kind !== "guard") return [whole];
      return [whole, ...meaningsOf(name, protocol, plan)];
    }

    // `Client.callTool`: a member that sends a message.
    const sent = named.get(`.${path}`);
    return [sent ?? { kind: "entry", name: owner, path }];
  };
}

/**
 * The names at the top level of the generated files; with a dot in front, the
 * members of their classes that send a message.
 */
function meaningsByName(
  protocol: Protocol,
  plan: ParamsPlan,
): ReadonlyMap<string, Meaning> {
  const naming = new Naming(protocol, plan);
  const { log } = protocol.wellKnown;
  const { params, results } = plan.roleTypes;
  const named = new Map<string, Meaning>();
  const add = (
    { layout }: Code,
    kind: Meaning["kind"],
    name: string,
    start = "",
  ): void => {
    named.set(start + String(layout), { kind, name, path: "" });
  };

  for (const { kind, name } of protocol.declarations) {
    if (kind === "constant") continue;
    add(naming.type(name), "type", name);
    add(naming.guard(name), "guard", name);
    add(naming.schema(name), "guard", name);
  }
  for (const { name } of plan.synthesized) {
    add(naming.type(name), "type", name);
  }
  // The schema's types behind those for callers and handlers.
  for (const [name, role] of [...params, ...results]) {
    add(naming.type(role), "type", name);
  }

  for (const message of protocol.messages) {
    const { kind, method } = message;
    const member = naming.member(new Names(), message);
    add(naming.row(method), "method", method);
    add(member, "method", method, ".");
    if (kind === "request") continue;
    const sender = naming.sender(new Names(), message);
    add(sender, "method", method, ".");
  }
  if (log !== undefined) add(identifier("log"), "method", log, ".");
  return named;
}

/**
 * A type, the message that it declares or is a part of, and the type that has
 * it as `params`.
 */
function meaningsOf(
  name: string,
  { messages }: Protocol,
  { byMethod }: ParamsPlan,
): readonly Meaning[] {
  const own: Meaning[] = [{ kind: "type", name, path: "" }];
  const uses: Meaning[] = [];
  for (const message of messages) {
    const { method } = message;
    const { declaredBy } = message.params;
    const at = (path: string): Meaning => ({
      kind: "method",
      name: method,
      path,
    });
    if (message.name === name) {
      own.push(at(""));
    }
    if (message.kind === "request" && message.results.includes(name)) {
      uses.push(at("result"));
    }
    if (byMethod.get(method)?.name !== name) continue;
    uses.push(at("params"));
    if (declaredBy === null) continue;
    own.push({ kind: "type", name: declaredBy, path: "params" });
  }
  // A type that several messages share does not belong to one of them.
  return uses.length > 1 ? own : [...own, ...uses];
}

function join(start: string, path: string): string {
  return start === "" || path === "" || /^[[{]/.test(path)
    ? start + path
    : `${start}.${path}`;
}

/** The name of the first member of a path, and the rest of the path. */
function firstStep(path: string): readonly [string, string] {
  const step = /^(?:\[("(?:[^"\\]|\\.)*")\]|([^.[{]*))\.?(.*)$/s;
  const [, quoted, name = "", rest = ""] = step.exec(path) ?? [];
  if (quoted === undefined) return [name, rest];
  return [JSON.parse(quoted) as string, rest];
}
