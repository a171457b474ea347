import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { WebSocket } from "ws";
import { folderInCheckout } from "../../files.js";
import { compile } from "../../view/compile.js";
import { type Answer, sendNode } from "../http/kit/exchange.js";
import { ask, call, modernPost } from "../http/kit/messages.js";
import { errorOf, modern, resultOf, textOf } from "../kit/index.js";
import { until } from "../kit/watch.js";
import { Issuer } from "./issuer.js";
import { programOf, type Running, start, titles } from "./page.js";
import { makeKey, proofOf } from "./proof.js";
import { bearer, challengeOf } from "./serving.js";

const own = [
  "A protected server",
  "Scopes",
  "Tools for everybody, and tools for some",
  "Opaque tokens",
  "Tenants",
  "A verifier of your own",
  "Tokens that are bound to a key",
  "WebSocket and HTTP+SSE",
];
let folder = "";
let issuer: Issuer;
let running: Running;
beforeAll(() => {
  folder = folderInCheckout("protect");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  issuer = await Issuer.start();
});
afterEach(async () => {
  running.stop();
  await issuer.stop();
});

/** Calls a tool of the running program with a token. */
const callAs = (token: string, name: string, args = {}): Promise<Answer> =>
  sendNode(
    running.port,
    modernPost(modern, call(1, name, args), { headers: bearer(token) }),
  );
const tokenOf = (claims = {}): Promise<string> =>
  issuer.token({ aud: running.resource, ...claims });
const result = async (answer: Answer): Promise<string> =>
  textOf(resultOf(await answer.json()));

