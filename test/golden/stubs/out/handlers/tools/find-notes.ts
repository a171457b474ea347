import type { NotesHandlers } from "../../server.js";

/** Finds notes. */
export const findNotes: NotesHandlers["tools"]["findNotes"] = () => {
  throw new Error('There is nothing here yet for "find_notes".');
};
