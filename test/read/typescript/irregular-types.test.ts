import { describe, expect, it } from "vitest";
import { flatten, flattenType } from "../../../src/ir/flatten.js";
import { index } from "../../../src/ir/lookup.js";
import { eachType, typesOf } from "../../../src/ir/walk.js";
import { membersOfNamed, request } from "./irregular.js";
import { declarationOf, revision } from "./reading.js";

describe("irregular types of the bundled revisions", () => {
  it("a member may have the name of a keyword of JSON Schema", async () => {
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
  ])("in %s, the tag of %s is a value with a slash, not a method", async (name, type) => {
    const protocol = await revision(name);
    expect(declarationOf(protocol, type)).toMatchObject({
      properties: [{ name: "type", type: { kind: "literal", value: "ref/resource" } }, { name: "uri" }],
    });
    expect(protocol.messages.map(({ method }) => method)).not.toContain("ref/resource");
  });

  it("since 2025-06-18, PromptReference inherits a title", async () => {
    expect(membersOfNamed(await revision("2025-06-18"), "PromptReference")).toEqual([
      "name",
      "title?",
      "type",
    ]);
    expect(membersOfNamed(await revision("2025-03-26"), "PromptReference")).toEqual(["name", "type"]);
  });

  it("since 2025-06-18, ResourceLink has the members of Resource before its type", async () => {
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

  it("in 2025-11-25, GetTaskPayloadResult repeats the index signature of Result", async () => {
    const protocol = await revision("2025-11-25");
    expect(declarationOf(protocol, "GetTaskPayloadResult")).toMatchObject({
      bases: [{ name: "Result", omit: [] }],
      properties: [],
      rest: { kind: "unknown" },
    });
    expect(flatten(index(protocol), "GetTaskPayloadResult")?.rest).toEqual({ kind: "unknown" });
  });

  it("a name may be an interface in one revision, and an alias or absent in the next", async () => {
    const [old, young] = [await revision("2025-06-18"), await revision("2025-11-25")];
    for (const name of ["JSONRPCResponse", "EnumSchema"]) {
      expect(declarationOf(old, name).kind).toBe("interface");
      expect(declarationOf(young, name)).toMatchObject({ kind: "alias", type: { kind: "union" } });
    }
    expect(index(old).has("JSONRPCError")).toBe(true);
    expect(index(young).has("JSONRPCError")).toBe(false);
  });

  it.each(["2024-11-05", "2025-11-25", "2026-07-28"])(
    "in %s, an interface whose method is any string is not a message",
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

  it("an elicitation without a mode is a form, so an absent mode is one of the values", async () => {
    for (const name of ["2025-11-25", "2026-07-28"]) {
      const protocol = await revision(name);
      expect(membersOfNamed(protocol, "ElicitRequestFormParams")).toContain("mode?");
      expect(membersOfNamed(protocol, "ElicitRequestURLParams")).toContain("mode");
      const [form] = (await request(name, "elicitation/create")).conditions;
      expect(form).toMatchObject({ member: "mode", values: ["form", null], implied: true });
    }
  });

  it("a member may have the name of a reserved word", async () => {
    const protocol = await revision("2025-11-25");
    expect(membersOfNamed(protocol, "CallToolRequestParams")).toContain("arguments?");
    expect(membersOfNamed(protocol, "UntitledSingleSelectEnumSchema")).toEqual(
      expect.arrayContaining(["default?", "enum"]),
    );
  });

  it("in 2026-07-28, some error types describe the member `error`, and others a whole response", async () => {
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
  ])("in %s, the id of %s may be absent: %s", async (name, type, optional) => {
    const protocol = await revision(name);
    expect(membersOfNamed(protocol, type)).toContain(optional ? "id?" : "id");
    expect(protocol.idlessErrors).toBe(optional);
  });

  it("in 2026-07-28, only resultType distinguishes InputRequiredResult from other results", async () => {
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

  it("an anonymous object is kept at each place where it is written", async () => {
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
