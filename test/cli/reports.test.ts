import { describe, expect, it } from "vitest";
import { withServer } from "../../src/cli/commands/add/edit-config.js";
import { fails, type LiveDrift } from "../../src/cli/commands/check/drift.js";
import type { JobCheck } from "../../src/cli/commands/check/job.js";
import {
  checksMarkdown,
  jobText,
} from "../../src/cli/commands/check/report.js";
import type { Staleness } from "../../src/cli/commands/check/staleness.js";
import { unifiedDiff } from "../../src/cli/commands/generate/check.js";
import { filesReport } from "../../src/cli/commands/generate/report.js";
import { adviceOn, pullReport } from "../../src/cli/commands/pull/report.js";
import type { Source } from "../../src/cli/source/find.js";
import {
  nameFor,
  stemIn,
  stemOf,
  targetOf,
} from "../../src/cli/snapshot-file.js";
import { makeStyle, printed } from "../../src/cli/terminal.js";
import type { Difference } from "../../src/generator/ir/change/model.js";
import { parseSnapshot } from "../../src/generator/inputs/snapshots.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import { directory } from "./support.js";

const plain = makeStyle(false);

describe("the report about a folder of generated files", () => {
  const reportOn = (...files: (readonly [path: string, state: string])[]) =>
    filesReport({
      out: "gen",
      mode: "write",
      revisions: ["a", "b"],
      files: files.map(([path, state]) => ({ path, state, bytes: 1500 })),
    });

  it("has a line for each changed file, aligned, and counts all states", () => {
    const report = reportOn(
      ["a.ts", "written"],
      ["long/name.ts", "outdated"],
      ["same.ts", "unchanged"],
      ["b.ts", "removed"],
      ["c.ts", "leftover"],
      ["d.ts", "written"],
    );
    expect(report.text?.(plain)).toBe(
      "  written    a.ts           1.5 kB\n  outdated   long/name.ts   1.5 kB\n  removed    b.ts\n  leftover   c.ts\n  written    d.ts           1.5 kB\ngen: 2 written, 1 outdated, 1 unchanged, 1 removed, 1 leftover from a, b\n",
    );
    expect(report).toMatchObject({
      exitCode: 0,
      json: { ok: true, out: "gen", mode: "write", revisions: ["a", "b"] },
    });
  });

  it("says that nothing changed", () => {
    expect(reportOn(["a.ts", "unchanged"]).text?.(plain)).toBe(
      "gen is up to date: 1 file from a, b\n",
    );
  });

  it.each([
    ["written", 32],
    ["new", 32],
    ["edited", 31],
    ["foreign", 31],
    ["outdated", 33],
    ["removed", 33],
  ])("paints %s", (state, code) => {
    const text = printed(reportOn(["a", state]).text?.(makeStyle(true)) ?? "");
    expect(
      text.startsWith(`  \u001b[${code}m${state.padEnd(9)}\u001b[39m`),
    ).toBe(true);
  });
});

describe("the difference of two texts", () => {
  const numbered = (count: number, word = "line"): string =>
    Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join("");

  it("has three lines around each change, in the colours of a diff", () => {
    const before = numbered(9).replace("line 5", "line 5 @@");
    const after = before.replace("line 4", "other +");
    const shown = unifiedDiff(
      ["a.ts", "b.ts"],
      [before, after],
      makeStyle(true),
    );
    const { bold, red, green, cyan } = makeStyle(true);
    expect(printed(shown)).toContain("\u001b[31m-line 4\u001b[39m");
    expect(shown).toBe(
      [
        bold("--- a.ts"),
        bold("+++ b.ts"),
        cyan("@@ -2,7 +2,7 @@"),
        " line 1",
        " line 2",
        " line 3",
        red("-line 4"),
        green("+other +"),
        " line 5 @@",
        " line 6",
        " line 7",
        "",
      ].join("\n"),
    );
  });

  it("is a count if too many lines differ", () => {
    const shown = unifiedDiff(
      ["a.ts", "b.ts"],
      [numbered(9000), numbered(8000, "other")],
      plain,
    );
    expect(shown).toMatch(
      /^--- a\.ts\n\+\+\+ b\.ts\n@@ more than \d+ lines differ: the file has 9000, the new one 8000 @@\n$/,
    );
  });
});

