import type { Features, StandardSchema } from "@mcpgen/runtime/features";
import {
  type AnyClient,
  type AnyProtocol,
  join,
  type Json,
  type ServerOptions,
} from "../../kit/index.js";

/** A tool that returns its argument as text. */
export const echo = {
  name: "echo",
  title: "Echo",
  description: "Says it again",
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: "object",
    properties: { value: { type: "string" } },
    required: ["value"],
  },
  handler: ({ value }: Readonly<Record<string, unknown>>) => String(value),
};

/** A schema whose branches have references without a target. */
export const conditional =
  '{"if":{"properties":{"a":{"const":1}}},"then":{"properties":{"b":{"$ref":"#/$defs/place"}}},"else":{"properties":{"b":{"$ref":"#place"}}}}';

/** A Standard Schema made by hand, as libraries make theirs. */
export function standard<T>(
  check: (value: Json) => string | T,
  json?: { readonly input: object; readonly output: object },
): StandardSchema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      async validate(value) {
        const checked = check(value as Json);
        return typeof checked === "string"
          ? {
              issues: [
                { message: checked, path: ["rows", 2, { key: "the name" }] },
              ],
            }
          : { value: checked };
      },
      ...(json && {
        jsonSchema: { input: () => json.input, output: () => json.output },
      }),
    },
  };
}

/** A client of a server with these features, in memory. */
export async function open(
  protocol: AnyProtocol,
  features: Features,
  options: Omit<ServerOptions, "handlers"> = {},
): Promise<AnyClient> {
  const { client } = await join(protocol, {
    server: { ...options, handlers: { ...features } },
  });
  return client;
}
