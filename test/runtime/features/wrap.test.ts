import {
  type FeatureContext,
  prompts,
  resources,
  tools,
  type WrappedCall,
} from "@mcpgen/runtime/features";
import { ToolError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { failure, join, type Json, revisions, textOf } from "../kit/index.js";

describe.each(revisions)(
  "the handlers of features at $revision",
  ({ protocol, revision }) => {
    it("get the _meta of the request in context.meta, and an empty object without one", async () => {
      const seen: unknown[] = [];
      const note = (context: FeatureContext): string => {
        const { traceparent, "example.com/tenant": tenant } = context.meta;
        seen.push({ traceparent, tenant });
        return "text";
      };
      const { client } = await join(protocol, {
        server: {
          handlers: {
            ...tools([{ name: "t", handler: (_, context) => note(context) }]),
            ...resources([{ uri: "test://r", name: "r", read: note }]),
            ...prompts([{ name: "p", get: (_, context) => note(context) }]),
          } as never,
        },
      });
      const _meta = { traceparent: "00-1", "example.com/tenant": "acme" };
      await client.callTool({ name: "t", _meta });
      await client.callTool({ name: "t" });
      await client.readResource({ uri: "test://r", _meta });
      await client.getPrompt({ name: "p", _meta });
      const given = { traceparent: "00-1", tenant: "acme" };
      expect(seen).toEqual([
        given,
        { traceparent: undefined, tenant: undefined },
        given,
        given,
      ]);
      await client.close();
    });

    describe("run inside the option wrap", () => {
      const wrapped = async () => {
        const log: unknown[] = [];
        const ran: string[] = [];
        const wrap = async (
          next: () => Promise<unknown>,
          { name, args, context }: WrappedCall,
        ): Promise<unknown> => {
          expect(context.revision).toBe(revision);
          if (name.includes("denied")) throw new ToolError("Not today.");
          try {
            const outcome = await next();
            log.push([name, args, outcome]);
            return `${String(outcome)}!`;
          } catch (error) {
            log.push([name, args, (error as Error).message]);
            throw error;
          }
        };
        const handled = (text: string): string => {
          ran.push(text);
          return text;
        };
        const fails = (): never => {
          throw new Error("broken");
        };
        const { client } = await join(protocol, {
          server: {
            onError: () => {},
            handlers: {
              ...tools(
                [
                  { name: "t", handler: () => handled("tool") },
                  { name: "fails", handler: fails },
                  { name: "denied", handler: () => handled("denied") },
                ],
                { wrap },
              ),
              ...resources(
                [
                  {
                    uriTemplate: "test://{x}",
                    name: "r",
                    read: ({ x }: Json) => handled(`resource ${String(x)}`),
                  },
                  {
                    uri: "test://denied/r",
                    name: "d",
                    read: () => handled("denied"),
                  },
                ],
                { wrap },
              ),
              ...prompts([{ name: "p", get: () => handled("prompt") }], {
                wrap,
              }),
            } as never,
          },
        });
        return { client, ran, log };
      };

      it("which sees a call and its outcome and may change it", async () => {
        const { client, ran, log } = await wrapped();
        expect(textOf(await client.callTool({ name: "t" }))).toBe("tool!");
        expect(await client.readResource({ uri: "test://a" })).toMatchObject({
          contents: [{ text: "resource a!" }],
        });
        expect(await client.getPrompt({ name: "p" })).toMatchObject({
          messages: [{ content: { text: "prompt!" } }],
        });
        expect(ran).toEqual(["tool", "resource a", "prompt"]);
        expect(log).toEqual([
          ["t", {}, "tool"],
          ["test://a", { x: "a" }, "resource a"],
          ["p", {}, "prompt"],
        ]);
        await client.close();
      });

      it("which sees the error of a call", async () => {
        const { client, log } = await wrapped();
        expect(await client.callTool({ name: "fails" })).toMatchObject({
          isError: true,
          content: [{ text: "broken" }],
        });
        expect(log).toEqual([["fails", {}, "broken"]]);
        await client.close();
      });

      it("which may deny a call before it runs", async () => {
        const { client, ran, log } = await wrapped();
        expect(await client.callTool({ name: "denied" })).toMatchObject({
          isError: true,
          content: [{ text: "Not today." }],
        });
        expect(
          (await failure(client.readResource({ uri: "test://denied/r" })))
            .message,
        ).not.toBe("");
        expect([ran, log]).toEqual([[], []]);
        await client.close();
      });
    });
  },
);