describe("the report about a snapshot", () => {
  const snapshotWith = async (lists: object) =>
    await parseSnapshot(
      {
        text: JSON.stringify({
          server: { name: "s", version: "1" },
          revision: "2025-11-25",
          ...lists,
        }),
        file: "s.mcp.json",
        name: "s",
      },
      new Diagnostics(),
    );
  const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

  it.each<[lists: object, what: string, counts: object]>([
    [
      { tools: [] },
      "nothing offered",
      { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 },
    ],
    [{ tools: [tool("a")] }, "1 tool", { tools: 1 }],
    [
      {
        tools: [tool("a"), tool("b")],
        prompts: [{ name: "p" }],
        resources: [{ name: "r", uri: "a://b" }],
        resourceTemplates: [
          { name: "t", uriTemplate: "a://{b}" },
          { name: "u", uriTemplate: "b://{b}" },
        ],
      },
      "2 tools, 1 prompt, 1 resource, 2 resource templates",
      { tools: 2, prompts: 1, resources: 1, resourceTemplates: 2 },
    ],
  ])("counts what the server offers: %j", async (lists, what, counts) => {
    const report = pullReport(
      "s.mcp.json",
      "written",
      "ä",
      await snapshotWith(lists),
      [],
    );
    expect(report.text?.(plain)).toBe(
      `s.mcp.json: written, 2 B, revision 2025-11-25, ${what}\n`,
    );
    expect(report).toMatchObject({
      exitCode: 0,
      json: { ok: true, ...counts },
    });
  });

  it("fails only if it is stale", async () => {
    const snapshot = await snapshotWith({ tools: [] });
    const code = (state: "unchanged" | "stale" | "written") =>
      pullReport("s", state, "", snapshot, []).exitCode;
    expect([code("unchanged"), code("stale"), code("written")]).toEqual([
      0, 1, 0,
    ]);
  });

  const job = (out?: string): Source => ({
    kind: "configured",
    text: "a.mcp.json",
    directory: "/",
    parts: {
      job: { snapshot: "a.mcp.json", ...(out !== undefined && { out }) },
    },
  });
  const file: Source = {
    kind: "entry",
    text: "weather",
    directory: "/",
    parts: {},
  };

  it.each<
    [
      servers: (readonly ["unchanged" | "stale" | "written" | null, Source])[],
      advice: string,
    ]
  >([
    [[["written", job("gen")]], "next, generate the files: npx mcpgen\n"],
    [[["written", job()]], ""],
    [[["unchanged", job("gen")]], ""],
    [[["unchanged", file]], ""],
    [[[null, file]], ""],
    [
      [["written", file]],
      'keep it current: npx mcpgen add "weather" --name s0\n',
    ],
    [
      [
        ["written", file],
        ["written", job("gen")],
      ],
      'keep it current: npx mcpgen add "weather" --name s0\nnext, generate the files: npx mcpgen\n',
    ],
    [
      [
        ["written", job("gen")],
        ["stale", file],
      ],
      "run the same command without --check to write it\n",
    ],
  ])("says what to do next: %j", (rows, advice) => {
    const servers = rows.map(([state], i) => ({
      state,
      out: `x/s${i}.mcp.json`,
    }));
    expect(
      adviceOn(
        servers,
        rows.map(([, source]) => source),
      ),
    ).toBe(advice);
  });
});

