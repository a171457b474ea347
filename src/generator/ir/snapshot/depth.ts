import type { JsonRecord } from "./model.js";

/**
 * The maximum nesting of objects and arrays in one entry of a server's lists. A
 * tool's schema is one level inside the tool.
 */
export const maxLevels = 400;

/**
 * The schema in place of a tool's schema that is nested deeper: accepts every
 * object.
 */
export const deepSchema: JsonRecord = {
  $comment: `The schema is nested more than ${maxLevels} levels deep and was left out.`,
  type: "object",
};

/** The members of a tool that are schemas. */
export const toolSchemas = ["inputSchema", "outputSchema"] as const;
