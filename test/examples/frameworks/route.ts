import { handler } from "./mcp.js";

export {
  handler as DELETE,
  handler as GET,
  handler as OPTIONS,
  handler as POST,
};