describe("the name of a snapshot", () => {
  it.each([
    ["a/b.mcp.json", "b"],
    ["b.json", "b"],
    ["b.mcp.jsonx", "b.mcp.jsonx"],
  ])("is that of its file: %s", (path, stem) => {
    expect(stemIn(path)).toBe(stem);
  });

  it.each([
    ["My Server", "my-server"],
    ["--Zürich / 2!", "zurich-2"],
    ["", "server"],
    ["天気", "server"],
    ["con", "server-con"],
    ["x".repeat(61), "x".repeat(60)],
    [`${"x".repeat(59)} y`, "x".repeat(59)],
  ])("is made of letters and digits of a name: %s", (name, stem) => {
    expect(stemOf(name)).toBe(stem);
  });

  it.each([
    ["https://mcp.example.com/mcp", true, "example"],
    ["https://example.com", true, "example"],
    ["https://weather-mcp.example.co", true, "example"],
    ["http://localhost:1", true, null],
    ["http://127.0.0.1:1", true, null],
    ["http://[::1]:1", true, null],
    ["https://mcp.com", true, null],
    ["npx -y @scope/server-files", false, "files"],
    ["npx -y @scope/mcp-server-files@1.2", false, "files"],
    ["uvx files-mcp", false, "files"],
    ["files", false, "files"],
    ["npm run desk", false, "desk"],
    ["pnpm dlx desk#main", false, "desk"],
    ["node src/desk.js", false, "desk"],
    ["tsx desk.mts --flag", false, "desk"],
    ["python C:\\x\\desk.py", false, "desk"],
    ["node index.js", false, null],
    ["node src/server.ts", false, null],
    ["bun mcp-server", false, null],
  ])("is said by its address or not: %s", (address, isUrl, name) => {
    expect(nameFor(address, isUrl)).toBe(name);
  });

  it.each([
    [null, "my-server.mcp.json", "my-server.mcp.json"],
    ["x.json", "x.json", "x.json"],
    ["in", "in/my-server.mcp.json", "in/my-server.mcp.json"],
    ["in//", "in/my-server.mcp.json", "in/my-server.mcp.json"],
    ["new/", "new/my-server.mcp.json", "new/my-server.mcp.json"],
    ["new", "new", "new"],
  ])("is in the folder of -o, or is -o: %s", async (out, shown, inside) => {
    const place = directory({ "in/a.txt": "" });
    expect(await targetOf(out, place, "My server")).toEqual({
      shown,
      path: `${place}/${inside}`,
    });
  });
});

const difference = (what?: "breaking" | "compatible"): Difference => ({
  subject: { kind: "tool", name: "find" },
  path: "",
  change: what === "breaking" ? "removed" : "added",
  before: null,
  after: null,
  effects: what === undefined ? [] : [{ who: "callers", what }],
});
function drift(
  differences: readonly Difference[],
  more: Partial<LiveDrift> = {},
): LiveDrift {
  const side = { server: "s", revision: "2025-11-25", source: "s" };
  return {
    comparison: {
      format: 2,
      basis: "snapshot",
      from: side,
      to: side,
      differences,
    },
    accepted: [],
    idle: [],
    audience: "callers",
    ...more,
  };
}

