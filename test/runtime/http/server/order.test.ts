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
  type Open,
  serversWith,
  stuck,
} from "../kit/server.js";
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
  /** Of a server with sessions, or without them; of both by default. */
  readonly only?: "session" | "stateless";
  /** The requirements that it fulfils. */
  readonly ids?: string;
  readonly faults: readonly Fault[];
  readonly fine?: readonly Fault["change"][];
}

const seed = Number(process.env["MCPGEN_SEED"] ?? 1);

const withHeader =
  (name: string, value: string | undefined): Fault["change"] =>
  ({ headers }) => ({ headers: { ...headers, [name]: value } });
const withMember =
  (name: string, value: unknown): Fault["change"] =>
  ({ message }) => ({ message: { ...message, [name]: value } });
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
const base64 = (text: string): string =>
  `=?base64?${Buffer.from(text).toString("base64")}?=`;

const checks: readonly Check[] = [
  { faults: values("Host", 403, "The host", "evil.example", "127.0.0.1.evil") },
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
      "Accept",
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
      "application/json",
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
      "no content coding",
      "gzip",
      "x-unknown",
    ),
    fine: fine("Content-Encoding", "identity"),
  },
  {
    faults: [
      {
        name: "a body that is too long",
        change: ({ rewrite }) => ({
          rewrite: (text) => rewrite(text) + " ".repeat(5000),
        }),
        status: 413,
        text: "at most 4000 bytes",
      },
    ],
    fine: [({ rewrite }) => ({ rewrite: (text) => ` ${rewrite(text)}\r\n` })],
  },
  {
    faults: [
      {
        name: "a body that is not JSON",
        change: ({ rewrite }) => ({
          rewrite: (text) => rewrite(text).replace("{", "{,"),
        }),
        status: 400,
        text: "-32700",
      },
    ],
  },
  { faults: values("X-Scopes", 403, "scope", "none") },
  {
    only: "session",
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
    only: "session",
    faults: [
      ...values("Mcp-Session-Id", 400, "Session-Id is missing", undefined),
      ...values("Mcp-Session-Id", 404, "", "another"),
    ],
  },
  {
    only: "stateless",
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
    only: "session",
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
    faults: [
      {
        name: "another JSON-RPC",
        change: withMember("jsonrpc", "1.0"),
        status: 400,
        text: "Invalid message",
      },
    ],
  },
];

/** The checks of a kind of server. */
const checksOf = (kind: Check["only"]): readonly Check[] =>
  checks.filter(({ only = kind }) => only === kind);

/**
 * A random request: for each check nothing, another way to write what it
 * accepts, or a fault. Its answer is that to the first fault.
 */
const requests = (
  kind: Check["only"],
): fc.Arbitrary<{
  readonly changes: readonly Fault["change"][];
  readonly first: Fault | undefined;
}> =>
  fc
    .tuple(
      ...checksOf(kind).map(({ faults, fine: ways = [] }) =>
        fc.oneof(
          { weight: 4, arbitrary: fc.constant(undefined) },
          { weight: 2, arbitrary: fc.constantFrom(...ways, undefined) },
          { weight: 1, arbitrary: fc.constantFrom(...faults) },
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
  allowedHosts: ["127.0.0.1"],
  limits: { bodyBytes: 4000 },
  protect,
};

const kinds = [
  { kind: "session", revision: legacy },
  { kind: "stateless", revision: modern },
] as const;

describe.each(
  endpoints.flatMap((endpoint) =>
    kinds.map((kind) => ({ ...kind, endpoint, behind: endpoint.name })),
  ),
)(
  "a request to a server of $revision.revision behind $behind",
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
        rewrite: (text) => text,
      };
      for (const change of changes) Object.assign(draft, change(draft));
      const body = new TextEncoder().encode(
        draft.rewrite(JSON.stringify(draft.message)),
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
    const servers = serversWith(stuck(seen), {}, [revision]);
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
