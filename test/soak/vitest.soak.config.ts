import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** The faults and floods of HTTP and stdio at full size: `npm run test:soak`. `MCPGEN_SOAK` and `MCPGEN_SEED` change size and seed. */
export default mergeConfig(base, {
  test: {
    env: { MCPGEN_SOAK: process.env["MCPGEN_SOAK"] ?? "100" },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
});
