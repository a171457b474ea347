import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** The same tests with every compiler, revision and form of output: `npm run test:types`. */
export default mergeConfig(base, {
  test: { env: { MCPGEN_COMPILERS: "all" }, testTimeout: 600_000, hookTimeout: 600_000 },
});
