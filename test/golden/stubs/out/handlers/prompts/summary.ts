// Handles the prompt "summary".
import type { NotesHandlers } from "../../server.js";

/** Asks for a summary. */
export const summary: NotesHandlers["prompts"]["summary"] = () => {
  throw new Error('The handler of "summary" is not implemented.');
};
