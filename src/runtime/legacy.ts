/**
 * The session engines of revisions that open with `initialize`.
 * @module
 */
// For clients:
export { legacyClient } from "./session/legacy-client.js";
// For servers:
export { askOnWire } from "./session/ask.js";
export { legacyServer } from "./session/legacy-server.js";
