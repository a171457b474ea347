// What `mcpgen/ir` promises: the representation's types, and what one needs to work with it.
export type * from "./model.js";
export { check } from "./check/index.js";
export { flatten, flattenType, type Conflict, type Flat, type FlatProperty } from "./flatten.js";
export { index, resolve, tagOf, type Index } from "./lookup.js";
export { withoutProse } from "./prose.js";
export { serialize } from "./serialize.js";
