import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** `npm run test:servers`: real servers of other people's, which are packages of this folder alone. */
export default mergeConfig(base, {
  test: {
    include: ["test/servers/*.check.ts"],
    // For the compilers of test/types.
    env: { MCPGEN_COMPILERS: "all" },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
