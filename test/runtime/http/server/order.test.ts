import { createHttpHandler, type HttpOptions } from "@mcpgen/runtime/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, legacy, modern, type Revision } from "../../kit/index.js";
import { watch } from "../../kit/watch.js";
import { sendWeb, type Sent } from "../kit/exchange.js";
import { call, modernPost } from "../kit/messages.js";
import { type Open, serversWith, stuck } from "../kit/server.js";
import { Session } from "../kit/session.js";

/**
 * A request before it is sent: its headers, its message, and what replaces the
 * text of the message.
 */
interface Draft {
  readonly method: string;
  readonly headers: NonNullable<Sent["headers"]>;
  readonly message: Json;
  readonly rewrite: (text: string) => string;
}

/**
 * One fault of a request. Rows are in the order in which a server checks
 * requests.
 */
interface Fault {
  readonly name: string;
  /** Of a server with sessions, or without them; of both by default. */
  readonly only?: "session" | "stateless";
  readonly change: (draft: Draft) => Partial<Draft>;
  readonly status: number;
  readonly text: string;
}

const withHeader =
  (name: string, value: string | undefined): Fault["change"] =>
  ({ headers }) => ({ headers: { ...headers, [name]: value } });
const withMember =
  (name: string, value: unknown): Fault["change"] =>
  ({ message }) => ({ message: { ...message, [name]: value } });
const { version = "", method: methodHeader = "" } = modern.facts.headers;

const faults: readonly Fault[] = [
  {
    name: "a foreign host",
    change: withHeader("host", "evil.example"),
    status: 403,
    text: "The host",
  },
  {
    name: "another HTTP method",
    change: () => ({ method: "PUT" }),
    status: 405,
    text: "",
  },
  {
    name: "a bad token",
    change: withHeader("authorization", "bad"),
    status: 401,
    text: "Who are you?",
  },
  {
    name: "Accept without JSON",
    change: withHeader("accept", "text/html"),
    status: 406,
    text: "Accept",
  },
  {
    name: "another media type",
    change: withHeader("content-type", "text/plain"),
    status: 415,
    text: "application/json",
  },
  {
    name: "a content coding",
    change: withHeader("content-encoding", "gzip"),
    status: 415,
    text: "no content coding",
  },
  {
    name: "a body that is too long",
    change: ({ rewrite }) => ({
      rewrite: (text) => rewrite(text) + " ".repeat(5000),
    }),
    status: 413,
    text: "at most 4000 bytes",
  },
  {
    name: "a body that is not JSON",
    change: ({ rewrite }) => ({
      rewrite: (text) => rewrite(text).replace("{", "{,"),
    }),
    status: 400,
    text: "-32700",
  },
  {
    name: "a missing scope",
    change: withHeader("x-scopes", "none"),
    status: 403,
    text: "scope",
  },
  {
    name: "an unknown revision in the header",
    only: "session",
    change: withHeader(version.toLowerCase(), "1999-01-01"),
    status: 400,
    text: "is not supported",
  },
  {
    name: "no session",
    only: "session",
    change: withHeader("mcp-session-id", undefined),
    status: 400,
    text: "Session-Id is missing",
  },
  {
    name: "a header that does not match the message",
    only: "stateless",
    change: withHeader(methodHeader.toLowerCase(), "tools/list"),
    status: 400,
    text: "-32020",
  },
  {
    name: "an id that is in use",
    only: "session",
    change: withMember("id", "open"),
    status: 400,
    text: "The id is in use.",
  },
  {
    name: "another JSON-RPC",
    change: withMember("jsonrpc", "1.0"),
    status: 400,
    text: "Invalid message",
  },
];

/** Each fault with each later one: the answer is that of the first. */
const pairsOf = (
  kind: Fault["only"],
): readonly (readonly [first: string, second: string])[] => {
  const names = faults
    .filter(({ only = kind }) => only === kind)
    .map(({ name }) => name);
  return names.flatMap((first, i) =>
    names.slice(i + 1).map((second) => [first, second] as const),
  );
};

/**
 * A protection that refuses the token "bad", and gives no scopes to a request
 * that asks for none.
 */
const protect: NonNullable<HttpOptions["protect"]> = {
  admit: (request) =>
    request.header("authorization") === "bad"
      ? { status: 401, headers: {}, text: "Who are you?" }
      : {
          auth: {
            principal: "ada",
            scopes: request.header("x-scopes") === "none" ? [] : ["call"],
          },
        },
  scopesOf: (method) => (method === "tools/call" ? ["call"] : []),
  refuse: () => ({ status: 403, headers: {} }),
  whenEnded: () => () => {},
  routes: {},
};
const options: HttpOptions = {
  allowedHosts: ["127.0.0.1"],
  limits: { bodyBytes: 4000 },
  protect,
};

describe.each([
  { kind: "session", revision: legacy },
  { kind: "stateless", revision: modern },
] as const)(
  "a request with two faults to a server of $revision.revision",
  ({ kind, revision }) => {
    const server = once(revision);

    it.each(pairsOf(kind))(
      "is answered for %s, and not for %s, which is checked later",
      async (...names) => {
        const { up, headers } = server();
        const base: Sent =
          kind === "stateless"
            ? modernPost(modern, call(1, "echo"))
            : { body: call(1, "echo") };
        const draft: Draft = {
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...headers,
            ...lowerCase(base.headers),
          },
          message: base.body as Json,
          rewrite: (text) => text,
        };
        const [first, second] = names.map(
          (name) => faults.find((fault) => fault.name === name) as Fault,
        );
        for (const fault of [second, first])
          Object.assign(draft, fault?.change(draft));
        const body = new TextEncoder().encode(
          draft.rewrite(JSON.stringify(draft.message)),
        );
        const answer = await up.send({
          method: draft.method,
          headers: draft.headers,
          body,
        });
        expect([answer.status, await answer.text()]).toEqual([
          first?.status,
          expect.stringContaining(first?.text ?? ""),
        ]);
      },
    );
  },
);

const lowerCase = (
  headers: Sent["headers"] = {},
): NonNullable<Sent["headers"]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );

/**
 * One server for all tests of a block, with an open request of the id "open" if
 * it has a session.
 */
function once(
  revision: Revision,
): () => { readonly up: Open; readonly headers: NonNullable<Sent["headers"]> } {
  let server: {
    readonly up: Open;
    readonly headers: NonNullable<Sent["headers"]>;
  };
  beforeAll(async () => {
    const seen = watch();
    const handler = createHttpHandler(
      serversWith(stuck(seen), {}, [revision]),
      options,
    );
    const up: Open = {
      port: 0,
      send: (sent) => sendWeb(handler, sent),
      close: () => handler.close(),
    };
    if (revision === modern) return void (server = { up, headers: {} });
    const session = await Session.start(up, revision);
    void session.post(call("open", "stuck")).catch(() => {});
    await seen.until("begun");
    server = { up, headers: lowerCase(session.headers) };
  });
  afterAll(() => server.up.close());
  return () => server;
}
