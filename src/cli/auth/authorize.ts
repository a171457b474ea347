import type { Authorizer, OAuthOptions } from "../../auth/index.js";
import { usageError } from "../command-error.js";
import type { HttpAddress } from "../live/address.js";
import {
  authFetch,
  proxied,
  type AuthModule,
  loadAuth,
  ourClient,
} from "./module.js";
import { aliasIn, keptIssuers } from "./sign-in-options.js";
import { findStore, openStore, watchedStore } from "./store.js";

/**
 * The authorizer of the requests to a server, and its secrets. A secret is
 * added to `tokens` when it is first used.
 */
interface Authorized {
  readonly auth: Authorizer;
  readonly tokens: ReadonlySet<string>;
}

/** The forms of `--auth` and of `auth` in a configuration. */
const authForms =
  "account:<name>, github-actions, kubernetes, file:<path>, client-credentials or client-credentials:<PREFIX>";

/**
 * Returns the authorizer for a server: the one that `--auth` selects, or one
 * with the stored tokens of `mcpgen login`. Null if no token is stored, or if
 * the source sets an Authorization header. Never opens a browser.
 */
export async function authorize(
  address: HttpAddress,
): Promise<Authorized | null> {
  const { url, headers, auth: form, issuer } = address;
  const aliases = aliasIn(address.issuerAlias);
  const hasHeader = Object.keys(headers).some(
    (name) => name.toLowerCase() === "authorization",
  );
  if (hasHeader && form !== undefined)
    throw usageError(
      "MG705",
      "--auth and an Authorization header exclude each other",
      "remove one of them",
    );
  if (hasHeader) return null;
  const account =
    form?.startsWith("account:") === true
      ? form.slice("account:".length)
      : undefined;
  const isMachine = form !== undefined && account === undefined;
  if (issuer !== undefined && !isMachine)
    throw usageError(
      "MG705",
      "--issuer requires --auth with a form without an account",
      "remove it",
    );
  const module = await loadAuth();
  const tokens = new Set<string>();
  if (isMachine) {
    const login = machineGrant(form, issuer, module, tokens);
    const store = watchedStore(module.memoryStore(), tokens);
    const options = {
      login,
      store,
      client: ourClient,
      fetch: authFetch(module),
      issuers: aliases,
    };
    return { auth: module.oauth(options), tokens };
  }
  // Without a home folder no token is stored, and only a named account needs
  // one.
  const store = account === undefined ? findStore(module) : openStore(module);
  if (store === null) return null;
  const server = serverOf(url);
  const grant = await store.find(server, account);
  if (!grant) {
    if (account === undefined) return null;
    const names = (await store.list())
      .filter((grant) => grant.server === server)
      .map((grant) => grant.account || "the default account");
    throw usageError(
      "MG732",
      `there is no token for the account ${JSON.stringify(account)} of this server`,
      `run mcpgen login --account ${account}${names.length === 0 ? "" : `; the stored accounts are ${names.join(", ")}`}`,
    );
  }
  const options: OAuthOptions = {
    store: watchedStore(store, tokens),
    client: ourClient,
    fetch: authFetch(module),
    ...(account !== undefined && { account }),
    issuers: {
      ...(await keptIssuers(store, grant.issuer)).issuers,
      ...aliases,
    },
  };
  return { auth: module.oauth(options), tokens };
}

/** The URL of a server as the token store writes it. */
export const serverOf = ({ origin, pathname, search }: URL): string =>
  origin + pathname + search;

/**
 * The grant for a run without a user. All its secrets come from files and the
 * environment.
 */
function machineGrant(
  form: string,
  givenIssuer: string | undefined,
  module: AuthModule,
  tokens: Set<string>,
): NonNullable<OAuthOptions["login"]> {
  const [kind = "", ...rest] = form.split(":");
  const detail = rest.join(":");
  const issuer = (prefix = "MCPGEN"): string =>
    issuerIn(
      givenIssuer ?? (process.env[`${prefix}_ISSUER`] || undefined),
      form,
      prefix,
    );
  const workload = (
    source: (audience: string) => Promise<string>,
  ): NonNullable<OAuthOptions["login"]> =>
    module.workloadIdentity({
      issuer: issuer(),
      assertion: async (audience) => {
        const token = await source(audience);
        tokens.add(token);
        return token;
      },
    });
  if (form === "github-actions")
    return workload(module.githubActionsToken({ fetch: proxied(fetch) }));
  if (form === "kubernetes") return workload(module.kubernetesToken());
  if (kind === "file" && detail !== "")
    return workload(module.fileToken(detail));
  if (kind === "client-credentials" && /^[A-Za-z_]?\w*$/.test(detail)) {
    const { id, secret, key } = credentials(detail || "MCPGEN");
    for (const text of [secret, key]) if (text !== undefined) tokens.add(text);
    const authentication =
      key === undefined ? { secret: secret ?? "" } : { key };
    return module.clientCredentials({
      id,
      ...authentication,
      issuer: issuer(detail || "MCPGEN"),
    });
  }
  throw usageError(
    "MG702",
    `--auth has the unknown value ${JSON.stringify(form)}`,
    `use ${authForms}`,
  );
}

/**
 * The authorization server that may get the credentials of a form: the server
 * to read must not choose it.
 */
function issuerIn(
  issuer: string | undefined,
  form: string,
  prefix: string,
): string {
  if (issuer === undefined)
    throw usageError(
      "MG735",
      `--auth ${form} sends credentials, and neither --issuer nor ${prefix}_ISSUER says to which authorization server`,
      `pass --issuer <issuer>, for example https://login.example.com; no other server gets the credentials`,
    );
  if (URL.canParse(issuer)) return issuer;
  throw usageError(
    "MG702",
    "the issuer is not a URL",
    "for example https://login.example.com",
  );
}

/**
 * The id of a client, and its secret or private key, from the environment
 * variables with this prefix.
 */
function credentials(prefix: string): {
  id: string;
  secret: string | undefined;
  key: string | undefined;
} {
  const [id, secret, key] = ["ID", "SECRET", "KEY"].map(
    (part) => process.env[`${prefix}_CLIENT_${part}`] || undefined,
  );
  const hint = `set ${prefix}_CLIENT_ID, and ${prefix}_CLIENT_SECRET or ${prefix}_CLIENT_KEY (a private key in PEM form)`;
  if (id === undefined)
    throw usageError(
      "MG735",
      `the environment variable ${prefix}_CLIENT_ID is not set`,
      hint,
    );
  if ((secret === undefined) === (key === undefined)) {
    const message =
      secret === undefined
        ? `neither ${prefix}_CLIENT_SECRET nor ${prefix}_CLIENT_KEY is set`
        : `both ${prefix}_CLIENT_SECRET and ${prefix}_CLIENT_KEY are set`;
    throw usageError("MG735", message, hint);
  }
  return { id, secret, key };
}
