import { serveStdio } from "@mcpgen/runtime/stdio";
import { revisions, makeServer } from "../runtime/kit/index.ts";
import { observedServer, startSdk } from "./telemetry-kit.mjs";

// The server of a revision in a process of its own, with its own OpenTelemetry
// SDK.
const { protocol } = revisions.find(
  ({ revision }) => revision === process.argv[2],
);
await serveStdio(makeServer(protocol, await observedServer(startSdk())));
