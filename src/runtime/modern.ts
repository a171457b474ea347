/**
 * The session engines of revisions whose requests carry their own metadata.
 * @module
 */
export { modernClient } from "./session/modern-client.js";
export { modernServer } from "./session/modern-server.js";
