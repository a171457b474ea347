import type { Scope } from "../../diagnostics.js";
import type { Index, LocationOf } from "../lookup.js";

/** The context of one derivation: its input, where it reports, and the fact rows that it used. */
export interface DeriveContext {
  readonly declarations: Index;
  /** The names of the declarations that extensions add. */
  readonly added: ReadonlySet<string>;
  readonly scope: Scope;
  readonly locationOf: LocationOf;
  /** Ids of the fact rows in use, from `factId`. */
  readonly used: Set<string>;
}

/** The id of a row: its table and its content. */
export function factId(table: string, row: unknown): string {
  return `${table} ${JSON.stringify(row)}`;
}
