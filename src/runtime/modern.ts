/**
 * The session engines of revisions whose requests carry their own metadata.
 * @module
 */
// For clients:
export { modernClient } from "./session/modern-client.js";
// For servers:
export { answerInRounds } from "./session/input-rounds.js";
export { modernServer } from "./session/modern-server.js";
