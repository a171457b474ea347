import {
  CallToolResultSchema,
  isCallToolRequest,
} from "./gen/2025-11-25/index.js";

const message: unknown = JSON.parse(
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}',
);
if (isCallToolRequest(message)) console.log("calls", message.params.name);

const parsed = CallToolResultSchema.safeParse({
  content: [{ type: "text", text: "hi" }, { type: "video" }],
});
if (!parsed.success) console.log(parsed.error.message);
