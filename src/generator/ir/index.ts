/**
 * The types of the IR and the functions to work with it.
 * @module
 */
export type * from "./constraint.js";
export type * from "./model.js";
export {
  flatten,
  flattenSchema,
  type Conflict,
  type Flat,
  type FlatProperty,
} from "./flatten.js";
export { index, resolve, tagOf, type Index } from "./lookup.js";
export { withoutProse } from "./copies.js";
export { serialize } from "./serialize.js";
