// TypeBox, compiled: the types of the nine messages, written in its own terms.
import { Type as T } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";

const maybe = T.Optional;
const any = T.Record(T.String(), T.Unknown());
const id = T.Union([T.String(), T.Integer()]);
const meta = maybe(T.Object({ progressToken: maybe(id) }));
const envelope = { jsonrpc: T.Literal("2.0"), id };

const ping = T.Object({ ...envelope, method: T.Literal("ping"), params: maybe(T.Object({ _meta: meta })) });
const call = T.Object({
  ...envelope,
  method: T.Literal("tools/call"),
  params: T.Object({
    _meta: meta,
    task: maybe(T.Object({ ttl: maybe(T.Number()) })),
    name: T.String(),
    arguments: maybe(any),
  }),
});
const annotations = maybe(
  T.Object({
    audience: maybe(T.Array(T.Union([T.Literal("user"), T.Literal("assistant")]))),
    priority: maybe(T.Number({ minimum: 0, maximum: 1 })),
    lastModified: maybe(T.String()),
  }),
);
const icons = maybe(T.Array(T.Object({ src: T.String(), mimeType: maybe(T.String()) })));
const block = { annotations, _meta: maybe(any) };
const media = { data: T.String(), mimeType: T.String() };
const contents = { uri: T.String(), mimeType: maybe(T.String()), _meta: maybe(any) };
const content = T.Union([
  T.Object({ type: T.Literal("text"), text: T.String(), ...block }),
  T.Object({ type: T.Literal("image"), ...media, ...block }),
  T.Object({ type: T.Literal("audio"), ...media, ...block }),
  T.Object({
    type: T.Literal("resource_link"),
    uri: T.String(),
    name: T.String(),
    title: maybe(T.String()),
    description: maybe(T.String()),
    mimeType: maybe(T.String()),
    size: maybe(T.Number()),
    icons,
    ...block,
  }),
  T.Object({
    type: T.Literal("resource"),
    resource: T.Union([
      T.Object({ ...contents, text: T.String() }),
      T.Object({ ...contents, blob: T.String() }),
    ]),
    ...block,
  }),
]);
const result = T.Object({
  _meta: maybe(any),
  content: T.Array(content),
  structuredContent: maybe(any),
  isError: maybe(T.Boolean()),
});
const toolSchema = T.Object({
  $schema: maybe(T.String()),
  type: T.Literal("object"),
  properties: maybe(T.Record(T.String(), any)),
  required: maybe(T.Array(T.String())),
});
const tool = T.Object({
  name: T.String(),
  title: maybe(T.String()),
  icons,
  description: maybe(T.String()),
  inputSchema: toolSchema,
  execution: maybe(T.Object({ taskSupport: maybe(T.String()) })),
  outputSchema: maybe(toolSchema),
  annotations: maybe(
    T.Object({
      title: maybe(T.String()),
      readOnlyHint: maybe(T.Boolean()),
      destructiveHint: maybe(T.Boolean()),
      idempotentHint: maybe(T.Boolean()),
      openWorldHint: maybe(T.Boolean()),
    }),
  ),
  _meta: maybe(any),
});
const tools = T.Object({ _meta: maybe(any), nextCursor: maybe(T.String()), tools: T.Array(tool) });

const guard = (type) => {
  const compiled = TypeCompiler.Compile(type);
  return (value) => compiled.Check(value);
};

export const typebox = {
  PingRequest: guard(ping),
  CallToolRequest: guard(call),
  // Two of its twenty members, to its advantage.
  ClientRequest: guard(T.Union([ping, call])),
  CallToolResult: guard(result),
  ListToolsResult: guard(tools),
};