describe("the check of a server", () => {
  it.each<
    [
      differences: Difference[],
      any: boolean,
      review: boolean,
      breaking: boolean,
    ]
  >([
    [[], false, false, false],
    [[difference("compatible")], true, false, false],
    [[difference("breaking")], true, true, true],
    [[difference("compatible"), difference("breaking")], true, true, true],
  ])(
    "fails by its differences and the threshold: %j",
    (differences, any, review, breaking) => {
      const one = drift(differences);
      expect([fails(one, "any"), fails(one, "breaking")]).toEqual([
        any,
        breaking,
      ]);
      expect(fails(one, "review")).toBe(review);
      expect(fails({ ...one, audience: "implementers" }, "breaking")).toBe(
        false,
      );
    },
  );

  const stale: Staleness = {
    state: "stale",
    reasons: [{ kind: "source", text: "# a.mcp.json has *changed*" }],
    files: [{ path: "client.ts", state: "outdated" }],
  };
  const check = (more: Partial<JobCheck>): JobCheck => ({
    out: null,
    snapshot: "a.mcp.json",
    output: null,
    drift: null,
    diagnostics: [],
    ...more,
  });
  const idle = [
    { ...difference(), path: "input.x", change: "added" },
  ] as unknown as LiveDrift["idle"];

  it.each<[what: string, JobCheck, text: string]>([
    ["nothing", check({}), "a.mcp.json: no files are generated from it\n"],
    [
      "a folder that is current",
      check({
        out: "gen",
        output: { state: "current", reasons: [], files: [] },
      }),
      "gen: up to date\n",
    ],
    [
      "a stale folder",
      check({ out: "gen", output: stale }),
      "gen: stale\n  # a.mcp.json has *changed*\n  outdated  client.ts\n",
    ],
    [
      "a folder of another version",
      check({ out: "gen", output: { ...stale, state: "generator" } }),
      "gen: only the generator's version has changed\n  # a.mcp.json has *changed*\n  outdated  client.ts\n",
    ],
    [
      "no drift",
      check({ drift: drift([]) }),
      "a.mcp.json: the server is as in its snapshot\n",
    ],
    [
      "accepted drift",
      check({ drift: drift([], { accepted: [difference()], idle }) }),
      "a.mcp.json: the server is as in its snapshot (1 accepted)\n  accepted, but no longer present: added of tool find input.x\n",
    ],
    [
      "a stale folder, and what is not accepted any more",
      check({
        out: "gen",
        output: { ...stale, files: [...stale.files, ...stale.files] },
        drift: drift([], { idle: [difference(), ...idle] as never }),
      }),
      "gen: stale\n  # a.mcp.json has *changed*\n  outdated  client.ts\n  outdated  client.ts\na.mcp.json: the server is as in its snapshot\n  accepted, but no longer present: added of tool find\n  accepted, but no longer present: added of tool find input.x\n",
    ],
  ])("is for a terminal %s", (_, given, text) => {
    expect(jobText(given, plain)).toBe(text);
  });

  it("is for a terminal each difference, indented", () => {
    const text = jobText(
      check({ drift: drift([difference("breaking")]) }),
      plain,
    );
    expect(text).toMatch(
      /^a\.mcp\.json: the server differs from its snapshot\n {2}\S/,
    );
    expect(
      text
        .trimEnd()
        .split("\n")
        .slice(1)
        .every((line) => line === "" || line.startsWith("  ")),
    ).toBe(true);
  });

  it("is as Markdown what is not up to date, with the text of strangers escaped", () => {
    expect(checksMarkdown([])).toBe("Everything is up to date.\n");
    expect(
      checksMarkdown([
        check({
          out: "gen",
          output: { ...stale, state: "current" },
          drift: drift([]),
        }),
      ]),
    ).toBe("Everything is up to date.\n");
    expect(
      checksMarkdown([
        check({ out: "gen", output: stale }),
        check({ out: "x", output: { ...stale, state: "generator" } }),
      ]),
    ).toBe(
      "## gen is stale\n\n- &#35; a.mcp.json has &#42;changed&#42;\n\n## x is generated by another version of mcpgen\n\n- &#35; a.mcp.json has &#42;changed&#42;\n",
    );
    expect(
      checksMarkdown([
        check({ drift: drift([], { accepted: [difference()], idle }) }),
      ]),
    ).toBe(
      "Accepted differences of a.mcp.json: 1.\n\nAccepted, but no longer present:\n\n- added of tool find input.x\n",
    );
    expect(
      checksMarkdown([check({ drift: drift([difference("breaking")]) })]),
    ).toMatch(/^## .*\n[^]*\*\*breaking\*\*/);
    const whole = checksMarkdown([
      check({
        out: "gen",
        output: stale,
        drift: drift([difference("breaking")], {
          accepted: [difference()],
          idle,
        }),
      }),
    ]);
    expect(whole).toMatch(
      /^## gen is stale\n\n- [^\n]*\n\n## [^]*\n\nAccepted differences of a\.mcp\.json: 1\.\n\nAccepted, but no longer present:\n\n- added of tool find input\.x\n$/,
    );
  });
});

describe("a configuration with one more server", () => {
  const job = { snapshot: "b.mcp.json" };
  const added = "- snapshot: b.mcp.json";
  it.each<[before: string, after: string | null]>([
    ["", `servers:\n  ${added}\n`],
    ["accepted: a", `accepted: a\nservers:\n  ${added}\n`],
    ["accepted: a\r\n", `accepted: a\r\nservers:\r\n  ${added}\r\n`],
    ["servers:\n- snapshot: a", `servers:\n- snapshot: a\n${added}\n`],
    [
      "servers:\r\n  - snapshot: a\r\n    name: c # d\r\n# e\r\nlint: {}\r\n",
      `servers:\r\n  - snapshot: a\r\n    name: c # d\r\n  ${added}\r\n# e\r\nlint: {}\r\n`,
    ],
    [
      "servers:\n  - { snapshot: a } # c\n\nlint: {}\n",
      `servers:\n  - { snapshot: a } # c\n  ${added}\n\nlint: {}\n`,
    ],
    [
      "servers:\n  -   snapshot: a\n",
      `servers:\n  -   snapshot: a\n  ${added}\n`,
    ],
    ["servers: [{ snapshot: a }]\n", null],
    ["servers: []\n", null],
  ])("is in YAML as it was, with the server: %j", async (before, after) => {
    expect(await withServer(before, "a.yaml", job)).toBe(after);
  });

  it.each<[path: string, text: string, after: string | null]>([
    [
      "a.json",
      '{\n  "servers": []\n}\n',
      '{\n  "servers": [\n    {\n      "snapshot": "b.mcp.json"\n    }\n  ]\n}\n',
    ],
    [
      "a.json",
      "{}",
      '{\n  "servers": [\n    {\n      "snapshot": "b.mcp.json"\n    }\n  ]\n}',
    ],
    [
      "a.json",
      '{\r\n\t"servers": [{ "snapshot": "a" }]\r\n}',
      '{\r\n\t"servers": [{ "snapshot": "a" },\r\n\t\t{\r\n\t\t\t"snapshot": "b.mcp.json"\r\n\t\t}\r\n\t]\r\n}',
    ],
    ["package.json", '{\n  "mcpgen": { "servers": [] }\n}', null],
    ["a.json", '{ "servers": {} }', null],
    ["a.json", "[]", null],
    ["a.ts", "export default { servers: [] };\n", "servers: ["],
    [
      "a.ts",
      "const config = { servers: [] };\nexport default config;\n",
      "servers: [",
    ],
    [
      "a.ts",
      "const a = { servers: [] } as const;\nconst b = (a satisfies object);\nexport default defineConfig(b);\n",
      "servers: [",
    ],
    ["a.ts", "export default {};\n", "servers: ["],
    ["a.ts", "export default { ...other };\n", null],
    ["a.ts", "export default { ...other, servers: [] };\n", null],
    ["a.ts", "export default { servers };\n", null],
    ["a.ts", "export default { servers: list };\n", null],
    ["a.ts", "export default other({ servers: [] });\n", null],
    ["a.ts", "export default unknown;\n", null],
    ["a.ts", "export = { servers: [] };\n", null],
    ["a.ts", "const a = a;\nexport default a;\n", null],
  ])("is %s, if it plainly shows the list: %j", async (path, text, after) => {
    const edited = await withServer(text, path, job);
    if (after === null && path !== "package.json") expect(edited).toBe(null);
    else if (path === "a.json") expect(edited).toBe(after);
    else {
      expect(edited).toContain(after ?? '"mcpgen": { "servers": [');
      expect(edited).toContain("b.mcp.json");
    }
  });
});
