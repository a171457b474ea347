import {
  isAuthorizationError,
  memoryStore,
  oauth,
  type OAuth,
  type OAuthOptions,
} from "@mcpgen/auth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWhole } from "../../whole.js";
import type { AnyClient } from "../kit/index.js";
import { json, type Setup, setUp } from "./kit/index.js";

const seed = Number(process.env["MCPGEN_SEED"] ?? 1);
const numRuns = isWhole ? 500 : 60;

const issuer = "https://as.example.com";
const resourceMetadata =
  "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

/** What the servers of a world and the options of its client are. */
const worlds = fc.record({
  challenge: fc.constantFrom("names the metadata", "names a scope", "is bare"),
  metadata: fc.constantFrom("at the path", "at the root", "nowhere"),
  client: fc.constantFrom("registers", "has an id", "has a secret"),
  method: fc.constantFrom("none", "client_secret_basic", "client_secret_post"),
  refreshes: fc.boolean(),
  lifetime: fc.constantFrom(undefined, 3600),
  namesIssuer: fc.boolean(),
  publishesPkce: fc.boolean(),
  person: fc.constantFrom(
    "signs in",
    "denies",
    "denies the second time",
    "is missing",
  ),
  /** Whether the MCP server rejects what the authorization server issues. */
  rejectsAll: fc.constantFrom(false, false, false, true),
});
type Plan = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** What a program and its servers do, one after another. */
const steps = fc.array(
  fc.constantFrom(
    "list" as const,
    "call" as const,
    "revoke the access token" as const,
    "revoke all tokens" as const,
    "require the scope read" as const,
    "require the scope write" as const,
    "sign out" as const,
  ),
  { minLength: 1, maxLength: 8 },
);

type Step = typeof steps extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

/** How the n-th request that is not to the MCP server fails, and how often. */
const failures = fc.option(
  fc.record({
    first: fc.nat({ max: 10 }),
    times: fc.integer({ min: 1, max: 3 }),
    how: fc.constantFrom(
      "cannot be reached",
      "answers 503",
      "answers 404",
      "answers 400",
      "answers HTML",
      "redirects elsewhere",
      "refuses the grant",
      "refuses the client",
      "refuses the scope",
    ),
  }),
);
type Failure =
  typeof failures extends fc.Arbitrary<infer T> ? NonNullable<T> : never;

function answerOf(how: Failure["how"]): Response {
  const refuse = (error: string): Response => json({ error }, 400);
  switch (how) {
    case "cannot be reached":
      throw new TypeError("fetch failed");
    case "answers 503":
      return new Response("busy", { status: 503 });
    case "answers 404":
      return new Response("not here", { status: 404 });
    case "answers 400":
      return new Response("no", { status: 400 });
    case "answers HTML":
      return new Response("<p>", { headers: { "content-type": "text/html" } });
    case "redirects elsewhere":
      return new Response(null, {
        status: 302,
        headers: { location: "https://elsewhere.example.com/x" },
      });
    case "refuses the grant":
      return refuse("invalid_grant");
    case "refuses the client":
      return refuse("invalid_client");
    case "refuses the scope":
      return refuse("invalid_scope");
  }
}

/** What the invariants read: what was sent and opened, and why. */
class Record {
  /** Broken invariants. */
  readonly faults: string[] = [];
  /** The requests of this step to other servers, by their address. */
  elsewhere: { address: string; isOk: boolean }[] = [];
  /** How often the bodies of this step were sent to the MCP server. */
  readonly bodies = new Map<string, number>();
  /** The windows and the refreshes of this step. */
  windows = 0;
  refreshes = 0;
  /** The last refusal of the MCP server, with the token that it refused. */
  refusal = "";
  /** The tokens that were refused in this step, and those of the past. */
  readonly #refused = new Set<string>();
  readonly #replaced = new Set<string>();
  #token = "";
  readonly #answeredRefusals = new Set<string>();

  /** A secret goes to the server that has issued it, and a token to its own. */
  send(url: URL, headers: Headers, body: string): void {
    const authorization = headers.get("authorization") ?? "";
    const plain = authorization.startsWith("Basic ")
      ? atob(authorization.slice(6))
      : authorization;
    const text = [url.href, body, ...headers.values(), plain].join("\n");
    const secrets =
      url.origin === issuer
        ? []
        : url.host === "mcp.example.com"
          ? [/refresh-\d/, /code-\d/, /code_verifier/, /s3cret/]
          : [/access-\d/, /refresh-\d/, /code-\d/, /code_verifier/, /s3cret/];
    for (const secret of secrets)
      if (secret.test(text))
        this.faults.push(`${String(secret)} is sent to ${url.href}`);
  }

