/** The session engine of revisions that open with a handshake. */
export { legacyClient } from "./session/legacy-client.js";
export { legacyServer } from "./session/legacy-server.js";
