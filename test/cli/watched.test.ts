import { relative } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { root } from "../repository.js";
import { directory, runHere } from "./support.js";

describe("a run that is watched", () => {
  const { send } = process;
  afterEach(() => {
    Object.assign(process, { send });
    vi.restoreAllMocks();
  });

  /** What a run sends, and what it listens to. */
  async function watched(
    line: string,
    files: Readonly<Record<string, string>>,
    abort = new AbortController(),
  ) {
    const at = directory(files);
    const inputs: unknown[] = [];
    process.send = (paths: unknown, sent?: unknown) => {
      inputs.push(...(paths as string[]).map((path) => relative(at, path)));
      (sent as () => void)();
      return true;
    };
    const before = process.listeners("disconnect");
    process.chdir(at);
    process.env["MCPGEN_WATCHED"] = "1";
    try {
      const { code } = await runHere([...line.split(" "), "--watch"], at, "", {
        signal: abort.signal,
      });
      expect(process.env["MCPGEN_WATCHED"]).toBeUndefined();
      const [listener] = process
        .listeners("disconnect")
        .filter((one) => !before.includes(one));
      if (listener) process.removeListener("disconnect", listener);
      return { code, inputs, listener };
    } finally {
      process.chdir(root);
    }
  }

  const configured = (config: object) => ({
    "mcpgen.config.json": JSON.stringify(config),
  });
  it.each<
    [
      line: string,
      files: Readonly<Record<string, string>>,
      inputs: readonly string[],
    ]
  >([
    ["--schema a.ts", { "a.ts": "" }, ["a.ts", "facts.json"]],
    [
      "--schema own",
      { "own/schema.json": "{}", "own/types.ts": "" },
      ["own/schema.ts", "own/schema.json", "own/facts.json"],
    ],
    [
      "--version latest --templates t",
      { "t/a/b.txt": "" },
      ["t", "t/a", "t/a/b.txt"],
    ],
    [
      "--version latest --extension tasks,./e.ts",
      { "e.ts": "" },
      ["e.ts", "facts.json"],
    ],
    ["--version latest", {}, []],
    ["--quiet", {}, []],
    [
      "--quiet",
      { "mcpgen.config.json": "{" },
      ["mcpgen.config.json", "facts.json"],
    ],
    [
      "--quiet",
      configured({
        generate: [
          { schema: "own/a.ts", out: "a", extension: ["tasks", "./e.ts"] },
        ],
        servers: [{ snapshot: "s/b.mcp.json", out: "b", templates: "t" }],
      }),
      [
        "mcpgen.config.json",
        "facts.json",
        "own/a.ts",
        "own/facts.json",
        "e.ts",
        "s/b.mcp.json",
        "s/facts.json",
        "t",
      ],
    ],
    ["stubs a.mcp.json", { "a.mcp.json": "{}" }, ["a.mcp.json", "facts.json"]],
    [
      "stubs desk",
      configured({ servers: [{ snapshot: "s/a.mcp.json", name: "desk" }] }),
      ["s/a.mcp.json", "s/facts.json"],
    ],
    ["stubs https://x.test", {}, []],
  ])(
    "names its inputs, also after an error: %s",
    async (line, files, inputs) => {
      const run = await watched(line, files);
      expect([run.code, run.inputs]).toEqual([2, inputs]);
    },
  );

  it("is interrupted when the process that watches is gone, unless it was already", async () => {
    const abort = new AbortController();
    const { listener } = await watched("--version latest", {}, abort);
    const emit = vi.spyOn(process, "emit").mockReturnValue(true as never);
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    listener?.();
    expect(emit.mock.calls).toEqual([["SIGINT", "SIGINT"]]);
    expect(exit).not.toHaveBeenCalled();
    emit.mockReturnValue(false as never);
    listener?.();
    expect(exit.mock.calls).toEqual([[130]]);
    abort.abort();
    listener?.();
    expect(emit).toHaveBeenCalledTimes(2);
    expect(exit).toHaveBeenCalledTimes(1);
  });
});

it.each(["https://x.test", "'node a.js'", "--url https://x.test"])(
  "refuses to watch a server: stubs %s",
  async (words) => {
    const line = ["stubs", "--watch", ...words.split(/ (?=https)/)];
    const { code, err } = await runHere(
      line.map((word) => word.replaceAll("'", "")),
    );
    expect([code, err]).toEqual([
      2,
      "MG705 --watch needs files, not a server\n    hint: pull a snapshot, and watch its file\n",
    ]);
  },
);
