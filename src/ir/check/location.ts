import type { Location } from "../../diagnostics.js";

/** The position of a declaration or one of its members in the source; null if the reader does not know it. */
export type LocationOf = (name: string, member?: string) => Location | null;
