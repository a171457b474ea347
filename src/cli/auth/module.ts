import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as auth from "../../auth/index.js";
import type { AuthFetch } from "../../auth/index.js";
import type * as login from "../../auth/login.js";
import { type Fetch, proxiedFetch, proxyFor } from "../live/proxy.js";
import { packageRoot } from "../../generator/inputs/package.js";

/**
 * The package @mcpgen/auth with its entry for Node.js, bundled into one file.
 */
export type AuthModule = typeof auth & typeof login;

/** Loads the code on demand, because most servers do not need it. */
export async function loadAuth(): Promise<AuthModule> {
  return (await import(
    pathToFileURL(join(packageRoot(), "dist", "auth.js")).href
  )) as AuthModule;
}

/**
 * Sends the requests of `oauth`: through the proxy that the environment
 * selects, which resolves the names of hosts, or else to checked addresses
 * only.
 */
export function authFetch(module: AuthModule): AuthFetch {
  const guarded = module.guardedFetch();
  return (url, init, rules) =>
    proxied((to, how) => guarded(to, how, rules))(url, init);
}

/**
 * Sends requests through the proxy that the environment selects, or else
 * directly.
 */
export const proxied =
  (direct: Fetch): Fetch =>
  async (url, init) => {
    const proxy = proxyFor(url, process.env);
    return await (proxy === null ? direct : proxiedFetch(proxy))(url, init);
  };

/** The client name that an authorization server shows to users. */
export const ourClient = { name: "mcpgen" } as const;
