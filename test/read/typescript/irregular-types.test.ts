import { describe, expect, it } from "vitest";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import { eachSchema } from "../../../src/generator/ir/constraint/walk.js";
import { flatten, flattenSchema } from "../../../src/generator/ir/flatten.js";
import { index } from "../../../src/generator/ir/lookup.js";
import {
  bare,
  constant,
  literal,
  map,
  reference,
  text,
  union,
  unknown,
} from "../../ir/schemas.js";
import { membersOfNamed, request } from "./irregular.js";
import { declarationOf, revision } from "./reading.js";

describe("irregular types of the bundled revisions", () => {
  it("a member may have the name of a keyword of JSON Schema", async () => {
    const protocol = await revision("2025-11-25");
    const names = new Set<string>();
    for (const { schema } of protocol.declarations) {
      eachSchema(schema, (part) =>
        propertiesIn(part).forEach(({ name }) => names.add(name)),
      );
    }
    const keywords =
      "type title description default enum oneOf anyOf items const format minimum maximum minLength properties required $schema";
    for (const keyword of keywords.split(" ")) expect(names).toContain(keyword);
  });

  it.each([
    ["2024-11-05", "ResourceReference"],
    ["2025-06-18", "ResourceTemplateReference"],
  ])(
    "in %s, the tag of %s is a value with a slash, not a method",
    async (name, type) => {
      const protocol = await revision(name);
      const [tag, uri, ...others] = propertiesIn(
        declarationOf(protocol, type).schema,
      );
      expect([tag?.name, uri?.name, others]).toEqual(["type", "uri", []]);
      expect(tag && bare(tag.schema)).toEqual(literal("ref/resource"));
      expect(protocol.messages.map(({ method }) => method)).not.toContain(
        "ref/resource",
      );
    },
  );

  it("since 2025-06-18, PromptReference inherits a title", async () => {
    expect(
      membersOfNamed(await revision("2025-06-18"), "PromptReference"),
    ).toEqual(["name", "title?", "type"]);
    expect(
      membersOfNamed(await revision("2025-03-26"), "PromptReference"),
    ).toEqual(["name", "type"]);
  });

  it("since 2025-06-18, ResourceLink has the members of Resource before its type", async () => {
    const protocol = await revision("2025-06-18");
    const flat = flatten(index(protocol), "ResourceLink");
    expect(
      flat?.properties.map(({ name, declaredBy }) => `${declaredBy}.${name}`),
    ).toEqual([
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
    const { bases, schema } = declarationOf(protocol, "GetTaskPayloadResult");
    expect(bases).toEqual([{ name: "Result", omit: [] }]);
    expect(bare(schema)).toEqual(map(unknown));
    expect(flatten(index(protocol), "GetTaskPayloadResult")?.rest).toEqual(
      unknown,
    );
  });

  it.each(["JSONRPCResponse", "EnumSchema"])(
    "the name %s is an interface in one revision, and an alias in the next",
    async (name) => {
      const [old, young] = [
        await revision("2025-06-18"),
        await revision("2025-11-25"),
      ];
      expect(declarationOf(old, name).kind).toBe("interface");
      expect(declarationOf(young, name)).toMatchObject({
        kind: "alias",
        schema: { checks: [{ kind: "any" }] },
      });
    },
  );

  it("a name may be absent in the next revision", async () => {
    const [old, young] = [
      await revision("2025-06-18"),
      await revision("2025-11-25"),
    ];
    expect(index(old).has("JSONRPCError")).toBe(true);
    expect(index(young).has("JSONRPCError")).toBe(false);
  });

  it.each(["2024-11-05", "2025-11-25", "2026-07-28"])(
    "in %s, an interface whose method is any string is not a message",
    async (name) => {
      const named = new Set(
        (await revision(name)).messages.map((message) => message.name),
      );
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

  it.each(["2025-11-25", "2026-07-28"])(
    "in %s, an elicitation without a mode is a form, so an absent mode is one of the values",
    async (name) => {
      const protocol = await revision(name);
      expect(membersOfNamed(protocol, "ElicitRequestFormParams")).toContain(
        "mode?",
      );
      expect(membersOfNamed(protocol, "ElicitRequestURLParams")).toContain(
        "mode",
      );
      const [form] = (await request(name, "elicitation/create")).conditions;
      expect(form).toMatchObject({
        member: "mode",
        values: ["form", null],
        implied: true,
      });
    },
  );

  it("a member may have the name of a reserved word", async () => {
    const protocol = await revision("2025-11-25");
    expect(membersOfNamed(protocol, "CallToolRequestParams")).toContain(
      "arguments?",
    );
    expect(membersOfNamed(protocol, "UntitledSingleSelectEnumSchema")).toEqual(
      expect.arrayContaining(["default?", "enum"]),
    );
  });

  it("in 2026-07-28, some error types describe the member `error`, and others a whole response", async () => {
    const protocol = await revision("2026-07-28");
    expect(membersOfNamed(protocol, "ParseError")).toEqual([
      "code",
      "data?",
      "message",
    ]);
    expect(membersOfNamed(protocol, "HeaderMismatchError")).toEqual([
      "error",
      "id?",
      "jsonrpc",
    ]);
    const codeOf = (schema: Schema | undefined): Schema | undefined => {
      const flat = schema && flattenSchema(index(protocol), schema);
      const code = flat?.properties.find(({ name }) => name === "code");
      return code && bare(code.schema);
    };
    const error = flatten(
      index(protocol),
      "HeaderMismatchError",
    )?.properties.find(({ name }) => name === "error");
    expect(codeOf(reference("ParseError"))).toEqual(
      constant(-32700, "PARSE_ERROR"),
    );
    expect(codeOf(error?.schema)).toEqual(constant(-32020, "HEADER_MISMATCH"));
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
    expect(flat?.rest).toEqual(unknown);
    expect(
      flat?.properties.find(({ name }) => name === "resultType"),
    ).toMatchObject({ optional: false });
    expect(bare(declarationOf(protocol, "ResultType").schema)).toEqual(
      union(literal("complete"), literal("input_required"), text),
    );
    const asking = protocol.messages.flatMap((message) =>
      message.kind === "request" && message.asksInput
        ? [[message.method, message.results[1]]]
        : [],
    );
    expect(asking).toEqual([
      ["resources/read", "InputRequiredResult"],
      ["prompts/get", "InputRequiredResult"],
      ["tools/call", "InputRequiredResult"],
    ]);
  });

  it.each([
    ["ClientCapabilities", 7],
    ["ServerCapabilities", 6],
  ])(
    "an anonymous object is kept at each place where it is written: %s has %i",
    async (name, count) => {
      const protocol = await revision("2025-11-25");
      let objects = 0;
      eachSchema(declarationOf(protocol, name).schema, (part, depth) => {
        if (depth > 0 && propertiesIn(part).length > 0) objects++;
      });
      expect(objects).toBe(count);
    },
  );
});
