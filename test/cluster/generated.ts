import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shortLived } from "../engine.js";
import { program } from "../repository.js";
import { type AnyProtocol, described } from "../runtime/kit/revisions.js";

/**
 * The folder of the generated code of all revisions, with the tasks extension.
 */
export const generated: string = realpathSync(
  mkdtempSync(join(tmpdir(), "mcpgen-cluster-gen-")),
);
process.once("exit", () => rmSync(generated, { recursive: true, force: true }));

const args = [
  "--version",
  "all",
  "--extension",
  "tasks",
  "--out",
  generated,
  "--quiet",
];
execFileSync(process.execPath, [...shortLived, program, ...args], {
  stdio: "inherit",
});

const { protocols } = (await import(join(generated, "index.ts"))) as {
  readonly protocols: Readonly<Record<string, AnyProtocol>>;
};
export const revisions: ReturnType<typeof described> = described(protocols);
