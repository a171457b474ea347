// The example of a third-party sign-in, a third party for it, and a browser
// with a person in front of it.
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { vi } from "vitest";
import { Provider } from "../auth/oidc-provider.mjs";
import { freePort } from "../free-port.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "test/examples/third-party");

/**
 * A project with the files of the example and the generated code, as the README
 * of the example makes it.
 */
export async function makeProject() {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const place = mkdtempSync(join(root, "node_modules/.cache/third-party-"));
  for (const name of readdirSync(example).filter(
    (entry) => !/^(node_modules|dist|data)$/.test(entry),
  ))
    cpSync(join(example, name), join(place, name), { recursive: true });
  symlinkSync(
    join(example, "node_modules"),
    join(place, "node_modules"),
    "junction",
  );
  for (const script of ["generate", "build"])
    execFileSync("npm", ["run", script], {
      cwd: place,
      stdio: "pipe",
      shell: process.platform === "win32",
    });
  // The same modules for tests, which start the server in this process.
  await build({
    entryPoints: [join(place, "src/server.ts")],
    outfile: join(place, "dist/server.mjs"),
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "silent",
  });
  return {
    place,
    start: (await import(pathToFileURL(join(place, "dist/server.mjs")).href))
      .start,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

const signingKey = generateKeyPairSync("rsa", {
  modulusLength: 2048,
}).privateKey.export({ format: "jwk" });
const secret = "secret-of-the-mcp-server-at-the-third-party";

/**
 * The third party: an OpenID provider that knows the MCP server as one client.
 * `without` names features that it lacks.
 */
export async function startThirdParty(
  redirectUri,
  { lifetime = 3600, without = [] } = {},
) {
  const server = createServer();
  server.listen(0, "localhost");
  await once(server, "listening");
  const issuer = `http://localhost:${server.address().port}`;
  const records = new Map();
  const own = { issuer, records, isDown: false, asked: [], secret };
  const ttl = Object.fromEntries(
    ["Grant", "IdToken", "Interaction", "RefreshToken", "Session"].map(
      (kind) => [kind, 30 * 86_400],
    ),
  );
  const provider = new Provider(issuer, {
    adapter: (kind) => new Records(kind, records),
    clients: [
      {
        client_id: "mcp-server",
        client_secret: secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    ttl: { ...ttl, AccessToken: lifetime, AuthorizationCode: 60 },
    jwks: { keys: [signingKey] },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    cookies: { keys: ["third party"] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        name: `Name of ${accountId}`,
        email: `${accountId}@example.com`,
      }),
    }),
    features: {
      devInteractions: { enabled: true },
      introspection: {
        enabled: !without.includes("introspection"),
        allowedPolicy: () => true,
      },
      revocation: { enabled: true },
    },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    own.asked.push(`${request.method} ${request.url.replace(/\?.*/, "")}`);
    own.authorization = request.headers.authorization;
    return own.isDown ? request.socket.destroy() : answer(request, response);
  });
  own.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  /**
   * Revokes everything that it has given to anybody, as a person does on the
   * page of an account.
   */
  own.revoke = (...kinds) => {
    for (const key of records.keys())
      if (kinds.includes(key.split(":")[0])) records.delete(key);
  };
  /** The values of its tokens of one kind. */
  own.tokens = (kind) =>
    [...records.keys()]
      .filter((key) => key.startsWith(`${kind}:`))
      .map((key) => key.slice(kind.length + 1));
  return own;
}

/** The records of the third party, in memory. */
class Records {
  constructor(kind, records) {
    this.key = (id) => `${kind}:${id}`;
    this.kind = kind;
    this.records = records;
  }
  upsert = async (id, payload) => void this.records.set(this.key(id), payload);
  find = async (id) => this.records.get(this.key(id));
  findByUid = async (uid) =>
    [...this.records.values()].find((one) => one.uid === uid);
  consume = async (id) =>
    void (this.records.get(this.key(id)).consumed = Math.floor(
      Date.now() / 1000,
    ));
  destroy = async (id) => void this.records.delete(this.key(id));
  async revokeByGrantId(grantId) {
    for (const [key, { grantId: own }] of this.records)
      if (own === grantId && key.startsWith(`${this.kind}:`))
        this.records.delete(key);
  }
}

/**
 * Starts the example before a third party. `port` and `folder` are those of a
 * server that ran before.
 */
export async function startWorld(
  start,
  { thirdParty: options, fetch, key = randomBytes(32), folder } = {},
) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const thirdParty = await startThirdParty(
    `${origin}/third-party/callback`,
    options,
  );
  const client = {
    clientId: "mcp-server",
    clientSecret: secret,
    scope: "openid profile email",
  };
  const settings = {
    origin,
    port,
    key,
    folder,
    thirdParty: { issuer: thirdParty.issuer, ...client },
    fetch,
  };
  let stop = await start(settings);
  return {
    origin,
    thirdParty,
    url: `${origin}/mcp`,
    settings,
    async restart(changes) {
      await stop();
      stop = await start({ ...settings, ...changes });
      // Connections of before may not have noticed yet that they are closed.
      while (!(await globalThis.fetch(origin).catch(() => undefined)));
    },
    async stop() {
      await stop();
      thirdParty.stop();
    },
  };
}

