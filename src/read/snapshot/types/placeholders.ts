import type { TypeMember } from "../../../ir/snapshot/type-text.js";

/**
 * Placeholders for text of the server while the library prints a type. The library never sees that text, and schemas
 * that differ only in names are printed once.
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

  /** The same placeholder for each reference to a definition, so that a union contains it once. */
  reference(key: string): string {
    const index = this.references.indexOf(key);
    return `R${index === -1 ? this.references.push(key) - 1 : index}`;
  }
}
