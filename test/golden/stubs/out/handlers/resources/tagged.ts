import type { NotesHandlers } from "../../server.js";

/** `tagged` */
export const tagged: NotesHandlers["resources"]["tagged"] = () => {
  throw new Error('There is nothing here yet for "tagged".');
};