describe("the page on the authorization of servers", () => {
  it("has programs that the strictest compiler passes", () => {
    running = {
      port: 0,
      socketPort: 0,
      resource: "",
      errors: () => "",
      stop: () => {},
    };
    expect(titles).toEqual([...own, "Express", "Hono"]);
    const texts = own.map((title, i) => {
      return [
        `program-${i}.ts`,
        programOf(title).replace("./gen/", "../generated/"),
      ] as const;
    });
    expect(compile(new Map(texts))).toEqual([]);
  });

  it("protects a server, whose metadata names its authorization server", async () => {
    running = await start("A protected server", issuer, folder);
    const refused = await sendNode(
      running.port,
      modernPost(modern, call(1, "whoami")),
    );
    const metadata = `http://127.0.0.1:${running.port}/.well-known/oauth-protected-resource/mcp`;
    expect([refused.status, challengeOf(refused)]).toEqual([
      401,
      { scheme: "bearer", resource_metadata: metadata },
    ]);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: running.resource,
      authorization_servers: [issuer.issuer],
    });
    expect(await result(await callAs(await tokenOf(), "whoami"))).toBe("ada");
    const wrong = await callAs(await issuer.token(), "whoami");
    expect([wrong.status, challengeOf(wrong)]).toMatchObject([
      401,
      { error: "invalid_token" },
    ]);
    const headers = { authorization: "Bearer a b" };
    const malformed = await sendNode(
      running.port,
      modernPost(modern, call(1, "whoami"), { headers }),
    );
    expect([malformed.status, challengeOf(malformed)]).toMatchObject([
      400,
      { error: "invalid_request" },
    ]);
  });

  it("requires scopes of a server, a method, a tool and a handler", async () => {
    running = await start("Scopes", issuer, folder);
    const reader = await tokenOf({ scope: "files:read" });
    const writer = await tokenOf({ scope: "files:write" });
    const missing = (answer: Answer) => [
      answer.status,
      challengeOf(answer)["scope"],
    ];
    expect(
      missing(await callAs(await tokenOf({ scope: "other" }), "list_files")),
    ).toEqual([403, "files:read"]);
    expect(await result(await callAs(reader, "list_files"))).toBe("notes.txt");
    const deletion = { path: "/notes.txt" };
    expect(missing(await callAs(reader, "delete_file", deletion))).toEqual([
      403,
      "files:read files:write",
    ]);
    expect(await result(await callAs(writer, "delete_file", deletion))).toBe(
      "Deleted /notes.txt.",
    );
    const system = await callAs(writer, "delete_file", { path: "/system/x" });
    expect(missing(system)).toEqual([
      403,
      "files:read files:write files:admin",
    ]);
    expect(errorOf(await system.json())).toMatchObject({ code: 403 });
    const reading = modernPost(
      modern,
      ask(1, "resources/read", { uri: "file:///x" }),
      {
        headers: bearer(reader),
      },
    );
    expect(missing(await sendNode(running.port, reading))).toEqual([
      403,
      "files:read files:content",
    ]);
  });

  it("answers everybody with the tools that need no scope, and lists what each may call", async () => {
    running = await start(
      "Tools for everybody, and tools for some",
      issuer,
      folder,
    );
    const namesFor = async (
      headers: Record<string, string>,
    ): Promise<unknown[]> => {
      const answer = await sendNode(
        running.port,
        modernPost(modern, ask(1, "tools/list"), { headers }),
      );
      const { tools } = resultOf(await answer.json()) as {
        readonly tools: readonly { name: string }[];
      };
      return tools.map(({ name }) => name);
    };
    expect(await namesFor({})).toEqual(["search"]);
    expect(
      await namesFor(
        bearer(await tokenOf({ sub: "bob", scope: "files:write" })),
      ),
    ).toEqual(["search", "delete_all"]);
    expect(await namesFor(bearer(await tokenOf()))).toEqual([
      "search",
      "audit",
    ]);
    const open = await sendNode(
      running.port,
      modernPost(modern, call(1, "search")),
    );
    expect(await result(open)).toBe("nothing found");
    const refused = await sendNode(
      running.port,
      modernPost(modern, call(1, "delete_all")),
    );
    expect([refused.status, challengeOf(refused)["scope"]]).toEqual([
      401,
      "files:write",
    ]);
  });

  it("accepts the tenants that a function knows, and reports the issuers of others", async () => {
    running = await start("Tenants", issuer, folder);
    const tenant = `${issuer.issuer}/tenants/one`;
    const document = { issuer: tenant, jwks_uri: `${issuer.issuer}/jwks` };
    issuer.answer = (path) =>
      path === "/.well-known/oauth-authorization-server/tenants/one"
        ? { status: 200, text: JSON.stringify(document) }
        : undefined;
    expect(
      await result(await callAs(await tokenOf({ iss: tenant }), "whoami")),
    ).toBe("ada");
    const other = `${issuer.issuer}/tenants/two`;
    expect((await callAs(await tokenOf({ iss: other }), "whoami")).status).toBe(
      401,
    );
    await until(() => running.errors().includes(JSON.stringify(other)));
  });

  it("verifies opaque tokens by introspection", async () => {
    running = await start("Opaque tokens", issuer, folder, {
      INTROSPECTION_SECRET: "s3cret",
    });
    const json = (value: object) => ({
      status: 200,
      text: JSON.stringify(value),
    });
    let active = true;
    issuer.answer = (path) =>
      path === "/introspect"
        ? json({
            active,
            sub: "ada",
            aud: running.resource,
            exp: Math.ceil(Date.now() / 1000) + 60,
          })
        : json({
            issuer: issuer.issuer,
            introspection_endpoint: `${issuer.issuer}/introspect`,
          });
    expect(await result(await callAs("opaque", "whoami"))).toBe("ada");
    active = false;
    expect((await callAs("revoked", "whoami")).status).toBe(401);
    expect(
      issuer.requests.filter((path) => path === "/introspect"),
    ).toHaveLength(2);
    issuer.answer = () => ({ status: 500, text: "" });
    const unavailable = await callAs("unknown", "whoami");
    expect([unavailable.status, unavailable.header("retry-after")]).toEqual([
      503,
      "5",
    ]);
    await until(() => running.errors().includes("could not verify a token"));
    expect(running.errors()).not.toContain("s3cret");
  });

  it("accepts a verifier of the user", async () => {
    running = await start("A verifier of your own", issuer, folder, {
      TOKEN_OF_ADA: "secret-of-ada",
    });
    expect(await result(await callAs("secret-of-ada", "whoami"))).toBe("ada");
    expect((await callAs("undefined", "whoami")).status).toBe(401);
  });

  it("requires proofs of tokens that are bound to a key", async () => {
    running = await start("Tokens that are bound to a key", issuer, folder);
    const unbound = await callAs(await tokenOf(), "whoami");
    expect([unbound.status, challengeOf(unbound)]).toMatchObject([
      401,
      { scheme: "dpop" },
    ]);
    const key = await makeKey();
    const token = await tokenOf({ cnf: { jkt: key.thumbprint } });
    const ath = createHash("sha256").update(token).digest("base64url");
    const headers = {
      authorization: `DPoP ${token}`,
      dpop: await proofOf(key, { htu: running.resource, ath }),
    };
    const send = () =>
      sendNode(
        running.port,
        modernPost(modern, call(1, "whoami"), { headers }),
      );
    expect(await result(await send())).toBe("ada");
    expect(challengeOf(await send())).toMatchObject({
      error: "invalid_dpop_proof",
    });
  });

  it("protects WebSockets and HTTP+SSE", async () => {
    running = await start("WebSocket and HTTP+SSE", issuer, folder);
    const token = await tokenOf();
    const stream = (headers: Record<string, string>) =>
      sendNode(running.port, {
        headers: { accept: "text/event-stream", ...headers },
      });
    expect((await stream({})).status).toBe(401);
    const opened = await stream(bearer(token));
    expect([opened.status, (await opened.next())?.event]).toEqual([
      200,
      "endpoint",
    ]);
    opened.leave();
    const connect = (
      headers: Record<string, string>,
    ): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(
          `ws://127.0.0.1:${running.socketPort}/mcp`,
          "mcp",
          { headers },
        );
        socket.on("open", () => (resolve(101), socket.close()));
        socket.on("unexpected-response", (_, { statusCode }) =>
          resolve(statusCode),
        );
        socket.on("error", reject);
      });
    expect(await connect({})).toBe(401);
    expect(await connect(bearer(token))).toBe(101);
  });
});
