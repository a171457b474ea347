import type { Transport, Progress } from "@mcpgen/runtime";
import { afterEach, describe, expect, it } from "vitest";
import {
  type AnyClient,
  type ClientOptions,
  failure,
  type Json,
  makeClient,
  revisions,
  textOf,
  turns,
} from "./kit/index.js";
import { carelessly } from "./kit/careless.js";
import { where } from "./kit/where.js";

/**
 * Runs a generated client against the generated server of `everything.ts`, for
 * every revision or for some, over one transport. `isOlder` tells whether the
 * server, behind a bridge, is of an older revision than this client.
 */
export function lifecycleSuite(
  name: string,
  reach: (revision: string) => Promise<Transport>,
  some: typeof revisions = revisions,
  isOlder: (revision: string) => boolean = () => false,
): void {
  describe.each(some)(
    `$revision over ${name}`,
    ({ revision, protocol, facts, isModern }) => {
      const clients: AnyClient[] = [];
      const open = async (options: ClientOptions = {}): Promise<AnyClient> => {
        const client = await makeClient(
          protocol,
          await reach(revision),
          options,
        );
        clients.push(client);
        return client;
      };
      const asks = (method: string): boolean =>
        Object.hasOwn(protocol.clientQuestions.incomingRequests, method);
      afterEach(async () => {
        for (const client of clients.splice(0)) await client.close();
      });

      it("LIFE-01 LIFE-02 LIFE-03 VERS-01 connects, and the client gets the info, capabilities and instructions of the server", async () => {
        const client = await open();
        expect(client.revision).toBe(revision);
        expect(client.server.info).toEqual({
          name: "everything",
          version: "2.0.0",
        });
        expect(client.server.instructions).toBe("Try it.");
        expect(client.server.capabilities).toMatchObject({
          tools: {},
          prompts: {},
          resources: {},
          logging: {},
        });
      });

      it("PAGE-02 PAGE-06 lists tools page by page, also after an empty cursor", async () => {
        const client = await open();
        const first = await client.listTools();
        expect(first["nextCursor"]).toBe("");
        const names: unknown[] = [];
        for await (const { name } of client.tools()) names.push(name);
        expect(names).toEqual([
          "echo",
          "count",
          "climb",
          "finishClimb",
          "wait",
          "cancelledCalls",
          "log",
          "sample",
          "roots",
          "elicit",
          "fail",
        ]);
      });

      it("calls a tool 200 times concurrently", async () => {
        const client = await open();
        const values = Array.from(
          { length: 200 },
          (_, i) => `call ${i} \u2028 \n é 🎲`,
        );
        const calls = values.map((value) =>
          client.callTool({ name: "echo", arguments: { value } }),
        );
        expect((await Promise.all(calls)).map(textOf)).toEqual(values);
      });

      it("reads a resource, gets a prompt and completes an argument", async () => {
        const client = await open();
        const { contents } = await client.readResource({
          uri: "file:///story",
        });
        expect(contents).toEqual([
          { uri: "file:///story", text: "It was a dark and stormy night." },
        ]);
        const { messages } = await client.getPrompt({
          name: "greet",
          arguments: { who: "Ada" },
        });
        expect(messages).toEqual([
          { role: "user", content: { type: "text", text: "Greet Ada." } },
        ]);
        const ref = { type: "ref/prompt", name: "greet" };
        const { completion } = await client.complete({
          ref,
          argument: { name: "who", value: "A" },
        });
        expect(completion).toEqual({ values: ["Ad", "Ark"] });
      });

      it("PROG-01 PROG-03 VERS-11 sends only increasing progress, with a message if the revision has one", async () => {
        const client = await open();
        const updates: Progress[] = [];
        await client.callTool(
          { name: "count" },
          { onProgress: (progress) => updates.push(progress) },
        );
        expect(updates.map(({ progress }) => progress)).toEqual([1, 2, 3]);
        expect(updates[2]).toEqual({
          progress: 3,
          total: 3,
          ...(revision >= "2025-03-26" && { message: "step 3" }),
        });
      });

      it("CANC-01 CANC-03 CANC-09 rejects an aborted call at once and stops the handler", async () => {
        const client = await open();
        const controller = new AbortController();
        const call = client.callTool(
          { name: "wait" },
          { signal: controller.signal },
        );
        const before = Number(
          textOf(await client.callTool({ name: "cancelledCalls" })),
        );
        controller.abort(new Error("enough"));
        expect((await failure(call)).message).toBe("enough");
        let after = before;
        while (after === before)
          after = Number(
            textOf(await client.callTool({ name: "cancelledCalls" })),
          );
        expect(after).toBe(before + 1);
      });

      it("LOG-02 LOG-04 sends log messages from the requested level on", async () => {
        const messages: Json[] = [];
        const client = await open({
          handlers: {
            "notifications/message": (params) => void messages.push(params),
          },
        });
        const call = { name: "log" };
        if (isModern) {
          await client.callTool(call);
          await turns();
          expect(messages).toEqual([]);
          await client.callTool({
            ...call,
            _meta: { [facts.meta.logLevel as string]: "warning" },
          });
        } else {
          await client.setLevel?.({ level: "warning" });
          await client.callTool(call);
        }
        await turns();
        expect(messages).toEqual([
          { level: "error", data: { what: "an error" } },
        ]);
      });

      it.each(where(asks("sampling/createMessage")))(
        "SAMP-01 answers a sampling request of the server",
        async () => {
          const client = await open({
            handlers: {
              "sampling/createMessage": ({ maxTokens }) => ({
                role: "assistant",
                content: {
                  type: "text",
                  text: `At most ${String(maxTokens)}.`,
                },
                model: "none",
              }),
            },
          });
          expect(textOf(await client.callTool({ name: "sample" }))).toBe(
            "At most 9.",
          );
        },
      );

      it.each(where(asks("roots/list")))(
        "ROOT-01 answers a request of the server for roots",
        async () => {
          const client = await open({
            handlers: {
              "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
            },
          });
          expect(textOf(await client.callTool({ name: "roots" }))).toBe(
            "file:///home",
          );
        },
      );

      it.each(where(asks("roots/list")))(
        "ROOT-02 sends no root whose URI is not a file URI",
        async () => {
          const faults: Error[] = [];
          const client = await open({
            handlers: {
              "roots/list": () => ({
                roots: [{ uri: "file:///home" }, { uri: "http://home" }],
              }),
            },
            onError: (error) => faults.push(error),
          });
          const error = await failure(client.callTool({ name: "roots" }));
          const fault = isModern ? error : faults[0];
          expect(fault?.name).toBe("ValidationError");
          expect(fault?.message).toBe(
            'roots/list result: roots[1].uri: expected a string that begins with "file://" and has no segment "." or ".." and no control character, got "http://home"',
          );
        },
      );

      it.each(where(asks("elicitation/create")))(
        "ELIC-01 ELIC-05 ELIC-07 sends the content of a form, with the defaults",
        async () => {
          const client = await open({
            handlers: {
              "elicitation/create": () => ({
                action: "accept",
                content: { name: "Rex" },
              }),
            },
          });
          expect(textOf(await client.callTool({ name: "elicit" }))).toBe(
            'accept {"count":3,"name":"Rex"}',
          );
        },
      );

      it("LIFE-06 META-05 sends no request to the client for an undeclared capability", async () => {
        const client = await open();
        const error = await failure(client.callTool({ name: "roots" }));
        expect(error.name).toBe("McpError");
        if (isModern && !isOlder(revision)) {
          expect(error["code"]).toBe(
            facts.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"],
          );
          expect(error["data"]).toEqual({
            requiredCapabilities: { roots: {} },
          });
        }
      });

      it.each([
        { params: { name: 7 }, path: ["params", "name"] },
        {
          params: { name: "echo", _meta: { progressToken: 1.5 } },
          path: ["params", "_meta", "progressToken"],
        },
      ])(
        "JRPC-11 answers invalid params with -32602 and the path: $params",
        async ({ params, path }) => {
          const client = await open();
          const error = await carelessly(protocol.clientSide, () =>
            failure(client.callTool(params)),
          );
          expect(error["code"]).toBe(facts.errors["INVALID_PARAMS"]);
          expect(error.message).toContain(`${path.join(".")}: expected`);
          expect(error["data"]).toMatchObject({ issues: [{ path }] });
        },
      );

      it("VERS-05 rejects a call with params that the revision does not allow", async () => {
        const client = await open();
        const error = await failure(client.callTool({ name: 7 }));
        expect(error.name).toBe("ValidationError");
        expect(error.message).toBe(
          "tools/call: params.name: expected a string, got 7",
        );
      });

      it("does not send the message of an error that a handler throws", async () => {
        const client = await open();
        const error = await failure(client.callTool({ name: "fail" }));
        expect(error["code"]).toBe(facts.errors["INTERNAL_ERROR"]);
        expect(error.message).toBe("Internal error");
        expect(JSON.stringify(error)).not.toContain("swordfish");
      });

      it("JRPC-16 META-07 passes unknown members of params and _meta to the handler and of a result to the client", async () => {
        const client = await open();
        const value = "unknown members";
        const result = await client.callTool({
          name: "echo",
          arguments: { value },
          later: 1,
          _meta: { "x/y": 2 },
        });
        expect(textOf(result)).toBe(value);
        expect(result["_meta"]).toMatchObject({ "x/later": 1, "x/y": 2 });
      });

      it("JRPC-17 closes any number of times, and rejects later calls with a TransportError", async () => {
        const client = await open();
        await client.close();
        await client.close();
        expect((await failure(client.callTool({ name: "echo" }))).name).toBe(
          "TransportError",
        );
      });
    },
  );
}
