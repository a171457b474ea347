import type { TypeMember } from "../../../ir/snapshot/type-text.js";

/**
 * What stands in for text of a server's while the library prints a type, so that none of that text reaches the library,
 * and schemas that differ in nothing but names are printed once.
 */
export class Placeholders {
  readonly members: TypeMember[] = [];
  readonly strings: string[] = [];
  readonly references: string[] = [];

  member(member: TypeMember): string {
    return `k${this.members.push(member) - 1}`;
  }

  string(value: string): string {
    return `s${this.strings.push(value) - 1}`;
  }

  /** The same for each mention of a definition, so that a union holds it once. */
  reference(key: string): string {
    const known = this.references.indexOf(key);
    return `R${known === -1 ? this.references.push(key) - 1 : known}`;
  }
}
