/**
 * Skills from the disk, on Node.
 * @module
 */
export { folder } from "./folder.js";
