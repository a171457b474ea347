import { describe, expect, it } from "vitest";
import { errorOf, legacyRevisions, resultOf, textOf } from "../../kit/index.js";
import { ask, call } from "../kit/messages.js";
import { endpoints, opener, sessionRevisions } from "../kit/server.js";
import { Session } from "../kit/session.js";

describe.each(endpoints)("the legacy shape behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  describe("without sessions", () => {
    it.each(sessionRevisions)(
      "answers each request at $revision independently",
      async (revision) => {
        const session = await Session.start(
          await open({ sessions: false }),
          revision,
        );
        expect(session.opening.header("mcp-session-id")).toBeUndefined();
        expect(resultOf(await session.opening.json())["protocolVersion"]).toBe(
          revision.revision,
        );
        const answer = await session.ask(call(1, "echo", { value: "alone" }));
        expect(textOf(resultOf(answer))).toBe("alone");
      },
    );

    it.each(sessionRevisions)(
      "streams the messages of a request at $revision",
      async (revision) => {
        const session = await Session.start(
          await open({ sessions: false }),
          revision,
        );
        const stream = await session.post(
          call(1, "count", {}, { progressToken: 1 }),
        );
        expect(stream.header("content-type")).toBe("text/event-stream");
        expect((await stream.message())["method"]).toBe(
          "notifications/progress",
        );
        stream.leave();
      },
    );

    it.each(sessionRevisions)(
      "rejects a request to the client at $revision at once with an error that names the setting",
      async (revision) => {
        const up = await open({ sessions: false });
        const session = await Session.start(up, revision, { roots: {} });
        const answer = await session.ask(call(1, "roots"));
        expect(errorOf(answer)).toEqual({
          code: -32603,
          message: `roots/list was not sent: with \`sessions: false\`, this server cannot ask clients of ${revision.revision}.`,
        });
      },
    );

    it("ignores a session id", async () => {
      const up = await open({ sessions: false });
      const answer = await up.send({
        body: ask(1, "ping"),
        headers: { "mcp-session-id": "made-up" },
      });
      expect(answer.status).toBe(200);
    });
  });
});
