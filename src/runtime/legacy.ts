/**
 * The session engines of revisions that open with `initialize`.
 * @module
 */
// For clients:
export { legacyClient } from "./core/session/legacy-client.js";
// For servers:
export { askOnWire } from "./core/session/question.js";
export { legacyServer } from "./core/session/legacy-server.js";
