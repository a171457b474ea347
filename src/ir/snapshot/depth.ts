import type { JsonRecord } from "./model.js";

/** Objects and lists inside each other, in one entry of a server's lists. A schema lies one level inside its tool. */
export const mostLevels = 400;

/** What stands in the place of a tool's schema that is nested deeper: no more than every such schema says. */
export const leftOut: JsonRecord = {
  $comment: `The schema is nested more than ${mostLevels} levels deep and was left out.`,
  type: "object",
};

/** The members of a tool that are schemas. */
export const toolSchemas = ["inputSchema", "outputSchema"] as const;
