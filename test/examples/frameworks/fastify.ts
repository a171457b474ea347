import { nodeListener } from "@mcpgen/runtime/http";
import { fastify } from "fastify";
import { handler } from "./mcp.js";

const app = fastify();
app.get("/healthz", () => "ok");
await app.register((scope, _options, done) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
  scope.all("/mcp", (request, reply) => {
    reply.hijack();
    nodeListener(handler)(request.raw, reply.raw);
  });
  done();
});
await app.listen({ port: 3000 });
