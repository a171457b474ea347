import { afterEach, describe, expect, it, vi } from "vitest";
import { authorize } from "../../src/cli/auth/authorize.js";
import {
  loginsText,
  revocationText,
  signInText,
} from "../../src/cli/auth/report.js";
import {
  aliasIn,
  keepSignInOptions,
  keptIssuers,
  signInOptions,
} from "../../src/cli/auth/sign-in-options.js";
import {
  findStore,
  openStore,
  watchedStore,
} from "../../src/cli/auth/store.js";
import type { AuthModule } from "../../src/cli/auth/module.js";
import type { HttpAddress } from "../../src/cli/live/address.js";
import { parseArguments } from "../../src/cli/flags.js";
import type { StoreEntry, TokenStore } from "../../src/auth/index.js";
import { fileStore } from "../../src/auth/login.js";
import { SchemaError } from "../../src/generator/diagnostics.js";
import { directory } from "./support.js";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const [one, two] = ["https://one.test", "https://two.test"] as const;

function optionsOf(line: string) {
  const request = parseArguments([
    "login",
    "--url",
    "https://x.test",
    ...line.split(" ").filter(Boolean),
  ]);
  if (request.kind !== "run") throw new Error(request.kind);
  return signInOptions(request.flags);
}

function faultOf(work: () => unknown): string {
  try {
    return `no fault: ${JSON.stringify(work())}`;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const [first] = error.diagnostics;
    return `${first?.code} ${first?.message}; ${first?.hint}`;
  }
}

/** A store in memory. */
function memory(entries: Readonly<Record<string, StoreEntry>> = {}) {
  const all = new Map(Object.entries(entries));
  const store = {
    get: async (key: string) => all.get(key),
    set: async (key: string, entry: StoreEntry | undefined) =>
      void (entry === undefined ? all.delete(key) : all.set(key, entry)),
  } as TokenStore;
  return { store, all };
}
const keyOf = (issuer: string): string =>
  JSON.stringify(["registration", issuer]);
const registration = (issuer: string, more: object = {}) =>
  ({ kind: "registration", issuer, clientId: "id", ...more }) as StoreEntry;

describe("what the flags of login say", () => {
  it.each<[line: string, options: object]>([
    ["", { client: { name: "mcpgen" }, issuers: {} }],
    ["--client-id a", { client: { name: "mcpgen", id: "a" }, issuers: {} }],
    [
      `--client-id a --issuer ${one}`,
      {
        client: { name: "mcpgen", id: "a", issuer: one },
        issuers: { [one]: {} },
      },
    ],
    [
      `--issuer ${one} --auth-param audience=b=c --auth-param d=e --endpoint token_endpoint=${two}/t`,
      {
        client: { name: "mcpgen" },
        issuers: {
          [one]: {
            params: { audience: "b=c", d: "e" },
            endpoints: { token_endpoint: `${two}/t` },
          },
        },
      },
    ],
    [
      `--assume-pkce ${one} --issuer ${one} --auth-param a=b`,
      {
        client: { name: "mcpgen" },
        issuers: { [one]: { params: { a: "b" }, pkce: "S256" } },
      },
    ],
    [
      `--assume-pkce ${two}`,
      { client: { name: "mcpgen" }, issuers: { [two]: { pkce: "S256" } } },
    ],
    [
      `--issuer ${one} --auth-param a=b --issuer-alias ${one}=${two}`,
      {
        client: { name: "mcpgen" },
        issuers: { [one]: { params: { a: "b" }, issuer: two } },
      },
    ],
    [
      "--resource none",
      { client: { name: "mcpgen" }, issuers: {}, resource: false },
    ],
    [
      `--resource ${one}`,
      { client: { name: "mcpgen" }, issuers: {}, resource: one },
    ],
  ])("is what oauth takes: %s", (line, options) => {
    expect(optionsOf(line)).toEqual(options);
  });

  it("has the secret of a variable only for a named client of a named server", () => {
    process.env["OUR_SECRET"] = "opened";
    try {
      expect(
        optionsOf(`--client-secret OUR_SECRET --client-id a --issuer ${one}`),
      ).toMatchObject({ client: { id: "a", issuer: one, secret: "opened" } });
      for (const rest of ["", "--client-id a", `--issuer ${one}`])
        expect(
          faultOf(() => optionsOf(`--client-secret OUR_SECRET ${rest}`)),
        ).toBe(
          "MG705 --client-secret requires --client-id and --issuer; name the client that the secret belongs to, and the only authorization server that gets it",
        );
    } finally {
      delete process.env["OUR_SECRET"];
    }
  });

  const example = "for example https://login.example.com";
  const alone =
    "MG705 --auth-param and --endpoint require --issuer; name the authorization server that they belong to: --issuer https://login.example.com";
  const alias =
    "MG702 --issuer-alias takes two issuers; for example --issuer-alias https://login.example.com/a=https://login.example.com/b";
  it.each([
    [
      "--client-secret NOT_SET",
      "MG735 --client-secret takes the name of an environment variable, and there is no variable of this name; set the variable to the secret, and use --client-secret NAME",
    ],
    ["--issuer a", `MG702 --issuer is not a URL; ${example}`],
    ["--assume-pkce a", `MG702 --assume-pkce is not a URL; ${example}`],
    ["--auth-param a=b", alone],
    [`--endpoint a=${one}`, alone],
    [
      `--issuer ${one} --auth-param a`,
      "MG702 --auth-param takes a name and a value; for example --auth-param audience=https://api.example.com",
    ],
    [
      `--issuer ${one} --auth-param =a`,
      "MG702 --auth-param takes a name and a value; for example --auth-param audience=https://api.example.com",
    ],
    [
      `--issuer ${one} --endpoint a=b`,
      "MG702 --endpoint takes a name and a value; for example --endpoint token_endpoint=https://login.example.com/token",
    ],
    [`--issuer-alias ${one}`, alias],
    [`--issuer-alias a=${one}`, alias],
    [`--issuer-alias ${one}=a`, alias],
    [`--issuer-alias ${one}=${two}=${one}`, alias],
  ])("is refused: %s", (line, fault) => {
    expect(faultOf(() => optionsOf(line))).toBe(fault);
  });

  it("has no alias without its flag", () => {
    expect(aliasIn(undefined)).toEqual({});
    expect(aliasIn(`${one}=${two}`)).toEqual({ [one]: two });
  });
});

