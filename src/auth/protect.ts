/**
 * Authorization of servers: `createHttpHandler(servers, { protect: protect({
 * resource, issuers }) })`.
 * @module
 */
export { protect } from "./protect/protect.js";
export type { ProtectOptions } from "./protect/options.js";
export { dpop, type DpopOptions } from "./protect/dpop.js";
export {
  memoryReplayStore,
  replayStore,
  type ReplayStore,
} from "./protect/replay.js";
export type { SharedValues } from "./shared-store.js";
export { jwt, type JwtOptions } from "./protect/jwt.js";
export {
  introspection,
  type IntrospectionOptions,
} from "./protect/introspection.js";
export type { ScopeRules } from "./protect/scopes.js";
export type {
  Claims,
  Dpop,
  DpopResult,
  DpopUse,
  ProtectedAuth,
  Verifier,
  VerifierContext,
} from "./protect/model.js";
export type {
  Admission,
  ProtectedRequest,
  Protection,
  Rejection,
} from "../runtime/core/ports/protection.js";
export type { Refused } from "../runtime/core/errors.js";
