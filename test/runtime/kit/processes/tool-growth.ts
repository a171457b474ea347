import { tools } from "@mcpgen/runtime/features";
import { join, type Json, modern } from "../index.js";

// Calls a tool 5,000 times, and prints how many bytes of heap each call leaves
// behind. The argument says what each call makes anew.
const [, , what = ""] = process.argv;
const { gc: collect } = globalThis as { gc?: () => void };

const constant = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
};
const handler = (): string => "ok";
const same = { name: "t", inputSchema: constant, handler };
let calls = 0;
const sources: Readonly<Record<string, () => readonly (typeof same)[]>> = {
  nothing: () => [same],
  tool: () => [{ name: "t", inputSchema: structuredClone(constant), handler }],
  schema: () => [
    {
      name: "t",
      inputSchema: { ...constant, title: `The arguments of call ${calls}` },
      handler,
    },
  ],
};

const source = sources[what];
const open = async () => {
  const handlers = {
    ...tools(source ?? [{ ...same, inputSchema: structuredClone(constant) }]),
  };
  return await join(modern.protocol, { server: { handlers } });
};
const kept = source ? await open() : undefined;

async function call(): Promise<void> {
  calls++;
  const { client, serving } = kept ?? (await open());
  const result = await client.callTool({
    name: "t",
    arguments: { city: "Oslo", days: calls } as Json,
  });
  if (result["isError"] === true) throw new Error(JSON.stringify(result));
  if (kept) return;
  await client.close();
  await serving.close();
}

function used(): number {
  for (let i = 0; i < 3; i++) collect?.();
  return process.memoryUsage().heapUsed;
}

const count = 5000;
// The caches fill first.
for (let i = 0; i < 600; i++) await call();
const before = used();
for (let i = 0; i < count; i++) await call();
process.stdout.write(`${Math.round((used() - before) / count)}\n`);
