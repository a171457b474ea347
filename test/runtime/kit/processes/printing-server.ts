import { serveStdio } from "@mcpgen/runtime/stdio";
import { legacy, makeServer, text } from "../index.js";

// Its tool writes with each method of the console. The first argument is the
// value of the option `console`.
const [option] = process.argv.slice(2);
const print = (): void => {
  console.log("log %d", 1);
  console.info("info");
  console.debug("debug");
  console.dir(
    { dir: { deep: { deeper: { deepest: "dir" } } } },
    { depth: null },
  );
  console.table([{ column: "table" }]);
  console.group("group");
  console.log("inside");
  console.groupEnd();
  console.count("count");
  console.time("time");
  console.timeEnd("time");
  console.error("error");
  console.warn("warn");
};
const handlers = {
  "tools/call": () => {
    print();
    return text("done");
  },
};
await serveStdio(
  makeServer(legacy.protocol, { handlers }),
  option === "false" ? { console: false } : {},
);
console.log("after");
