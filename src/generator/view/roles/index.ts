// Shared by the role files: the messages of a revision, their TypeScript types,
// the tables of each side.
export * from "./directions.js";
export * from "./messages.js";
export * from "./part.js";
export * from "./side.js";
export * from "./signatures.js";
