import type { FlagName } from "./flag-specs.js";

/**
 * The entries of a list, some of which may contain several with commas; each
 * trimmed.
 */
export function wordsIn(list: string | readonly string[]): readonly string[] {
  const words = [list].flat().flatMap((text) => text.split(","));
  return words.map((word) => word.trim()).filter((word) => word !== "");
}

/**
 * The flags of one run, validated for their command. `Own` are those that only
 * an add-on has.
 */
export interface Flags<Own extends string = never> {
  /** The value of a text flag; null if absent. */
  text(name: FlagName | Own): string | null;
  /** All values of a text flag. */
  texts(name: FlagName | Own): readonly string[];
  /** The parts of a text flag between commas, trimmed. */
  list(name: FlagName | Own): readonly string[];
  /** True if the switch is on. */
  on(name: FlagName | Own): boolean;
  /** The flags of the command. */
  readonly known: readonly FlagName[];
  /** The error for a flag, with its dashes, that the command does not have. */
  unknown(flag: string): Error;
  /**
   * `--<name> <value>` for each name that is not a flag, of a command with
   * `takesArguments`; null without a value.
   */
  readonly others: readonly (readonly [name: string, value: string | null])[];
}
