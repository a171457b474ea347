import type { Location } from "../../diagnostics.js";

/** Where a declaration, or one of its members, stands in the source; null when the reader does not know. */
export type PlaceOf = (name: string, member?: string) => Location | null;
