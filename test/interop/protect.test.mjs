import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Person, startProvider } from "../auth/servers.mjs";
import { metaFor } from "../runtime/kit/index.ts";
import {
  allScopes,
  described,
  headersFor,
  keptAuth,
  post,
  startProtected,
  whoami,
} from "./protected.mjs";
import { open, rowsOf, table } from "./protected-peers.mjs";

const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let as;
beforeAll(async () => {
  as = await startProvider({ scopes: allScopes });
});
afterAll(() => as.stop());

describe.each(rowsOf())(
  "$client over $transport at $revision",
  ({ client: name, transport, revision }) => {
    it("AUTH-01 AUTH-02 AUTH-04 AUTH-15 AUTH-51 AUTH-67 signs a person in and calls a tool for that person only", async () => {
      // SDK v1 always offers its newest revision.
      const server = await startProtected(
        as,
        name === "SDK v1" ? { revision } : {},
      );
      closing.push(server.close);
      const person = new Person();
      const client = await open[name](server, revision, transport, person);
      closing.push(() => client.close());
      expect(person.count).toBe(1);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual([
        "whoami",
        "read",
        "write",
        "confirm",
        "late",
      ]);
      const first = await whoami(client);
      expect(first).toMatchObject({
        revision,
        auth: {
          issuer: as.issuer,
          subject: "ada",
          scopes: ["mcp"],
          claims: { aud: server.url, sub: "ada" },
        },
      });
      const { principal, clientId } = first.auth;
      expect(JSON.parse(principal)).toEqual([as.issuer, "ada", clientId]);
      expect(await whoami(client)).toEqual(first);
      // The first request, whose answer led to the sign-in, has no token; all
      // others have one, in the header alone.
      const [anonymous, ...authorized] = server.requests;
      expect(anonymous.headers).not.toHaveProperty("authorization");
      for (const { headers, url } of authorized) {
        const [scheme, token] = headers.authorization.split(" ");
        expect(scheme).toBe("Bearer");
        for (const part of token.split(".")) {
          expect(JSON.stringify(first)).not.toContain(part);
          expect(url).not.toContain(part);
        }
      }
      await intrusions[intrusionFor(server, transport, revision)](
        server,
        revision,
      );
      expect(await whoami(client)).toEqual(first);
    });
  },
);

/**
 * What another person may try, by what connects the requests of the first one.
 */
function intrusionFor({ requests }, transport, revision) {
  if (transport === "WebSocket") return "connection";
  if (described(revision).facts.opening === "per-request") return "state";
  return requests.some(sessionOf) ? "session" : "nothing";
}

/** The session of a request, as a header or in the URL. */
function sessionOf({ url, headers: { "mcp-session-id": id } }) {
  if (id !== undefined) return { url, headers: { "mcp-session-id": id } };
  return url.includes("?") ? { url, headers: {} } : undefined;
}

const intrusions = {
  session: async (server) => {
    const { url, headers } = server.requests.map(sessionOf).findLast(Boolean);
    const send = async (own) => {
      const message = {
        method: "notifications/roots/list_changed",
        id: undefined,
      };
      const { status } = await post(
        new URL(url, server.url),
        { ...own, ...headers },
        message,
      );
      return status;
    };
    const { bob, ada } = await headersOfBoth(server);
    expect([await send(bob), await send(ada)]).toEqual([404, 202]);
  },
  state: async (server, revision) => {
    const _meta = metaFor(described(revision), { elicitation: { form: {} } });
    const call = async (own, more) => {
      const headers = {
        "mcp-protocol-version": revision,
        "mcp-method": "tools/call",
        "mcp-name": "confirm",
      };
      const params = { name: "confirm", arguments: {}, _meta, ...more };
      return messageIn(
        await post(
          server.url,
          { ...own, ...headers },
          { method: "tools/call", params },
        ),
      );
    };
    const { bob, ada } = await headersOfBoth(server);
    const { requestState, inputRequests } = (await call(ada)).result;
    const [key] = Object.keys(inputRequests);
    const answer = {
      requestState,
      inputResponses: { [key]: { action: "accept", content: {} } },
    };
    expect((await call(bob, answer)).error).toMatchObject({ code: -32602 });
    expect((await call(ada, answer)).result).toMatchObject({
      resultType: "complete",
    });
  },
  // A connection belongs to the person whose token opened it.
  connection: async (server, revision) => {
    const other = await open.mcpgen(
      server,
      revision,
      "WebSocket",
      new Person("bob"),
    );
    closing.push(() => other.close());
    expect((await whoami(other)).auth.subject).toBe("bob");
  },
  // Without sessions, which 2024-11-05 does not have over Streamable HTTP, a
  // request is about nobody but its sender.
  nothing: async (server, revision) => {
    expect(described(revision).facts.headers.session).toBeUndefined();
    const { bob } = await headersOfBoth(server);
    const params = { name: "whoami", arguments: {} };
    const { result } = await messageIn(
      await post(server.url, bob, { method: "tools/call", params }),
    );
    expect(JSON.parse(result.content[0].text).auth.subject).toBe("bob");
  },
};

/** The headers of another person, and those of the first one. */
async function headersOfBoth({ url, requests }) {
  const { auth } = keptAuth({ login: new Person("bob") });
  const { authorization } = requests.findLast(
    ({ headers }) => headers.authorization,
  ).headers;
  return { bob: await headersFor(auth, url), ada: { authorization } };
}

/** The message of a response, which may be a stream. */
async function messageIn(response) {
  const text = await response.text();
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
}

it.each([
  ["SDK v1", "Streamable HTTP", "2025-11-25"],
  ["SDK v1", "HTTP+SSE", "2025-11-25"],
  ["SDK v2", "Streamable HTTP", "2026-07-28"],
  ["mcpgen", "Streamable HTTP", "2026-07-28"],
  ["mcpgen", "HTTP+SSE", "2025-11-25"],
  ["mcpgen", "WebSocket", "2026-07-28"],
])(
  "%s finds the newest revision over %s by itself, and signs in once",
  async (name, transport, revision) => {
    const server = await startProtected(as);
    closing.push(server.close);
    const person = new Person();
    const client = await open[name](server, "auto", transport, person);
    closing.push(() => client.close());
    expect((await whoami(client)).revision).toBe(revision);
    expect(person.count).toBe(1);
  },
);

it("the README has the table of clients that sign in to a protected server", () => {
  const readme = readFileSync(
    new URL("../README.md", import.meta.url),
    "utf8",
  ).replace(/ +/g, " ");
  for (const { client, transport, revisions, gap } of table)
    expect(readme).toContain(
      `| ${client} | ${transport} | ${revisions.join(", ") || "none"} |${gap && ` ${gap}`} |`,
    );
});
