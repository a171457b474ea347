import type { Location, Scope } from "../../diagnostics.js";
import type { Index } from "../lookup.js";

/** One derivation: what it reads, where it reports, and which fact rows it drew on. */
export interface Deriving {
  readonly declarations: Index;
  readonly scope: Scope;
  /** Where a declaration stands in the source; null when the reader does not know. */
  readonly placeOf: (name: string) => Location | null;
  /** Rows of the facts tables that spoke, as `factId` names them. */
  readonly used: Set<string>;
}

/** A row's name: its table and its content. */
export function factId(table: string, row: unknown): string {
  return `${table} ${JSON.stringify(row)}`;
}
