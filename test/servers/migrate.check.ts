import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffLines } from "diff";
import { build } from "esbuild";
import { format } from "prettier";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Comparison, Difference } from "../../src/index.js";
import { mcpgen } from "../cli/support.js";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { httpPrograms, migrations, type Migration } from "./migrations.js";

const folder = mkdtempSync(join(tmpdir(), "mcpgen-migrate-"));
const page = join(root, "src/commands/migrate/INSIDE.md");
const rows = new Map<string, string>();

beforeAll(async () => {
  const packages = [
    "@modelcontextprotocol/sdk@1.32.2",
    "zod-to-json-schema@3.25.0",
    "fastmcp@4.20.16",
  ];
  packages.push("zod@4.6.7", "express@5.3.0");
  packages.push(...migrations.map((one) => `${one.package}@${one.version}`));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module" }),
  );
  const options = [
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--loglevel=error",
  ];
  execFileSync("npm", ["install", ...options, ...packages], {
    cwd: folder,
    stdio: "inherit",
  });
  for (const part of ["package.json", "dist"])
    cpSync(
      join(root, "src/runtime", part),
      join(folder, "node_modules/@mcpgen/runtime", part),
      {
        recursive: true,
      },
    );
  const made = await mcpgen(
    ["--version", "all", "--out", "gen", "--emit", "server"],
    { directory: folder },
  );
  if (made.code !== 0) throw new Error(made.err);
  await build({
    entryPoints: [join(folder, "gen/index.ts")],
    outfile: join(folder, "mcp/index.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["@mcpgen/*"],
  });
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The number of lines that differ: a line that is replaced counts once. */
function changedLines(before: string, after: string): number {
  let count = 0;
  let removed = 0;
  for (const part of diffLines(before, after, { ignoreWhitespace: true })) {
    if (part.removed) removed = part.count;
    else {
      count += part.added ? Math.max(removed, part.count) : removed;
      removed = 0;
    }
  }
  return count + removed;
}

/** The tools as `mcpgen pull` sees them. */
async function pulled(
  { package: name, entry, args = [], env = {} }: Migration,
  out: string,
): Promise<string> {
  const command = {
    command: process.execPath,
    args: [join("node_modules", name, entry), ...args],
    env,
    cwd: folder,
  };
  writeFileSync(
    join(folder, ".mcp.json"),
    JSON.stringify({ mcpServers: { server: command } }),
  );
  const { code, err } = await mcpgen(
    ["pull", "--config", "server", "-o", out, "--no-color"],
    {
      directory: folder,
    },
  );
  expect(code, err).toBe(0);
  return out;
}

/** The tools of a program that listens at a port, over Streamable HTTP. */
async function pulledOverHttp(
  args: (port: number) => readonly string[],
  env: Readonly<Record<string, string>>,
  out: string,
): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, args(port), {
    cwd: folder,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    // Until it listens, no request reaches it.
    for (;;) {
      const url = `http://127.0.0.1:${port}/mcp`;
      const { code, err } = await mcpgen(
        ["pull", "--url", url, "-o", out, "--no-color"],
        {
          directory: folder,
        },
      );
      if (code === 0) return out;
      if (child.exitCode !== null || !/ECONNREFUSED/.test(err))
        throw new Error(err);
    }
  } finally {
    child.kill();
  }
}

/**
 * What is different in the tools of two snapshots, without what only the form
 * of a schema says.
 */
async function toolDrifts(
  before: string,
  after: string,
): Promise<readonly Difference[]> {
  const diff = await mcpgen(["diff", before, after, "--json"], {
    directory: folder,
  });
  const { differences } = JSON.parse(diff.out) as Comparison;
  return differences.filter(
    ({ subject, change }) => subject.kind === "tool" && change !== "restated",
  );
}

describe.each(migrations)(
  "the server $package after mcpgen migrate",
  (migration) => {
    it("runs, and lists the same tools", async () => {
      const { package: name, files, byHand } = migration;
      const at = join(folder, "node_modules", name);
      const paths = files.flatMap((path) =>
        path.endsWith("/")
          ? readdirSync(join(at, path))
              .filter((one) => one.endsWith(".js"))
              .map((one) => path + one)
          : [path],
      );
      const texts = (): string[] =>
        paths.map((path) => readFileSync(join(at, path), "utf8"));
      const before = await pulled(migration, "before.mcp.json");
      const { entry, http, env = {} } = migration;
      const listed = async (to: string): Promise<string> =>
        await pulledOverHttp(
          (port) => [
            join("node_modules", name, entry),
            ...(http?.(port) ?? []),
          ],
          env,
          to,
        );
      const overHttp = http ? await listed("before.http.mcp.json") : null;
      const old = texts();
      const args = [
        "migrate",
        ...paths,
        "--protocol",
        join(folder, "mcp"),
        "--json",
        "--force",
      ];
      const { code, out, err } = await mcpgen(args, { directory: at });
      expect(code, err).toBe(0);
      const report = JSON.parse(out) as {
        readonly files: readonly {
          readonly rows: number;
          readonly places: number;
        }[];
      };
      const converted = texts();
      for (const [path, from, to] of byHand) {
        const text = readFileSync(join(at, path), "utf8");
        expect(text).toContain(from);
        writeFileSync(
          join(at, path),
          text.replace(from, () => to),
        );
      }
      const finished = texts();
      const after = await pulled(migration, "after.mcp.json");
      expect(await toolDrifts(before, after)).toEqual([]);
      if (overHttp !== null)
        expect(
          await toolDrifts(overHttp, await listed("after.http.mcp.json")),
        ).toEqual([]);
      const sum = (pick: "rows" | "places"): number =>
        report.files.reduce((total, file) => total + file[pick], 0);
      const lines = (from: readonly string[], to: readonly string[]): number =>
        from.reduce(
          (total, text, index) => total + changedLines(text, to[index] ?? ""),
          0,
        );
      const { tools } = JSON.parse(
        readFileSync(join(folder, after), "utf8"),
      ) as {
        readonly tools: readonly object[];
      };
      const figures = [
        tools.length,
        sum("rows"),
        lines(old, converted),
        sum("places"),
        lines(converted, finished),
      ];
      rows.set(
        name,
        `| \`${name}\` ${migration.version} | ${migration.uses} | ${figures.join(" | ")} |`,
      );
    });
  },
);

describe.each(httpPrograms)(
  "the program $name after mcpgen migrate",
  ({ name, text, changes }) => {
    it("lists the same tools over HTTP, and nothing is left to do", async () => {
      writeFileSync(join(folder, name), text);
      const before = await pulledOverHttp(
        () => [name],
        {},
        `${name}.before.mcp.json`,
      );
      const { code, err } = await mcpgen(["migrate", name, "--no-color"], {
        directory: folder,
      });
      expect([code, err]).toEqual([
        0,
        expect.stringContaining(" 0 places left\n"),
      ]);
      expect(readFileSync(join(folder, name), "utf8")).not.toMatch(
        /modelcontextprotocol|fastmcp/,
      );
      const after = await pulledOverHttp(
        () => [name],
        {},
        `${name}.after.mcp.json`,
      );
      const drifts = await toolDrifts(before, after);
      expect(drifts.map(({ change }) => change)).toEqual(changes);
    });
  },
);

it("has the figures on its page that were measured", async () => {
  const head =
    "| server | is written with | tools | rows | lines by the command | places left | lines by hand |";
  const table = [
    head,
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ...migrations.map((one) => rows.get(one.package) ?? ""),
  ].join("\n");
  const text = readFileSync(page, "utf8");
  const shown = /<!-- figures -->\n([^]*)<!-- end -->/;
  const wanted = await format(
    text.replace(shown, () => `<!-- figures -->\n\n${table}\n\n<!-- end -->`),
    { parser: "markdown", printWidth: 110 },
  );
  console.log(table);
  if (process.env["MCPGEN_FIGURES"] === "write") writeFileSync(page, wanted);
  expect(readFileSync(page, "utf8")).toBe(wanted);
});
