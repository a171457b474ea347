import { StdioServerTransport } from "@mcpgen/runtime/stdio";

// Sends back every message as it came, and says what was no message.
const transport = new StdioServerTransport();
transport.start({
  message: (message) => void transport.send(message),
  malformed: (error) => void transport.send({ malformed: error.message }),
  ended: () => void transport.close(),
  closed: () => {},
});
