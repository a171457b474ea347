import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { directory, mcpgen, type Ended } from "../cli/support.js";
import { fixture } from "../stubs/project.js";
import {
  base,
  planted,
  type Planted,
  reordered,
  withDrift,
} from "./planted.js";

const offer = fileURLToPath(new URL("offer.mjs", import.meta.url));
const stdio = `${JSON.stringify(process.execPath)} ${JSON.stringify(offer)} now.json`;

/**
 * A project whose server offers `now`, and whose snapshot has the text `base`.
 */
function project(
  now: string,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const servers = [{ snapshot: "desk.mcp.json", source: { stdio }, ...more }];
  return directory({
    "desk.mcp.json": base,
    "now.json": now,
    "mcpgen.config.json": JSON.stringify({ servers }),
  });
}

interface Report {
  readonly jobs: readonly {
    readonly ok: boolean;
    readonly drift: {
      readonly differences: readonly Readonly<Record<string, unknown>>[];
      readonly idle: unknown[];
    };
    readonly output: {
      readonly state: string;
      readonly reasons: readonly { readonly kind: string }[];
    };
  }[];
}

async function check(
  place: string,
  ...more: string[]
): Promise<Ended & { readonly report: Report | null }> {
  const end = await mcpgen(["check", "--quiet", ...more], { directory: place });
  return {
    ...end,
    report: more.includes("--json") ? (JSON.parse(end.out) as Report) : null,
  };
}

/** A project with a server for each row, which has drifted as the row says. */
function drifted(rows: readonly Planted[]): string {
  const servers = rows.map((_, i) => ({
    snapshot: `${i}/desk.mcp.json`,
    source: { stdio: stdio.replace("now.json", `${i}/now.json`) },
  }));
  const files = rows.flatMap((row, i) => [
    [`${i}/desk.mcp.json`, base],
    [`${i}/now.json`, withDrift(row)],
  ]);
  return directory({
    ...Object.fromEntries(files),
    "mcpgen.config.json": JSON.stringify({ servers }),
  });
}

