import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as auth from "../../auth/index.js";
import type * as login from "../../auth/login.js";
import { packageRoot } from "../../sources/package.js";

/** The authorization code of the runtime, bundled into one file. */
export type AuthModule = Pick<
  typeof auth & typeof login,
  | "browserLogin"
  | "clientCredentials"
  | "deviceLogin"
  | "fileStore"
  | "fileToken"
  | "githubActionsToken"
  | "guardedFetch"
  | "kubernetesToken"
  | "memoryStore"
  | "oauth"
  | "workloadIdentity"
>;

/** Loads the code on demand, because most servers do not need it. */
export async function loadAuth(): Promise<AuthModule> {
  return (await import(pathToFileURL(join(packageRoot(), "dist", "auth.js")).href)) as AuthModule;
}

/** The client name that an authorization server shows to users. */
export const ourClient = { name: "mcpgen" } as const;
