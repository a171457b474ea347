// Handles the resource "all".
import type { NotesHandlers } from "../../server.js";

/** All notes. */
export const all: NotesHandlers["resources"]["all"] = () => {
  throw new Error('The handler of "all" is not implemented.');
};
