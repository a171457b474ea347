/**
 * Sign-in of people on this machine, and tokens that outlive the process, for
 * Node.
 * @module
 */
export { browserLogin, type BrowserLogin } from "./login/browser-login.js";
export {
  fileStore,
  type FileStore,
  type StoredGrant,
} from "./login/file-store.js";
export {
  guardedFetch,
  type GuardedFetch,
  type HostAddress,
} from "./login/guarded-fetch.js";
export {
  fileToken,
  githubActionsToken,
  kubernetesToken,
} from "./login/token-sources.js";
