import type { HttpOptions } from "@mcpgen/runtime/http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWhole } from "../../../whole.js";
import { type Json, legacy, modern, type Revision } from "../../kit/index.js";
import { watch } from "../../kit/watch.js";
import type { Sent } from "../kit/exchange.js";
import { call, modernPost } from "../kit/messages.js";
import {
  type Endpoint,
  endpoints,
  named,
  type Open,
  serversWith,
  stuck,
} from "../kit/server.js";
import { Session } from "../kit/session.js";

/** A request in a session, an array of requests in one, or a request of its own. */
type Kind = "session" | "batch" | "stateless";

/**
 * A request before it is sent: its headers, its message, and what replaces the
 * text of the message.
 */
interface Draft {
  readonly method: string;
  readonly headers: NonNullable<Sent["headers"]>;
  readonly message: Json;
  /** Makes the body of the message. */
  readonly enclose: (message: Json) => unknown;
  readonly rewrite: (text: string) => string;
}

/** A request that a check rejects. */
interface Fault {
  readonly name: string;
  readonly change: (draft: Draft) => Partial<Draft>;
  readonly status: number;
  readonly text: string;
}

/**
 * One check of requests: what it rejects, and requests that are written in
 * another way and that it accepts. The list is in the order of the checks.
 */
interface Check {
  /** The kinds of requests that it is for; all by default. */
  readonly only?: readonly Kind[];
  /** The requirements that it fulfils. */
  readonly ids?: string;
  readonly faults: readonly Fault[];
  /**
   * True if what it rejects hides the faults before it, so that a request has
   * no other.
   */
  readonly alone?: true;
  readonly fine?: readonly Fault["change"][];
}

const seed = Number(process.env["MCPGEN_SEED"] ?? 1);

const withHeader =
  (name: string, value: string | undefined): Fault["change"] =>
  ({ headers }) => ({ headers: { ...headers, [name]: value } });
const withMember =
  (name: string, value: unknown): Fault["change"] =>
  ({ message }) => ({ message: { ...message, [name]: value } });
const withMeta =
  (name: string, value: unknown): Fault["change"] =>
  ({ message }) => {
    const params = message["params"] as Json;
    const _meta = { ...(params["_meta"] as Json), [name]: value };
    return { message: { ...message, params: { ...params, _meta } } };
  };
const enclosed =
  (enclose: Draft["enclose"]): Fault["change"] =>
  () => ({ enclose });
/** Spaces after the body, up to this length in bytes. */
const padded =
  (length: number): Fault["change"] =>
  ({ rewrite }) => ({ rewrite: (text) => rewrite(text).padEnd(length) });
const inSession: readonly Kind[] = ["session", "batch"];
const ping = { jsonrpc: "2.0", id: "ping", method: "ping" };
const { protocolVersion = "", clientCapabilities = "" } = modern.facts.meta;
const { clientInfo = "" } = modern.facts.meta;
const { version = "", method = "", name = "" } = modern.facts.headers;

/** The faults of one header: each of these values has the same answer. */
const values = (
  header: string,
  status: number,
  text: string,
  ...all: readonly (string | undefined)[]
): readonly Fault[] =>
  all.map((value) => ({
    name: `${header}: ${value ?? "none"}`,
    change: withHeader(header.toLowerCase(), value),
    status,
    text,
  }));
const fine = (
  header: string,
  ...all: readonly (string | undefined)[]
): readonly Fault["change"][] =>
  all.map((value) => withHeader(header.toLowerCase(), value));
/** The faults of one member of the metadata. */
const metadata = (key: string, ...all: readonly unknown[]): readonly Fault[] =>
  all.map((value) => ({
    name: `the metadata ${key}: ${JSON.stringify(value)}`,
    change: withMeta(key, value),
    status: 400,
    text: "-32602",
  }));
const base64 = (text: string): string =>
  `=?base64?${Buffer.from(text).toString("base64")}?=`;

