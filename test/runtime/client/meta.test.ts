import { describe, expect, it } from "vitest";
import {
  type AnyContext,
  join,
  type Json,
  revisions,
  text,
} from "../kit/index.js";

describe.each(revisions)(
  "the option meta of a call at $revision",
  ({ protocol }) => {
    it("adds its members to the _meta of the request", async () => {
      const seen: Json[] = [];
      const record = (params: Json): Json => {
        seen.push(params["_meta"] as Json);
        return text("done");
      };
      const { client } = await join(protocol, {
        server: { handlers: { "tools/call": record } },
      });
      const meta = {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      };
      await client.callTool(
        { name: "x", _meta: { "example.com/a": 1 } },
        { meta },
      );
      expect(seen).toEqual([
        expect.objectContaining({ ...meta, "example.com/a": 1 }),
      ]);
    });

    it("adds its members to the _meta of a request of the server", async () => {
      const seen: unknown[] = [];
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": async (_: unknown, { request }: AnyContext) => {
              await request("roots/list", undefined, {
                meta: { "example.com/a": 1 },
              });
              return text("done");
            },
          },
        },
        client: {
          handlers: {
            "roots/list": (params: Json) => {
              seen.push(params["_meta"]);
              return { roots: [] };
            },
          },
        },
      });
      await client.callTool({ name: "x" });
      expect(seen).toEqual([expect.objectContaining({ "example.com/a": 1 })]);
    });
  },
);
