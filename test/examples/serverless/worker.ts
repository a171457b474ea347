import { handler } from "./mcp.js";

export default {
  fetch: (request: Request): Promise<Response> => handler(request),
};
