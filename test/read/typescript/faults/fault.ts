/**
 * What is wrong with a text: line, column, code, what was found, and in
 * brackets what to do about it.
 */
export interface Fault {
  readonly given: string;
  readonly want: readonly string[];
}
