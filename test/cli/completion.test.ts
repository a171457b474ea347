import { spawn, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { namesOf } from "../../src/cli/flag-specs.js";
import { shortLived } from "../engine.js";
import { fixture } from "../stubs/project.js";
import { program, revisions } from "../repository.js";
import { directory, ended, runHere } from "./support.js";
import { sampled } from "../whole.js";

const entries = JSON.stringify({
  mcpServers: {
    weather: { command: "node", args: ["server.js"] },
    "two words": { command: "node" },
    "$(touch hit)": { command: "node" },
    "-x": { command: "node" },
  },
});

/** A folder with entries of servers, snapshots, and the program on its path. */
function place(): string {
  const tools = ["get", "a b", "`x`", "$(y)", "--z", "a\u001b[2J"].map(
    (name) => ({ name }),
  );
  const at = directory({
    ".mcp.json": entries,
    "weather.mcp.json": fixture("weather"),
    "hostile.mcp.json": JSON.stringify({ format: 1, tools: [1, ...tools] }),
    "empty.json": "[",
    "bin/mcpgen": `#!/bin/sh\nexec "${process.execPath}" ${shortLived.join(" ")} "${program}" "$@"\n`,
  });
  chmodSync(join(at, "bin/mcpgen"), 0o755);
  return at;
}

async function completed(
  line: readonly string[],
  at = place(),
): Promise<string[]> {
  const { code, out, err } = await runHere(["--complete", ...line], at);
  expect([code, err]).toEqual([0, ""]);
  return out
    .split("\n")
    .flatMap((row) => (row === "" ? [] : [row.split("\t")[0] ?? ""]));
}

describe("mcpgen --complete", () => {
  it.each([
    [["st"], ["stubs"]],
    [["lo"], ["login", "logout"]],
    [["pull", "--st"], ["--stdio"]],
    [["stubs", "x.mcp.json", "--runtime", "v"], ["vendored"]],
    [["stubs", "x.mcp.json", "--runtime=v"], ["--runtime=vendored"]],
    [["stubs", "x.mcp.json", "--runtime", "=", "v"], ["vendored"]],
    [
      ["stubs", "x.mcp.json", "--runtime", "="],
      ["package", "vendored"],
    ],
    [
      ["check", "--fail-on", ""],
      ["breaking", "review", "any"],
    ],
    [
      ["stubs", "x.mcp.json", "--emit", "client,"],
      [
        "client,client",
        "client,server",
        "client,tools",
        "client,adapters",
        "client,mock",
        "client,json-schemas",
      ],
    ],
    [["--emit", "types,validators,se"], ["types,validators,server"]],
    [["--emit", "v"], ["validators"]],
    [["--version", "l"], ["latest"]],
    [["-r", "2024"], revisions.filter((name) => name.startsWith("2024"))],
    [["--extension", "tas"], ["tasks"]],
    [["ir", "2024"], revisions.filter((name) => name.startsWith("2024"))],
    [
      ["diff", "latest", "2024"],
      revisions.filter((name) => name.startsWith("2024")),
    ],
    [["pull", "--config", ""], ["weather"]],
    [["call", ""], ["weather"]],
    [["call", "weather.mcp.json", "get"], ["get_weather"]],
    [["call", "hostile.mcp.json", ""], ["get"]],
    [["call", "weather", ""], []],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["generate", "--config", ""], []],
    [["pull", "--url", ""], []],
    [["frobnicate", ""], []],
    [[], commands.map(({ name }) => name)],
    [["="], []],
    [["stubs", "="], []],
    [["--nothing=x"], []],
    [["-v=x"], []],
    [["stubs", "--nothing", "--runtime", "p"], ["package"]],
    [["explain", "MG307", "MG9999"], []],
    [["explain", "MG307", "MG301", "MG307"], ["MG307"]],
    [["completion", "bash", ""], []],
    [["call", "none.json", ""], []],
    [["call", ".mcp.json", ""], []],
    [["call", "bin/mcpgen", ""], []],
    [["call", "empty.json", ""], []],
  ])("answers to %j with %j", async (line, expected) => {
    expect(await completed(line)).toEqual(expected);
  });

  it("offers every command and its meaning, and every flag that can still be given", async () => {
    expect(await completed([""])).toEqual(commands.map(({ name }) => name));
    expect((await runHere(["--complete", "lis"])).out).toBe(
      "list\tlist the revisions and extensions\n",
    );
    for (const { name, flags } of commands) {
      expect(await completed([name, "-"])).toEqual([
        ...namesOf(flags).map((flag) => `--${flag}`),
        "--help",
      ]);
    }
    const again = await completed([
      "pull",
      "--header",
      "a: b",
      "--timeout",
      "3",
      "--",
    ]);
    expect([again.includes("--header"), again.includes("--timeout")]).toEqual([
      true,
      false,
    ]);
  });

  it("runs nothing of the folder, even if a configuration is a program", async () => {
    const at = directory({
      "mcpgen.config.js": "throw new Error('run');",
      ".mcp.json": "{",
    });
    expect(await completed(["call", ""], at)).toEqual([]);
  });
});

