import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  isInstalled,
  runtimeNote,
  runtimePackage,
} from "../../src/cli/destination/installed.js";
import { put } from "../files.js";

/** A project whose packages have these manifests. */
function project(manifests: Readonly<Record<string, object>>): string {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-installed-"));
  put(join(folder, "package.json"), "{}");
  for (const [name, manifest] of Object.entries(manifests))
    put(
      join(folder, "node_modules", name, "package.json"),
      JSON.stringify({ name, ...manifest }),
    );
  return folder;
}

describe("a package that a project imports", () => {
  const exported = { exports: { ".": "./index.js" } };
  it.each([
    ["installed", { [runtimePackage]: {} }, true],
    [
      "installed, and does not export its manifest",
      { [runtimePackage]: exported },
      true,
    ],
    ["missing", {}, false],
    [
      "missing beside another one of its name space",
      { "@mcpgen/auth": {} },
      false,
    ],
  ])("is known to be %s", async (_, manifests, isThere) => {
    const folder = project(manifests);
    // The folder of the generated files need not exist yet.
    const out = join(folder, "src/gen");
    expect(isInstalled(runtimePackage, out)).toBe(isThere);
    const text = `import { http } from "${runtimePackage}/http";\n`;
    expect((await runtimeNote(out, [text])) === null).toBe(isThere);
    expect(await runtimeNote(out, ["export {};\n"])).toBeNull();
  });
});
