import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.js";

/** The schema of an extension that is not bundled. */
export const errands: string = readFileSync(
  join(root, "test/made-up/schema/errands.ts"),
  "utf8",
);
