/**
 * Schemas in both languages. The second is what the official generator prints
 * for the first: members and values are sorted, `extends` is flattened, aliases
 * of strings are inlined, and untagged numbers become integers.
 */

/**
 * An unknown revision with other methods, its own content block and another
 * capability.
 */
export const madeUp = {
  typescript: `
export const LATEST_PROTOCOL_VERSION = "2031-02-03";
export const JSONRPC_VERSION = "2.0";
export const TEAPOT = -32099;
export type RequestId = string | number;
export type Cursor = string;
export interface Request { method: string; params?: { [key: string]: any } }
export interface JSONRPCRequest extends Request { jsonrpc: typeof JSONRPC_VERSION; id: RequestId }
export interface Notification { method: string; params?: { [key: string]: any } }
export interface Result { _meta?: { [key: string]: unknown }; [key: string]: unknown }
export type EmptyResult = Result;
export interface ServerCapabilities { kettles?: { listChanged?: boolean } }
export interface ClientCapabilities { cups?: object }
export interface InitializeRequest extends JSONRPCRequest {
  method: "initialize";
  params: { protocolVersion: string; capabilities: ClientCapabilities };
}
export interface InitializeResult extends Result { protocolVersion: string; capabilities: ServerCapabilities }
export interface SteamContent {
  type: "steam";
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  density: number;
  /** @format uri */
  source?: string;
}
export interface TextContent { type: "text"; text: string }
export type Content = TextContent | SteamContent;
export type Strength = "weak" | "strong" | string;
export type Temperature = "hot" | "cold";
export interface BrewRequestParams { kettle: string; strength?: Strength; temperature?: Temperature; }
export interface BrewRequest extends JSONRPCRequest { method: "kettles/brew"; params: BrewRequestParams }
export interface BrewResult extends Result { content: Content[]; cups: number | null }
export interface ListKettlesRequest extends JSONRPCRequest { method: "kettles/list"; params?: { cursor?: Cursor } }
export interface ListKettlesResult extends Result { nextCursor?: Cursor; kettles: string[] }
export interface OfferCupRequest extends JSONRPCRequest { method: "cups/offer" }
export interface BoiledNotification extends Notification { method: "notifications/boiled"; params: { kettle: string } }
export interface TeapotError { code: typeof TEAPOT; message: string }
export type Leaf = null | string | Leaf[] | { [key: string]: Leaf };
export type TaggedResult = Result & { leaf: Leaf };
export type ClientRequest = InitializeRequest | BrewRequest | ListKettlesRequest;
export type ServerRequest = OfferCupRequest;
export type ServerNotification = BoiledNotification;
`,
  json: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: {
      BoiledNotification: object(
        {
          method: word("notifications/boiled"),
          params: object({ kettle: text() }, ["kettle"]),
        },
        ["method", "params"],
      ),
      BrewRequest: object(
        { ...messageOf("kettles/brew"), params: ref("BrewRequestParams") },
        ["id", "jsonrpc", "method", "params"],
      ),
      BrewRequestParams: object(
        { kettle: text(), strength: text(), temperature: ref("Temperature") },
        ["kettle"],
      ),
      BrewResult: object(
        {
          ...result(),
          content: list(ref("Content")),
          cups: { type: ["integer", "null"] },
        },
        ["content", "cups"],
      ),
      ClientCapabilities: object({
        cups: { additionalProperties: true, properties: {}, type: "object" },
      }),
      ClientRequest: {
        anyOf: [
          ref("InitializeRequest"),
          ref("BrewRequest"),
          ref("ListKettlesRequest"),
        ],
      },
      Content: { anyOf: [ref("TextContent"), ref("SteamContent")] },
      Cursor: text(),
      EmptyResult: ref("Result"),
      InitializeRequest: object(
        {
          ...messageOf("initialize"),
          params: object(
            {
              capabilities: ref("ClientCapabilities"),
              protocolVersion: text(),
            },
            ["capabilities", "protocolVersion"],
          ),
        },
        ["id", "jsonrpc", "method", "params"],
      ),
      InitializeResult: object(
        {
          ...result(),
          capabilities: ref("ServerCapabilities"),
          protocolVersion: text(),
        },
        ["capabilities", "protocolVersion"],
      ),
      JSONRPCRequest: object(
        {
          id: ref("RequestId"),
          jsonrpc: word("2.0"),
          method: text(),
          params: anything(),
        },
        ["id", "jsonrpc", "method"],
      ),
      Leaf: {
        anyOf: [
          list(ref("Leaf")),
          { additionalProperties: ref("Leaf"), type: "object" },
          { type: ["string", "null"] },
        ],
      },
      ListKettlesRequest: object(
        { ...messageOf("kettles/list"), params: object({ cursor: text() }) },
        ["id", "jsonrpc", "method"],
      ),
      ListKettlesResult: object(
        { ...result(), kettles: list(text()), nextCursor: text() },
        ["kettles"],
      ),
      Notification: object({ method: text(), params: anything() }, ["method"]),
      OfferCupRequest: object(
        { ...messageOf("cups/offer"), params: anything() },
        ["id", "jsonrpc", "method"],
      ),
      Request: object({ method: text(), params: anything() }, ["method"]),
      RequestId: { type: ["string", "integer"] },
      Result: { ...object(result()), additionalProperties: {} },
      ServerCapabilities: object({
        kettles: object({ listChanged: { type: "boolean" } }),
      }),
      ServerNotification: object(
        {
          method: word("notifications/boiled"),
          params: object({ kettle: text() }, ["kettle"]),
        },
        ["method", "params"],
      ),
      ServerRequest: object(
        { ...messageOf("cups/offer"), params: anything() },
        ["id", "jsonrpc", "method"],
      ),
      SteamContent: object(
        {
          density: { maximum: 1, minimum: 0, type: "number" },
          source: { format: "uri", type: "string" },
          type: word("steam"),
        },
        ["density", "type"],
      ),
      Strength: text(),
      TaggedResult: {
        allOf: [ref("Result"), object({ leaf: ref("Leaf") }, ["leaf"])],
      },
      TeapotError: object(
        { code: { const: -32099, type: "integer" }, message: text() },
        ["code", "message"],
      ),
      Temperature: { enum: ["cold", "hot"], type: "string" },
      TextContent: object({ text: text(), type: word("text") }, [
        "text",
        "type",
      ]),
    },
  },
};

