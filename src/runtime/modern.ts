/** The session engine of revisions whose every request says for itself what it needs to be understood. */
export { modernClient } from "./session/modern-client.js";
export { modernServer } from "./session/modern-server.js";
