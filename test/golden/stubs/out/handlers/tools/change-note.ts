import type { NotesHandlers } from "../../server.js";

/** Change a note */
export const changeNote: NotesHandlers["tools"]["changeNote"] = () => {
  throw new Error('There is nothing here yet for "change_note".');
};
