import { cluster, memorySharedStore } from "@mcpgen/runtime/cluster";
import { createHttpHandler } from "@mcpgen/runtime/http";
import { describe, expect, it, vi } from "vitest";
import {
  errorOf,
  type Json,
  legacy,
  legacyRevisions,
  modern,
  resultOf,
  revisions,
  text,
  textOf,
} from "../kit/index.js";
import { ask, call, hello, modernPost, tell } from "../http/kit/messages.js";
import { type HttpContext, serversWith } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  at,
  byHeader,
  closingProcesses,
  deep,
  inTurns,
  type Process,
  secret,
  startProcess,
  subscribing,
} from "./kit.js";

closingProcesses();

const who = (_: Json, { client, auth }: HttpContext): Json =>
  text(JSON.stringify([client.info?.["name"], client.capabilities, auth]));

/**
 * Three processes with the same options, and a balancer that sends each request
 * to the next one.
 */
function threeProcesses(options: Parameters<typeof startProcess>[0] = {}) {
  const processes = Array.from({ length: 3 }, () =>
    startProcess({ tools: { who }, ...options }),
  );
  return { processes, up: inTurns(processes) };
}

describe("a session of a cluster without a store", () => {
  it.each(legacyRevisions)(
    "is served by each of three processes at $revision",
    async (revision) => {
      const { up } = threeProcesses();
      const session = await Session.start(up, revision, {
        roots: { listChanged: true },
      });
      for (let id = 1; id <= 6; id++) {
        const answer = await session.ask(call(id, "who"));
        expect(JSON.parse(textOf(resultOf(answer)))).toEqual([
          "test",
          { roots: { listChanged: true } },
          null,
        ]);
      }
    },
  );

  it("SESS-02 has an id of visible ASCII characters that tells nobody what it says", async () => {
    const { up } = threeProcesses();
    const { opening } = await Session.start(up, legacy, {
      experimental: { planted: {} },
    });
    const id = opening.header("mcp-session-id") ?? "";
    expect(id).toMatch(/^v1\.[\w-]{100,700}$/);
    expect(
      Buffer.from(id.slice(3), "base64url").toString("latin1"),
    ).not.toMatch(/planted|test|2025/);
  });

  it("SESS-08 answers 404 to another principal at each process, and gives a handler only the claims of its caller", async () => {
    const { processes, up } = threeProcesses({ http: byHeader });
    const ada = await Session.start(up, legacy, {}, { authorization: "ada" });
    for (const process of processes) {
      const stolen = await at(process, ada).send({
        body: call(1, "who"),
        headers: { authorization: "bob" },
      });
      expect(stolen.status).toBe(404);
      const own = await at(process, ada).ask(call(2, "who"));
      expect(JSON.parse(textOf(resultOf(own)))).toEqual([
        "test",
        {},
        { principal: "ada" },
      ]);
    }
  });

  it("SESS-05 answers 404 for an id that was changed, or is not one of the server", async () => {
    const { processes, up } = threeProcesses();
    const session = await Session.start(up, legacy);
    const id = String(session.headers["mcp-session-id"]);
    const other = await Session.start(
      startProcess({ settings: { info: { name: "other", version: "1.0.0" } } }),
      legacy,
    );
    const strange = await Session.start(
      startProcess({ cluster: { secrets: ["x".repeat(32)] } }),
      legacy,
    );
    const ids = [
      `${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`,
      `${id.slice(0, 20)}${id[20] === "A" ? "B" : "A"}${id.slice(21)}`,
      `v2.${id.slice(3)}`,
      `${id}A`,
      id.slice(0, -4),
      "v1.",
      `v1.${"A".repeat(5000)}`,
      "s1.AAAAAAAAAAAAAAAAAAAAAA",
      crypto.randomUUID(),
      other.headers["mcp-session-id"],
      strange.headers["mcp-session-id"],
    ];
    for (const changed of ids) {
      const answer = await at(processes[1] as Process, session).send({
        body: ask(1, "ping"),
        headers: { "mcp-session-id": changed },
      });
      expect([changed, answer.status]).toEqual([changed, 404]);
    }
  });

  it("answers 404 once the time of the session is over, also at a process that has it open", async () => {
    const processes = [startProcess(), startProcess()];
    const session = await Session.start(inTurns(processes), legacy);
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (const [days, status] of [
        [29, 200],
        [2, 404],
      ] as const) {
        vi.setSystemTime(Date.now() + days * 86_400_000);
        for (const process of [...processes, startProcess()]) {
          expect((await at(process, session).post(ask(1, "ping"))).status).toBe(
            status,
          );
        }
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("stays open while the secrets are replaced in two steps", async () => {
    const next = "the next secret, of thirty-two bytes";
    const steps = [[secret], [secret, next], [next, secret], [next]].map(
      (secrets) => startProcess({ cluster: { secrets } }),
    ) as [Process, Process, Process, Process];
    const works = async (
      process: Process,
      session: Session,
    ): Promise<boolean> =>
      (await at(process, session).post(ask(1, "ping"))).status === 200;
    const [old, first, second, last] = steps;
    const before = await Session.start(old, legacy);
    const during = await Session.start(second, legacy);
    expect([await works(first, before), await works(second, before)]).toEqual([
      true,
      true,
    ]);
    expect([await works(first, during), await works(last, during)]).toEqual([
      true,
      true,
    ]);
    expect(await works(last, before)).toBe(false);
  });

  it.each(["GET", "DELETE"])("answers 405 to %s", async (method) => {
    const { up } = threeProcesses();
    const session = await Session.start(up, legacy);
    const answer = await session.send({
      method,
      headers: { accept: "text/event-stream" },
    });
    expect([answer.status, answer.header("allow")]).toEqual([405, "POST"]);
  });

  it.each(legacyRevisions)(
    "does not declare at $revision what a process could not tell its clients, and does not warn when it changes",
    async (revision) => {
      const warnings: string[] = [];
      const process = startProcess({
        tools: { who },
        settings: {
          ...subscribing,
          handlers: { "resources/subscribe": () => ({}) },
          onWarning: (text) => void warnings.push(text),
        },
      });
      const session = await Session.start(process, revision);
      const { capabilities } = resultOf(await session.opening.json());
      expect(capabilities).toMatchObject({
        tools: {},
        prompts: {},
        resources: {},
      });
      expect(JSON.stringify(capabilities)).not.toMatch(
        /logging|listChanged|subscribe/,
      );
      const answer = await session.ask(
        ask(2, "logging/setLevel", { level: "error" }),
      );
      expect(errorOf(answer)["code"]).toBe(-32601);
      for (const name of [
        "toolsListChanged",
        "promptsListChanged",
        "resourcesListChanged",
      ])
        process.notify(name);
      process.notify("resourceUpdated", "a://1");
      expect(warnings).toEqual([]);
    },
  );

  it("tells a client of 2026-07-28 of changes", async () => {
    const process = startProcess({ settings: subscribing, revisions });
    const stream = await process.send(
      modernPost(
        modern,
        ask(1, "subscriptions/listen", {
          notifications: { toolsListChanged: true },
        }),
      ),
    );
    await stream.message();
    process.notify("toolsListChanged");
    expect(await stream.message()).toMatchObject({
      method: "notifications/tools/list_changed",
    });
    stream.leave();
  });

  it("fails a question to the client at once, because its answer may arrive anywhere", async () => {
    const { up } = threeProcesses();
    const session = await Session.start(up, legacy, { roots: {} });
    const answer = await session.ask(call(1, "roots"));
    expect(errorOf(answer)["message"]).toBe(
      `roots/list was not sent: without \`store\` of \`cluster\`, this server cannot ask clients of ${legacy.revision}.`,
    );
  });

  it("has the client's name and version, if all that it says about itself is too long", async () => {
    const { up } = threeProcesses();
    const clientInfo = {
      name: "icons",
      version: "1",
      icons: [{ src: `data:,${"x".repeat(5000)}` }],
    };
    const body = ask(1, "initialize", {
      protocolVersion: legacy.revision,
      capabilities: {},
      clientInfo,
    });
    const opening = await up.send({ body });
    const id = opening.header("mcp-session-id");
    expect(id?.length).toBeLessThan(1025);
    const answer = await up.send({
      body: call(2, "who"),
      headers: { "mcp-session-id": id },
    });
    expect(textOf(resultOf(await answer.json()))).toContain('"icons"');
  });

  it("is not opened for capabilities that are too long for an id", async () => {
    const { up } = threeProcesses();
    const answer = await up.send({
      body: hello(legacy.revision, {
        experimental: { x: { y: "x".repeat(2000) } },
      }),
    });
    const error = errorOf(await answer.json());
    expect([
      answer.status,
      answer.header("mcp-session-id"),
      error["code"],
    ]).toEqual([400, undefined, -32602]);
    expect(error["message"]).toBe(
      "What the client says about itself is too long for an id without `store` of `cluster`.",
    );
  });

  it.each([false, true])(
    "is not opened for what is nested too deeply, with a store: %s",
    async (hasStore) => {
      const errors: Error[] = [];
      const onError = (error: Error): void => void errors.push(error);
      const store = hasStore ? memorySharedStore() : undefined;
      const process = startProcess({
        cluster: { store },
        settings: { onError },
      });
      const body = JSON.stringify(
        hello(legacy.revision, { experimental: { x: {} } }),
      );
      const answer = await process.send({
        body: body.replace('"x":{}', `"x":${deep}`),
      });
      expect([answer.status, errorOf(await answer.json())["code"]]).toEqual([
        400, -32602,
      ]);
      expect(errors).toEqual([]);
    },
  );

  it("copies nothing of a handshake but what it keeps, because all of it may be very long", async () => {
    let reads = 0;
    const params = hello(legacy.revision)["params"] as Json;
    const counting = new Proxy(params, {
      ownKeys(target) {
        reads++;
        return Reflect.ownKeys(target);
      },
    });
    const { parse } = JSON;
    const message = { ...hello(legacy.revision), params: counting };
    vi.spyOn(JSON, "parse").mockImplementation((text) =>
      text === "{}" ? message : parse(text),
    );
    try {
      expect((await startProcess().send({ body: "{}" })).status).toBe(200);
      expect(reads).toBe(0);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it("LIFE-08 opens a new session for a handshake with an id that has ended, and rejects a second one in a session", async () => {
    const { processes, up } = threeProcesses();
    const session = await Session.start(up, legacy);
    const again = await at(processes[2] as Process, session).post(
      hello(legacy.revision),
    );
    expect(again.status).toBe(400);
    const renewed = await up.send({
      body: hello(legacy.revision),
      headers: { "mcp-session-id": "v1.gone" },
    });
    expect([renewed.status, renewed.header("mcp-session-id")]).toEqual([
      200,
      expect.stringMatching(/^v1\./),
    ]);
  });

  it("is served once it is restored, however many requests arrive before", async () => {
    const { up, processes } = threeProcesses();
    const session = await Session.start(up, legacy);
    const fresh = startProcess({ tools: { who } });
    const calls = Array.from({ length: 20 }, (_, id) =>
      at(fresh, session).ask(call(id, "who")),
    );
    for (const answer of await Promise.all(calls))
      expect(resultOf(answer)).toBeDefined();
    expect(processes).toHaveLength(3);
  });

  it("is dropped by a process that has too many, and restored by the next request", async () => {
    const process = startProcess({ http: { limits: { sessions: 2 } } });
    const sessions: Session[] = [];
    for (let i = 0; i < 5; i++)
      sessions.push(await Session.start(process, legacy));
    for (const session of [...sessions, ...sessions]) {
      expect((await session.post(ask(1, "ping"))).status).toBe(200);
    }
  });
});

describe("a cluster without a store", () => {
  it("continues a call of 2026-07-28 that asks the client at another process", async () => {
    const modern = revisions.filter(({ isModern }) => isModern);
    const [revision] = modern as [(typeof modern)[0]];
    const { up } = threeProcesses({ revisions: modern });
    const capabilities = { roots: {} };
    const first = await up.send(
      modernPost(revision, call(1, "roots"), { capabilities }),
    );
    const { inputRequests, requestState } = resultOf(await first.json()) as {
      inputRequests: Json;
      requestState: string;
    };
    const [key = ""] = Object.keys(inputRequests);
    const inputResponses = { [key]: { roots: [{ uri: "file:///home" }] } };
    const again = ask(2, "tools/call", {
      name: "roots",
      arguments: {},
      inputResponses,
      requestState,
    });
    const second = await up.send(modernPost(revision, again, { capabilities }));
    expect(textOf(resultOf(await second.json()))).toBe("file:///home");
  });

  it.each([
    [[], "secrets[0]: expected at least 32 bytes, got 0."],
    [[undefined], "secrets[0]: expected at least 32 bytes, got 0."],
    [[secret, "too short"], "secrets[1]: expected at least 32 bytes, got 9."],
    [[new Uint8Array(31)], "secrets[0]: expected at least 32 bytes, got 31."],
  ])(
    "throws for the secrets %j, and shows none of them",
    (secrets, message) => {
      expect(() => cluster({ secrets })).toThrow(TypeError);
      expect(() => cluster({ secrets })).toThrow(`cluster: ${message}`);
      expect(() => cluster({ secrets })).not.toThrow("too short.");
    },
  );

  it.each([1, 1e12])("takes the time %s of sessions", (sessionTime) => {
    expect(() => cluster({ secrets: [secret], sessionTime })).not.toThrow();
  });

  it.each([NaN, Infinity, 0.999, 0, -1, 1e12 + 1, 1e300])(
    "throws for the time %s of sessions",
    (sessionTime) => {
      expect(() => cluster({ secrets: [secret], sessionTime })).toThrow(
        new TypeError(
          `cluster: sessionTime: expected 1 to 1e12 milliseconds, got ${sessionTime}.`,
        ),
      );
    },
  );

  it("throws for stored sessions without a store, and for another cluster than that of the servers", () => {
    expect(() => cluster({ secrets: [secret], sessions: "stored" })).toThrow(
      new TypeError('cluster: sessions: "stored" needs `store`.'),
    );
    const [own, other] = [
      cluster({ secrets: [secret] }),
      cluster({ secrets: [secret] }),
    ];
    expect(() =>
      createHttpHandler(serversWith({}, { cluster: own }), { cluster: other }),
    ).toThrow(
      new TypeError(
        "createHttpHandler: cluster: expected the cluster that createServers has.",
      ),
    );
    expect(() => createHttpHandler(serversWith(), { cluster: own })).toThrow(
      TypeError,
    );
  });

  it("is declared without random values, which Cloudflare Workers have only once a request arrives", () => {
    const spies = [
      vi.spyOn(crypto, "randomUUID"),
      vi.spyOn(crypto, "getRandomValues"),
    ];
    const shared = cluster({ secrets: [secret] });
    createHttpHandler(serversWith({ who }, { cluster: shared }), {
      cluster: shared,
    });
    const calls = spies.map((spy) => spy.mock.calls.length);
    for (const spy of spies) spy.mockRestore();
    expect(calls).toEqual([0, 0]);
  });

  it("says in the health of a handler whether it takes requests", async () => {
    const process = startProcess();
    expect(process.handler.health()).toEqual({
      isDraining: false,
      process: process.name,
    });
    expect(process.name).toMatch(/^[0-9a-f]{16}$/);
    await process.close();
    expect(process.handler.health().isDraining).toBe(true);
    const { health } = createHttpHandler(serversWith());
    expect(health()).toEqual({ isDraining: false });
  });

  it("lets a client cancel a call at the process that runs it", async () => {
    const process = startProcess({
      tools: {
        slow: (_, { signal }) =>
          new Promise((resolve) => signal.addEventListener("abort", resolve)),
      },
    });
    const session = await Session.start(process, legacy);
    const slow = session.post(call(1, "slow"));
    await session.post(tell("notifications/cancelled", { requestId: 1 }));
    expect(await (await slow).text()).not.toContain("result");
  });
});
