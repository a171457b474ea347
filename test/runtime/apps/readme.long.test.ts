import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortLived } from "../../engine.js";
import { freePort } from "../../free-port.js";
import { program, root } from "../../repository.js";
import { programForNode } from "../../sources.js";
import { compile } from "../../view/compile.js";
import { until } from "../kit/watch.js";

const page = readFileSync(join(root, "src/runtime/apps/README.md"), "utf8");
const [server = "", host = ""] = [
  ...page.matchAll(/^```ts\n([^]*?)^```$/gm),
].map(([, text = ""]) => text);
const [, output] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
const [, command = ""] = /^ {4}mcpgen (.*)$/m.exec(page) ?? [];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcpgen-apps-page-"));
  execFileSync(
    process.execPath,
    [...shortLived, program, ...command.split(" "), "--quiet"],
    { cwd: folder },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a program of the page into a file that Node runs. */
async function fileOf(
  name: string,
  text: string,
  port: number,
): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  const contents = text.replaceAll(/\b3000\b/g, String(port));
  await build({
    stdin: { contents, loader: "ts", resolveDir: folder },
    outfile,
    ...programForNode,
    external: ["ajv"],
  });
  return outfile;
}

describe("the page on MCP Apps", () => {
  it("has programs that the strictest compiler passes", () => {
    const generated = readdirSync(join(folder, "gen"), {
      recursive: true,
      encoding: "utf8",
    })
      .filter((path) => path.endsWith(".ts"))
      .map(
        (path) =>
          [
            `gen/${path.replaceAll("\\", "/")}`,
            readFileSync(join(folder, "gen", path), "utf8"),
          ] as const,
      );
    expect(
      compile(
        new Map([["server.ts", server], ["host.ts", host], ...generated]),
      ),
    ).toEqual([]);
  });

  it("has a host that prints what is below it, with the server above it", async () => {
    const port = await freePort();
    const [serverFile, hostFile] = [
      await fileOf("server", server, port),
      await fileOf("host", host, port),
    ];
    const child = spawn(process.execPath, [serverFile], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      await until(() => fetch(`http://127.0.0.1:${port}/mcp`));
      const run = spawnSync(process.execPath, [hostFile], { encoding: "utf8" });
      expect(run.stderr).toBe("");
      expect(run.stdout).toBe(output);
    } finally {
      child.kill();
    }
  });
});
