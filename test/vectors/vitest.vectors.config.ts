import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** The same tests at full size: `npm run test:vectors`. `MCPGEN_VECTORS` and `MCPGEN_SEED` change size and seed. */
export default mergeConfig(base, {
  test: {
    env: { MCPGEN_VECTORS: process.env["MCPGEN_VECTORS"] ?? "200000" },
  },
});
