import { McpError } from "@mcpgen/runtime";
import { type AnyTool, type Features, tools as answer } from "@mcpgen/runtime/features";
import { startTask } from "@mcpgen/runtime/tasks";
import type { ServerHandlers } from "../../generated/index.js";
import { pause, png, wav } from "./content.js";

type Call = NonNullable<ServerHandlers["tools/call"]>;
type Result = Awaited<ReturnType<Call>>;
type Context = Parameters<Call>[1];
type Arguments = Readonly<Record<string, unknown>>;
type Announce = () => { toolsListChanged(): void; promptsListChanged(): void };

interface Entry {
  readonly description: string;
  readonly inputSchema?: { readonly type: "object"; readonly [keyword: string]: unknown };
  readonly execution?: { readonly taskSupport: "optional" | "required" };
  call(given: Arguments, context: Context, announce: Announce): Result | Promise<Result>;
}

const text = (value: string): Result => ({ content: [{ type: "text", text: value }] });
const says = (description: string, value: string): Entry => ({ description, call: () => text(value) });

const image = { type: "image", data: png, mimeType: "image/png" } as const;
const resource = {
  type: "resource",
  resource: { uri: "test://embedded", mimeType: "text/plain", text: "Embedded." },
} as const;

const ask = <const Type extends "string" | "boolean">(message: string, name: string, type: Type) => ({
  message,
  requestedSchema: { type: "object" as const, properties: { [name]: { type } }, required: [name] },
});
const askName = ask("What is your name?", "name", "string");
const confirm = ask("Please confirm.", "ok", "boolean");
const askModel = (question: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text: question } }],
  maxTokens: 100,
});

const options = ["option1", "option2", "option3"];
const titled = (name: string) =>
  ["First", "Second", "Third"].map((title, i) => ({ const: `${name}${i + 1}`, title }));

/** Asks a form of the user, and tells what came of it. */
const elicits = (description: string, properties: Arguments): Entry => ({
  description,
  call: async (_, { request }) => {
    const requestedSchema = { type: "object", properties } as (typeof askName)["requestedSchema"];
    const { action, content } = await request("elicitation/create", {
      message: "Please fill this in.",
      requestedSchema,
    });
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
  },
});

// As text: an object with a member "then" is more than a schema to JavaScript.
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

