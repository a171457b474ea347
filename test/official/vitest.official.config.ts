import { defineConfig } from "vitest/config";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the official schemas. */
    official: string;
  }
}

const official = process.env["MCPGEN_OFFICIAL"];
if (official === undefined)
  throw new Error("name the folder of the official schemas: npm run test:official -- <folder>");

export default defineConfig({
  test: { include: ["test/official/**/*.check.ts"], provide: { official }, testTimeout: 60_000 },
});
