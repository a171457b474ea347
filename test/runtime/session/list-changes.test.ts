import { describe, expect, it } from "vitest";
import { callOf } from "../kit/calls.js";
import {
  type AnyContext,
  type Json,
  makeServer,
  metaFor,
  revisions,
  serveWire,
  shakeHands,
  text,
  turns,
} from "../kit/index.js";

const kinds = [
  {
    id: "RES-09",
    name: "resources",
    notify: "resourcesListChanged",
    filter: "resourcesListChanged",
  },
  {
    id: "TOOL-13",
    name: "tools",
    notify: "toolsListChanged",
    filter: "toolsListChanged",
  },
  {
    id: "PROMPT-04",
    name: "prompts",
    notify: "promptsListChanged",
    filter: "promptsListChanged",
  },
];

describe.each(revisions)(
  "a server of $revision that declares listChanged",
  (one) => {
    it.each(kinds)(
      "sends a notification for each change of the list of $name, from the server object and from a handler ($id)",
      async ({ name, notify, filter }) => {
        const method = `notifications/${name}/list_changed`;
        const server = makeServer(one.protocol, {
          capabilities: { [name]: { listChanged: true } },
          handlers: {
            "tools/call": (_: Json, context: AnyContext) => {
              context.notify(method);
              return text("done");
            },
          },
        });
        const wire = await serveWire(server);
        if (one.isModern) {
          wire.send({
            jsonrpc: "2.0",
            id: "l",
            method: one.facts.wellKnown.listen,
            params: { notifications: { [filter]: true }, _meta: metaFor(one) },
          });
          expect((await wire.next())["method"]).toBe(
            one.facts.wellKnown.acknowledged,
          );
        } else await shakeHands(wire, one.revision);
        server.notify[notify]?.();
        wire.send({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: callOf(one),
        });
        await turns();
        const notices = (await wire.rest()).filter(
          (message) => message["method"] === method,
        );
        expect(notices).toHaveLength(2);
        const { subscriptionId = "" } = one.facts.meta;
        const meta = one.isModern ? { [subscriptionId]: "l" } : undefined;
        for (const { params } of notices)
          expect((params as Json | undefined)?.["_meta"]).toEqual(meta);
      },
    );
  },
);