const checks: readonly Check[] = [
  {
    ids: "HTTP-10",
    faults: values(
      "Host",
      403,
      "The host",
      "evil.example",
      "127.0.0.1.evil",
      "127.0.0.2",
      "127.0.0.1:80a",
    ),
    fine: fine("Host", "127.0.0.1:1", "LOCALHOST:8080", "[::1]:80"),
  },
  {
    ids: "HTTP-08",
    faults: values(
      "Origin",
      403,
      "The origin",
      "",
      "null",
      "garbage",
      "http://evil.example.com",
      "http://localhost.evil.example.com",
      "ftp://localhost",
      "vscode-webview://localhost",
      "chrome-extension://127.0.0.1",
    ),
    fine: fine(
      "Origin",
      "http://localhost:5173",
      "https://127.0.0.1",
      "http://[::1]:1",
    ),
  },
  {
    faults: ["PUT", "PATCH"].map((verb) => ({
      name: verb,
      change: () => ({ method: verb }),
      status: 405,
      text: "",
    })),
  },
  {
    faults: values("Authorization", 401, "Who are you?", "bad"),
    fine: fine("Authorization", "good", ""),
  },
  {
    ids: "HTTP-03",
    faults: values(
      "Accept",
      406,
      "Expected Accept: application/json, text/event-stream.",
      "text/html",
      "application/json",
      "text/event-stream",
    ),
    fine: fine(
      "Accept",
      "*/*",
      "application/*, text/*",
      "TEXT/EVENT-STREAM;q=0.5 , Application/JSON",
    ),
  },
  {
    ids: "HTTP-04",
    faults: values(
      "Content-Type",
      415,
      "The body must be application/json.",
      undefined,
      "text/plain",
      "application/jsonp",
      "application/x-www-form-urlencoded",
    ),
    fine: fine(
      "Content-Type",
      "application/json; charset=utf-8",
      "Application/JSON;charset=UTF-8",
    ),
  },
  {
    faults: values(
      "Content-Encoding",
      415,
      "The body must have no content coding.",
      "gzip",
      "x-unknown",
    ),
    fine: fine("Content-Encoding", "identity"),
  },
  {
    faults: [
      {
        name: "a body that is a byte too long",
        change: padded(4001),
        status: 413,
        text: "at most 4000 bytes",
      },
    ],
    fine: [
      padded(4000),
      ({ rewrite }) => ({ rewrite: (text) => ` ${rewrite(text)}\r\n` }),
    ],
  },
  {
    faults: [
      {
        name: "a body that is not JSON",
        change: ({ rewrite }) => ({
          rewrite: (text) => rewrite(text).replace(/[{[]/, "("),
        }),
        status: 400,
        text: "-32700",
      },
      {
        name: "a body of spaces",
        change: ({ rewrite }) => ({
          rewrite: (text) => " ".repeat(rewrite(text).length),
        }),
        status: 400,
        text: "-32700",
      },
    ],
  },
  { faults: values("X-Scopes", 403, "scope", "none") },
  {
    only: ["session"],
    ids: "HTTP-13",
    faults: values(
      version,
      400,
      "is not supported",
      "1999-01-01",
      "garbage",
      "2025-06-18, 2025-11-25",
    ),
    fine: fine(version, undefined),
  },
  {
    only: inSession,
    faults: [
      ...values("Mcp-Session-Id", 400, "Session-Id is missing", undefined),
      ...values("Mcp-Session-Id", 404, "", "another"),
    ],
  },
  {
    only: ["stateless"],
    ids: "HDR-02 HDR-03 HDR-04 HDR-05",
    faults: [
      ...values(version, 400, "-32020", undefined, "", "2099-01-01"),
      ...values(method, 400, "-32020", undefined, "TOOLS/CALL", "tools/list"),
      ...values(method, 400, "-32020", base64("tools/call")),
      ...values(name, 400, "-32020", undefined, "Echo", ""),
      ...values(name, 400, "-32020", "=?BASE64?ZWNobw==?=", "=?base64?ZWNob?="),
    ],
    fine: [...fine(method, "  tools/call\t"), ...fine(name, base64("echo"))],
  },
  {
    only: ["session"],
    ids: "BATCH-05",
    faults: [1, 2].map((count) => ({
      name: `an array of ${count}`,
      change: enclosed((message) => Array<Json>(count).fill(message)),
      status: 400,
      text: "-32600",
    })),
  },
  {
    only: ["batch"],
    ids: "BATCH-04",
    faults: [
      {
        name: "an array that is longer by one than the limit",
        change: enclosed((message) => [message, ping, 1, 2]),
        status: 400,
        text: "-32600",
      },
    ],
    fine: [
      enclosed((message) => [ping, 1, message]),
      enclosed((message) => message),
    ],
  },
  {
    only: inSession,
    alone: true,
    ids: "BATCH-04 BATCH-05",
    faults: ["[]", '[{"jsonrpc":"2.0"},1,2,3]'].map((text) => ({
      name: `the body ${text}`,
      change: () => ({ rewrite: () => text }),
      status: 400,
      text: "-32600",
    })),
  },
  {
    only: ["batch"],
    ids: "JRPC-03",
    faults: [
      {
        name: "an id that is there twice",
        change: enclosed((message) => [message, message]),
        status: 400,
        text: "The id is in use.",
      },
    ],
  },
  {
    only: inSession,
    faults: [
      {
        name: "an id that is in use",
        change: withMember("id", "open"),
        status: 400,
        text: "The id is in use.",
      },
    ],
    fine: [withMember("id", "another"), withMember("id", 7)],
  },
  {
    only: ["session", "stateless"],
    faults: [
      {
        name: "another JSON-RPC",
        change: withMember("jsonrpc", "1.0"),
        status: 400,
        text: "Invalid message",
      },
    ],
  },
  {
    only: ["stateless"],
    ids: "META-01 HDR-16",
    faults: metadata(clientCapabilities, undefined, 5, null),
  },
  {
    only: ["stateless"],
    alone: true,
    ids: "META-01 HDR-16",
    faults: [
      ...metadata(protocolVersion, undefined, 5, null),
      {
        name: "no metadata",
        change: ({ message }) => {
          const { _meta, ...params } = message["params"] as Json;
          return { message: { ...message, params } };
        },
        status: 400,
        text: "-32602",
      },
    ],
  },
  {
    only: ["stateless"],
    ids: "META-02 META-04 META-09",
    faults: [],
    fine: [
      withMeta(clientInfo, undefined),
      withMeta(clientInfo, { name: "curl", version: "1" }),
      withMeta("io.modelcontextprotocol/unheard-of", []),
    ],
  },
];

/** The checks of a kind of request. */
const checksOf = (kind: Kind): readonly Check[] =>
  checks.filter(({ only }) => only?.includes(kind) ?? true);

/**
 * A random request: for each check nothing, another way to write what it
 * accepts, or a fault. Its answer is that to the first fault.
 */
const requests = (
  kind: Kind,
): fc.Arbitrary<{
  readonly changes: readonly Fault["change"][];
  readonly first: Fault | undefined;
}> =>
  fc
    .tuple(
      ...checksOf(kind)
        .filter(({ alone = false }) => !alone)
        .map(({ faults, fine: ways = [] }) =>
          fc.oneof(
            { weight: 4, arbitrary: fc.constant(undefined) },
            { weight: 2, arbitrary: fc.constantFrom(...ways, undefined) },
            { weight: 1, arbitrary: fc.constantFrom(...faults, undefined) },
          ),
        ),
    )
    .map((chosen) => ({
      changes: chosen.flatMap((one) =>
        one === undefined ? [] : typeof one === "function" ? one : one.change,
      ),
      first: chosen.find((one) => typeof one === "object"),
    }));

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
  allowedHosts: ["127.0.0.1", "localhost", "::1"],
  limits: { bodyBytes: 4000 },
  protect,
};

const kinds = [
  { kind: "session", revision: legacy },
  { kind: "batch", revision: named("2025-03-26") },
  { kind: "stateless", revision: modern },
] as const;

describe.each(
  endpoints.flatMap((endpoint) =>
    kinds.map((kind) => ({ ...kind, endpoint, behind: endpoint.name })),
  ),
)(
  "a request ($kind) to a server of $revision.revision behind $behind",
  ({ kind, revision, endpoint }) => {
    const server = once(endpoint, revision);

    /** The answer to a request with these changes. */
    async function answerTo(
      changes: readonly Fault["change"][],
    ): Promise<[status: number, text: string]> {
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
        enclose: (message) => (kind === "batch" ? [message] : message),
        rewrite: (text) => text,
      };
      for (const change of changes) Object.assign(draft, change(draft));
      const body = new TextEncoder().encode(
        draft.rewrite(JSON.stringify(draft.enclose(draft.message))),
      );
      const sent = { method: draft.method, headers: draft.headers, body };
      const answer = await up.send(sent);
      return [answer.status, await answer.text()];
    }

    const expected = (fault: Fault | undefined): unknown[] => [
      fault?.status ?? 200,
      expect.stringContaining(fault?.text ?? "result"),
    ];

    const rows = checksOf(kind).flatMap(({ ids = "", faults }) =>
      faults.map((fault) => {
        const title = `${ids} is rejected for ${fault.name}`.trim();
        return [title, fault.status, fault] as const;
      }),
    );
    it.each(rows)("%s with %i", async (_title, _status, fault) => {
      expect(await answerTo([fault.change])).toEqual(expected(fault));
    });

    const ways = checksOf(kind).flatMap(({ ids = "", fine = [] }) =>
      fine.map((change, i) => [ids, i, change] as const),
    );
    it.each(ways)(
      "%s is answered if it is written in another way, number %i",
      async (_ids, _number, change) => {
        expect(await answerTo([change])).toEqual(expected(undefined));
      },
    );

    it("is answered for the first of its faults in the order of the checks, and with a result without one, however it is written", async () => {
      await fc.assert(
        fc.asyncProperty(requests(kind), async ({ changes, first }) => {
          expect(await answerTo(changes)).toEqual(expected(first));
        }),
        { numRuns: isWhole ? 3000 : 400, seed },
      );
    });
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
  endpoint: Endpoint,
  revision: Revision,
): () => { readonly up: Open; readonly headers: NonNullable<Sent["headers"]> } {
  let server: {
    readonly up: Open;
    readonly headers: NonNullable<Sent["headers"]>;
  };
  beforeAll(async () => {
    const seen = watch();
    const servers = serversWith(stuck(seen), { limits: { batch: 3 } }, [
      revision,
    ]);
    const up = await endpoint.open(servers, options);
    if (revision === modern) return void (server = { up, headers: {} });
    const session = await Session.start(up, revision);
    void session.post(call("open", "stuck")).catch(() => {});
    await seen.until("begun");
    server = { up, headers: lowerCase(session.headers) };
  });
  afterAll(() => server.up.close());
  return () => server;
}
