import { filterMemberOf } from "../ir/derive/audience.js";
import type { Message, Protocol } from "../ir/model.js";
import { type Code, code, identifier } from "./typescript/code.js";
import { IMPORTED } from "./typescript/guards/names.js";
import { camelCase, lowerFirst, Names } from "./typescript/names.js";
import type { ParamsPlan } from "./plan/params.js";
import { INTERNAL, PUBLISHED } from "./plan/published.js";

/** A name that could not be used as the schema has it. */
export interface Renaming {
  readonly what: "type" | "constant" | "validator" | "message" | "method" | "export";
  readonly wanted: string;
  readonly given: string;
}

/** Every identifier that a revision's files share, chosen once. */
export class Naming {
  readonly renamings: Renaming[] = [];
  readonly #types = new Map<string, string>();
  readonly #guards = new Map<string, string>();
  readonly #schemas = new Map<string, string>();
  readonly #rows = new Map<string, string>();
  readonly #constants: ReadonlySet<string>;
  /** The names of our own that a page of exports gives away, each as it is spelt there. */
  readonly #published = new Map<string, string>();

  constructor(protocol: Protocol, { synthesized, written }: ParamsPlan) {
    // `Omit` is the one global type that emitted text relies on.
    const types = new Names(["Omit"]);
    for (const { kind, name } of protocol.declarations) {
      this.#claim(this.#types, types, kind === "constant" ? "constant" : "type", name, name);
    }
    for (const { name } of [...synthesized, ...written.types]) {
      this.#claim(this.#types, types, "type", name, name);
    }
    // What a program writes is checked as the schema's own type, once the engine has filled it.
    const unchecked = new Set(written.types.map(({ name }) => name));
    this.#constants = new Set(
      protocol.declarations.flatMap(({ kind, name }) => (kind === "constant" ? [name] : [])),
    );
    // A page of exports can give a name away once: the schema's types go first, then our own names, then the rest.
    const page = new Names(this.#types.values());
    for (const name of PUBLISHED) this.#claim(this.#published, page, "export", name, name);
    page.take([...IMPORTED, ...INTERNAL]);
    for (const [name, type] of this.#types) {
      if (this.#constants.has(name) || unchecked.has(name)) continue;
      this.#claim(this.#guards, page, "validator", name, `is${type}`);
      this.#claim(this.#schemas, page, "validator", name, `${type}Schema`);
    }
    for (const message of protocol.messages) {
      const wanted = lowerFirst(message.name.replace(/(?<=.)(Request|Notification)$/, ""));
      this.#claim(this.#rows, page, "message", message.method, wanted);
    }
  }

  /** The type of a declaration or of synthesized params, as `types.ts` itself writes it. */
  type = (name: string): Code => identifier(lookUp(this.#types, name));

  /** The same from another file, where types are imported as `t`. */
  imported = (name: string): Code => code`t.${this.type(name)}`;

  guard(name: string): Code {
    return identifier(lookUp(this.#guards, name));
  }

  schema(name: string): Code {
    return identifier(lookUp(this.#schemas, name));
  }

  /** The constant of `dispatch.ts` that holds the facts of a message. */
  row(method: string): Code {
    return identifier(lookUp(this.#rows, method));
  }

  /** The method of a class that sends a message: the name of its facts, unless the class has that member already. */
  member(members: Names, message: Message): Code {
    return this.claim(members, lookUp(this.#rows, message.method).replace(/_$/, ""));
  }

  /** The function that announces a notification: by the capability that promises it, such as `tools.listChanged`, where one does. */
  sender(members: Names, message: Message): Code {
    const promised = camelCase(message.capability?.path ?? "");
    return promised === filterMemberOf(message.method)
      ? this.claim(members, promised)
      : this.member(members, message);
  }

  claim(members: Names, wanted: string): Code {
    const given = members.claimMember(wanted);
    if (given !== wanted) this.renamings.push({ what: "method", wanted, given });
    return identifier(given);
  }

  /** How a name of our own is spelt on the page of exports. */
  publish(name: string): string {
    return lookUp(this.#published, name);
  }

  get typeNames(): string[] {
    return [...this.#types].filter(([name]) => !this.#constants.has(name)).map(([, given]) => given);
  }

  get constantNames(): string[] {
    return [...this.#types].filter(([name]) => this.#constants.has(name)).map(([, given]) => given);
  }

  get rowNames(): string[] {
    return [...this.#rows.values()];
  }

  /** The identifiers of guards and schemas: taken at the top of `validators.ts`. */
  get validatorNames(): readonly string[] {
    return [...this.#guards.values(), ...this.#schemas.values()];
  }

  #claim(into: Map<string, string>, names: Names, what: Renaming["what"], key: string, wanted: string): void {
    const given = names.claim(wanted);
    into.set(key, given);
    if (given !== wanted) this.renamings.push({ what, wanted, given });
  }
}

function lookUp(map: ReadonlyMap<string, string>, name: string): string {
  const found = map.get(name);
  if (found === undefined) throw new Error(`No identifier was chosen for "${name}".`);
  return found;
}
