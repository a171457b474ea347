/** A program of a user's own: a generated client against a generated server, in memory. Prints what the tool said. */
export const talk = `
import { memoryPair, serve } from "@mcpgen/runtime";
import { Client, createServer } from "./gen/index.js";

const info = { name: "packed", version: "1.0.0" };
const server = createServer({
  info,
  handlers: {
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }),
  },
});
const [left, right] = memoryPair();
await serve(right, server);
const client = await Client.connect(left, { info });
const { tools } = await client.listTools();
const { content } = await client.callTool({ name: tools[0]?.name ?? "", arguments: { text: "hello" } });
const [block] = content;
console.log(block?.type === "text" ? block.text : "no text");
await client.close();
`;

/** As strict as a user may be. */
export const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    outDir: "built",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
    types: [],
  },
  include: ["talk.ts", "gen"],
});