/**
 * A browser: it keeps cookies by host and path as browsers do, and shows one
 * page at a time.
 */
export class Browser {
  cookies = [];
  /** The URLs that it was at, and the pages that it showed. */
  visited = [];

  /**
   * Requests a page and follows redirects until `isEnd` says that the next URL
   * is not for this browser.
   */
  async open(url, { isEnd = () => false, ...init } = {}) {
    let [at, options] = [new URL(url), init];
    for (;;) {
      if (isEnd(at)) return { url: at, params: at.searchParams };
      this.visited.push(at.href);
      const headers = { ...options.headers, cookie: this.cookiesFor(at) };
      const response = await fetch(at, {
        ...options,
        headers,
        redirect: "manual",
      });
      for (const line of response.headers.getSetCookie()) this.#keep(line, at);
      const location = response.headers.get("location");
      if (location === null)
        return {
          url: at,
          status: response.status,
          headers: response.headers,
          html: await response.text(),
        };
      [at, options] = [new URL(location, at), {}];
    }
  }

  /** Sends the form of a page, with other values for some fields. */
  submit({ url, html }, changes = {}, options = {}) {
    const [, form = ""] = /(<form[^]*?<\/form>)/.exec(html) ?? [];
    const [, action = url.href] =
      /<form[^>]* action="([^"]+)"/.exec(form) ?? [];
    const hidden = [
      ...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g),
    ];
    const fields = {
      ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      ...changes,
    };
    const body = new URLSearchParams(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    );
    return this.open(new URL(action, url), {
      method: "POST",
      body,
      ...options,
    });
  }

  /**
   * Goes through all pages as a person who signs in and agrees, or says no to
   * the MCP server or to the third party.
   */
  async signIn(
    url,
    { uri, decision = "allow", stops = false, isWilling = true, login = "ada" },
  ) {
    const isEnd = (at) => at.href.startsWith(uri);
    let page = await this.open(url, { isEnd });
    while (page.params === undefined) {
      const { html } = page;
      const [, abort] = /href="([^"]+\/abort)"/.exec(html) ?? [];
      if (html.includes('name="decision"') && stops) return page;
      if (html.includes('name="decision"'))
        page = await this.submit(page, { decision }, { isEnd });
      else if (abort && !isWilling)
        page = await this.open(new URL(abort, page.url), { isEnd });
      else if (html.includes('name="login"'))
        page = await this.submit(
          page,
          { prompt: "login", login, password: "x" },
          { isEnd },
        );
      else if (abort)
        page = await this.submit(page, { prompt: "consent" }, { isEnd });
      else return page;
    }
    return page;
  }

  cookiesFor({ hostname, pathname }) {
    return this.cookies
      .filter(
        ({ host, path }) =>
          host === hostname &&
          `${pathname}/`.startsWith(path.replace(/\/?$/, "/")),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  }

  #keep(line, { hostname: host, pathname }) {
    const [first, ...rest] = line.split(/; */);
    const [, name, value] = /^([^=]+)=(.*)$/.exec(first);
    const attributes = Object.fromEntries(
      rest
        .map((one) => one.split("="))
        .map(([key, text = ""]) => [key.toLowerCase(), text]),
    );
    const path = attributes.path ?? pathname.replace(/\/[^/]*$/, "");
    const isHost =
      "secure" in attributes &&
      attributes.path === "/" &&
      !("domain" in attributes);
    if (name.startsWith("__Host-") && !isHost)
      throw new Error(`A browser refuses this cookie: ${line}`);
    this.cookies = this.cookies.filter(
      (one) => one.host !== host || one.name !== name || one.path !== path,
    );
    const isOver =
      Number(attributes["max-age"] ?? 1) <= 0 ||
      Date.parse(attributes.expires ?? "2999-01-01") <= Date.now();
    if (!isOver) this.cookies.push({ host, name, value, path, line });
  }
}

