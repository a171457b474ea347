import type { Tool } from "./model.js";

/** The tools that do not say whether they change anything. */
export const unsaidIn = (tools: readonly Tool[]): readonly Tool[] =>
  tools.filter(
    ({ hints }) => hints.readOnly === null && hints.destructive === null,
  );

/** What is said of them, without their names. */
export const unsaidText = (unsaid: number, tools: number): string =>
  `${unsaid} of ${tools} tools have no readOnlyHint or destructiveHint, so hosts ask before each call`;