describe("what later commands need of a sign-in", () => {
  const endpoints = { token_endpoint: `${two}/t` };
  const client = { name: "mcpgen" };

  it.each<
    [
      what: string,
      options: Parameters<typeof keepSignInOptions>[1],
      before: StoreEntry | undefined,
      kept: StoreEntry | undefined,
    ]
  >([
    ["nothing", { client, issuers: {} }, undefined, undefined],
    [
      "nothing of an id alone",
      { client: { ...client, id: "a" }, issuers: { [one]: { params: {} } } },
      undefined,
      undefined,
    ],
    [
      "the secret of a client",
      {
        client: { ...client, id: "a", issuer: one, secret: "s" },
        issuers: {},
      } as never,
      undefined,
      {
        kind: "registration",
        issuer: one,
        clientId: "a",
        clientSecret: "s",
      } as StoreEntry,
    ],
    [
      "endpoints, with the client of before",
      { client, issuers: { [one]: { endpoints } } },
      registration(one),
      registration(one, { endpoints }),
    ],
    [
      "no endpoints without a client",
      { client, issuers: { [one]: { endpoints } } },
      undefined,
      undefined,
    ],
    [
      "no endpoints in place of another entry",
      { client, issuers: { [one]: { endpoints } } },
      { kind: "sign-in" } as StoreEntry,
      { kind: "sign-in" } as StoreEntry,
    ],
    [
      "the alias, with its endpoints",
      {
        client: { ...client, id: "a", issuer: two } as never,
        issuers: { [two]: { issuer: one, endpoints } },
      },
      undefined,
      registration(one, { clientId: "a", alias: two, endpoints }),
    ],
  ])("is %s", async (_, options, before, kept) => {
    const { store, all } = memory(before ? { [keyOf(one)]: before } : {});
    await keepSignInOptions(store, options, one);
    expect(all.get(keyOf(one))).toEqual(kept);
    expect(all.size).toBe(kept ? 1 : 0);
  });

  it.each<[entry: StoreEntry | undefined, issuers: object]>([
    [undefined, { [one]: {} }],
    [{ kind: "sign-in" } as StoreEntry, { [one]: {} }],
    [registration(one), { [one]: {} }],
    [registration(one, { endpoints }), { [one]: { endpoints } }],
    [
      registration(one, { alias: two, endpoints }),
      { [two]: { endpoints, issuer: one } },
    ],
  ])("is read again: %j", async (entry, issuers) => {
    const { store } = memory(entry ? { [keyOf(one)]: entry } : {});
    expect(await keptIssuers(store, one)).toEqual({ issuers });
  });
});

