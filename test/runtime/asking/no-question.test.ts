import { isSessionError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { join, type Json, modern, revisions, text } from "../kit/index.js";
import { all } from "./kit.js";

/** The methods of all revisions, in both directions, and one of none. */
const methods = [
  "no/such",
  ...new Set(
    revisions.flatMap(({ protocol: { serverSide, clientQuestions } }) =>
      [
        serverSide.incomingRequests,
        serverSide.outgoingRequests,
        clientQuestions.incomingRequests,
      ].flatMap((rows) => Object.keys(rows)),
    ),
  ),
];

describe.each(revisions)(
  "a handler of $revision that asks with a method that is not a question",
  ({ protocol, revision }) => {
    const questions = protocol.clientQuestions.incomingRequests;
    // Before 2026-07-28 a server may send a ping, too.
    const refused = methods.filter(
      (method) =>
        !Object.hasOwn(questions, method) &&
        (method !== "ping" || revision === modern.revision),
    );

    it.each(refused)("gets an error that says so, for %s", async (method) => {
      let caught: unknown;
      const handler = async (
        _: unknown,
        { request }: { readonly request: never },
      ): Promise<Json> => {
        const ask = request as (...args: unknown[]) => Promise<unknown>;
        await ask(method, {}).catch((error: unknown) => (caught = error));
        return text("done");
      };
      const { client } = await join(protocol, {
        server: { handlers: { "tools/call": handler as never } },
        client: { capabilities: all },
      });
      await client.callTool({ name: "tool" });
      expect(isSessionError(caught) && caught.reason).toBe("method");
      expect(String(caught)).toContain(method);
    });
  },
);