const known: Readonly<Record<string, Entry>> = {
  test_simple_text: says("Gives a text.", "This is a simple text response for testing."),
  test_image_content: { description: "Gives an image.", call: () => ({ content: [image] }) },
  test_audio_content: {
    description: "Gives a sound.",
    // The oldest revision has no sounds, and is not asked for one.
    call: () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] }) as unknown as Result,
  },
  test_embedded_resource: { description: "Gives a resource.", call: () => ({ content: [resource] }) },
  test_multiple_content_types: {
    description: "Gives a text, an image and a resource.",
    call: () => ({ content: [{ type: "text", text: "Several kinds:" }, image, resource] }),
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
    call: () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
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
  test_sampling: {
    description: "Asks the client's model.",
    inputSchema: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    call: async ({ prompt }, { request }) => {
      const { content } = await request("sampling/createMessage", askModel(String(prompt)));
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    description: "Asks the user.",
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    call: async ({ message }, { request }) => {
      const answer = await request("elicitation/create", {
        message: String(message),
        requestedSchema: {
          type: "object",
          properties: { username: { type: "string" }, email: { type: "string" } },
          required: ["username", "email"],
        },
      });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  },
  test_elicitation_sep1034_defaults: elicits("Asks for values that have defaults.", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: elicits("Asks for one of several values, in every notation.", {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled("value") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled("value") } },
  }),
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
    call: (given) => text(JSON.stringify(given)),
  },
  test_header_mirror: {
    description: "Has an argument that a header repeats.",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    },
    call: ({ region }) => text(String(region)),
  },
  test_missing_capability: {
    description: "Needs a model.",
    call: async (_, { request }) => {
      await request("sampling/createMessage", askModel("Who?"));
      return text("Asked.");
    },
  },
  test_streaming_elicitation: {
    description: "Asks the user, and is asked again.",
    call: async (_, { request, progress }) => {
      progress(1);
      const { action } = await request("elicitation/create", askName);
      return text(`The user said ${action}.`);
    },
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
  test_input_required_result_elicitation: {
    description: "Asks for a name.",
    call: async (_, { request }) => {
      const { content } = await request("elicitation/create", askName, { key: "user_name" });
      return text(`Hello, ${String(content?.["name"])}!`);
    },
  },
  test_input_required_result_sampling: {
    description: "Asks a model.",
    call: async (_, { request }) => {
      const { content } = await request("sampling/createMessage", askModel("Capital of France?"));
      return text(JSON.stringify(content));
    },
  },
  test_input_required_result_list_roots: {
    description: "Asks for roots.",
    call: async (_, { request }) => text(JSON.stringify(await request("roots/list"))),
  },
  test_input_required_result_request_state: {
    description: "Asks for a word, with a state.",
    call: async (_, { request }) => {
      const { action } = await request("elicitation/create", confirm, { key: "confirm" });
      return text(`state-ok: ${action}`);
    },
  },
  test_input_required_result_tampered_state: {
    description: "Asks for a word, with a state that nobody may change.",
    call: async (_, { request }) => {
      const { action } = await request("elicitation/create", confirm, { key: "confirm" });
      return text(action);
    },
  },
  test_input_required_result_multiple_inputs: {
    description: "Asks for three things at once.",
    call: async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", askName, { key: "user_name" }),
        request("sampling/createMessage", askModel("Greet."), { key: "greeting" }),
        request("roots/list", undefined, { key: "client_roots" }),
      ]);
      return text(JSON.stringify(answers));
    },
  },
  test_input_required_result_multi_round: {
    description: "Asks for one thing after the other.",
    call: async (_, { request }) => {
      const first = await request("elicitation/create", askName, { key: "step1" });
      const color = ask("What is your favorite color?", "color", "string");
      const second = await request("elicitation/create", color, { key: "step2" });
      return text(JSON.stringify([first, second]));
    },
  },
  greet: {
    description: "Greets at once.",
    inputSchema: { type: "object", properties: { name: { type: "string" } } },
    call: ({ name }) => text(`Hello, ${String(name)}!`),
  },
  slow_compute: {
    description: "Takes its time.",
    inputSchema: {
      type: "object",
      properties: { seconds: { type: "number" }, label: { type: "string" } },
    },
    execution: { taskSupport: "optional" },
    call: async ({ seconds, label }, { signal }) => {
      const end = Date.now() + Number(seconds ?? 1) * 1000;
      while (Date.now() < end && !signal.aborted) await pause(20);
      return text(`Computed ${String(label)}.`);
    },
  },
  failing_job: {
    description: "Fails as a tool fails.",
    execution: { taskSupport: "required" },
    call: async () => {
      await pause(20);
      return { ...text("The job failed."), isError: true };
    },
  },
  protocol_error_job: {
    description: "Fails as a request fails.",
    execution: { taskSupport: "optional" },
    call: async () => {
      await pause(20);
      throw new McpError(-32603, "The job broke.");
    },
  },
  confirm_delete: {
    description: "Asks before it deletes.",
    inputSchema: { type: "object", properties: { filename: { type: "string" } } },
    execution: { taskSupport: "optional" },
    call: async ({ filename }, { request }) => {
      const { action } = await request(
        "elicitation/create",
        ask(`Delete ${String(filename)}?`, "confirm", "boolean"),
      );
      return text(`${action}: ${String(filename)}`);
    },
  },
  multi_input: {
    description: "Asks for two things at once.",
    execution: { taskSupport: "optional" },
    call: async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", askName, { key: "name" }),
        request("elicitation/create", ask("Go on?", "confirm", "boolean"), { key: "confirm" }),
      ]);
      return text(JSON.stringify(answers));
    },
  },
  test_tool_with_task: {
    description: "Asks for a name, and goes on as a task.",
    call: async (_, context) => {
      const { content } = await context.request("elicitation/create", askName, { key: "user_name" });
      return await startTask(context, async () => {
        await pause(20);
        return text(`Hello, ${JSON.stringify(content)}!`);
      });
    },
  },
  test_input_required_result_capabilities: {
    description: "Asks only for what the client can do.",
    call: async (_, { request, client }) => {
      const { sampling, elicitation }: Arguments = { ...client.capabilities };
      const [model, user] = await Promise.all([
        sampling && request("sampling/createMessage", askModel("Greet."), { key: "greeting" }),
        elicitation && request("elicitation/create", askName, { key: "user_name" }),
      ]);
      return text(JSON.stringify({ model, user }));
    },
  },
};

/** The tools that the suite asks for. */
export function tools(announce: Announce): Features {
  return answer(
    Object.entries(known).map(([name, { call, ...described }]): AnyTool => ({
      name,
      ...described,
      handler: (given: Arguments, context: Context) => call(given, context, announce),
    })),
  );
}
