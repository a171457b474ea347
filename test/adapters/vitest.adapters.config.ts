import { mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

/** `npm run test:adapters`: the README's programs for frameworks and platforms, which are packages of this folder alone. */
export default mergeConfig(base, { test: { include: ["test/adapters/*.check.ts"] } });
