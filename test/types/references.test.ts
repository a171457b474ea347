import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compilers } from "./matrix.js";
import { makeProject, type Project, referencesOf } from "./project.js";

const library = {
  name: "library",
  type: "module",
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./gen/*": { types: "./dist/gen/*.d.ts", default: "./dist/gen/*.js" },
  },
};

const using = `import type { Transport } from "@mcpgen/runtime";
import { connect, createServers } from "library";

const info = { name: "program", version: "1.0.0" };
export const all = (to: Transport) => connect(to, { info });
export const one = (to: Transport) => connect(to, { info, revisions: ["2025-11-25"] });
export const listed = async (to: Transport) => (await connect(to, { info })).listTools();
export const servers = createServers({ info, handlers: {} });
`;

let project: Project;

beforeAll(async () => {
  project = await makeProject();
  await project.generate("node_modules/library/src/gen", "--version", "2025-11-25,2026-07-28");
  project.write("node_modules/library/package.json", JSON.stringify(library));
  project.write(
    "node_modules/library/src/index.ts",
    'export { connect, createServers } from "./gen/index.js";\n',
  );
  project.write("program/src/index.ts", using);
}, 300_000);

afterAll(() => project.remove());

describe.each(compilers)("TypeScript $version with project references", ({ name, version }) => {
  it("writes declarations of a program that exports what connect and createServers of a library return", async () => {
    const config = (at: string, references: object[]): string =>
      JSON.stringify({
        compilerOptions: {
          composite: true,
          rootDir: "src",
          outDir: "dist",
          target: "ES2022",
          lib: ["ES2022", "DOM"],
          types: [],
          module: "NodeNext",
          strict: true,
          skipLibCheck: true,
          tsBuildInfoFile: `${at}-${version}.tsbuildinfo`,
        },
        include: ["src"],
        references,
      });
    project.write("node_modules/library/tsconfig.json", config("library", []));
    project.write("program/tsconfig.json", config("program", [{ path: "../node_modules/library" }]));
    expect(await referencesOf(project, name, "program")).toEqual([]);
    const path = join(project.folder, "program/dist/index.d.ts");
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8")).toMatch(/import\("library\/gen\/2025-11-25\/client(\.js)?"\)\.Client/);
  });
});
