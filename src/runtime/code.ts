/**
 * Typed programs over the tools of several servers, which are checked before
 * they run, and bounded while they run. For Node.js.
 * @module
 */
export {
  type Called,
  type Code,
  type CodeOptions,
  type CodeResult,
  makeCode,
  type RunOptions,
} from "./code/code.js";
export type { Allow, CodeCall, CodeClient, WantedCall } from "./code/calls.js";
export type { Catalog, CatalogServer, CatalogTool } from "./code/catalog.js";
export type { Checked } from "./code/check.js";
export type { CodeLimit, CodeLimits } from "./code/limits.js";
export {
  type CodeProtocol,
  serveCode,
  type ServeCodeOptions,
} from "./code/serve.js";
export type { CodeFile } from "./code/results.js";
export type { EngineName } from "./code/thread.js";
