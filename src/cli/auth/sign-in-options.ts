import type {
  ClientOptions,
  IssuerFacts,
  OAuthOptions,
  Registration,
  TokenStore,
} from "../../auth/index.js";
import { usageError } from "../command-error.js";
import type { Flags } from "../flag-values.js";
import { ourClient } from "./module.js";

/**
 * What the flags of `login` say about this client and about its authorization
 * server.
 */
interface SignInOptions extends Pick<OAuthOptions, "issuers" | "resource"> {
  readonly client: ClientOptions;
}

export function signInOptions(flags: Flags): SignInOptions {
  const [id, variable, issuer] = [
    flags.text("client-id"),
    flags.text("client-secret"),
    issuerIn(flags, "issuer"),
  ];
  const secret = variable === null ? undefined : secretIn(variable);
  if (secret !== undefined && (id === null || issuer === null))
    throw usageError(
      "MG705",
      "--client-secret requires --client-id and --issuer",
      "name the client that the secret belongs to, and the only authorization server that gets it",
    );
  const facts: IssuerFacts = {
    ...pairsIn(flags, "auth-param", "params"),
    ...pairsIn(flags, "endpoint", "endpoints"),
  };
  if (issuer === null && (facts.params ?? facts.endpoints))
    throw usageError(
      "MG705",
      "--auth-param and --endpoint require --issuer",
      "name the authorization server that they belong to: --issuer https://login.example.com",
    );
  const assumed = issuerIn(flags, "assume-pkce");
  const issuers: Record<string, IssuerFacts> =
    issuer === null ? {} : { [issuer]: facts };
  for (const [named, alias] of Object.entries(
    aliasIn(flags.text("issuer-alias") ?? undefined),
  ))
    issuers[named] = { ...issuers[named], issuer: alias };
  if (assumed !== null)
    issuers[assumed] = { ...issuers[assumed], pkce: "S256" };
  const resource = flags.text("resource");
  return {
    client: {
      ...ourClient,
      ...(id !== null && { id, ...(issuer !== null && { issuer }) }),
      ...(secret !== undefined && { secret }),
    },
    issuers,
    ...(resource !== null && {
      resource: resource === "none" ? false : resource,
    }),
  };
}

function issuerIn(flags: Flags, name: "issuer" | "assume-pkce"): string | null {
  const text = flags.text(name);
  if (text === null || URL.canParse(text)) return text;
  throw usageError(
    "MG702",
    `--${name} is not a URL`,
    "for example https://login.example.com",
  );
}

/**
 * What `--issuer-alias` says about an authorization server: its identifiers, by
 * the one that MCP servers use.
 */
export function aliasIn(
  text: string | undefined,
): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  const [, named = "", alias = ""] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (URL.canParse(named) && URL.canParse(alias)) return { [named]: alias };
  throw usageError(
    "MG702",
    "--issuer-alias takes two issuers",
    "for example --issuer-alias https://login.example.com/a=https://login.example.com/b",
  );
}

/**
 * The secret is in a variable, because other users of the machine can see
 * values on a command line.
 */
function secretIn(variable: string): string {
  const secret = process.env[variable] ?? "";
  if (secret !== "") return secret;
  throw usageError(
    "MG735",
    "--client-secret takes the name of an environment variable, and there is no variable of this name",
    "set the variable to the secret, and use --client-secret NAME",
  );
}

/**
 * The values "name=value" of a flag that can be repeated, as a member; no
 * member without the flag.
 */
function pairsIn(
  flags: Flags,
  name: "auth-param" | "endpoint",
  member: "params" | "endpoints",
): IssuerFacts {
  if (flags.text(name) === null) return {};
  const pairs = flags.texts(name).map((text) => {
    const [, key, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const isGood =
      value !== undefined && (name === "auth-param" || URL.canParse(value));
    if (isGood && key !== undefined) return [key, value] as const;
    const example =
      name === "endpoint"
        ? "token_endpoint=https://login.example.com/token"
        : "audience=https://api.example.com";
    throw usageError(
      "MG702",
      `--${name} takes a name and a value`,
      `for example --${name} ${example}`,
    );
  });
  return { [member]: Object.fromEntries(pairs) };
}

/** The key of a registration in the store, which `oauth` uses too. */
const keyOf = (issuer: string): string =>
  JSON.stringify(["registration", issuer]);

/**
 * Stores what later commands need to renew and to revoke the token: the secret
 * of the client, the endpoints, and the alias.
 */
export async function keepSignInOptions(
  store: TokenStore,
  { client: { id, secret }, issuers = {} }: SignInOptions,
  issuer: string,
): Promise<void> {
  const factsOf = (name: string | undefined): IssuerFacts =>
    Object(issuers[name ?? ""]) as IssuerFacts;
  const alias = Object.keys(issuers).find(
    (name) => factsOf(name).issuer === issuer,
  );
  const endpoints = factsOf(issuer).endpoints ?? factsOf(alias).endpoints;
  if (secret === undefined && endpoints === undefined && alias === undefined)
    return;
  const before = await store.get(keyOf(issuer));
  const registration: Registration | undefined =
    id === undefined
      ? before?.kind === "registration"
        ? before
        : undefined
      : {
          kind: "registration",
          issuer,
          clientId: id,
          ...(secret !== undefined && { clientSecret: secret }),
        };
  if (!registration) return;
  const known = {
    ...(endpoints && { endpoints }),
    ...(alias !== undefined && { alias }),
  };
  await store.set(keyOf(issuer), { ...registration, ...known });
}

/**
 * What an earlier `login` was told about the authorization server of a stored
 * token.
 */
export async function keptIssuers(
  store: TokenStore,
  issuer: string,
): Promise<Pick<OAuthOptions, "issuers">> {
  const entry = await store.get(keyOf(issuer));
  const { alias, endpoints } =
    entry?.kind === "registration" ? entry : ({} as Partial<Registration>);
  const facts = { ...(endpoints && { endpoints }) };
  return {
    issuers:
      alias === undefined
        ? { [issuer]: facts }
        : { [alias]: { ...facts, issuer } },
  };
}
