import {
  type AnyTool,
  type Features,
  tools as answer,
} from "@mcpgen/runtime/features";
import { pause, png, wav } from "./content.js";
import { asking } from "./server-asking.js";
import { jobs } from "./server-jobs.js";
import { rounds } from "./server-rounds.js";
import {
  type Announce,
  type Arguments,
  type Context,
  type Result,
  text,
  type Tools,
} from "./server-tool.js";

const image = { type: "image", data: png, mimeType: "image/png" } as const;
const resource = {
  type: "resource",
  resource: {
    uri: "test://embedded",
    mimeType: "text/plain",
    text: "Embedded.",
  },
} as const;

// As text, because JavaScript treats an object with a member "then" as a
// promise.
const manyKeywords = JSON.parse(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
    }
  },
  "properties": {
    "name": { "type": "string" },
    "address": { "$ref": "#/$defs/address" },
    "contactMethod": { "type": "string", "enum": ["phone", "email"] },
    "phone": { "type": "string" },
    "email": { "type": "string" }
  },
  "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] },
  "additionalProperties": false
}`) as { readonly type: "object" };

/** Tools that send no requests to the client. */
const answering: Tools = {
  test_simple_text: {
    description: "Gives a text.",
    call: () => text("This is a simple text response for testing."),
  },
  test_image_content: {
    description: "Gives an image.",
    call: () => ({ content: [image] }),
  },
  test_audio_content: {
    description: "Gives a sound.",
    // The oldest revision has no audio, and its scenarios do not use it.
    call: () =>
      ({
        content: [{ type: "audio", data: wav, mimeType: "audio/wav" }],
      }) as unknown as Result,
  },
  test_embedded_resource: {
    description: "Gives a resource.",
    call: () => ({ content: [resource] }),
  },
  test_multiple_content_types: {
    description: "Gives a text, an image and a resource.",
    call: () => ({
      content: [{ type: "text", text: "Several kinds:" }, image, resource],
    }),
  },
  test_tool_with_logging: {
    description: "Logs while it works.",
    call: async (_, { log }) => {
      for (const step of ["started", "working", "done"]) {
        log("info", `Tool ${step}`);
        await pause(20);
      }
      return text("Logged.");
    },
  },
  test_logging_tool: {
    description: "Logs while it works.",
    call: (_, { log }) => {
      log("info", "Working");
      return text("Logged.");
    },
  },
  test_error_handling: {
    description: "Fails.",
    call: () => ({
      ...text("This tool intentionally returns an error for testing"),
      isError: true,
    }),
  },
  test_tool_with_progress: {
    description: "Tells how far it has got.",
    call: async (_, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress(done, 100, `${done} %`);
        await pause(20);
      }
      return text("Done.");
    },
  },
  test_reconnection: {
    description: "Lets the connection go before it answers.",
    call: async (_, { release }) => {
      release(500);
      await pause(100);
      return text("Reconnection test completed.");
    },
  },
  json_schema_2020_12_tool: {
    description: "Has a schema of many keywords.",
    inputSchema: manyKeywords,
    call: (args) => text(JSON.stringify(args)),
  },
  test_header_mirror: {
    description: "Has an argument that a header repeats.",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    },
    call: ({ region }) => text(String(region)),
  },
  test_trigger_tool_change: {
    description: "Says that the tools have changed.",
    call: (_given, _context, announce) => {
      announce().toolsListChanged();
      return text("Announced.");
    },
  },
  test_trigger_prompt_change: {
    description: "Says that the prompts have changed.",
    call: (_given, _context, announce) => {
      announce().promptsListChanged();
      return text("Announced.");
    },
  },
};

/** The tools that the suite requires. */
export function tools(announce: Announce): Features {
  return answer(
    Object.entries({ ...answering, ...asking, ...rounds, ...jobs }).map(
      ([name, { call, ...described }]): AnyTool => ({
        name,
        ...described,
        handler: (args: Arguments, context: Context) =>
          call(args, context, announce),
      }),
    ),
  );
}
