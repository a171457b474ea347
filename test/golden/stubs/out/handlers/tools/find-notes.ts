// Handles the tool "find_notes".
import type { NotesHandlers } from "../../server.js";

/** Finds notes. */
export const findNotes: NotesHandlers["tools"]["findNotes"] = () => {
  throw new Error('The handler of "find_notes" is not implemented.');
};
