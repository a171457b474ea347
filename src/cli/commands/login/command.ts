import { pull } from "../../../generator/read/live/pull.js";
import type {
  DeviceCode,
  Login,
  OAuthOptions,
  StoreEntry,
  TokenStore,
} from "../../../auth/index.js";
import type { FileStore, StoredGrant } from "../../../auth/login.js";
import { serverOf } from "../../auth/authorize.js";
import { authFetch, type AuthModule, loadAuth } from "../../auth/module.js";
import {
  keepSignInOptions,
  signInOptions,
} from "../../auth/sign-in-options.js";
import { openStore, watchedStore } from "../../auth/store.js";
import { exitCodes, Interruption, usageError } from "../../command-error.js";
import type { Command, Context } from "../../command.js";
import type { Flags } from "../../flag-values.js";
import { asReadError } from "../../live/read-error.js";
import { httpTransport, loadLive, ourInfo } from "../../live/module.js";
import type { HttpAddress } from "../../live/address.js";
import { sourceKind, addressOf } from "../../live/find-address.js";
import { sourceOptions } from "../../options.js";
import { loginsText, signInText } from "../../auth/report.js";
import { type Report, reportOf } from "../../report.js";
import { visible } from "../../terminal.js";

export const run: Command = async (_words, flags, context, terminal) => {
  const module = await loadAuth();
  const store = openStore(module);
  if (flags.on("list")) {
    const grants = await store.list();
    const advice = grants.length === 0 ? "no server has a stored token\n" : "";
    const data = (): string => loginsText(grants);
    return {
      exitCode: exitCodes.done,
      diagnostics: [],
      json: grants,
      data,
      advice,
    };
  }
  const address = await signInAddress(flags, context);
  const show = (text: string): void => terminal.print(visible(text));
  return await signIn(address, flags, { module, store, show }, context);
};

/** The server to sign in to or out of. */
export async function signInAddress(
  flags: Flags,
  context: Context,
): Promise<HttpAddress> {
  const source = sourceOptions(flags);
  if (sourceKind(source) === null)
    throw usageError(
      "MG705",
      "no server is given",
      "use --url <url>, or --config <name> for a server in .mcp.json",
    );
  const address = await addressOf(source, context.directory);
  if (address.kind === "http") return address;
  throw usageError(
    "MG705",
    "you can only sign in to a server at a URL",
    "pass credentials to a server that you start with --env <name>",
  );
}

interface SignInTools {
  readonly module: AuthModule;
  readonly store: FileStore;
  show(text: string): void;
}

function browserLogin(
  module: AuthModule,
  flags: Flags,
  show: SignInTools["show"],
): Login {
  const redirectUri = flags.text("redirect-uri");
  try {
    return module.browserLogin({
      show,
      ...(flags.on("no-browser") && { open: false as const }),
      ...(redirectUri !== null && { redirectUri }),
    });
  } catch (error) {
    const message = `--redirect-uri cannot be used: ${(error as Error).message}`;
    throw usageError(
      "MG702",
      message,
      "for example http://127.0.0.1:8976/callback",
    );
  }
}

/**
 * Connects to a server without its stored token, and stores the new one once
 * the server has accepted it.
 */
async function signIn(
  address: HttpAddress,
  flags: Flags,
  { module, store, show }: SignInTools,
  context: Context,
): Promise<Report> {
  const server = serverOf(address.url);
  const tokens = new Set<string>();
  const account = flags.text("account") ?? "";
  const storedGrant = async (): Promise<StoredGrant | null> =>
    (await store.find(server, account)) ?? null;
  const newGrants = withNewGrants(store);
  const known = signInOptions(flags);
  const login = flags.on("device")
    ? module.deviceLogin({ onCode: (code) => show(deviceText(code)) })
    : browserLogin(module, flags, show);
  const options: OAuthOptions = {
    login,
    store: watchedStore(newGrants.store, tokens),
    fetch: authFetch(module),
    ...known,
    ...(account !== "" && { account }),
    ...(await scopesFor(flags, storedGrant)),
    onEvent: ({ step, issuer }) =>
      context.status(`${step}${issuer === undefined ? "" : ` at ${issuer}`}`),
  };
  const live = await loadLive();
  const transport = httpTransport(
    live,
    address,
    module.oauth(options),
    context.progress,
  );
  const close = (): void => void transport.close();
  if (context.signal.aborted) close();
  else context.signal.addEventListener("abort", close, { once: true });
  try {
    const client = await live.connect(transport, {
      info: ourInfo(),
      timeout: 60_000,
      probeTimeout: 10_000,
      onError: () => {},
      onWarning: () => {},
    });
    // Some servers require a token only for reading a list.
    if (tokens.size === 0) await pull(client, { signal: context.signal });
    await client.close();
    await newGrants.save();
    const grant = await storedGrant();
    if (tokens.size > 0 && grant)
      await keepSignInOptions(store, known, grant.issuer);
  } catch (error) {
    if (context.signal.aborted)
      throw new Interruption("interrupted; you are not signed in");
    const { secret } = known.client;
    throw asReadError(error, {
      ...address,
      tokens: secret === undefined ? tokens : new Set([...tokens, secret]),
      ...(account !== "" && { auth: `account:${account}` }),
    });
  } finally {
    context.signal.removeEventListener("abort", close);
    context.status(null);
    await transport.close();
  }
  const isNeeded = tokens.size > 0;
  const grant = isNeeded ? await storedGrant() : null;
  return reportOf(
    exitCodes.done,
    { server, isNeeded, ...grant },
    {
      diagnostics: [],
      text: () => signInText(server, grant, store.folder),
    },
  );
}

/** The scopes of an earlier sign-in with those of --scope; none without it. */
async function scopesFor(
  flags: Flags,
  storedGrant: () => Promise<StoredGrant | null>,
): Promise<Pick<OAuthOptions, "scopes">> {
  const scope = flags.text("scope")?.split(/[\s,]+/);
  if (scope === undefined) return {};
  const earlier = await storedGrant();
  return { scopes: [...new Set([...(earlier?.scopes ?? []), ...scope])] };
}

/**
 * A view of the store without the tokens of earlier runs, since `login` always
 * signs in again. `save` stores the new tokens.
 */
function withNewGrants(store: FileStore): {
  readonly store: TokenStore;
  save(): Promise<void>;
} {
  const grants = new Map<string, StoreEntry | undefined>();
  const isGrant = (key: string): boolean => key.startsWith('["grant",');
  const view: TokenStore = {
    ...store,
    get: (key) => (isGrant(key) ? grants.get(key) : store.get(key)),
    set: (key, entry) =>
      isGrant(key) ? void grants.set(key, entry) : store.set(key, entry),
  };
  const save = async (): Promise<void> => {
    for (const [key, entry] of grants) if (entry) await store.set(key, entry);
  };
  return { store: view, save };
}

function deviceText({ url, code, completeUrl }: DeviceCode): string {
  const direct = completeUrl === undefined ? "" : `Or open ${completeUrl}\n`;
  return `Open ${url} on any device, and enter the code ${code}\n${direct}`;
}
