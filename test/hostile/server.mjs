// A hostile server:
// `node server.mjs <stdio|http> <behaviour> [URL of the trap]`. Over HTTP it
// prints its port.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [carrier, what, trap = ""] = process.argv.slice(2);

const empty = { type: "object" };
/** A placeholder for a schema that is nested too deep for JSON.stringify. */
const nested = (depth) => ({ ...empty, properties: { a: `@${depth}@` } });
const tool = (name, inputSchema = empty) => ({ name, inputSchema });
const names = [
  "../../x",
  "..\\..\\y",
  "/etc/z",
  "CON",
  "nul",
  "a".repeat(300),
  "A",
  "a",
  "\u0000",
  "",
  ".",
  "then",
];

/** The pages of the lists; a function makes pages without end. */
const pages = {
  endless: (cursor) => ({
    tools: [tool(`t${cursor}`)],
    nextCursor: `${Number(cursor) + 1}`,
  }),
  circle: (cursor) => ({
    tools: [tool(`t${cursor}`)],
    nextCursor: cursor === "1" ? "2" : "1",
  }),
  stuck: () => ({ tools: [tool("same")], nextCursor: "1" }),
  blank: () => ({ tools: [tool("same")], nextCursor: "" }),
  heavy: (cursor) => ({
    tools: [{ ...tool(`t${cursor}`), description: "x".repeat(2_000_000) }],
    nextCursor: `${Number(cursor) + 1}`,
  }),
  many: (cursor) => ({
    tools: Array.from({ length: 1000 }, (_, i) =>
      tool(`t${Number(cursor) * 1000 + i}`),
    ),
    ...(cursor === "9" ? {} : { nextCursor: `${Number(cursor) + 1}` }),
  }),
  wide: () => ({
    tools: [
      tool("greedy", {
        ...empty,
        enum: Array.from({ length: 50_000 }, (_, i) => i),
      }),
    ],
  }),
  deep: () => ({ tools: [tool("abyss", nested(3000)), tool("calm")] }),
  deepest: () => ({ tools: [tool("abyss", nested(100_000)), tool("calm")] }),
  annotated: () => ({ tools: [{ ...tool("abyss"), _meta: nested(3000) }] }),
  trap: () => ({
    tools: [
      tool("caller", {
        ...empty,
        $id: `${trap}/id.json`,
        $schema: `${trap}/dialect.json`,
        properties: {
          a: { $ref: `${trap}/a.json` },
          b: { $dynamicRef: `${trap}/b.json#x` },
          c: { $ref: "file:///etc/passwd" },
          d: { $ref: trap.replace("http:", "") },
        },
      }),
    ],
  }),
  names: () => ({
    tools: names.map((name) =>
      tool(name, { ...empty, properties: { [name]: {} } }),
    ),
  }),
  proud: () => ({ tools: [] }),
  garbage: () => ({ tools: [tool("fine")] }),
};

/** The answer to a request; null for no answer. */
function answer({ id, method, params }) {
  const result = (value) => ({ jsonrpc: "2.0", id, result: value });
  if (method === "initialize") {
    return result({
      protocolVersion: "2025-06-18",
      capabilities: {
        tools: {},
        ...(what === "proud" ? { experimental: { a: nested(3000) } } : {}),
      },
      serverInfo: {
        name: what === "names" ? "../../evil" : "hostile",
        version: "1",
      },
    });
  }
  if (method === "tools/list") {
    if (what === "dying" && carrier === "stdio") process.exit(0);
    if (what === "mute" || what === "half") return null;
    return result(pages[what](params?.cursor ?? "0"));
  }
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } };
}

const written = (value) =>
  JSON.stringify(value).replace(/"@(\d+)@"/, (_, depth) => {
    return `${'{"properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`;
  });

function overStdio() {
  if (what === "flood") {
    // Sends unknown notifications without end, and never an answer.
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/none", params: {} })}\nnonsense\n`;
    const pour = () =>
      void process.stdout.write(line.repeat(1000), () => setTimeout(pour, 1));
    return pour();
  }
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined || message.method === undefined) return;
    if (what === "garbage") {
      process.stdout.write(
        `\u001b[2J not JSON\n{"jsonrpc":"2.0"}\n[]\nnull\n{"id":${"[1".repeat(9)}\n`,
      );
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", id: 999, result: {} })}\n`,
      );
    }
    const response = answer(message);
    if (response !== null) process.stdout.write(`${written(response)}\n`);
    else if (what === "half")
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${message.id},"result":{"tools":[`,
      );
  });
}

function overHttp() {
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(parts).toString());
      if (message.id === undefined) return void response.writeHead(202).end();
      const result = answer(message);
      if (result === null && what === "mute") return;
      response.writeHead(200, { "content-type": "application/json" });
      if (result === null)
        return void response.write(
          '{"jsonrpc":"2.0","id":1,"result":{"tools":[',
        );
      if (what === "dying" && message.method === "tools/list")
        return void response.destroy();
      if (what === "garbage" && message.method === "tools/list")
        return void response.end("\u001b[2J not JSON");
      response.end(written(result));
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}

pages.dying = pages.garbage;
if (carrier === "stdio") overStdio();
else overHttp();