/** A person with a browser who signs in for the `oauth` of a client. */
export class Person {
  uri = "http://127.0.0.1:33418/callback";
  browser = new Browser();
  count = 0;
  redirectUri() {
    let answer;
    return {
      uri: this.uri,
      answer: new Promise((resolve) => (answer = resolve)),
      open: async (url) => {
        this.count++;
        const { params, status, html } = await this.browser.signIn(url, {
          uri: this.uri,
        });
        if (!params)
          throw new Error(`The browser stays on a page: ${status} ${html}`);
        answer(params);
      },
      close: () => {},
    };
  }
}

/** A client by hand, for requests that a good client does not send. */
export class Client {
  verifier = randomBytes(32).toString("base64url");
  state = randomBytes(32).toString("base64url");

  constructor(origin) {
    this.origin = origin;
  }

  async register(metadata) {
    const response = await this.post(
      "/register",
      JSON.stringify(metadata),
      "application/json",
    );
    const body = await response.json();
    Object.assign(this, {
      status: response.status,
      id: body.client_id,
      uri: body.redirect_uris?.[0],
      body,
    });
    return this;
  }

  post(path, body, type = "application/x-www-form-urlencoded") {
    return fetch(this.origin + path, {
      method: "POST",
      body: String(body),
      headers: { "content-type": type },
    });
  }

  authorizeUrl(changes = {}) {
    const url = new URL("/authorize", this.origin);
    const challenge = createHash("sha256")
      .update(this.verifier)
      .digest("base64url");
    const params = {
      response_type: "code",
      client_id: this.id,
      redirect_uri: this.uri,
      state: this.state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...changes,
    };
    for (const [name, value] of Object.entries(params))
      if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  async token(form) {
    const all = {
      client_id: this.id,
      redirect_uri: this.uri,
      code_verifier: this.verifier,
      ...form,
    };
    const response = await this.post("/token", new URLSearchParams(all));
    return { status: response.status, body: await response.json() };
  }

  redeem = (code, changes) =>
    this.token({ grant_type: "authorization_code", code, ...changes });
  refresh = (token) =>
    this.token({ grant_type: "refresh_token", refresh_token: token });

  /**
   * Sends the first request of a session, and returns the status and the
   * challenge.
   */
  async call(token) {
    const response = await fetch(`${this.origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-03-26",
          capabilities: {},
          clientInfo: { name: "raw", version: "1" },
        },
      }),
    });
    await response.text();
    return {
      status: response.status,
      challenge: response.headers.get("www-authenticate"),
    };
  }
}

/**
 * Metadata of a client that runs on the person's computer, and of one on the
 * web.
 */
export const native = {
  client_name: "Caller",
  redirect_uris: ["http://127.0.0.1:33418/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  application_type: "native",
};
export const web = {
  ...native,
  client_name: "Web app",
  redirect_uris: ["https://app.example.com/callback"],
  application_type: "web",
};

/**
 * Sets the clock of this process, so of both servers, forward. It stands still
 * until it is set again.
 */
export function later(seconds) {
  const now = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/**
 * Builds the example once, and closes after each test what the test has
 * started.
 */
export class Stage {
  open = [];
  async build() {
    this.project = await makeProject();
  }
  folder() {
    return mkdtempSync(join(this.project.place, "data-"));
  }
  async world(options = {}) {
    const world = await startWorld(this.project.start, {
      folder: this.folder(),
      ...options,
    });
    this.open.push(world.stop);
    return world;
  }
  /** A client whose user has signed in. */
  async signedIn(options) {
    const world = await this.world(options);
    const client = await new Client(world.origin).register(native);
    const browser = new Browser();
    const { params } = await browser.signIn(client.authorizeUrl(), client);
    const code = params.get("code");
    const { body } = await client.redeem(code);
    return { world, client, browser, code, tokens: body };
  }
  async clear() {
    vi.useRealTimers();
    for (const close of this.open.splice(0).reverse()) await close();
  }
  remove() {
    this.project.remove();
  }
}
