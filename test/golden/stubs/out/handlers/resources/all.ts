import type { NotesHandlers } from "../../server.js";

/** All notes. */
export const all: NotesHandlers["resources"]["all"] = () => {
  throw new Error('There is nothing here yet for "all".');
};
