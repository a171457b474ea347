import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** `npm run test:examples`: servers that others wrote, which are packages of test/examples/servers alone. */
export default mergeConfig(base, { test: { include: ["test/examples/*.check.mjs"] } });
