import { describe, expect, it } from "vitest";
import {
  type Json,
  legacy,
  modern,
  resultOf,
  revisions,
  textOf,
} from "../../kit/index.js";
import { ask, call, hello, tell } from "../kit/messages.js";
import { codeOf, HEADER_MISMATCH, post, version } from "../kit/modern.js";
import { endpoints, opener, sessionRevisions } from "../kit/server.js";
import { Session } from "../kit/session.js";

describe.each(endpoints)("the eras behind $name", (endpoint) => {
  const open = opener(endpoint, [modern]);

  it.each(["GET", "DELETE", "PUT"])(
    "COMPAT-14 rejects %s with only a modern server",
    async (method) => {
      const up = await open();
      const answer = await up.send({
        method,
        headers: { "mcp-session-id": "x", "last-event-id": "1-1" },
      });
      expect([answer.status, answer.header("allow")]).toEqual([405, "POST"]);
      expect(answer.header("mcp-session-id")).toBeUndefined();
    },
  );

  it("COMPAT-14 ignores session ids and event ids with only a modern server", async () => {
    const up = await open();
    const ignored = await up.send(
      post(call(1, "echo"), { "mcp-session-id": "x", "last-event-id": "1-1" }),
    );
    expect([ignored.status, ignored.header("mcp-session-id")]).toEqual([
      200,
      undefined,
    ]);
  });

  it("COMPAT-15 COMPAT-19 rejects a request without a version header, with only a modern server", async () => {
    const up = await open();
    for (const body of [
      hello(legacy.revision),
      ask(1, "tools/list"),
      tell("notifications/initialized"),
    ]) {
      expect(await codeOf(await up.send({ body }))).toEqual([
        400,
        HEADER_MISMATCH,
      ]);
    }
  });

  it("COMPAT-19 serves a POST without the header in the oldest revision, with legacy servers too", async () => {
    const up = await open({ sessions: false }, {}, {}, revisions);
    const answer = await up.send({ body: [call(1, "echo", { value: "old" })] });
    expect(
      textOf(resultOf(((await answer.json()) as unknown as Json[])[0] ?? {})),
    ).toBe("old");
  });

  const everyEra = async () => {
    const up = await open({}, {}, {}, revisions);
    const session = await Session.start(up, legacy);
    const stated = { [version]: modern.revision };
    const ownId = { "mcp-session-id": session.headers["mcp-session-id"] };
    return { up, session, stated, ownId };
  };

  it("COMPAT-12 answers a request with its own version as modern, for any method and session", async () => {
    const { up, ownId } = await everyEra();
    expect(
      await codeOf(await up.send(post(ask(1, "initialize"), ownId))),
    ).toEqual([404, -32601]);
    expect((await up.send(post(call(1, "echo"), ownId))).status).toBe(200);
  });

  it("COMPAT-12 answers a handshake without a version as legacy, for any header", async () => {
    const { up, stated } = await everyEra();
    const greeted = await up.send({
      body: hello(legacy.revision),
      headers: stated,
    });
    expect(greeted.header("mcp-session-id")).toBeDefined();
  });

  it("COMPAT-12 answers a request of an open session as legacy, for any header", async () => {
    const { session, stated } = await everyEra();
    expect(
      resultOf(
        await (
          await session.send({ body: ask(1, "ping"), headers: stated })
        ).json(),
      ),
    ).toEqual({});
  });

  it("COMPAT-12 answers a request with a modern header as modern, although its session is unknown", async () => {
    const { up, stated } = await everyEra();
    expect(
      await codeOf(
        await up.send({ body: ask(1, "tools/list"), headers: stated }),
      ),
    ).toEqual([400, -32602]);
    const unknownSession = { ...stated, "mcp-session-id": "gone" };
    expect(
      await codeOf(
        await up.send({ body: ask(1, "tools/list"), headers: unknownSession }),
      ),
    ).toEqual([400, -32602]);
  });

  it("COMPAT-12 answers all other requests as legacy", async () => {
    const { up, session } = await everyEra();
    expect(
      (
        await session.send({
          body: ask(1, "ping"),
          headers: { "mcp-session-id": "gone" },
        })
      ).status,
    ).toBe(404);
    expect((await up.send({ body: ask(1, "ping") })).status).toBe(400);
  });

  it("COMPAT-13 serves clients of all revisions at the same time on one URL", async () => {
    const up = await open({}, {}, {}, revisions);
    const sessions = await Promise.all(
      sessionRevisions.map((revision) => Session.start(up, revision)),
    );
    const rounds = [1, 2, 3].flatMap((id) => [
      ...sessions.map((session) =>
        session.ask(call(id, "echo", { value: id })),
      ),
      up
        .send(post(call(id, "echo", { value: id })))
        .then((answer) => answer.json()),
    ]);
    const texts = (await Promise.all(rounds)).map((answer) =>
      textOf(resultOf(answer)),
    );
    expect(texts).toEqual(
      [1, 2, 3].flatMap((id) => Array(sessions.length + 1).fill(String(id))),
    );
  });
});
