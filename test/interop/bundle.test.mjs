import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderInCheckout, put } from "../files.ts";
import { program, root } from "../repository.ts";

/** The packer of bundles of `@anthropic-ai/mcpb`. */
const packer = join(
  root,
  "test/interop/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js",
);
const package_ = {
  name: "@example/library",
  version: "1.2.3",
  description: "Finds books.",
  author: "Ann Lee <ann@example.com>",
  license: "MIT",
  type: "module",
  bin: "main.js",
};
const server = {
  snapshot: "library.mcp.json",
  card: ".",
  source: { stdio: "node main.js", env: ["API_KEY"] },
};
const tool = (name) => ({ name, inputSchema: { type: "object" } });
const snapshotOf = (...names) => ({
  server: { name: "library", version: "1", title: "Library" },
  revision: "2025-11-25",
  tools: names.map(tool),
  prompts: [{ name: "review", arguments: [{ name: "title" }] }],
});

it("packs the manifest of a bundle that mcpgen card --mcpb writes, and mcpgen check says what is different later", () => {
  const place = folderInCheckout("bundle");
  const run = (file, ...args) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [file, ...args],
      { cwd: place, encoding: "utf8" },
    );
    return { status, text: stdout + stderr };
  };
  const write = (name, content) =>
    put(join(place, name), JSON.stringify(content));
  write("package.json", package_);
  write("library.mcp.json", snapshotOf("find"));
  write("mcpgen.config.json", { servers: [server] });
  put(join(place, "main.js"), "process.exit();\n");

  const made = run(program, "card", "library", "--mcpb");
  expect(made).toMatchObject({ status: 0 });
  expect(run(program, "check")).toMatchObject({ status: 0 });
  expect(run(packer, "validate", "manifest.json")).toMatchObject({ status: 0 });
  expect(run(packer, "pack", ".", "library.mcpb")).toMatchObject({ status: 0 });
  expect(run(packer, "unpack", "library.mcpb", "out")).toMatchObject({
    status: 0,
  });
  const manifest = JSON.parse(
    readFileSync(join(place, "out/manifest.json"), "utf8"),
  );
  expect(manifest).toMatchObject({
    version: "1.2.3",
    tools: [{ name: "find" }],
    user_config: { api_key: { sensitive: true } },
  });

  write("package.json", { ...package_, version: "1.3.0" });
  write("library.mcp.json", snapshotOf("find", "lend"));
  const check = run(program, "check", "--no-color");
  expect(check.status).toBe(1);
  expect(check.text).toContain(
    'MG963 warning: ./manifest.json: version is "1.2.3", and should be "1.3.0"\n    hint: run mcpgen card library --mcpb --out .\n',
  );
  expect(check.text).toContain('tools is [{"name":"find"}], and should be');
});
