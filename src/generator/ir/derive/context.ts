import type { Scope } from "../../diagnostics.js";
import type { Index, LocationOf } from "../lookup.js";

/** The context of one derivation: its input, and where it reports. */
export interface DeriveContext {
  readonly declarations: Index;
  /** The names of the declarations that extensions add. */
  readonly added: ReadonlySet<string>;
  readonly scope: Scope;
  readonly locationOf: LocationOf;
}
