// The smallest echo server over stdio: it parses each line as JSON and writes a
// line.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  let out = "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    out += `${JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) })}\n`;
  }
  if (out !== "") process.stdout.write(out);
});

function resultOf(method, params) {
  if (method === "tools/call")
    return { content: [{ type: "text", text: String(params.arguments.text) }] };
  const { protocolVersion } = params;
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bench", version: "1.0.0" },
  };
}