  /**
   * A token is not sent again in the step in which it was refused, nor after
   * one that has replaced it. Nothing is sent for a fifth time.
   */
  call(authorization: string, body: string): void {
    const times = (this.bodies.get(body) ?? 0) + 1;
    this.bodies.set(body, times);
    if (times > 4) this.faults.push(`${body} is sent ${times} times`);
    if (this.#refused.has(authorization))
      this.faults.push(`${authorization} is sent again`);
    if (authorization !== this.#token) this.#replaced.add(this.#token);
    this.#token = authorization;
    if (authorization !== "" && this.#replaced.has(authorization))
      this.faults.push(`${authorization} is sent after another one`);
  }

  refuse(status: number, authorization: string, challenge: string): void {
    if (status === 401 && authorization !== "")
      this.#refused.add(authorization);
    this.refusal = authorization && `${status} ${authorization} ${challenge}`;
  }

  /** One window for a step, and none for a refusal that had one. */
  open(): void {
    if (++this.windows > 1) this.faults.push("a step opens two windows");
    if (this.refusal !== "" && this.#answeredRefusals.has(this.refusal))
      this.faults.push(`a second window for ${this.refusal}`);
  }

  /** The window for the last refusal led to a token. */
  answerRefusal(): void {
    this.#answeredRefusals.add(this.refusal);
  }

  /**
   * A sign-in takes four requests: metadata of both servers, a registration and
   * a token. A refresh before it takes all but the registration. Only what fails
   * is repeated.
   */
  endStep(): void {
    const answered = this.elsewhere.filter(({ isOk }) => isOk).length;
    const limit = 4 * this.windows + 3 * this.refreshes;
    if (answered > Math.max(limit, 3))
      this.faults.push(`${answered} requests, where ${limit} are enough`);
    for (const { address } of this.elsewhere) {
      const same = this.elsewhere.filter((one) => one.address === address);
      // A redirect may lead to one address from several.
      const isTarget = address.includes("elsewhere");
      if (same.length > 2 && !isTarget)
        this.faults.push(`${address} is requested ${same.length} times`);
    }
    this.elsewhere = [];
    this.bodies.clear();
    this.#refused.clear();
    this.windows = 0;
    this.refreshes = 0;
  }
}

/** Lets the network of a world fail, and notes what is sent. */
function watchNetwork(
  { world, server }: Setup,
  record: Record,
  failure: Failure | null,
): void {
  const { fetch } = world;
  let count = 0;
  Object.assign(world, {
    fetch: async (target: URL | string, init: RequestInit = {}) => {
      const url = new URL(target);
      if (url.pathname === "/authorize") return fetch(target, init);
      const headers = new Headers(init.headers as [string, string][]);
      record.send(url, headers, String(init.body ?? ""));
      if (url.href === server.url) return fetch(target, init);
      const address = `${init.method ?? "GET"} ${url.origin}${url.pathname}`;
      const request = { address, isOk: false };
      record.elsewhere.push(request);
      const nth = count++ - (failure?.first ?? 0);
      if (/grant_type=refresh_token/.test(String(init.body)))
        record.refreshes++;
      const fails = failure && nth >= 0 && nth < failure.times;
      const response = fails
        ? answerOf(failure.how)
        : await fetch(target, init);
      request.isOk = !fails && response.status < 300;
      if (request.isOk && url.pathname === "/token") record.answerRefusal();
      return response;
    },
  });
}

/** Notes what the MCP server is sent and refuses. */
function watchServer({ world, server }: Setup, record: Record): void {
  const handle = world.routes.get(server.url);
  world.routes.set(server.url, async (seen, init) => {
    const authorization = seen.headers.get("authorization") ?? "";
    record.call(authorization, seen.body);
    const response = (await handle?.(seen, init)) as Response;
    const challenge = response.headers.get("www-authenticate") ?? "";
    record.refuse(response.status, authorization, challenge);
    return response;
  });
}

const denies = (plan: Plan, { person }: Setup): boolean =>
  plan.person === "denies" ||
  (plan.person === "denies the second time" && person.count > 1);

/** Makes the servers of a world as a plan says. */
function arrange(setup: Setup, plan: Plan): void {
  const { world, as, server } = setup;
  if (plan.challenge === "names a scope") server.challenge += ', scope="mcp"';
  if (plan.challenge === "is bare") server.challenge = "Bearer";
  if (plan.metadata !== "at the path") world.routes.delete(resourceMetadata);
  if (plan.metadata === "at the root")
    world.document(
      new URL(resourceMetadata).origin +
        "/.well-known/oauth-protected-resource",
      server.metadata,
    );
  if (plan.namesIssuer)
    as.metadata["authorization_response_iss_parameter_supported"] = true;
  if (!plan.publishesPkce)
    delete as.metadata["code_challenge_methods_supported"];
  as.metadata["token_endpoint_auth_methods_supported"] = [plan.method];
  as.givesRefreshTokens = plan.refreshes;
  as.lifetime = plan.lifetime;
  as.answer = (params) => {
    if (plan.namesIssuer) params.set("iss", issuer);
    if (!denies(plan, setup)) return;
    params.delete("code");
    params.set("error", "access_denied");
  };
  if (plan.rejectsAll) as.live.add = () => as.live;
}

/** True for a world in which each step must succeed. */
const works = (plan: Plan): boolean =>
  plan.person === "signs in" &&
  plan.metadata !== "nowhere" &&
  plan.publishesPkce &&
  !plan.rejectsAll &&
  !(plan.client === "has a secret" && plan.method === "none");

function optionsOf(plan: Plan, { world, person }: Setup): OAuthOptions {
  const secret = plan.client === "has a secret" && { secret: "s3cret" };
  return {
    store: memoryStore(),
    fetch: (url, init) => world.fetch(url, init),
    ...(plan.person !== "is missing" && { login: person }),
    ...(plan.client !== "registers" && {
      client: { id: "ours", issuer, ...secret },
    }),
  };
}

/** Lets a program and its servers do what the steps say. Returns its errors. */
async function play(
  { as, server, connect }: Setup,
  auth: OAuth,
  all: readonly Step[],
  record: Record,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  let client: AnyClient | undefined;
  let required = "";
  const scopes = new Map<string, string>();
  const issue = as.issue.bind(as);
  as.issue = (scope = "") => {
    const response = issue(scope);
    scopes.set(`Bearer ${[...as.live].at(-1)}`, scope);
    return response;
  };
  server.refusal = (authorization, body) => {
    const granted = scopes.get(authorization)?.split(" ") ?? [];
    if (!body.includes("tools/call") || required === "") return undefined;
    if (granted.includes(required)) return undefined;
    const challenge = `Bearer error="insufficient_scope", scope="${required}"`;
    const headers = { "www-authenticate": challenge };
    return new Response(null, { status: 403, headers });
  };
  const turn = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
    record.endStep();
  };
  for (const step of all) {
    if (step === "revoke all tokens") as.refreshable.clear();
    if (step.startsWith("revoke")) as.live.clear();
    if (step.startsWith("require")) required = step.replace(/.* /, "");
    if (step === "sign out") await turn(() => auth.logout(server.url));
    if (!client) await turn(async () => (client = await connect(auth)));
    await turn(() =>
      step === "list"
        ? client?.listTools()
        : client?.callTool({ name: "echo" }),
    );
  }
  return errors;
}

/** What the message of an error tells to do. */
const advice =
  /\b(Add|Ask|Check|Give|Raise|Register|Remove|Repeat|Set|Sign in|Try|Use)\b|\bmust\b|allows it|\badd issuers\b|\buse a grant\b/;

describe("a client in a random world of OAuth", () => {
  it("sends no secret to another origin, takes four requests for a sign-in, opens one window for a refusal, forgets a refused token, and says what to do", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, steps, failures, async (plan, all, failure) => {
        const setup = setUp();
        const record = new Record();
        arrange(setup, plan);
        watchServer(setup, record);
        watchNetwork(setup, record, failure);
        const { redirectUri } = setup.person;
        setup.person.redirectUri = (preferred) => {
          const redirect = redirectUri(preferred);
          const open = async (page: string): Promise<void> => {
            record.open();
            await redirect.open(page);
          };
          return { ...redirect, open };
        };
        const auth = oauth(optionsOf(plan, setup));
        const errors = await play(setup, auth, all, record);
        for (const error of errors) {
          if (!isAuthorizationError(error)) throw error;
          expect(error.message).toMatch(advice);
        }
        // One call asks a person once, and the next one for the other scope.
        const lasting = errors.filter(
          (error) =>
            !(error as Error).message.endsWith("Repeat it to sign in again."),
        );
        if (!failure && works(plan)) expect(lasting).toEqual([]);
        expect(record.faults).toEqual([]);
      }),
      { numRuns, seed },
    );
  });
});
