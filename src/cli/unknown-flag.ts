import { nearest } from "../generator/read/nearest.js";
import { usageError } from "./command-error.js";
import { flagSpecs } from "./flag-specs.js";

/**
 * The error for a flag, with its dashes, that a command with these flags does
 * not have.
 */
export function unknownFlag(
  command: string,
  known: readonly string[],
  flag: string,
): Error {
  const name = flag.replace(/^--?/, "");
  const isOfOther = Object.hasOwn(flagSpecs, name);
  const near = isOfOther ? null : nearest(name, [...known, "help", "revision"]);
  return usageError(
    "MG701",
    isOfOther
      ? `mcpgen ${command} has no flag ${flag}`
      : `unknown flag ${flag}`,
    near === null
      ? `mcpgen ${command} --help lists the flags`
      : `did you mean --${near}?`,
  );
}
