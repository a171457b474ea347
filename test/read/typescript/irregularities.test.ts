import { describe, expect, it } from "vitest";
import { eachType, typesOf } from "../../../src/ir/walk.js";
import { flatten, flattenType } from "../../../src/ir/flatten.js";
import { index } from "../../../src/ir/lookup.js";
import type { NotificationMessage, Protocol, RequestMessage, Type } from "../../../src/ir/model.js";
import { declarationOf, messageOf, read, revision } from "./reading.js";

/** The members of a type, sorted. */
function membersOf(protocol: Protocol, type: Type | null): string[] {
  const flat = type === null ? null : flattenType(index(protocol), type);
  return (flat?.properties ?? []).map(({ name, optional }) => `${name}${optional ? "?" : ""}`).sort();
}

function membersOfNamed(protocol: Protocol, name: string): string[] {
  return membersOf(protocol, { kind: "reference", name });
}

async function request(name: string, method: string): Promise<RequestMessage> {
  const found = messageOf(await revision(name), method);
  if (found.kind !== "request") throw new Error(`${method} is no request`);
  return found;
}

async function notification(name: string, method: string): Promise<NotificationMessage> {
  const found = messageOf(await revision(name), method);
  if (found.kind !== "notification") throw new Error(`${method} is no notification`);
  return found;
}

