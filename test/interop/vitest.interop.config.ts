import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

// The official SDKs and servers as peers: installed here, away from the root.
export default mergeConfig(base, { test: { include: ["test/interop/**/*.test.mjs"] } });
