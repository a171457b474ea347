/**
 * The session engines of revisions that open with `initialize`.
 * @module
 */
export { askOnWire } from "./session/ask.js";
export { legacyClient } from "./session/legacy-client.js";
export { legacyServer } from "./session/legacy-server.js";