describe("mcpgen check --live", () => {
  describe("with --fail-on breaking", () => {
    const isBreaking = ({ callers }: Planted): boolean =>
      callers === "breaking";
    let checked: Awaited<ReturnType<typeof check>>;
    beforeAll(async () => {
      checked = await check(
        drifted(planted),
        "--live",
        "--json",
        "--fail-on",
        "breaking",
      );
    });

    it.each(planted.map((row, i) => ({ ...row, i })))(
      "fails only for a change that breaks callers: $title",
      (row) => {
        const { change, callers, implementers } = row;
        const job = checked.report?.jobs[row.i];
        expect(job?.ok).toBe(!isBreaking(row));
        expect(job?.drift.differences).toMatchObject([
          {
            change,
            effects: [
              { who: "callers", what: callers },
              { who: "implementers", what: implementers },
            ],
          },
        ]);
      },
    );

    it("exits with 1 if one of several jobs fails, and with 0 if none does", async () => {
      expect([checked.code, checked.err]).toEqual([1, ""]);
      const well = planted.filter((row) => !isBreaking(row)).slice(0, 3);
      const one = [...well, ...planted.filter(isBreaking).slice(0, 1)];
      expect(
        (await check(drifted(one), "--live", "--fail-on", "breaking")).code,
      ).toBe(1);
      expect(
        (await check(drifted(well), "--live", "--fail-on", "breaking")).code,
      ).toBe(0);
    });
  });

  it.each(["breaking", "safety", "compatible", "documentation"])(
    "fails on any drift by default: %s",
    async (expected) => {
      const row =
        planted.find(({ callers }) => callers === expected) ?? never();
      expect((await check(project(withDrift(row)), "--live")).code).toBe(1);
    },
  );

  it("ignores a server that only reorders its lists", async () => {
    const { code, err, out } = await check(project(reordered()), "--live");
    expect([code, err, out]).toEqual([0, "", ""]);
  });

  it("uses the class for implementers if only the server is generated", async () => {
    const added = withDrift(planted[1] ?? never());
    const place = project(added, { emit: ["server"] });
    expect((await check(place, "--live", "--fail-on", "breaking")).code).toBe(
      1,
    );
    expect(
      (await check(project(added), "--live", "--fail-on", "breaking")).code,
    ).toBe(0);
  });

  it("fails on weaker safety hints with --fail-on review", async () => {
    const weakened = project(withDrift(planted[23] ?? never()));
    expect((await check(weakened, "--live", "--fail-on", "review")).code).toBe(
      1,
    );
    expect(
      (await check(weakened, "--live", "--fail-on", "breaking")).code,
    ).toBe(0);
  });

  const accepting = async () => {
    const place = project(withDrift(planted[9] ?? never()));
    expect((await check(place, "--live", "--accept")).code).toBe(0);
    return place;
  };

  it("does not advise --accept after it, and prints differences with --markdown once", async () => {
    const place = project(withDrift(planted[9] ?? never()));
    const run = (...args: string[]): Promise<{ out: string; err: string }> =>
      mcpgen(["check", "--live", "--no-color", ...args], { directory: place });
    const found = await run("--markdown");
    expect(found.out).toContain("input.shelf");
    expect(found.err).not.toContain("input.shelf");
    const { err } = await run("--accept");
    expect(err).toContain("mcpgen.accepted.json: 1 accepted");
    expect(err).not.toContain("to accept the differences");
  });

  it("accepts exactly the current drifts with --accept", async () => {
    const place = await accepting();
    const accepted = readFileSync(join(place, "mcpgen.accepted.json"), "utf8");
    expect(JSON.parse(accepted)).toMatchObject({
      format: 1,
      servers: {
        "desk.mcp.json": [
          { change: "value-added", path: "input.shelf", after: '"maps"' },
        ],
      },
    });
    expect((await check(place, "--live")).code).toBe(0);
  });

  it("reports accepted rows that match no drift", async () => {
    const place = await accepting();
    const other = withDrift(planted[9] ?? never()).replace(
      '"maps"',
      '"charts"',
    );
    writeFileSync(join(place, "now.json"), other);
    const again = await check(place, "--live", "--json");
    expect([again.code, again.report?.jobs[0]?.drift.idle.length]).toEqual([
      1, 1,
    ]);
    const text = await mcpgen(["check", "--live", "--no-color"], {
      directory: place,
    });
    expect(text.err).toContain(
      "accepted, but no longer present: value-added of tool find_books input.shelf",
    );
  });

  it("still accepts the rows of a file that calls the texts was and is, and writes them as before and after", async () => {
    const place = project(withDrift(planted[9] ?? never()));
    const path = join(place, "mcpgen.accepted.json");
    const accepted = async (): Promise<string> => {
      expect((await check(place, "--live", "--accept")).code).toBe(0);
      return readFileSync(path, "utf8");
    };
    const text = await accepted();
    const earlier = text
      .replace('"before"', '"was"')
      .replace('"after"', '"is"');
    expect(earlier).not.toBe(text);
    writeFileSync(path, earlier);
    expect((await check(place, "--live")).code).toBe(0);
    expect(await accepted()).toBe(text);
  });

  it("writes Markdown for a comment on a pull request", async () => {
    const { out } = await check(
      project(withDrift(planted[0] ?? never())),
      "--live",
      "--markdown",
    );
    expect(out).toContain("### Tool `lend_book`");
    expect(out).toContain("- **breaking** removed (breaks callers)");
  });

  it("exits with 3 if a server cannot be reached, and still checks the others", async () => {
    const place = project(withDrift(planted[0] ?? never()));
    const path = join(place, "mcpgen.config.json");
    const { servers } = JSON.parse(readFileSync(path, "utf8")) as {
      readonly servers: readonly object[];
    };
    const unreachable = {
      snapshot: "desk.mcp.json",
      source: { stdio: "node gone.mjs" },
    };
    writeFileSync(path, JSON.stringify({ servers: [unreachable, ...servers] }));
    const end = await check(place, "--live", "--json");
    // The error output of the server comes first.
    expect([end.code, end.err]).toEqual([
      3,
      expect.stringMatching(/^MG73\d .*\n {4}in job desk\.mcp\.json/m),
    ]);
    expect(end.report?.jobs[1]?.drift.differences).toHaveLength(1);
  });
});

