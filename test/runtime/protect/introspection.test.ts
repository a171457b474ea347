import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type Claims,
  introspection,
  type IntrospectionOptions,
} from "@mcpgen/auth/protect";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failure } from "../kit/index.js";

const token = "opaque-t0ken";
const id = "resource-server";
const secret = "s3cret";
const resource = "https://mcp.example.com/mcp";
const live = {
  active: true,
  sub: "ann",
  client_id: "app",
  aud: resource,
  exp: 2_000_000_000,
  scope: "files",
};

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of open.splice(0)) await close();
});

interface Seen {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly form: Readonly<Record<string, string>>;
}

/** An authorization server; a test changes its metadata, and how it answers. */
async function startAs() {
  const seen: Seen[] = [];
  const own = {
    issuer: "",
    metadata: {} as Record<string, unknown>,
    answer: (response: ServerResponse, _path: string): void =>
      json(response, live),
    seen,
    /** The requests that were not for metadata. */
    introspections: (): Seen[] =>
      seen.filter(({ path }) => !path.startsWith("/.well-known/")),
    stop: async (): Promise<void> => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  const server = createServer(async (request, response) => {
    const { url: path = "", method = "", headers } = request;
    seen.push({
      path,
      method,
      headers,
      form: Object.fromEntries(new URLSearchParams(await text(request))),
    });
    if (path === "/.well-known/oauth-authorization-server")
      json(response, own.metadata);
    else own.answer(response, path);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(own.stop);
  own.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  own.metadata = {
    issuer: own.issuer,
    introspection_endpoint: `${own.issuer}/introspect`,
  };
  return own;
}
type As = Awaited<ReturnType<typeof startAs>>;

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify(value));

/**
 * A function that verifies the token at an authorization server, by one
 * verifier.
 */
function verifierFor(
  { issuer }: As,
  options: Partial<IntrospectionOptions> = {},
) {
  const verify = introspection({ id, secret, ...options });
  return async (
    issuers: readonly string[] = [issuer],
  ): Promise<Claims | undefined> => verify(token, { resource, issuers });
}

describe("introspection", () => {
  it("sends one POST to the endpoint of the issuer's metadata, and returns the claims of an opaque token", async () => {
    const as = await startAs();
    expect(await verifierFor(as)()).toEqual({ iss: as.issuer, ...live });
    expect(as.introspections()).toEqual([
      {
        path: "/introspect",
        method: "POST",
        headers: expect.objectContaining({
          accept: "application/json",
          authorization: `Basic ${btoa(`${id}:${secret}`)}`,
          "content-type": expect.stringMatching(
            /^application\/x-www-form-urlencoded/,
          ),
        }),
        form: { token, token_type_hint: "access_token" },
      },
    ]);
  });

  it("reads the metadata once, also for many tokens at the same time", async () => {
    const as = await startAs();
    const verify = verifierFor(as);
    await Promise.all(Array.from({ length: 10 }, () => verify()));
    await verify();
    expect(as.seen.filter(({ method }) => method === "GET")).toHaveLength(1);
    expect(as.introspections()).toHaveLength(11);
  });

  it("reads no metadata if the endpoint is configured", async () => {
    const as = await startAs();
    const verify = verifierFor(as, { endpoint: `${as.issuer}/custom` });
    expect(await verify()).toEqual({ iss: as.issuer, ...live });
    expect(as.seen.map(({ path }) => path)).toEqual(["/custom"]);
  });

  const [basic, post] = ["client_secret_basic", "client_secret_post"] as const;
  it.each<
    [Record<string, unknown>, IntrospectionOptions["method"], "basic" | "post"]
  >([
    [{}, undefined, "basic"],
    [
      { introspection_endpoint_auth_methods_supported: [post] },
      undefined,
      "post",
    ],
    [
      { introspection_endpoint_auth_methods_supported: [post, basic] },
      undefined,
      "basic",
    ],
    [
      { introspection_endpoint_auth_methods_supported: [post] },
      "basic",
      "basic",
    ],
    [
      { introspection_endpoint_auth_methods_supported: [basic] },
      "post",
      "post",
    ],
    [
      { introspection_endpoint_auth_methods_supported: post },
      undefined,
      "basic",
    ],
    [{ token_endpoint_auth_methods_supported: [post] }, undefined, "post"],
    [
      {
        introspection_endpoint_auth_methods_supported: [basic],
        token_endpoint_auth_methods_supported: [post],
      },
      undefined,
      "basic",
    ],
  ])(
    "with the metadata %j and the method %s sends its secret with %s",
    async (metadata, method, expected) => {
      const as = await startAs();
      Object.assign(as.metadata, metadata);
      await verifierFor(as, { method })();
      const [seen] = as.introspections();
      expect([
        seen?.headers.authorization !== undefined,
        seen?.form["client_id"],
        seen?.form["client_secret"],
      ]).toEqual(
        expected === "basic"
          ? [true, undefined, undefined]
          : [false, id, secret],
      );
    },
  );

  it("percent-encodes in its credentials only characters that decoding would change, as the client does", async () => {
    const as = await startAs();
    await verifierFor(as, {
      id: "https://mcp.example.com",
      secret: "a-b_c%d+e f:gé",
    })();
    const [, encoded = ""] =
      as.introspections()[0]?.headers.authorization?.split(" ") ?? [];
    expect(atob(encoded)).toBe(
      "https%3A//mcp.example.com:a-b_c%25d%2Be%20f:g%C3%A9",
    );
  });

  it.each([false, "true", 1, null, undefined, {}, [true]])(
    "returns nothing for a token whose `active` is %j",
    async (active) => {
      const as = await startAs();
      as.answer = (response) => json(response, { ...live, active });
      expect(await verifierFor(as)()).toBeUndefined();
    },
  );

  it.each([
    { token_use: "refresh_token" },
    { typ: "Refresh" },
    { typ: "Offline" },
    { token_type: "refresh_token" },
  ])("returns nothing for a refresh token, with %j", async (kind) => {
    const as = await startAs();
    as.answer = (response) => json(response, { ...live, ...kind });
    expect(await verifierFor(as)()).toBeUndefined();
  });

  it.each([
    { token_type: "Bearer", token_use: "access_token" },
    { token_type: "DPoP" },
    { typ: "at+jwt" },
  ])("returns the claims of an access token with %j", async (kind) => {
    const as = await startAs();
    as.answer = (response) => json(response, { ...live, ...kind });
    expect(await verifierFor(as)()).toMatchObject(kind);
  });

  it.each([
    {
      active: true,
      iss: "https://other.example.com",
      aud: ["a", "b"],
      exp: "soon",
      cnf: { jkt: "x" },
    },
    { active: true, iss: null },
  ])(
    "returns issuer, audience, times and key unchanged, because `protect` checks them: %j",
    async (answer) => {
      const as = await startAs();
      as.answer = (response) => json(response, answer);
      expect(await verifierFor(as)()).toEqual(answer);
    },
  );

  it("adds its issuer to an answer without one", async () => {
    const as = await startAs();
    as.answer = (response) => json(response, { active: true });
    expect(await verifierFor(as)()).toEqual({ active: true, iss: as.issuer });
  });

  it("does not take a member of the prototype for `active`", async () => {
    const as = await startAs();
    as.answer = (response) =>
      void response.end('{ "__proto__": { "active": true } }');
    expect(await verifierFor(as)()).toBeUndefined();
  });

  it("sends requests to the issuer that its option names, of several", async () => {
    const [first, second] = [await startAs(), await startAs()];
    const issuers = [first.issuer, second.issuer];
    expect(
      await verifierFor(first, { issuer: second.issuer })(issuers),
    ).toMatchObject({
      iss: second.issuer,
    });
    expect([first.seen.length, second.introspections().length]).toEqual([0, 1]);
  });

  it("is refused if its option names none of the issuers, or none of several", async () => {
    const [first, second] = [await startAs(), await startAs()];
    const issuers = [first.issuer, second.issuer];
    const unclear = new TypeError(
      "introspection: `issuer` must be one of the issuers whose tokens are accepted.",
    );
    expect(await failure(verifierFor(first)(issuers))).toEqual(unclear);
    expect(
      await failure(
        verifierFor(first, { issuer: "https://third.example.com" })(issuers),
      ),
    ).toEqual(unclear);
    expect(await failure(verifierFor(first)([]))).toEqual(unclear);
    expect(first.seen).toEqual([]);
  });

  it("does not accept what one of several issuers says about a token of another", async () => {
    const [first, second] = [await startAs(), await startAs()];
    const verify = verifierFor(first, { issuer: first.issuer });
    first.answer = (response) =>
      json(response, { ...live, iss: second.issuer });
    expect(await verify([first.issuer, second.issuer])).toBeUndefined();
    first.answer = (response) => json(response, { ...live, iss: first.issuer });
    expect(await verify([first.issuer, second.issuer])).toMatchObject({
      iss: first.issuer,
    });
  });

  it("verifies tokens again after an error, at the endpoint of the new metadata", async () => {
    const as = await startAs();
    const verify = verifierFor(as);
    as.answer = (response, path) =>
      json(response, live, path === "/new" ? 200 : 404);
    expect(await failure(verify())).toBeInstanceOf(Error);
    as.metadata["introspection_endpoint"] = `${as.issuer}/new`;
    expect(await verify()).toEqual({ iss: as.issuer, ...live });
    expect(as.introspections().map(({ path }) => path)).toEqual([
      "/introspect",
      "/new",
    ]);
  });

  it.each([
    ["id", { id: "", secret }],
    ["secret", { id, secret: "" }],
    ["secret", { id, secret: undefined as unknown as string }],
  ])("cannot be configured without its %s: %j", (_, options) => {
    const empty = "introspection: `id` and `secret` must not be empty.";
    expect(() => introspection(options)).toThrow(new TypeError(empty));
  });

  it.each([
    "http://as.example.com/introspect",
    "/introspect",
    "ftp://127.0.0.1/",
    "",
  ])(
    "cannot be configured with the endpoint %j, which is not secure",
    (endpoint) => {
      expect(() => introspection({ id, secret, endpoint })).toThrow(
        new TypeError(
          `introspection: endpoint: expected an https URL, or an http URL of this machine, without a user name; got ${JSON.stringify(endpoint)}.`,
        ),
      );
    },
  );
});

describe("introspection fails and accepts no token if the authorization server", () => {
  const faults: Readonly<
    Record<string, readonly [As["answer"] | "down", why: RegExp]>
  > = {
    "cannot be reached": ["down", /could not be reached/],
    "has an error": [
      (response) => json(response, live, 500),
      /answered with status 500\.$/,
    ],
    "is overloaded": [
      (response) => json(response, live, 503),
      /answered with status 503\.$/,
    ],
    "does not know this server": [
      (response) => json(response, live, 401),
      /answered with status 401\.$/,
    ],
    "answers with status 201": [
      (response) => json(response, live, 201),
      /answered with status 201\.$/,
    ],
    "answers with nothing": [
      (response) => void response.writeHead(204).end(),
      /answered with status 204\.$/,
    ],
    "redirects the request": [
      (response, path) =>
        path === "/elsewhere"
          ? json(response, live)
          : void response.writeHead(307, { location: "/elsewhere" }).end(),
      /answered with status 307\.$/,
    ],
    "answers with a page": [
      (response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end("<p>Sign in</p>"),
      /did not answer with a JSON object\.$/,
    ],
    "answers with an empty body": [
      (response) => void response.end(),
      /did not answer with a JSON object\.$/,
    ],
    "answers with a list": [
      (response) => json(response, [live]),
      /did not answer with a JSON object\.$/,
    ],
    "answers with a text": [
      (response) => json(response, "active"),
      /did not answer with a JSON object\.$/,
    ],
    "answers with null": [
      (response) => json(response, null),
      /did not answer with a JSON object\.$/,
    ],
    "answers with half of it": [
      (response) => void response.end('{"active":true,"aud":'),
      /did not answer with a JSON object\.$/,
    ],
    "ends the connection in the middle": [
      (response) => {
        response.writeHead(200, { "content-length": 1000 });
        response.write('{"active":true', () => response.destroy());
      },
      /could not be reached/,
    ],
    "never stops sending": [
      (response) => {
        response.on("error", () => {});
        const more = (): void => {
          while (!response.destroyed && response.write(" ".repeat(65_536)));
          response.once("drain", more);
        };
        more();
      },
      /sent more than 262144 bytes$/,
    ],
  };

  it.each(Object.entries(faults))(
    "AUTH-60 %s; the error names the issuer and no secret",
    async (_, [answer, why]) => {
      const as = await startAs();
      const verify = verifierFor(as, { method: "post" });
      expect(await verify()).toBeDefined();
      if (answer === "down") await as.stop();
      else as.answer = answer;
      const error = (await failure(verify())) as Error;
      expect(error).toBeInstanceOf(Error);
      expect(error.message).toMatch(why);
      expect(
        error.message.startsWith(`${as.issuer} could not verify a token: `),
      ).toBe(true);
      for (
        let cause: unknown = error;
        cause instanceof Error;
        cause = cause.cause
      )
        expect(
          `${cause.message} ${cause.stack} ${JSON.stringify(cause)}`,
        ).not.toMatch(new RegExp(`${secret}|${token}|${id}`));
      expect(as.seen.map(({ path }) => path)).not.toContain("/elsewhere");
    },
  );

  it("does not answer within 10 seconds", async () => {
    const as = await startAs();
    const { timeout } = AbortSignal;
    const timeouts: number[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => {
      timeouts.push(time);
      return timeout.call(AbortSignal, 50);
    });
    const startBody = (response: ServerResponse): void =>
      void response.writeHead(200).write('{"active":');
    for (const answer of [(): void => {}, startBody]) {
      as.answer = answer;
      const error = (await failure(
        verifierFor(as, { endpoint: `${as.issuer}/introspect` })(),
      )) as Error;
      expect(error.message).toContain("could not be reached");
    }
    expect(timeouts).toEqual([10_000, 10_000]);
  });

  it.each([
    [
      "names no endpoint",
      { introspection_endpoint: undefined },
      /could not verify a token: its metadata has no introspection endpoint; set the option `endpoint`\.$/,
    ],
    [
      "names an endpoint that is not a string",
      { introspection_endpoint: {} },
      /no introspection endpoint/,
    ],
    [
      "names an endpoint that is not secure",
      { introspection_endpoint: "http://as.example.com/" },
      /: introspection_endpoint of http:\/\/127\.0\.0\.1:\d+: expected an https URL, or an http URL of this machine, without a user name; got "http:\/\/as\.example\.com\/"\.$/,
    ],
    [
      "names an endpoint that is not a URL",
      { introspection_endpoint: "/introspect" },
      /https URL/,
    ],
    [
      "has the metadata of another issuer",
      { issuer: "https://other.example.com" },
      /another issuer/,
    ],
  ])("%s", async (_, metadata, why) => {
    const as = await startAs();
    Object.assign(as.metadata, metadata);
    const error = (await failure(verifierFor(as)())) as Error;
    expect(error.message).toMatch(why);
    expect(
      as.introspections().filter(({ method }) => method === "POST"),
    ).toEqual([]);
  });
});
