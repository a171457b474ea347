import { filterMemberOf } from "../ir/derive/audience.js";
import type { Message, Protocol } from "../ir/model.js";
import { type Code, code, identifier } from "./typescript/code.js";
import {
  importedNames,
  importedChecks,
  nearestName,
} from "./typescript/guards/names.js";
import { camelCase, lowerFirst, Names } from "./typescript/names.js";
import type { ParamsPlan } from "./plan/params.js";
import { internalNames, publishedNames } from "./plan/published.js";

/** A name of the schema that cannot be used as an identifier. */
export interface Renaming {
  readonly what:
    "type" | "constant" | "validator" | "message" | "method" | "export";
  readonly base: string;
  readonly identifier: string;
}

/** A sentence about a name that is changed in TypeScript. */
export const renamingText = ({ what, base, identifier }: Renaming): string =>
  `the ${what} "${base.slice(0, 80)}" is named ${identifier} in TypeScript: the name is reserved, already used or not an identifier`;

/** All identifiers that the files of a revision share. */
export class Naming {
  readonly renamings: Renaming[] = [];
  readonly #types = new Map<string, string>();
  readonly #guards = new Map<string, string>();
  readonly #schemas = new Map<string, string>();
  readonly #rows = new Map<string, string>();
  readonly #constants: ReadonlySet<string>;
  /** Our own exported names, by their final spelling. */
  readonly #published = new Map<string, string>();

  constructor(protocol: Protocol, { synthesized, roleTypes }: ParamsPlan) {
    // `Omit` is the only global type that emitted text uses.
    const types = new Names(["Omit"]);
    for (const { kind, name } of protocol.declarations) {
      this.#claim(
        this.#types,
        types,
        kind === "constant" ? "constant" : "type",
        name,
        name,
      );
    }
    for (const { name } of [...synthesized, ...roleTypes.types]) {
      this.#claim(this.#types, types, "type", name, name);
    }
    // A value of a caller or handler is validated as the schema's own type,
    // after the engine adds its defaults.
    const withoutGuard = new Set(roleTypes.types.map(({ name }) => name));
    this.#constants = new Set(
      protocol.declarations.flatMap(({ kind, name }) =>
        kind === "constant" ? [name] : [],
      ),
    );
    // An index file can export a name only once: the schema's types come first,
    // then our own names, then the rest.
    const values = new Names(this.#types.values());
    for (const name of publishedNames)
      this.#claim(this.#published, values, "export", name, name);
    values.take([
      ...importedNames,
      nearestName,
      ...importedChecks,
      ...internalNames,
    ]);
    for (const [name, type] of this.#types) {
      if (this.#constants.has(name) || withoutGuard.has(name)) continue;
      this.#claim(this.#guards, values, "validator", name, `is${type}`);
      this.#claim(this.#schemas, values, "validator", name, `${type}Schema`);
    }
    for (const message of protocol.messages) {
      const base = lowerFirst(
        message.name.replace(/(?<=.)(Request|Notification)$/, ""),
      );
      this.#claim(this.#rows, values, "message", message.method, base);
    }
  }

  /** The type of a declaration or of synthesized params, as in `types.ts`. */
  type = (name: string): Code => identifier(lookUp(this.#types, name));

  /** The same from another file, where types are imported as `t`. */
  importedType = (name: string): Code => code`t.${this.type(name)}`;

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

  /**
   * The method that sends a message. It has the name of its facts, unless the
   * class already has that member.
   */
  member(members: Names, message: Message): Code {
    return this.claim(
      members,
      lookUp(this.#rows, message.method).replace(/_$/, ""),
    );
  }

  /**
   * The function that sends a notification, named after its capability, such as
   * `tools.listChanged`, if it has one.
   */
  sender(members: Names, message: Message): Code {
    const capabilityName = camelCase(message.capability?.path ?? "");
    return capabilityName === filterMemberOf(message.method)
      ? this.claim(members, capabilityName)
      : this.member(members, message);
  }

  claim(members: Names, base: string): Code {
    const name = members.claimMember(base);
    if (name !== base)
      this.renamings.push({ what: "method", base, identifier: name });
    return identifier(name);
  }

  /** The spelling of one of our own names in the index file. */
  publish(name: string): string {
    return lookUp(this.#published, name);
  }

  get typeNames(): string[] {
    return [...this.#types]
      .filter(([name]) => !this.#constants.has(name))
      .map(([, identifier]) => identifier);
  }

  get constantNames(): string[] {
    return [...this.#types]
      .filter(([name]) => this.#constants.has(name))
      .map(([, identifier]) => identifier);
  }

  get rowNames(): string[] {
    return [...this.#rows.values()];
  }

  /**
   * The identifiers of guards and schema objects at the top level of
   * `validators.ts`.
   */
  get validatorNames(): readonly string[] {
    return [...this.#guards.values(), ...this.#schemas.values()];
  }

  #claim(
    target: Map<string, string>,
    names: Names,
    what: Renaming["what"],
    key: string,
    base: string,
  ): void {
    const name = names.claim(base);
    target.set(key, name);
    if (name !== base) this.renamings.push({ what, base, identifier: name });
  }
}

function lookUp(map: ReadonlyMap<string, string>, name: string): string {
  const spelling = map.get(name);
  if (spelling === undefined) throw new Error(`"${name}" has no identifier.`);
  return spelling;
}
