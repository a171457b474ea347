import { StdioServerTransport } from "@mcpgen/runtime/stdio";

// Sends back every message as it came, and reports what was not a message.
const transport = new StdioServerTransport();
transport.start({
  message: (message) => void transport.send(message),
  malformed: (error) => void transport.send({ malformed: error.message }),
  ended: () => void transport.close(),
  closed: () => {},
});