describe("mcpgen completion", () => {
  it.each(["bash", "zsh", "fish"])(
    "prints a script for %s that says how to use it",
    async (shell) => {
      const { code, out } = await runHere(["completion", shell]);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(
          `^# Completes mcpgen in ${shell}, if npm install --global mcpgen .*\n# Add this line`,
        ),
      ]);
    },
  );

  it("suggests the nearest shell", async () => {
    const { code, err } = await runHere(["completion", "bsh"]);
    expect([code, err]).toEqual([
      2,
      'MG703 there is no completion for the shell "bsh"\n    hint: did you mean bash?\n',
    ]);
  });

  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["mcpgen st", ["stubs"]],
    ["mcpgen stubs x --runtime ", ["package", "vendored"]],
    ["mcpgen call ", ["weather"]],
  ];

  it.each(sampled(rows, ([line]) => line === "mcpgen call "))(
    "lets bash complete %j to %j",
    async (line, expected) => {
      const words = line.split(" ");
      const script = `
      eval "$(mcpgen completion bash)"
      complete -p mcpgen >&2
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
      _mcpgen mcpgen
      printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { code, out, err } = await inShell("bash", [
        "--norc",
        "-c",
        script,
      ]);
      expect([code, out.trimEnd().split("\n")]).toEqual([0, expected]);
      expect(err).toBe("complete -o default -F _mcpgen mcpgen\n");
    },
  );

  const others = [
    [
      "fish",
      (line: string) => [
        "-c",
        `mcpgen completion fish | source; complete -C '${line}' | cut -f1`,
      ],
    ],
    [
      "zsh",
      (line: string) => [
        "-fc",
        `autoload -U compinit; compinit -D; eval "$(mcpgen completion zsh)"
        _describe() { print -rl -- "\${(@)\${(@P)2}%%:*}" }
        words=("\${(@s: :)1}"); CURRENT=\${#words}; "$_comps[mcpgen]"`,
        "zsh",
        line,
      ],
    ],
  ] as const;
  const installed = others.filter(
    ([shell]) => spawnSync(shell, ["-c", "exit"]).status === 0,
  );
  for (const [shell, args] of installed) {
    it(`lets ${shell} complete a command`, async () => {
      const { out } = await inShell(shell, args("mcpgen st"));
      expect(out).toBe("stubs\n");
    });
  }

  it("works at the prompt of bash, where a tab completes a command and then a word", async () => {
    const child = spawn("bash", ["--norc", "--noprofile", "-i"], {
      cwd: place(),
      env: environment(place()),
    });
    child.stdin.end(
      'bind "set bell-style none"\neval "$(mcpgen completion bash)"\nmcpgen complet\tzs\t\nexit\n',
    );
    expect((await ended(child)).out).toContain("# Completes mcpgen in zsh");
  });

  async function inShell(
    shell: string,
    args: readonly string[],
  ): ReturnType<typeof ended> {
    const at = place();
    return await ended(
      spawn(shell, [...args], {
        cwd: at,
        env: environment(at),
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  }
});

function environment(at: string): Record<string, string> {
  return {
    PATH: `${join(at, "bin")}:${process.env["PATH"]}`,
    HOME: at,
    TERM: "xterm",
  };
}
