import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, "../../dist/cli.js");
const examples = join(
  here,
  "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server",
);
const folder = mkdtempSync(join(tmpdir(), "mcpgen-migrate-"));
symlinkSync(
  join(here, "node_modules"),
  join(folder, "node_modules"),
  "junction",
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Converts a copy of an example, which imports the package by its name. */
async function migrated(name) {
  const at = join(folder, name);
  mkdirSync(at);
  const before = readFileSync(join(examples, name), "utf8").replaceAll(
    /(?<=["'])\.\.\/\.\.\//g,
    "@modelcontextprotocol/sdk/",
  );
  writeFileSync(join(at, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(at, "server.js"), before);
  const args = [program, "migrate", "server.js", "--json"];
  const { code, out } = await new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: at, maxBuffer: 2 ** 26 },
      (error, stdout) => resolve({ code: error?.code ?? 0, out: stdout }),
    );
  });
  const after = readFileSync(join(at, "server.js"), "utf8");
  return { code, before, after, report: out === "" ? null : JSON.parse(out) };
}

describe("an example of a server of the official SDK", () => {
  const names = readdirSync(examples).filter((name) => name.endsWith(".js"));
  const whole = new Set([
    "elicitationFormExample.js",
    "jsonResponseStreamableHttp.js",
    "mcpServerOutputSchema.js",
    "progressExample.js",
    "simpleStatelessStreamableHttp.js",
  ]);

  it.each(names)(
    "is converted without a place that is left, or not at all: %s",
    async (name) => {
      const { code, before, after, report } = await migrated(name);
      if (whole.has(name)) expect(code).toBe(0);
      if (code === 0)
        expect(report.files).toMatchObject([{ state: "written", places: 0 }]);
      else expect(after).toBe(before);
    },
  );
});
