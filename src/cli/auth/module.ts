import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as auth from "../../runtime/auth.js";
import type * as login from "../../runtime/login.js";
import { packageRoot } from "../../sources/package.js";

/** The authorization of the runtime, built into one file. */
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

/** Loaded on demand: most servers need none of it. */
export async function loadAuth(): Promise<AuthModule> {
  return (await import(pathToFileURL(join(packageRoot(), "dist", "auth.js")).href)) as AuthModule;
}

/** How an authorization server names us to people. */
export const ourClient = { name: "mcpgen" } as const;
