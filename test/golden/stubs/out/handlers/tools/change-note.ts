// Handles the tool "change_note".
import type { NotesHandlers } from "../../server.js";

/** Change a note */
export const changeNote: NotesHandlers["tools"]["changeNote"] = () => {
  throw new Error('The handler of "change_note" is not implemented.');
};
