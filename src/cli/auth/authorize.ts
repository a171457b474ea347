import type { Authorizer, OAuthOptions } from "../../runtime/auth.js";
import { usageError } from "../command-error.js";
import type { HttpPlace } from "../live/place.js";
import { type AuthModule, loadAuth, ourClient } from "./module.js";
import { checkedStore, watchedStore } from "./store.js";

/** How the requests to a server are authorized, and the secrets of that, which are known only as they are used. */
export interface Authorized {
  readonly auth: Authorizer;
  readonly tokens: ReadonlySet<string>;
}

/** The forms of `--auth` and of `auth` in a configuration. */
export const authForms =
  "account:<name>, github-actions, kubernetes, file:<path>, client-credentials or client-credentials:<PREFIX>";

/**
 * How requests to a server are authorized: as its source says, or by the tokens of `mcpgen login`. Null if there are none, or if the source
 * has an Authorization header. Opens no browser.
 */
export async function authorize(place: HttpPlace): Promise<Authorized | null> {
  const { url, headers, auth: form } = place;
  const hasHeader = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if (hasHeader && form !== undefined)
    throw usageError("MG705", "--auth and an Authorization header exclude each other", "remove one of them");
  if (hasHeader) return null;
  const account = form?.startsWith("account:") === true ? form.slice("account:".length) : undefined;
  const module = await loadAuth();
  const tokens = new Set<string>();
  if (form !== undefined && account === undefined) {
    const login = machineGrant(form, module, tokens);
    const store = watchedStore(module.memoryStore(), tokens);
    return { auth: module.oauth({ login, store, client: ourClient, fetch: module.guardedFetch() }), tokens };
  }
  const store = checkedStore(module.fileStore());
  const server = serverOf(url);
  const grants = await store.list();
  if (!grants.some((grant) => grant.server === server && grant.account === (account ?? ""))) {
    if (account === undefined) return null;
    const names = grants
      .filter((grant) => grant.server === server)
      .map((grant) => grant.account || "the default one");
    throw usageError(
      "MG732",
      `there is no token for the account ${JSON.stringify(account)} of this server`,
      `run mcpgen login --account ${account}${names.length === 0 ? "" : `; there are tokens for ${names.join(", ")}`}`,
    );
  }
  const options: OAuthOptions = {
    store: watchedStore(store, tokens),
    client: ourClient,
    fetch: module.guardedFetch(),
    ...(account !== undefined && { account }),
  };
  return { auth: module.oauth(options), tokens };
}

/** The URL of a server as the store of tokens names it. */
export const serverOf = ({ origin, pathname, search }: URL): string => origin + pathname + search;

/** How a job without a person is authorized. Its secrets come from files and the environment alone. */
function machineGrant(
  form: string,
  module: AuthModule,
  tokens: Set<string>,
): NonNullable<OAuthOptions["login"]> {
  const [kind = "", ...rest] = form.split(":");
  const detail = rest.join(":");
  const workload = (source: (audience: string) => Promise<string>): NonNullable<OAuthOptions["login"]> =>
    module.workloadIdentity({
      assertion: async (audience) => {
        const token = await source(audience);
        tokens.add(token);
        return token;
      },
    });
  if (form === "github-actions") return workload(module.githubActionsToken());
  if (form === "kubernetes") return workload(module.kubernetesToken());
  if (kind === "file" && detail !== "") return workload(module.fileToken(detail));
  if (kind === "client-credentials" && /^[A-Za-z_]?\w*$/.test(detail)) {
    const { id, secret, key } = credentials(detail || "MCPGEN");
    for (const text of [secret, key]) if (text !== undefined) tokens.add(text);
    return module.clientCredentials({ id, ...(key === undefined ? { secret: secret ?? "" } : { key }) });
  }
  throw usageError("MG702", `--auth is ${JSON.stringify(form)}`, `use ${authForms}`);
}

/** The id of a client with its secret or its private key, from variables with this prefix. */
function credentials(prefix: string): { id: string; secret: string | undefined; key: string | undefined } {
  const [id, secret, key] = ["ID", "SECRET", "KEY"].map(
    (part) => process.env[`${prefix}_CLIENT_${part}`] || undefined,
  );
  const hint = `set ${prefix}_CLIENT_ID, and ${prefix}_CLIENT_SECRET or ${prefix}_CLIENT_KEY (a private key in PEM form)`;
  if (id === undefined)
    throw usageError("MG735", `the environment variable ${prefix}_CLIENT_ID is not set`, hint);
  if ((secret === undefined) === (key === undefined)) {
    const message =
      secret === undefined
        ? `neither ${prefix}_CLIENT_SECRET nor ${prefix}_CLIENT_KEY is set`
        : `both ${prefix}_CLIENT_SECRET and ${prefix}_CLIENT_KEY are set`;
    throw usageError("MG735", message, hint);
  }
  return { id, secret, key };
}
