// The official SDK's own schemas (zod 4). Its request schemas leave the envelope out.
import * as types from "@modelcontextprotocol/sdk/types.js";

const guard = (schema) => (value) => schema.safeParse(value).success;

export const sdk = {
  PingRequest: guard(types.PingRequestSchema),
  CallToolRequest: guard(types.CallToolRequestSchema),
  ClientRequest: guard(types.ClientRequestSchema),
  CallToolResult: guard(types.CallToolResultSchema),
  ListToolsResult: guard(types.ListToolsResultSchema),
};
