/**
 * Authorization of clients: `http(url, { auth: oauth({ login }) })`.
 * @module
 */
export { oauth, type OAuth } from "./client/oauth.js";
export type { Revocation } from "./client/revocation.js";
export {
  clientCredentials,
  type ClientCredentials,
} from "./client/client-credentials.js";
export {
  deviceLogin,
  type DeviceCode,
  type DeviceLogin,
} from "./client/device-login.js";
export {
  enterprise,
  type Enterprise,
  type EnterpriseClient,
} from "./client/enterprise.js";
export {
  workloadIdentity,
  type WorkloadIdentity,
} from "./client/workload-identity.js";
export {
  memoryStore,
  type Grant,
  type PendingSignIn,
  type Registration,
  type StoreEntry,
  type TokenStore,
} from "./client/store.js";
export { tokenStore, type TokenStoreOptions } from "./client/token-store.js";
export type { SharedValues } from "./shared-store.js";
export {
  AuthorizationError,
  type AuthorizationReason,
  isAuthorizationError,
} from "./client/error.js";
export type {
  AuthEvent,
  AuthFetch,
  AuthFetchRules,
  AuthStep,
  ClientOptions,
  Login,
  OAuthOptions,
  OtherGrant,
  Redirect,
  SignInPage,
} from "./client/options.js";
export type {
  Authorization,
  AuthorizedRequest,
  Authorizer,
  Challenged,
} from "../runtime/core/ports/authorizer.js";
export type { IssuerFacts } from "./client/model.js";
