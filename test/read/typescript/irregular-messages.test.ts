import { describe, expect, it } from "vitest";
import { typeIn } from "../../../src/generator/ir/constraint/form.js";
import { namesIn } from "../../../src/generator/ir/lookup.js";
import {
  array,
  bare,
  iface,
  map,
  member,
  reference,
  text,
} from "../../ir/schemas.js";
import {
  membersOf,
  membersOfNamed,
  notification,
  request,
} from "./irregular.js";
import { declarationOf, messageOf, read, revision } from "./reading.js";

describe("irregular messages of the bundled revisions", () => {
  it.each([
    ["2024-11-05", 17],
    ["2025-03-26", 17],
    ["2025-06-18", 18],
  ])(
    "in %s, %i messages declare params without the _meta of their base",
    async (name, count) => {
      const protocol = await revision(name);
      const hiding = protocol.messages.filter(
        ({ params }) =>
          params.declaredBy !== "Request" &&
          params.declaredBy !== "Notification",
      );
      expect(hiding).toHaveLength(count);
      for (const { params } of hiding)
        expect(membersOf(protocol, params.schema)).not.toContain("_meta?");
      expect(
        membersOf(protocol, messageOf(protocol, "ping").params.schema),
      ).toEqual(["_meta?"]);
    },
  );

  it.each(["tasks/get", "tasks/result", "tasks/cancel"])(
    "in 2025-11-25, the request %s writes params without _meta",
    async (method) => {
      const protocol = await revision("2025-11-25");
      const { params } = messageOf(protocol, method);
      expect(params.schema && typeIn(params.schema)).toBe("object");
      expect(membersOf(protocol, params.schema)).toEqual(["taskId"]);
    },
  );

  it("in 2025-11-25, one notification writes params without _meta", async () => {
    const protocol = await revision("2025-11-25");
    expect(
      membersOf(
        protocol,
        messageOf(protocol, "notifications/elicitation/complete").params.schema,
      ),
    ).toEqual(["elicitationId"]);
  });

  it("the params of a list are optional until 2025-11-25 and required with _meta in 2026-07-28", async () => {
    expect((await request("2025-11-25", "tools/list")).params.presence).toBe(
      "optional",
    );
    const { params } = await request("2026-07-28", "tools/list");
    expect(params.presence).toBe("required");
    expect(membersOf(await revision("2026-07-28"), params.schema)).toEqual([
      "_meta",
      "cursor?",
    ]);
  });

  it.each(["ClientResult", "ServerResult"])(
    "in 2025-11-25, %s does not list CreateTaskResult",
    async (union) => {
      const names = namesIn(declarationOf(await revision("2025-11-25"), union));
      expect(names).toContain("GetTaskResult");
      expect(names).not.toContain("CreateTaskResult");
    },
  );

  it("in 2025-11-25, CreateTaskResult is a result of the requests with a task", async () => {
    const protocol = await revision("2025-11-25");
    const answered = protocol.messages.flatMap((message) =>
      message.kind === "request" && message.results.includes("CreateTaskResult")
        ? [message.method]
        : [],
    );
    expect(answered).toEqual([
      "tools/call",
      "sampling/createMessage",
      "elicitation/create",
    ]);
  });

  it("in 2025-11-25, both sides send ping, and the messages about tasks", async () => {
    const protocol = await revision("2025-11-25");
    const either = protocol.messages
      .filter(({ sender }) => sender === "either")
      .map(({ method }) => method);
    expect(either.sort()).toEqual([
      "notifications/cancelled",
      "notifications/progress",
      "notifications/tasks/status",
      "ping",
      "tasks/cancel",
      "tasks/get",
      "tasks/list",
      "tasks/result",
    ]);
  });

  it("in 2026-07-28, ClientResult is declared, although no client answers a request on the wire", async () => {
    const protocol = await revision("2026-07-28");
    expect(bare(declarationOf(protocol, "ClientResult").schema)).toEqual(
      reference("EmptyResult"),
    );
    const answeredByClient = protocol.messages.filter(
      (message) =>
        message.kind === "request" &&
        message.carriage === "wire" &&
        message.sender !== "client",
    );
    expect(answeredByClient).toEqual([]);
  });

  it("in 2026-07-28, both sides send cancelled, and only the server sends progress", async () => {
    expect(
      (await notification("2026-07-28", "notifications/cancelled")).sender,
    ).toBe("either");
    expect(
      (await notification("2026-07-28", "notifications/progress")).sender,
    ).toBe("server");
  });

  it("in 2026-07-28, three requests of the server are embedded in results", async () => {
    const protocol = await revision("2026-07-28");
    const embedded = protocol.messages.filter(
      (message) =>
        message.kind === "request" && message.carriage === "embedded",
    );
    expect(embedded.map(({ method, sender }) => [method, sender])).toEqual([
      ["sampling/createMessage", "server"],
      ["roots/list", "server"],
      ["elicitation/create", "server"],
    ]);
  });

  it("in 2026-07-28, the results of embedded requests have no resultType", async () => {
    const protocol = await revision("2026-07-28");
    expect(membersOfNamed(protocol, "ListRootsResult")).toEqual(["roots"]);
    expect(membersOfNamed(protocol, "ElicitResult")).toEqual([
      "action",
      "content?",
    ]);
    expect(membersOfNamed(protocol, "CreateMessageResult")).toEqual([
      "_meta?",
      "content",
      "model",
      "role",
      "stopReason?",
    ]);
    expect((await request("2026-07-28", "roots/list")).results).toEqual([
      "ListRootsResult",
    ]);
  });

  it("in 2026-07-28, every request of a client requires _meta", async () => {
    const protocol = await revision("2026-07-28");
    const sent = protocol.messages.filter(
      (message) =>
        message.kind === "request" &&
        message.carriage === "wire" &&
        message.sender === "client",
    );
    expect(sent).toHaveLength(10);
    for (const { params } of sent)
      expect(membersOf(protocol, params.schema)).toContain("_meta");
  });

  it("in 2026-07-28, the engine sets the two keys that _meta of a request requires", async () => {
    const protocol = await revision("2026-07-28");
    const required = membersOfNamed(protocol, "RequestMetaObject").filter(
      (name) => !name.endsWith("?"),
    );
    expect(required).toEqual([
      "io.modelcontextprotocol/clientCapabilities",
      "io.modelcontextprotocol/protocolVersion",
    ]);
    expect(protocol.engineDefaults).toContainEqual({
      object: "params",
      member: "_meta",
      value: null,
    });
  });

  it("in 2026-07-28, server/discover has the params of any request", async () => {
    const { presence, schema, declaredBy } = (
      await request("2026-07-28", "server/discover")
    ).params;
    expect([presence, declaredBy]).toEqual(["required", "DiscoverRequest"]);
    expect(schema && bare(schema)).toEqual(reference("RequestParams"));
  });

  it("in 2026-07-28, the engine has defaults for required members of results", async () => {
    const { engineDefaults } = await revision("2026-07-28");
    const results = engineDefaults
      .filter(({ object: place }) => place === "result")
      .map(({ member, value }) => [member, value]);
    expect(results).toEqual([
      ["resultType", "complete"],
      ["ttlMs", 0],
      ["cacheScope", "private"],
      ["_meta", null],
    ]);
  });

  it('a request in both unions is sent by both sides, and Record<"name" | string, T> is a map', async () => {
    const { protocol } = await read(`
      export type EmptyResult = { [key: string]: unknown };
      export interface ListRootsRequest { method: "roots/list" }
      export interface ModelPreferences { hints?: Record<"name" | string, string>[] }
      export type ClientRequest = ListRootsRequest;
      export type ServerRequest = ListRootsRequest;
    `);
    expect(protocol?.messages).toMatchObject([
      { method: "roots/list", sender: "either" },
    ]);
    expect(
      protocol === null ? null : declarationOf(protocol, "ModelPreferences"),
    ).toEqual(
      iface("ModelPreferences", [], [member("hints", array(map(text)), true)]),
    );
  });

  it("a request that no union lists has the sender of similar methods, with a diagnostic", async () => {
    const { protocol, reports } = await read(`
      export type EmptyResult = { [key: string]: unknown };
      export interface ListRequest { method: "resources/list" }
      export interface ListTemplatesRequest { method: "resources/templates/list" }
      export type ClientRequest = ListRequest;
    `);
    expect(protocol?.messages.map(({ sender }) => sender)).toEqual([
      "client",
      "client",
    ]);
    expect(reports).toContainEqual(
      expect.objectContaining({
        code: "MG402",
        severity: "note",
        location: { file: "notes/schema.ts", line: 4, column: 24 },
        message:
          "ListTemplatesRequest is not in any union of messages; it is assumed that the client sends the request " +
          '"resources/templates/list", because it sends the other "resources" methods',
      }),
    );
  });

  it("the name of the folder wins over LATEST_PROTOCOL_VERSION, and a difference is reported", async () => {
    const text = 'export const LATEST_PROTOCOL_VERSION = "DRAFT-2025-v3";';
    const { protocol, reports } = await read(text, {
      file: "schema/2025-11-25/schema.ts",
    });
    expect(protocol?.revision).toBe("2025-11-25");
    expect(reports.find(({ code }) => code === "MG118")).toMatchObject({
      severity: "note",
      location: { file: "schema/2025-11-25/schema.ts", line: 1, column: 14 },
      message:
        'LATEST_PROTOCOL_VERSION is "DRAFT-2025-v3", but the schema is read as revision "2025-11-25", ' +
        "the name of its folder",
    });
    const named = await read(text, { revision: "chosen" });
    expect(named.protocol?.revision).toBe("chosen");
    expect(named.reports.find(({ code }) => code === "MG118")?.message).toBe(
      'LATEST_PROTOCOL_VERSION is "DRAFT-2025-v3", but the schema is read as revision "chosen", the requested name',
    );
    const alone = await read(text, { file: "draft/schema.ts" });
    expect(alone.protocol?.revision).toBe("DRAFT-2025-v3");
    expect(alone.reports.map(({ code }) => code)).not.toContain("MG118");
  });

  it.each(["2024-11-05", "2026-07-28"])(
    "in %s, a request with the base PaginatedRequest is a list of the items in its result",
    async (name) => {
      const list = await request(name, "prompts/list");
      expect(declarationOf(await revision(name), list.name)).toMatchObject({
        bases: [{ name: "PaginatedRequest" }],
      });
      expect(list.items).toBe("prompts");
      expect(list.params.declaredBy).toBe("PaginatedRequest");
    },
  );

  it.each([
    ["resources/templates/list", "ListResourceTemplatesRequest"],
    ["logging/setLevel", "SetLevelRequest"],
    ["notifications/resources/list_changed", "ResourceListChangedNotification"],
    ["completion/complete", "CompleteRequest"],
  ])(
    "the method %s has the type %s, although their names differ",
    async (method, name) => {
      expect(messageOf(await revision("2025-11-25"), method).name).toBe(name);
    },
  );
});
