import { pull } from "../../read/live/pull.js";
import type { DeviceCode, OAuthOptions, TokenStore } from "../../runtime/auth.js";
import type { FileStore } from "../../runtime/login.js";
import { serverOf } from "../auth/authorize.js";
import { type AuthModule, loadAuth, ourClient } from "../auth/module.js";
import { checkedStore, watchedStore } from "../auth/store.js";
import { exitCodes, Interruption, usageError } from "../command-error.js";
import type { Command } from "../commands.js";
import type { Context } from "../context.js";
import type { Flags } from "../flags.js";
import { failure } from "../live/failure.js";
import { loadLive, ourInfo } from "../live/module.js";
import { type HttpPlace, liveSource, placeOf } from "../live/place.js";
import { sourceOptions } from "../options.js";
import type { LoginReport } from "../report.js";
import { visible } from "../terminal.js";

export const run: Command = async (_words, flags, context, terminal) => {
  const module = await loadAuth();
  const store = checkedStore(module.fileStore());
  if (flags.on("list")) {
    const grants = await store.list();
    return { kind: "logins", exitCode: exitCodes.done, grants, diagnostics: [], advice: "" };
  }
  const place = await signInPlace(flags, context);
  const show = (text: string): void => terminal.tell(visible(text));
  return await signIn(place, flags, { module, store, show }, context);
};

/** The server that `login` and `logout` mean. */
export async function signInPlace(flags: Flags, context: Context): Promise<HttpPlace> {
  const source = sourceOptions(flags);
  if (liveSource(source) === null)
    throw usageError(
      "MG705",
      "no server is given",
      "use --url <url>, or --config <name> for one of .mcp.json",
    );
  const place = await placeOf(source, context.directory);
  if (place.kind === "http") return place;
  throw usageError(
    "MG705",
    "a person can sign in to a server at a URL only",
    "give credentials to a server that you start by --env <name>",
  );
}

interface Means {
  readonly module: AuthModule;
  readonly store: FileStore;
  show(text: string): void;
}

/** Connects to a server with an authorization that begins anew, and keeps the token that it gets. */
async function signIn(
  place: HttpPlace,
  flags: Flags,
  { module, store, show }: Means,
  context: Context,
): Promise<LoginReport> {
  const tokens = new Set<string>();
  const account = flags.text("account") ?? "";
  const login = flags.on("device")
    ? module.deviceLogin({ onCode: (code) => show(deviceText(code)) })
    : module.browserLogin({ show, ...(flags.on("no-browser") && { open: false as const }) });
  const scope = flags.text("scope");
  const id = flags.text("client-id");
  const options: OAuthOptions = {
    login,
    store: watchedStore(startingAnew(store), tokens),
    fetch: module.guardedFetch(),
    client: { ...ourClient, ...(id !== null && { id }) },
    ...(account !== "" && { account }),
    ...(scope !== null && { scopes: scope.split(/[\s,]+/) }),
    onEvent: ({ step, issuer }) =>
      context.status(`${step}${issuer === undefined ? "" : ` at ${visible(issuer)}`}`),
  };
  const live = await loadLive();
  const transport = { headers: place.headers, auth: module.oauth(options) };
  const carrier = (place.isSse ? live.sse : live.http)(place.url, transport);
  const close = (): void => void carrier.close();
  context.signal.addEventListener("abort", close, { once: true });
  const found = async (): Promise<LoginReport["grant"]> =>
    (await store.list()).find((grant) => grant.server === serverOf(place.url) && grant.account === account) ??
    null;
  try {
    const client = await live.connect(carrier, {
      info: ourInfo(),
      timeout: 60_000,
      probeTimeout: 10_000,
      onError: () => {},
      onWarning: () => {},
    });
    // Some servers ask for a token only when something is read.
    if (tokens.size === 0) await pull(client, { signal: context.signal });
    await client.close();
  } catch (error) {
    if (context.signal.aborted) throw new Interruption("interrupted; you are not signed in");
    throw failure(error, { ...place, tokens });
  } finally {
    context.signal.removeEventListener("abort", close);
    context.status(null);
    await carrier.close();
  }
  return {
    kind: "login",
    exitCode: exitCodes.done,
    server: serverOf(place.url),
    folder: store.folder,
    grant: tokens.size === 0 ? null : await found(),
    isNeeded: tokens.size > 0,
    diagnostics: [],
    advice: "",
  };
}

/** A store that holds no token until one is obtained: a person who runs `login` wants to sign in. */
function startingAnew(store: FileStore): TokenStore {
  const written = new Set<string>();
  return {
    ...store,
    get: async (key) => {
      const entry = await store.get(key);
      return entry?.kind === "grant" && !written.has(key) ? undefined : entry;
    },
    set: (key, entry) => {
      written.add(key);
      return store.set(key, entry);
    },
  };
}

function deviceText({ url, code, completeUrl }: DeviceCode): string {
  const direct = completeUrl === undefined ? "" : `Or open ${completeUrl}\n`;
  return `Open ${url} on any device, and enter the code ${code}\n${direct}`;
}
