import { type AnyTool, tools } from "@mcpgen/runtime/features";
import { type AnyClient, join, type Json, modern } from "../../kit/index.js";

/**
 * A client of a server whose only tool has this schema and returns "ok" for
 * valid arguments.
 */
export async function openTool(
  inputSchema: unknown,
  members: Partial<AnyTool> = {},
): Promise<AnyClient> {
  const handlers = {
    ...tools([{ name: "t", inputSchema, handler: () => "ok", ...members }]),
  };
  const { client } = await join(modern.protocol, { server: { handlers } });
  return client;
}

/** Whether the tool accepts these arguments. */
export const accepts = async (
  client: AnyClient,
  args: unknown,
): Promise<boolean> =>
  (await client.callTool({ name: "t", arguments: args as Json }))["isError"] !==
  true;

/** Defines such a tool without a server. */
export const define = (inputSchema: unknown) => (): unknown =>
  tools([{ name: "t", inputSchema, handler: () => "ok" }]);

/** A schema of an object. */
export const object = (members: Json): Json => ({ type: "object", ...members });