function never(): never {
  throw new Error("There are fewer planted drifts.");
}

describe("mcpgen check", () => {
  const jobs = {
    generate: [{ out: "gen/mcp", version: "2025-06-18", emit: ["types"] }],
    servers: [
      { snapshot: "weather.mcp.json", out: "gen/weather", emit: ["client"] },
    ],
  };
  const generated = async (): Promise<string> => {
    const place = directory({
      "weather.mcp.json": fixture("weather"),
      "mcpgen.config.json": JSON.stringify(jobs),
    });
    expect((await mcpgen([], { directory: place })).code).toBe(0);
    return place;
  };
  const reasons = async (place: string): Promise<unknown> => {
    const { code, report } = await check(place, "--json");
    const states = report?.jobs.map(({ output }) => [
      output.state,
      ...output.reasons.map(({ kind }) => kind),
    ]);
    return [code, ...(states ?? [])];
  };

  it("reports current output as up to date, and writes nothing", async () => {
    const place = await generated();
    const before = filesIn(place);
    expect(await reasons(place)).toEqual([0, ["current"], ["current"]]);
    expect(filesIn(place)).toEqual(before);
  });

  it("distinguishes an edited file and a changed snapshot", async () => {
    const place = await generated();
    const types = join(place, "gen/mcp/types.ts");
    writeFileSync(
      types,
      `${readFileSync(types, "utf8")}export type Mine = 1;\n`,
    );
    const snapshot = join(place, "weather.mcp.json");
    const text = readFileSync(snapshot, "utf8");
    writeFileSync(snapshot, text.replace("as it is now", "as it was"));
    expect(await reasons(place)).toEqual([
      1,
      ["stale", "files"],
      ["stale", "source"],
    ]);
  });

  const outdated = async () => {
    const place = await generated();
    olderBy(join(place, "gen/mcp"));
    return place;
  };

  it.each(["breaking", "review"])(
    "reports another version of mcpgen, and does not fail on it with --fail-on %s",
    async (severity) => {
      const place = await outdated();
      expect(await reasons(place)).toEqual([
        1,
        ["generator", "generator"],
        ["current"],
      ]);
      const { code, report } = await check(
        place,
        "--json",
        "--fail-on",
        severity,
      );
      expect([code, report]).toMatchObject([0, { ok: true }]);
    },
  );

  it("says what another version of mcpgen has outdated, and how to update it", async () => {
    const place = await outdated();
    const printed = await mcpgen(["check", "--no-color"], { directory: place });
    expect(printed.err).toMatch(
      /^gen\/mcp: only the generator's version has changed\n {2}generated by mcpgen 0\.0\.9; .*\n {2}outdated +\.mcpgen\.json$/m,
    );
    expect(printed.err).toContain(
      "run mcpgen to update the files of another mcpgen version",
    );
    expect(printed.err).not.toContain("what is stale");
  });

  it("checks the jobs of a configuration in a parent folder", async () => {
    const place = await generated();
    writeFileSync(join(place, "gen/mcp/sub.txt"), "");
    const { code, err } = await mcpgen(["check"], {
      directory: join(place, "gen/mcp"),
    });
    expect([code, err.match(/up to date/g)?.length]).toEqual([0, 2]);
  });

  it("exits with 2 without a configuration", async () => {
    const { code, err } = await check(directory());
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG740 no configuration was found/),
    ]);
  });
});

/**
 * Makes the output look as if an older mcpgen had generated it: only the
 * manifest names a version.
 */
function olderBy(out: string): void {
  const path = join(out, ".mcpgen.json");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(
      /mcpgen \d+\.\d+\.\d+[\w.-]*/,
      "mcpgen 0.0.9",
    ),
  );
}
