import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** `npm run test:browser`: the pages of `mcpgen docs` in a real browser, whose driver is installed in this folder. axe takes its time on a large page. */
export default mergeConfig(base, { test: { include: ["test/browser/*.check.mjs"], testTimeout: 300_000 } });
