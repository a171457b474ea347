import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  isInstalled,
  runtimeNote,
  runtimePackage,
} from "../../src/cli/destination/installed.js";
import { installStep } from "../../src/cli/commands/init/files.js";
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

describe("the step that installs packages", () => {
  const [a, b, c, d] = ["a", "b", "@c/c", "@d/d"] as const;
  it.each<
    [
      installed: readonly string[],
      imported: readonly string[],
      development: readonly string[],
      step: string,
    ]
  >([
    [[], [], [], ""],
    [[a, b], [a], [b], ""],
    [[], [a], [], "npm install a"],
    [[], [a, c], [], "npm install a @c/c"],
    [[a], [a, c], [], "npm install @c/c"],
    [[], [], [b], "npm install --save-dev b"],
    [[b], [a], [b, d], "npm install a && npm install --save-dev @d/d"],
    [[], [a, c], [b, d], "npm install a @c/c && npm install --save-dev b @d/d"],
  ])(
    "names those that are missing: of %j, with %j and %j",
    (installed, imported, development, step) => {
      const folder = project(
        Object.fromEntries(installed.map((name) => [name, {}])),
      );
      expect(installStep(folder, imported, development)).toBe(
        step === "" ? "" : `install what is missing:   ${step}\n`,
      );
    },
  );
});
