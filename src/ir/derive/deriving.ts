import type { Scope } from "../../diagnostics.js";
import type { PlaceOf } from "../check/place.js";
import type { Index } from "../lookup.js";

/** One derivation: what it reads, where it reports, and which fact rows it drew on. */
export interface Deriving {
  readonly declarations: Index;
  readonly scope: Scope;
  readonly placeOf: PlaceOf;
  /** Rows of the facts tables that spoke, as `factId` names them. */
  readonly used: Set<string>;
}

/** A row's name: its table and its content. */
export function factId(table: string, row: unknown): string {
  return `${table} ${JSON.stringify(row)}`;
}
