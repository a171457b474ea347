// What the role files share: the messages of a revision, their types in TypeScript, the tables of each side.
export * from "./jobs.js";
export * from "./messages.js";
export * from "./part.js";
export * from "./side.js";
