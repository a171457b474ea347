import { memoryPair } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { bundle } from "./kit/bundle.js";
import { transportSuite } from "./transport.suite.js";

const echo = bundle("echo-carrier");

transportSuite("memory", async () => {
  const [near, far] = memoryPair();
  void far.start({
    message: (message) => void far.send(message),
    malformed: () => {},
    ended: () => {},
    closed: () => {},
  });
  return near;
});

transportSuite("stdio", async () => stdio(process.execPath, [await echo]));
