// The smallest echo server over HTTP: one JSON body in, one out, and a session
// if it is requested (`stateful`). Prints `port N`.
import { createServer } from "node:http";

const isStateful = process.argv[2] === "stateful";

const server = createServer((request, response) => {
  if (request.method !== "POST")
    return response.writeHead(request.method === "GET" ? 405 : 200).end();
  let body = "";
  request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const opens = isStateful && method === "initialize";
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id,
      result: resultOf(method, params),
    });
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      ...(opens && { "mcp-session-id": "session-1" }),
    });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(`port ${server.address().port}`),
);

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
