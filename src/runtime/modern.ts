/**
 * The session engines of revisions whose requests carry their own metadata.
 * @module
 */
// For clients:
export { modernClient } from "./core/session/modern-client.js";
// For servers:
export { answerInRounds } from "./core/session/input-rounds.js";
export { modernServer } from "./core/session/modern-server.js";
