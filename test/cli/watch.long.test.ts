import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put } from "../files.js";
import { root } from "../repository.js";
import { until as untilTrue } from "../runtime/kit/watch.js";
import { fixture } from "../stubs/project.js";
import { directory, ended, mcpgen, smallSchema, start } from "./support.js";

/**
 * Waits until a file has a text. A file that is being written may be read while
 * it is empty, and the program runs once more.
 */
const has = (path: string, text: string): Promise<void> =>
  untilTrue(() => expect(readFileSync(path, "utf8")).toContain(text));

describe("mcpgen --watch", () => {
  /** Starts the program; `until` waits for a text on its standard error. */
  function watching(place: string, ...args: string[]) {
    const child = start([...args, "--watch", "--no-color"], {
      directory: place,
    });
    let output = "";
    let wake = (): void => undefined;
    child.stderr?.on("data", (part: Buffer) => {
      output += String(part);
      wake();
    });
    const until = async (text: string): Promise<void> => {
      while (!output.includes(text))
        await new Promise<void>((resolve) => (wake = resolve));
      output = output.slice(output.indexOf(text) + text.length);
    };
    return { child, until };
  }

  it("runs again when a schema changes, continues after an error, and exits with 130 on an interrupt", async () => {
    const place = directory({ "own/schema.ts": smallSchema });
    const schema = join(place, "own/schema.ts");
    const { child, until } = watching(
      place,
      "--schema",
      "own/schema.ts",
      "--out",
      "gen",
      "--emit",
      "types",
    );
    await until("watching for changes");
    writeFileSync(
      schema,
      `${smallSchema}export interface Broken { a: Nothing }\n`,
    );
    await until("MG105");
    await until("watching for changes");
    writeFileSync(
      schema,
      `${smallSchema}export interface Mended { a: string }\n`,
    );
    await until("watching for changes");
    await has(join(place, "gen/types.ts"), "Mended");
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(130);
  });

  it("runs again when facts appear beside a schema", async () => {
    const place = directory({ "own/schema.ts": smallSchema });
    const { child, until } = watching(
      place,
      "--schema",
      "own/schema.ts",
      "--out",
      "gen",
    );
    await until("watching for changes");
    writeFileSync(
      join(place, "own/facts.json"),
      '{ "headers": { "version": "X-Version" } }',
    );
    await until("watching for changes");
    await has(join(place, "gen/dispatch.ts"), "X-Version");
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(130);
  });

  it("runs again when a configuration changes, or a snapshot that it names", async () => {
    const config = (name: string): string =>
      JSON.stringify({
        servers: [{ snapshot: name, out: "gen", emit: ["client"] }],
      });
    const place = directory({
      "mcpgen.config.json": config("a.mcp.json"),
      "a.mcp.json": fixture("weather"),
      "b.mcp.json": fixture("weather"),
    });
    const { child, until } = watching(place);
    await until("watching for changes");
    writeFileSync(join(place, "mcpgen.config.json"), config("b.mcp.json"));
    await until("watching for changes");
    writeFileSync(
      join(place, "b.mcp.json"),
      fixture("weather").replace('"warn"', '"alarm"'),
    );
    await until("watching for changes");
    await has(join(place, "gen/client.ts"), "alarm");
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(130);
  });

  it("runs again when files are deleted and come back, as in a switch of branches", async () => {
    const config = JSON.stringify({
      servers: [{ snapshot: "a/a.mcp.json", out: "gen", emit: ["client"] }],
    });
    const place = directory({
      "mcpgen.config.json": config,
      "a/a.mcp.json": fixture("weather"),
    });
    const { child, until } = watching(place, "--config", "mcpgen.config.json");
    await until("watching for changes");
    for (const tool of ["alarm", "siren"]) {
      rmSync(join(place, "a"), { recursive: true });
      await until("MG");
      await until("watching for changes");
      put(
        join(place, "a/a.mcp.json"),
        fixture("weather").replace('"warn"', `"${tool}"`),
      );
      await until("watching for changes");
      await has(join(place, "gen/client.ts"), tool);
    }
    rmSync(join(place, "mcpgen.config.json"));
    await until("MG740");
    await until("watching for changes");
    put(join(place, "mcpgen.config.json"), config.replace('"gen"', '"back"'));
    await until("watching for changes");
    await has(join(place, "back/client.ts"), "siren");
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(130);
  });

  it("runs again when a file that the configuration imports changes, or a template", async () => {
    const place = directory({
      "mcpgen.config.ts": `
        import { jobs } from "./config/jobs.js";
        export default { generate: jobs };`,
      "config/jobs.ts": `
        import { out } from "./out.mjs";
        import more from "./more.json";
        export const jobs = [{ version: "latest", emit: ["types"], out, ...more }];`,
      "config/out.mjs": 'export const out = "one";',
      "config/more.json": "{}",
      "templates/partials/unused.hbs": "",
    });
    const { child, until } = watching(place);
    await until("watching for changes");
    put(join(place, "config/out.mjs"), 'export const out = "two";');
    await until("two");
    await until("watching for changes");
    put(
      join(place, "config/more.json"),
      '{ "out": "three", "templates": "templates" }',
    );
    await until("three");
    await until("watching for changes");
    put(join(place, "templates/partials/other.hbs"), "");
    await until("other.hbs");
    await until("watching for changes");
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(130);
  });

  it("runs again when the schema of an extension changes", async () => {
    const extension = readFileSync(
      join(root, "test/made-up/schema/errands.ts"),
      "utf8",
    );
    const place = directory({ "errands.ts": extension });
    const flags = [
      "--version",
      "latest",
      "--extension",
      "./errands.ts",
      "--out",
      "gen",
      "--emit",
      "types",
    ];
    const { child, until } = watching(place, ...flags);
    await until("watching for changes");
    writeFileSync(
      join(place, "errands.ts"),
      extension.replace("HIGHEST_PRICE = 500", "HIGHEST_PRICE = 600"),
    );
    await until("watching for changes");
    await has(join(place, "gen/types.ts"), "HIGHEST_PRICE = 600");
    child.kill("SIGINT");
    expect((await ended(child)).code).toBe(130);
  });

  it("refuses to watch a bundled revision, which cannot change", async () => {
    const { code, err } = await mcpgen(
      ["--version", "latest", "--out", "gen", "--watch", "--no-color"],
      {
        directory: directory(),
      },
    );
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG705 there is nothing to watch/),
    ]);
  });

  it("reports that no configuration was found in an empty project", async () => {
    const { code, err, out } = await mcpgen(
      ["--watch", "--json", "--no-color"],
      { directory: directory() },
    );
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG740 no configuration was found.*\n {4}hint: /),
    ]);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      diagnostics: [{ code: "MG740" }],
    });
  });
});