describe("irregularity", () => {
  it.each([
    ["2024-11-05", 17],
    ["2025-03-26", 17],
    ["2025-06-18", 18],
  ])(
    "1: in %s, %i messages write params that hide those of their base, and are marked by who declares them",
    async (name, count) => {
      const protocol = await revision(name);
      const hiding = protocol.messages.filter(
        ({ params }) => params.declaredBy !== "Request" && params.declaredBy !== "Notification",
      );
      expect(hiding).toHaveLength(count);
      for (const { params } of hiding) expect(membersOf(protocol, params.type)).not.toContain("_meta?");
      expect(membersOf(protocol, messageOf(protocol, "ping").params.type)).toEqual(["_meta?"]);
    },
  );

  it("2: in 2025-11-25, three task requests and one notification write params without _meta", async () => {
    const protocol = await revision("2025-11-25");
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
      const { params } = messageOf(protocol, method);
      expect(params.type?.kind).toBe("object");
      expect(membersOf(protocol, params.type)).toEqual(["taskId"]);
    }
    expect(
      membersOf(protocol, messageOf(protocol, "notifications/elicitation/complete").params.type),
    ).toEqual(["elicitationId"]);
  });

  it("3: a list's params are optional until 2025-11-25 and required, with their _meta, in 2026-07-28", async () => {
    expect((await request("2025-11-25", "tools/list")).params.presence).toBe("optional");
    const { params } = await request("2026-07-28", "tools/list");
    expect(params.presence).toBe("required");
    expect(membersOf(await revision("2026-07-28"), params.type)).toEqual(["_meta", "cursor?"]);
  });

  it("4: in 2025-11-25, a task is an answer to the requests that may carry one, though no union lists it", async () => {
    const protocol = await revision("2025-11-25");
    for (const union of ["ClientResult", "ServerResult"]) {
      const declaration = declarationOf(protocol, union);
      expect(JSON.stringify(typesOf(declaration))).toContain('"GetTaskResult"');
      expect(JSON.stringify(typesOf(declaration))).not.toContain('"CreateTaskResult"');
    }
    const answered = protocol.messages.flatMap((message) =>
      message.kind === "request" && message.results.includes("CreateTaskResult") ? [message.method] : [],
    );
    expect(answered).toEqual(["tools/call", "sampling/createMessage", "elicitation/create"]);
  });

  it("5: in 2025-11-25, tasks and their status go both ways, and so does ping", async () => {
    const protocol = await revision("2025-11-25");
    const either = protocol.messages.filter(({ sender }) => sender === "either").map(({ method }) => method);
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

  it("6: in 2026-07-28, a ClientResult is declared, and no client answers a request on the wire", async () => {
    const protocol = await revision("2026-07-28");
    expect(declarationOf(protocol, "ClientResult")).toMatchObject({
      type: { kind: "reference", name: "EmptyResult" },
    });
    const answeredByClient = protocol.messages.filter(
      (message) => message.kind === "request" && message.carriage === "wire" && message.sender !== "client",
    );
    expect(answeredByClient).toEqual([]);
  });

  it("7: in 2026-07-28, cancelled goes both ways and progress only to the client", async () => {
    expect((await notification("2026-07-28", "notifications/cancelled")).sender).toBe("either");
    expect((await notification("2026-07-28", "notifications/progress")).sender).toBe("server");
  });

  it("8: in 2026-07-28, three requests of the server ride inside a result", async () => {
    const protocol = await revision("2026-07-28");
    const embedded = protocol.messages.filter(
      (message) => message.kind === "request" && message.carriage === "embedded",
    );
    expect(embedded.map(({ method, sender }) => [method, sender])).toEqual([
      ["sampling/createMessage", "server"],
      ["roots/list", "server"],
      ["elicitation/create", "server"],
    ]);
  });

  it("9: in 2026-07-28, what answers them is no Result: nothing says resultType", async () => {
    const protocol = await revision("2026-07-28");
    expect(membersOfNamed(protocol, "ListRootsResult")).toEqual(["roots"]);
    expect(membersOfNamed(protocol, "ElicitResult")).toEqual(["action", "content?"]);
    expect(membersOfNamed(protocol, "CreateMessageResult")).toEqual([
      "_meta?",
      "content",
      "model",
      "role",
      "stopReason?",
    ]);
    expect((await request("2026-07-28", "roots/list")).results).toEqual(["ListRootsResult"]);
  });

  it("10: in 2026-07-28, every request of a client requires _meta with two keys, which the engine fills", async () => {
    const protocol = await revision("2026-07-28");
    const sent = protocol.messages.filter(
      (message) => message.kind === "request" && message.carriage === "wire" && message.sender === "client",
    );
    expect(sent).toHaveLength(10);
    for (const { params } of sent) expect(membersOf(protocol, params.type)).toContain("_meta");
    const required = membersOfNamed(protocol, "RequestMetaObject").filter((name) => !name.endsWith("?"));
    expect(required).toEqual([
      "io.modelcontextprotocol/clientCapabilities",
      "io.modelcontextprotocol/protocolVersion",
    ]);
    expect(protocol.fills).toContainEqual({ place: "params", member: "_meta", value: null });
  });

  it("11: in 2026-07-28, server/discover has the params of any request", async () => {
    expect((await request("2026-07-28", "server/discover")).params).toEqual({
      presence: "required",
      type: { kind: "reference", name: "RequestParams" },
      declaredBy: "DiscoverRequest",
    });
  });

  it("12: in 2026-07-28, the required members of results that no handler should write are filled", async () => {
    const { fills } = await revision("2026-07-28");
    const results = fills
      .filter(({ place }) => place === "result")
      .map(({ member, value }) => [member, value]);
    expect(results).toEqual([
      ["resultType", "complete"],
      ["ttlMs", 0],
      ["cacheScope", "private"],
      ["_meta", null],
    ]);
  });

  it("13: members may be called like the keywords of JSON Schema", async () => {
    const protocol = await revision("2025-11-25");
    const names = new Set<string>();
    for (const type of protocol.declarations.flatMap(typesOf)) {
      eachType(type, (inner) => {
        if (inner.kind === "object") inner.properties.forEach(({ name }) => names.add(name));
      });
    }
    for (const declaration of protocol.declarations) {
      if (declaration.kind === "interface") declaration.properties.forEach(({ name }) => names.add(name));
    }
    const keywords =
      "type title description default enum oneOf anyOf items const format minimum maximum minLength properties required $schema";
    for (const keyword of keywords.split(" ")) expect(names).toContain(keyword);
  });

  it.each([
    ["2024-11-05", "ResourceReference"],
    ["2025-06-18", "ResourceTemplateReference"],
  ])("14: in %s, %s is told apart by a word with a slash", async (name, type) => {
    const protocol = await revision(name);
    expect(declarationOf(protocol, type)).toMatchObject({
      properties: [{ name: "type", type: { kind: "literal", value: "ref/resource" } }, { name: "uri" }],
    });
    expect(protocol.messages.map(({ method }) => method)).not.toContain("ref/resource");
  });

  it("15: since 2025-06-18, a prompt reference has a title, inherited from what has a name", async () => {
    expect(membersOfNamed(await revision("2025-06-18"), "PromptReference")).toEqual([
      "name",
      "title?",
      "type",
    ]);
    expect(membersOfNamed(await revision("2025-03-26"), "PromptReference")).toEqual(["name", "type"]);
  });

  it("16: since 2025-06-18, a resource link is a resource and its discriminator, inherited members first", async () => {
    const protocol = await revision("2025-06-18");
    const flat = flatten(index(protocol), "ResourceLink");
    expect(flat?.properties.map(({ name, declaredBy }) => `${declaredBy}.${name}`)).toEqual([
      "BaseMetadata.name",
      "BaseMetadata.title",
      "Resource.uri",
      "Resource.description",
      "Resource.mimeType",
      "Resource.annotations",
      "Resource.size",
      "Resource._meta",
      "ResourceLink.type",
    ]);
  });

  it("17: in 2025-11-25, a task's payload repeats the openness of any result", async () => {
    const protocol = await revision("2025-11-25");
    expect(declarationOf(protocol, "GetTaskPayloadResult")).toMatchObject({
      bases: [{ name: "Result", omit: [] }],
      properties: [],
      rest: { kind: "unknown" },
    });
    expect(flatten(index(protocol), "GetTaskPayloadResult")?.rest).toEqual({ kind: "unknown" });
  });

  it("18: a name may change its kind from one revision to the next, or go", async () => {
    const [old, young] = [await revision("2025-06-18"), await revision("2025-11-25")];
    for (const name of ["JSONRPCResponse", "EnumSchema"]) {
      expect(declarationOf(old, name).kind).toBe("interface");
      expect(declarationOf(young, name)).toMatchObject({ kind: "alias", type: { kind: "union" } });
    }
    expect(index(old).has("JSONRPCError")).toBe(true);
    expect(index(young).has("JSONRPCError")).toBe(false);
  });

  it('19: a request in both unions goes both ways, and Record<"name" | string, T> is a map', async () => {
    const { protocol } = await read(`
      export type EmptyResult = { [key: string]: unknown };
      export interface ListRootsRequest { method: "roots/list" }
      export interface ModelPreferences { hints?: Record<"name" | string, string>[] }
      export type ClientRequest = ListRootsRequest;
      export type ServerRequest = ListRootsRequest;
    `);
    expect(protocol?.messages).toMatchObject([{ method: "roots/list", sender: "either" }]);
    expect(protocol === null ? null : declarationOf(protocol, "ModelPreferences")).toMatchObject({
      properties: [{ type: { kind: "array", element: { kind: "record", member: { kind: "string" } } } }],
    });
  });

  it("20: a request that no union lists is taken to go where its neighbours go, and that is told", async () => {
    const { protocol, reports } = await read(`
      export type EmptyResult = { [key: string]: unknown };
      export interface ListRequest { method: "resources/list" }
      export interface ListTemplatesRequest { method: "resources/templates/list" }
      export type ClientRequest = ListRequest;
    `);
    expect(protocol?.messages.map(({ sender }) => sender)).toEqual(["client", "client"]);
    expect(reports).toContainEqual(
      expect.objectContaining({
        code: "MG402",
        severity: "note",
        location: { file: "notes/schema.ts", line: 4, column: 24 },
        message:
          'no union of messages lists ListTemplatesRequest; "resources/templates/list" is taken for a request ' +
          'that the client sends, because its neighbours under "resources" are',
      }),
    );
  });

  it("21: the schema's own constant does not outrank its folder, and the two disagreeing is told", async () => {
    const text = 'export const LATEST_PROTOCOL_VERSION = "DRAFT-2025-v3";';
    const { protocol, reports } = await read(text, { file: "schema/2025-11-25/schema.ts" });
    expect(protocol?.revision).toBe("2025-11-25");
    expect(reports.find(({ code }) => code === "MG118")).toMatchObject({
      severity: "note",
      location: { file: "schema/2025-11-25/schema.ts", line: 1, column: 14 },
      message:
        'the schema calls itself "DRAFT-2025-v3" in LATEST_PROTOCOL_VERSION, but it is read as revision "2025-11-25", ' +
        "the name of its folder",
    });
    const alone = await read(text, { file: "draft/schema.ts" });
    expect(alone.protocol?.revision).toBe("DRAFT-2025-v3");
    expect(alone.reports.map(({ code }) => code)).not.toContain("MG118");
  });

  it("22: a list is a request though its base is PaginatedRequest, and paged by what it carries", async () => {
    for (const name of ["2024-11-05", "2026-07-28"]) {
      const list = await request(name, "prompts/list");
      expect(declarationOf(await revision(name), list.name)).toMatchObject({
        bases: [{ name: "PaginatedRequest" }],
      });
      expect(list.items).toBe("prompts");
      expect(list.params.declaredBy).toBe("PaginatedRequest");
    }
  });

  it.each(["2024-11-05", "2025-11-25", "2026-07-28"])(
    "23: in %s, a base whose method is any string is no message",
    async (name) => {
      const named = new Set((await revision(name)).messages.map((message) => message.name));
      for (const base of [
        "Request",
        "Notification",
        "JSONRPCRequest",
        "JSONRPCNotification",
        "PaginatedRequest",
      ]) {
        expect(named).not.toContain(base);
      }
    },
  );

  it("24: an elicitation without a mode is a form: absence counts as one of the values", async () => {
    for (const name of ["2025-11-25", "2026-07-28"]) {
      const protocol = await revision(name);
      expect(membersOfNamed(protocol, "ElicitRequestFormParams")).toContain("mode?");
      expect(membersOfNamed(protocol, "ElicitRequestURLParams")).toContain("mode");
      const [form] = (await request(name, "elicitation/create")).conditions;
      expect(form).toMatchObject({ member: "mode", values: ["form", null], implied: true });
    }
  });

  it("25: members may be called like words that are reserved elsewhere", async () => {
    const protocol = await revision("2025-11-25");
    expect(membersOfNamed(protocol, "CallToolRequestParams")).toContain("arguments?");
    expect(membersOfNamed(protocol, "UntitledSingleSelectEnumSchema")).toEqual(
      expect.arrayContaining(["default?", "enum"]),
    );
  });

  it.each([
    ["resources/templates/list", "ListResourceTemplatesRequest"],
    ["logging/setLevel", "SetLevelRequest"],
    ["notifications/resources/list_changed", "ResourceListChangedNotification"],
    ["completion/complete", "CompleteRequest"],
  ])("26: the method %s keeps its wire name beside its type %s", async (method, name) => {
    expect(messageOf(await revision("2025-11-25"), method).name).toBe(name);
  });

  it("27: in 2026-07-28, errors come in two families: what stands under error, and whole answers", async () => {
    const protocol = await revision("2026-07-28");
    expect(membersOfNamed(protocol, "ParseError")).toEqual(["code", "data?", "message"]);
    expect(membersOfNamed(protocol, "HeaderMismatchError")).toEqual(["error", "id?", "jsonrpc"]);
    const code = (name: string, within: string): unknown => {
      const flat = flatten(index(protocol), name);
      const type = flat?.properties.find((member) => member.name === within)?.type;
      const inner = type === undefined || within === "code" ? null : flattenType(index(protocol), type);
      return within === "code" ? type : inner?.properties.find((member) => member.name === "code")?.type;
    };
    expect(code("ParseError", "code")).toEqual({ kind: "literal", value: -32700, constant: "PARSE_ERROR" });
    expect(code("HeaderMismatchError", "error")).toEqual({
      kind: "literal",
      value: -32020,
      constant: "HEADER_MISMATCH",
    });
  });

  it.each([
    ["2025-06-18", "JSONRPCError", false],
    ["2025-11-25", "JSONRPCErrorResponse", true],
    ["2026-07-28", "JSONRPCErrorResponse", true],
  ])("28: in %s, the id of a %s may be absent: %s", async (name, type, optional) => {
    const protocol = await revision(name);
    expect(membersOfNamed(protocol, type)).toContain(optional ? "id?" : "id");
    expect(protocol.idlessErrors).toBe(optional);
  });

  it("29: in 2026-07-28, a result is open, so that only resultType tells a request for input from an answer", async () => {
    const protocol = await revision("2026-07-28");
    const flat = flatten(index(protocol), "InputRequiredResult");
    expect(flat?.rest).toEqual({ kind: "unknown" });
    expect(flat?.properties.find(({ name }) => name === "resultType")).toMatchObject({ optional: false });
    expect(declarationOf(protocol, "ResultType")).toMatchObject({
      type: { kind: "string", known: ["complete", "input_required"] },
    });
    const asking = protocol.messages.flatMap((message) =>
      message.kind === "request" && message.asksInput ? [[message.method, message.results[1]]] : [],
    );
    expect(asking).toEqual([
      ["resources/read", "InputRequiredResult"],
      ["prompts/get", "InputRequiredResult"],
      ["tools/call", "InputRequiredResult"],
    ]);
  });

  it("30: anonymous objects stay where they are written, however often they repeat", async () => {
    const protocol = await revision("2025-11-25");
    for (const [name, count] of [
      ["ClientCapabilities", 7],
      ["ServerCapabilities", 6],
    ] as const) {
      let objects = 0;
      for (const type of typesOf(declarationOf(protocol, name))) {
        eachType(type, (inner) => {
          if (inner.kind === "object" && inner.properties.length > 0) objects++;
        });
      }
      expect(objects).toBe(count);
    }
  });
});
