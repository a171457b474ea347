import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";
import { long } from "./long.js";

/** What would make `npm test` too long: `npm run test:long`. */
export default defineConfig({ ...base, test: { ...base.test, include: long } });
