// Handles the resource "tagged".
import type { NotesHandlers } from "../../server.js";

/** `tagged` */
export const tagged: NotesHandlers["resources"]["tagged"] = () => {
  throw new Error('The handler of "tagged" is not implemented.');
};
