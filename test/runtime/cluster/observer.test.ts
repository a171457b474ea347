import { type ObservedRequest, observer } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { legacyRevisions, text } from "../kit/index.js";
import { call } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { closingProcesses, inTurns, startProcess } from "./kit.js";

closingProcesses();

describe.each(legacyRevisions)(
  "an observer of a cluster in $revision",
  (revision) => {
    it("sees what the client sends to each process, with one key of its session and never the id", async () => {
      const seen: [process: number, request: ObservedRequest][] = [];
      const processes = [0, 1, 2].map((process) =>
        startProcess({
          tools: { work: () => text("done") },
          settings: {
            observe: observer((request) => void seen.push([process, request])),
          },
        }),
      );
      const session = await Session.start(inTurns(processes), revision);
      for (let id = 1; id <= 3; id++) await session.ask(call(id, "work"));
      const methods = ["initialize", ...Array<string>(3).fill("tools/call")];
      expect(seen.map(([, { method }]) => method)).toEqual(methods);
      expect(new Set(seen.map(([process]) => process)).size).toBe(3);
      const [key, ...others] = new Set(
        seen.map(([, request]) => request.session),
      );
      expect([key, others]).toEqual([expect.stringMatching(/^[\w-]{36}$/), []]);
    });
  },
);
