/**
 * Skills from the disk, on Node.
 * @module
 */
export { folder } from "../role/skills/folder.js";
