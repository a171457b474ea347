/** The session engines of revisions whose requests carry their own metadata. */
export { modernClient } from "./session/modern-client.js";
export { modernServer } from "./session/modern-server.js";
