/**
 * The session engines of revisions whose requests carry their own metadata.
 * @module
 */
export { answerInRounds } from "./session/input-rounds.js";
export { modernClient } from "./session/modern-client.js";
export { modernServer } from "./session/modern-server.js";