/**
 * Constructs of the pre-release schema: an inline map that is printed as a
 * definition, and a result of any type.
 */
export const preRelease = {
  typescript: `
export const LATEST_PROTOCOL_VERSION = "2024-10-07";
export interface Request { method: string; params?: { _meta?: { progressToken?: ProgressToken }; [key: string]: unknown } }
export type ProgressToken = string | number;
export interface Result { _meta?: { [key: string]: unknown }; [key: string]: unknown }
export type EmptyResult = Result;
export interface PingRequest extends Request { method: "ping" }
export interface CallToolRequest extends Request { method: "tools/call"; params: { name: string; arguments?: { [key: string]: unknown } } }
export interface CallToolResult extends Result { toolResult: unknown }
export interface ListRootsRequest extends Request { method: "roots/list" }
export interface ListRootsResult extends Result { roots: { uri: string }[] }
export interface ModelPreferences { hints?: Record<"name" | string, string>[] }
export interface InitializeRequest extends Request { method: "initialize"; params: { preferences: ModelPreferences } }
export interface InitializeResult extends Result { protocolVersion: string }
export type ClientRequest = PingRequest | InitializeRequest | CallToolRequest | ListRootsRequest;
export type ServerRequest = PingRequest | ListRootsRequest;
`,
  json: {
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: {
      CallToolRequest: old(
        "tools/call",
        object({ arguments: anything(), name: text() }, ["name"]),
      ),
      CallToolResult: object({ ...result(), toolResult: {} }, ["toolResult"]),
      ClientRequest: {
        anyOf: [
          "PingRequest",
          "InitializeRequest",
          "CallToolRequest",
          "ListRootsRequest",
        ].map(oldRef),
      },
      EmptyResult: oldRef("Result"),
      InitializeRequest: old(
        "initialize",
        object({ preferences: oldRef("ModelPreferences") }, ["preferences"]),
      ),
      InitializeResult: object({ ...result(), protocolVersion: text() }, [
        "protocolVersion",
      ]),
      ListRootsRequest: old("roots/list"),
      ListRootsResult: object(
        { ...result(), roots: list(object({ uri: text() }, ["uri"])) },
        ["roots"],
      ),
      ModelPreferences: object({
        hints: list(oldRef("Record<string,string>")),
      }),
      PingRequest: old("ping"),
      ProgressToken: { type: ["string", "integer"] },
      "Record<string,string>": { additionalProperties: text(), type: "object" },
      Request: object({ method: text(), params: oldParams() }, ["method"]),
      Result: { ...object(result()), additionalProperties: {} },
      ServerRequest: { anyOf: ["PingRequest", "ListRootsRequest"].map(oldRef) },
    },
  },
};

function text(): object {
  return { type: "string" };
}

function word(value: string): object {
  return { const: value, type: "string" };
}

function ref(name: string): object {
  return { $ref: `#/$defs/${name}` };
}

function oldRef(name: string): object {
  return { $ref: `#/definitions/${encodeURIComponent(name)}` };
}

function list(items: object): object {
  return { items, type: "array" };
}

function anything(): object {
  return { additionalProperties: {}, type: "object" };
}

function object(properties: object, required: readonly string[] = []): object {
  return {
    properties,
    ...(required.length === 0 ? {} : { required }),
    type: "object",
  };
}

function messageOf(method: string): object {
  return { id: ref("RequestId"), jsonrpc: word("2.0"), method: word(method) };
}

function result(): object {
  return { _meta: anything() };
}

function oldParams(): object {
  const meta = object({ progressToken: oldRef("ProgressToken") });
  return {
    additionalProperties: {},
    properties: { _meta: meta },
    type: "object",
  };
}

function old(method: string, params?: object): object {
  return params === undefined
    ? object({ method: word(method), params: oldParams() }, ["method"])
    : object({ method: word(method), params }, ["method", "params"]);
}