describe("the token store", () => {
  it.each<[entry: StoreEntry, secrets: readonly string[]]>([
    [
      { kind: "grant", accessToken: "a", refreshToken: "b" } as StoreEntry,
      ["a", "b"],
    ],
    [{ kind: "grant", accessToken: "a" } as StoreEntry, ["a"]],
    [registration(one, { clientSecret: "c" }), ["c"]],
    [registration(one), []],
    [{ kind: "sign-in", verifier: "d", state: "e" } as StoreEntry, ["d", "e"]],
  ])(
    "tells each secret that is read or written: %j",
    async (entry, secrets) => {
      const [read, written] = [new Set<string>(), new Set<string>()];
      const { store, all } = memory({ a: entry });
      expect(await watchedStore(store, read).get("a")).toBe(entry);
      await watchedStore(store, written).set("b", entry);
      expect(all.get("b")).toBe(entry);
      expect([[...read], [...written]]).toEqual([secrets, secrets]);
      expect(await watchedStore(store, read).get("c")).toBeUndefined();
    },
  );

  it("says which folder cannot be used, whatever fails in it", async () => {
    const fail = () => Promise.reject(new Error("disk"));
    const failing = {
      folder: "/f",
      get: fail,
      set: fail,
      find: fail,
      list: fail,
    };
    const store = openStore({
      fileStore: () => failing,
    } as unknown as AuthModule);
    expect(store.folder).toBe("/f");
    for (const work of [
      () => store.get("a"),
      () => store.set("a", undefined),
      () => store.find("a"),
      () => store.list(),
    ]) {
      const error: unknown = await Promise.resolve(work()).catch(
        (reason: unknown) => reason,
      );
      expect(
        faultOf(() => {
          throw error;
        }),
      ).toBe(
        "MG739 the token store cannot be used: disk; check that you may read and write /f",
      );
    }
  });

  it("is missing without a home folder", () => {
    const module = {
      fileStore: () => {
        throw new Error("no home");
      },
    } as unknown as AuthModule;
    expect(findStore(module)).toBe(null);
    expect(faultOf(() => openStore(module))).toBe(
      "MG739 the token store cannot be used: this user has no home folder; set HOME to a folder that you may write",
    );
  });
});

describe("a run with --auth account:<name>", () => {
  it("names the accounts of the server if it has none of that name, and none of another server", async () => {
    const home = directory();
    for (const name of ["HOME", "XDG_CONFIG_HOME", "APPDATA"])
      vi.stubEnv(name, home);
    const server = `${one}/mcp`;
    const { set } = fileStore();
    for (const [url, account] of [
      [server, ""],
      [server, "work"],
      [`${two}/mcp`, "other"],
    ])
      await set(JSON.stringify(["grant", url, account]), {
        kind: "grant",
        issuer: one,
        accessToken: "a",
        scopes: [],
      } as unknown as StoreEntry);
    const address = {
      kind: "http",
      url: new URL(server),
      headers: {},
      auth: "account:home",
    } as unknown as HttpAddress;
    const error: unknown = await authorize(address).catch(
      (reason: unknown) => reason,
    );
    expect(
      faultOf(() => {
        throw error;
      }),
    ).toBe(
      'MG732 there is no token for the account "home" of this server; run mcpgen login --account home; the stored accounts are the default account, work',
    );
  });
});

describe("the report of a sign-in", () => {
  const grant = {
    server: "https://x.test",
    issuer: one,
    account: "",
    isRenewable: false,
  };
  const [past, future] = [
    Date.UTC(2001, 1, 3, 4, 5),
    Date.UTC(2901, 1, 3, 4, 5),
  ];

  it.each([
    [{ ...grant, isRenewable: true, expires: past }, "renewed automatically"],
    [grant, "valid until the server rejects it"],
    [{ ...grant, expires: past }, "expired 2001-02-03 04:05 UTC"],
    [{ ...grant, expires: future }, "valid until 2901-02-03 04:05 UTC"],
  ])("says how long it holds: %j", (stored, validity) => {
    expect(signInText("https://x.test", stored as never, "/f")).toBe(
      `signed in to https://x.test at ${one}; ${validity}\nthe tokens are in /f\n`,
    );
    expect(loginsText([stored, { ...stored, account: "work" }] as never)).toBe(
      `https://x.test  ${one}  ${validity}\nhttps://x.test  account work  ${one}  ${validity}\n`,
    );
  });

  it.each([
    [future, "valid until"],
    [future - 1, "expired"],
  ])(
    "says of a token that holds until this moment or until before: %i is %s",
    (expires, validity) => {
      vi.setSystemTime(future);
      expect(loginsText([{ ...grant, expires }] as never)).toContain(validity);
    },
  );

  it("says that none is needed, and what became of a token", () => {
    expect(signInText("s", null, "/f")).toBe(
      "s does not require a token, so you need not sign in\n",
    );
    expect(revocationText({ token: "access", isRevoked: true } as never)).toBe(
      "the access token is revoked\n",
    );
    expect(
      revocationText({ token: "refresh", isRevoked: false } as never),
    ).toBe(
      "the authorization server does not revoke the refresh token, which is valid until it expires\n",
    );
    expect(loginsText([])).toBe("");
  });
});
