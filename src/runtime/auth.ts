/**
 * Authorization of clients: `http(url, { auth: oauth({ login }) })`.
 * @module
 */
export { oauth, type OAuth } from "./auth/oauth.js";
export type { Revocation } from "./auth/revocation.js";
export { clientCredentials, type ClientCredentials } from "./auth/client-credentials.js";
export { deviceLogin, type DeviceCode, type DeviceLogin } from "./auth/device-login.js";
export { enterprise, type Enterprise, type EnterpriseClient } from "./auth/enterprise.js";
export { workloadIdentity, type WorkloadIdentity } from "./auth/workload-identity.js";
export {
  memoryStore,
  type Grant,
  type PendingSignIn,
  type Registration,
  type StoreEntry,
  type TokenStore,
} from "./auth/store.js";
export { AuthorizationError, type AuthorizationReason, isAuthorizationError } from "./auth/error.js";
export type {
  AuthEvent,
  AuthFetch,
  AuthFetchRules,
  AuthStep,
  ClientOptions,
  IssuerFacts,
  Login,
  OAuthOptions,
  OtherGrant,
  Redirect,
  SignInPage,
} from "./auth/options.js";
export type { Authorization, AuthorizedRequest, Authorizer, Challenged } from "./authorizer.js";
