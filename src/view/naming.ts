import type { Message, Protocol } from "../ir/model.js";
import { type Code, code, identifier } from "./code.js";
import { IMPORTED } from "./guards/names.js";
import { lowerFirst, Names } from "./names.js";
import type { Synthesized } from "./params.js";

/** A name that could not be used as the schema has it. */
export interface Renaming {
  readonly what: "type" | "constant" | "validator" | "message" | "method";
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
  /** Names a page of exports has already given away; the role files claim theirs after the schema's. */
  readonly values: Names;

  constructor(protocol: Protocol, synthesized: readonly Synthesized[]) {
    // `Omit` is the one global type that emitted text relies on.
    const types = new Names(["Omit"]);
    for (const { kind, name } of protocol.declarations) {
      this.#claim(this.#types, types, kind === "constant" ? "constant" : "type", name, name);
    }
    for (const { name } of synthesized) this.#claim(this.#types, types, "type", name, name);
    // A value may not share a name with a type: `export type { X }` and `export { X }` would clash on a page of exports.
    this.values = new Names([...this.#types.values(), ...IMPORTED]);
    for (const [name, type] of this.#types) {
      if (protocol.declarations.some((entry) => entry.kind === "constant" && entry.name === name)) continue;
      this.#claim(this.#guards, this.values, "validator", name, `is${type}`);
      this.#claim(this.#schemas, this.values, "validator", name, `${type}Schema`);
    }
    for (const message of protocol.messages) {
      const wanted = lowerFirst(message.name.replace(/(?<=.)(Request|Notification)$/, ""));
      this.#claim(this.#rows, this.values, "message", message.method, wanted);
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

  claim(members: Names, wanted: string): Code {
    const given = members.claimMember(wanted);
    if (given !== wanted) this.renamings.push({ what: "method", wanted, given });
    return identifier(given);
  }

  /** The identifiers of guards and schemas: taken at the top of `validators.ts`. */
  get validatorNames(): string[] {
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
