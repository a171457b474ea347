import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { beforeAll, describe, expect, it } from "vitest";
import { createServers } from "../../generated/index.js";
import { filesIn, put } from "../files.js";
import { program, revisions, root } from "../repository.js";
import {
  directory,
  type Ended,
  ended,
  mcpgen,
  smallSchema,
  start,
} from "./support.js";

const [oldest = ""] = revisions;
const some = ["--version", oldest, "--out", "gen"];

/**
 * The superuser may read every file, so tests of permissions then run as
 * another user.
 */
const nobody = process.getuid?.() === 0 ? 65534 : undefined;

describe.runIf(nobody)("a user without a home folder", () => {
  // As in a container that runs with a user id of its own.
  const uid = 61_234;
  const homeless = (at: string, ...args: string[]): Promise<Ended> =>
    mcpgen([...args, "--no-color"], {
      directory: at,
      environment: { HOME: undefined },
      uid,
    });
  const place = (url: string): string => {
    const at = directory({
      ".mcp.json": JSON.stringify({
        mcpServers: {
          plain: { url },
          home: { command: "node", args: ["${userHome}/x.js"] },
        },
      }),
      "mcpgen.config.json": JSON.stringify({
        servers: [{ snapshot: "plain.mcp.json", source: { url } }],
      }),
    });
    chmodSync(at, 0o777);
    return at;
  };

  it("can pull, call and check servers that require no token", async () => {
    const servers = createServers({
      info: { name: "plain", version: "1" },
      handlers: {
        "tools/list": () => ({ tools: [] }),
        "tools/call": () => ({ content: [] }),
      },
    });
    await using serving = await serveHttp(createHttpHandler(servers), {
      port: 0,
    });
    const at = place(`${serving.url}`);
    for (const args of [
      ["pull", "--config", "plain", "-o", "plain.mcp.json"],
      ["call", "plain"],
      ["check", "--live"],
    ]) {
      const { code, err } = await homeless(at, ...args);
      expect([code, err], args.join(" ")).toEqual([
        0,
        expect.not.stringMatching(/^ +at /m),
      ]);
    }
  });

  const store =
    /^MG739 the token store cannot be used: this user has no home folder\n {4}hint: set HOME/;
  it.each([
    [["login", "--config", "plain"], store],
    [["logout", "--config", "plain"], store],
    [
      ["pull", "--url", "http://127.0.0.1:1/mcp", "--auth", "account:work"],
      store,
    ],
    [
      ["pull", "--config", "home"],
      /^MG735 the server "home" .*: \$\{userHome\} has no value, because/,
    ],
  ] as readonly (readonly [string[], RegExp])[])(
    "gets a sentence where a home folder is needed: %j",
    async (args, message) => {
      const at = place("http://127.0.0.1:1/mcp");
      expect(await homeless(at, ...args)).toMatchObject({
        code: 2,
        err: expect.stringMatching(message),
      });
    },
  );
});

describe("a mistake on the command line is reported with a diagnostic and exit code 2", () => {
  const rows: readonly (readonly [args: readonly string[], err: RegExp])[] = [
    [
      [],
      /^MG740 no configuration was found, so there is nothing to generate\n {4}hint: run mcpgen add <server> to call a server, mcpgen init /,
    ],
    [
      ["--out", "gen"],
      /^MG705 no revision is given\n {4}hint: use --version <revision\|latest\|all>/,
    ],
    [
      ["--version", oldest],
      /^MG705 no output directory is given\n {4}hint: use --out <dir>/,
    ],
    [["--version", "--out", "gen"], /^MG702 --version needs a revision/],
    [["--out", "gen", "--version"], /^MG702 --version needs a revision/],
    [["--version", oldest, "--out"], /^MG702 --out needs a value/],
    [["--version", oldest, "--out="], /^MG702 --out needs a value/],
    [
      ["--version", oldest, "--out", "a", "--out", "b"],
      /^MG702 --out is set 2 times/,
    ],
    [
      ["--version", `${oldest}x`, "--out", "gen"],
      new RegExp(`^MG704 unknown revision .*\\n.*did you mean ${oldest}\\?`),
    ],
    [
      ["--version", "lates", "--out", "gen"],
      /^MG704 unknown revision "lates"\n {4}hint: did you mean latest\?/,
    ],
    [
      ["--version", "zebra", "--out", "gen"],
      new RegExp(`^MG704 .*\\n {4}hint: the known revisions are ${oldest},`),
    ],
    [["--version", ",", "--out", "gen"], /^MG702 --version has no revision/],
    [
      ["--vesion", oldest, "--out", "gen"],
      /^MG701 unknown flag --vesion\n {4}hint: did you mean --version\?/,
    ],
    [
      [...some, "--dryrun"],
      /^MG701 unknown flag --dryrun\n {4}hint: did you mean --dry-run\?/,
    ],
    [
      [...some, "-x"],
      /^MG701 unknown flag -x\n {4}hint: mcpgen generate --help lists the flags/,
    ],
    [[...some, "--markdown"], /^MG701 mcpgen generate has no flag --markdown/],
    [
      [...some, "--emit", "tipes"],
      /^MG702 --emit must be one of types, .*; found "tipes"\n {4}hint: did you mean types\?/,
    ],
    [
      [...some, "--runtime", "vendord"],
      /^MG702 --runtime must be one of package, vendored; found "vendord"\n.*did you mean vendored\?/,
    ],
    [
      [...some, "--import-ext", "mjs"],
      /^MG702 --import-ext must be one of js, ts, none; found "mjs"/,
    ],
    [
      [...some, "--check", "--dry-run"],
      /^MG705 --check and --dry-run exclude each other/,
    ],
    [
      ["--schema", "a.ts", "--version", "all", "--out", "gen"],
      /^MG705 --schema is one schema, but --version names several/,
    ],
    [
      ["genrate", ...some],
      /^MG703 unknown command "genrate"\n {4}hint: did you mean mcpgen generate\?/,
    ],
    [
      ["frobnicate"],
      /^MG703 unknown command "frobnicate"\n {4}hint: mcpgen --help lists the commands/,
    ],
    [["list", "more"], /^MG703 mcpgen list does not accept "more"/],
    [["diff", oldest], /^MG703 mcpgen diff needs <b>/],
    [["ir"], /^MG703 mcpgen ir needs <revision\|schema>/],
    [
      ["ir", `${oldest}0`],
      new RegExp(`^MG704 .*\\n {4}hint: did you mean ${oldest}\\?`),
    ],
    [["validate", oldest, "--type"], /^MG702 --type needs a value/],
    [
      ["validate", oldest, "--type", "Tol"],
      /^MG721 .* has no type "Tol"\n {4}hint: did you mean Tool\?/,
    ],
    [
      ["validate", oldest, "--type", "__proto__"],
      /^MG721 .* has no type "__proto__"/,
    ],
  ];
  for (const [args, expected] of rows) {
    it(`mcpgen ${args.join(" ")}`, async () => {
      const at = directory();
      const { code, out, err } = await mcpgen(args, { directory: at });
      expect(err).toMatch(expected);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(filesIn(at)).toEqual({});
    });
  }
});

describe("a schema that cannot be read", () => {
  it("is reported if the file does not exist, with the nearest name", async () => {
    const at = directory({ "schema.ts": smallSchema });
    const { code, err } = await mcpgen(
      ["--schema", "shema.ts", "--out", "gen"],
      { directory: at },
    );
    expect(code).toBe(2);
    expect(err).toBe(
      "MG001 no such file or folder: shema.ts\n    hint: did you mean schema.ts?\n",
    );
  });

  it("is reported if its directory cannot be read", async () => {
    const at = directory({ "closed/schema.ts": smallSchema });
    chmodSync(at, 0o755);
    chmodSync(join(at, "closed"), 0o000);
    const { code, err } = await mcpgen(
      ["--schema", "closed/schema.ts", "--out", "gen"],
      {
        directory: at,
        ...(nobody === undefined ? {} : { uid: nobody }),
      },
    );
    chmodSync(join(at, "closed"), 0o755);
    expect(err).toMatch(
      /^MG003 cannot read closed\/schema\.ts: permission denied/,
    );
    expect(code).toBe(2);
  });

  it("is reported with all its faults, each with file, line and column, and nothing is written", async () => {
    const broken = smallSchema
      .replace("{ name: string }", "{ name: Partial<Name> }")
      .replace("text: string", "text: bigint");
    const at = directory({ "schema.ts": broken });
    const { code, err } = await mcpgen(
      ["--schema", "schema.ts", "--out", "gen"],
      { directory: at },
    );
    expect(code).toBe(2);
    const lines = broken.split("\n");
    const line = (text: string) =>
      lines.findIndex((entry) => entry.includes(text)) + 1;
    expect(err).toMatch(
      new RegExp(
        `^schema\\.ts:${line("Partial<Name>")}:\\d+ MG1\\d\\d .*Partial<Name>`,
        "m",
      ),
    );
    expect(err).toMatch(
      new RegExp(`^schema\\.ts:${line("bigint")}:\\d+ MG1\\d\\d .*bigint`, "m"),
    );
    expect(err).not.toMatch(/^\s+at /m);
    expect(filesIn(at)).toEqual({ "schema.ts": broken });
  });

  it("is reported with the location of a syntax error", async () => {
    const at = directory({
      "schema.ts": "export interface A {\n  b: ;\n}\n",
      "schema.json": '{"definitions": {,}}',
    });
    const typescript = await mcpgen(["--schema", "schema.ts", "--out", "gen"], {
      directory: at,
    });
    expect(typescript).toMatchObject({ code: 2, out: "" });
    expect(typescript.err).toMatch(/^schema\.ts:2:\d+ MG\d+ /);
    const json = await mcpgen(["--schema", "schema.json", "--out", "gen"], {
      directory: at,
    });
    expect(json).toMatchObject({ code: 2, out: "" });
    expect(json.err).toMatch(/^schema\.json:1:\d+ MG\d+ /);
  });

  it("is refused if the file or folder is not a schema", async () => {
    const at = directory({ "notes.txt": "hello", "folder/readme.md": "" });
    expect(
      (
        await mcpgen(["--schema", "notes.txt", "--out", "gen"], {
          directory: at,
        })
      ).err,
    ).toMatch(/^MG007 /);
    expect(
      (await mcpgen(["--schema", "folder", "--out", "gen"], { directory: at }))
        .err,
    ).toMatch(/^MG002 /);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["MG952", "no such file or directory (ENOENT)", "migrate", "none.ts"],
    ["MG952", "it is a directory (EISDIR)", "migrate", "folder"],
    [
      "MG720",
      "no such file or directory (ENOENT)",
      "validate",
      "2025-11-25",
      "none.ts",
    ],
    ["MG720", "it is a directory (EISDIR)", "validate", "2025-11-25", "folder"],
  ])("gives the reason in words: %s, %s", async (id, reason, ...args) => {
    const at = directory({ "folder/readme.md": "" });
    const ended = await mcpgen(args, { directory: at });
    const [first] = ended.err.split("\n");
    expect(ended.code).toBe(2);
    expect(first).toContain(`${id} `);
    expect(first).toContain(`: ${reason}`);
  });

  it("gives the reason in words: the lock of the project", async () => {
    const at = directory({ "mcpgen.lock.json/readme.md": "" });
    expect(await mcpgen(["update"], { directory: at })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG753 mcpgen\.lock\.json cannot be used: it is a directory \(EISDIR\)/,
      ),
    });
  });
});

describe("templates that cannot be used", () => {
  it.each([
    [
      "folder is missing",
      "none",
      /^MG711 .* cannot be read: no such file or directory \(ENOENT\)/,
    ],
    ["folder is empty", "empty", /^MG711 empty contains no \.hbs file/],
    [
      "file replaces nothing",
      "strange",
      /^MG711 strange\/type\.ts\.hbs replaces no .*\n {4}hint: did you mean types\.ts\.hbs\?/,
    ],
    [
      "file does not parse",
      "broken",
      /^broken\/types\.ts\.hbs:1:1 MG711 .*cannot be parsed near "{{#each}"\n/,
    ],
  ])("are reported if their %s", async (_, name, message) => {
    const at = directory({
      "empty/readme.md": "",
      "strange/type.ts.hbs": "",
      "broken/types.ts.hbs": "{{#each}",
    });
    const ended = await mcpgen([...some, "--templates", name], {
      directory: at,
    });
    expect(ended).toMatchObject({
      code: 2,
      err: expect.stringMatching(message),
    });
    expect(existsSync(join(at, "gen"))).toBe(false);
  });

  const failing = async (name: string) => {
    const sound = readFileSync(join(root, "templates/client.ts.hbs"), "utf8");
    const at = directory({
      "own/client.ts.hbs": sound,
      "own/types.ts.hbs": "export {};\n// {{nothing}}\n",
      "parts/client.ts.hbs": sound,
      "parts/partials/client/side.hbs": "\n\n{{shout 1}}",
      "asking/types.ts.hbs": "\n{{> nobody}}",
      "borrowed/types.ts.hbs": "{{> client/request}}",
      "script/types.ts.hbs": "export const x = ;",
    });
    const { code, err } = await mcpgen([...some, "--templates", name], {
      directory: at,
    });
    expect(code).toBe(2);
    expect(existsSync(join(at, "gen"))).toBe(false);
    return err;
  };

  it("are reported with file, line and column if one fails while it is rendered", async () => {
    const own = await failing("own");
    expect(own).toMatch(
      /^own\/types\.ts\.hbs:2:6 MG711 "nothing" is not defined here\n {4}hint: fix the template/,
    );
    expect(own).not.toContain("client");
  });

  it.each([
    [
      "partial has an unknown helper",
      "parts",
      /^parts\/partials\/client\/side\.hbs:3:1 MG711 .*unknown helper shout\n {4}in parts\/client\.ts\.hbs\n/,
    ],
    [
      "partial does not exist",
      "asking",
      /^asking\/types\.ts\.hbs:2:1 MG711 partials\/nobody\.hbs does not exist\n/,
    ],
    [
      "built-in partial gets other data",
      "borrowed",
      /^the built-in partials\/client\/request\.hbs:.* MG711 .*\n {4}in borrowed\/types\.ts\.hbs\n/,
    ],
    [
      "file is not TypeScript",
      "script",
      /^MG710 the generated types\.ts cannot be formatted: /,
    ],
  ])("are reported if a %s", async (_, name, message) => {
    expect(await failing(name)).toMatch(message);
  });
});

describe("an output directory that cannot be written", () => {
  it("is refused if it is a file, or below a file", async () => {
    const at = directory({ file: "precious" });
    const onto = await mcpgen(["--version", oldest, "--out", "file"], {
      directory: at,
    });
    expect(onto).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG806 the output directory .* is a file/),
    });
    const below = await mcpgen(["--version", oldest, "--out", "file/gen"], {
      directory: at,
    });
    expect(below).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG810 .* is a file, not a directory/),
    });
    expect(filesIn(at)).toEqual({ file: "precious" });
  });

  it("is refused if it contains foreign files", async () => {
    const at = directory({ "gen/notes.md": "precious" });
    const { code, err } = await mcpgen(some, { directory: at });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^MG802 the output directory contains files that mcpgen did not write \(notes\.md\)/,
    );
    expect(filesIn(at)).toEqual({ "gen/notes.md": "precious" });
  });

  it("is not changed if permission is denied", async () => {
    const at = directory();
    mkdirSync(join(at, "gen"));
    chmodSync(at, 0o755);
    chmodSync(join(at, "gen"), 0o555);
    const { code, err } = await mcpgen(some, {
      directory: at,
      ...(nobody === undefined ? {} : { uid: nobody }),
    });
    expect(err).toMatch(
      /^MG810 cannot .*: permission was denied \(EACCES\)\n {4}hint: /,
    );
    expect(code).toBe(2);
    expect(filesIn(at)).toEqual({});
  });

  it.skipIf(process.platform === "win32")(
    "keeps its files if one of its folders is read-only",
    async () => {
      const at = directory();
      const both = ["--version", "all", "--out", "gen", "--emit", "types"];
      await mcpgen([...both, "--import-ext", "ts"], { directory: at });
      const before = filesIn(at);
      for (const path of [
        "",
        ...readdirSync(at, { recursive: true }).map(String),
      ]) {
        chmodSync(
          join(at, path),
          statSync(join(at, path)).isDirectory() ? 0o755 : 0o644,
        );
        if (nobody !== undefined) chownSync(join(at, path), nobody, nobody);
      }
      chmodSync(join(at, "gen", oldest), 0o555);
      const { code, err } = await mcpgen(both, {
        directory: at,
        ...(nobody === undefined ? {} : { uid: nobody }),
      });
      expect(err).toMatch(
        new RegExp(
          `^MG810 cannot write ${oldest}/[a-z]+\\.ts: permission was denied \\(EACCES\\)\n`,
        ),
      );
      expect(code).toBe(2);
      expect(filesIn(at)).toEqual(before);
    },
  );

  it("keeps its files if the output is larger than a file may be", async () => {
    const at = directory();
    await mcpgen(["--version", oldest, "--out", "gen", "--emit", "types"], {
      directory: at,
    });
    const before = filesIn(at);
    // Blocks of 512 bytes (or 1,024, as the shell likes): far less than a
    // generated file.
    const child = spawn(
      "sh",
      [
        "-c",
        `trap '' XFSZ; ulimit -f 20; exec "$0" "$@"`,
        process.execPath,
        program,
        ...some,
      ],
      {
        cwd: at,
      },
    );
    const { code, err } = await ended(child);
    expect(err).toMatch(
      /^MG810 cannot write .*: the file would be too large for this process \(EFBIG\)/,
    );
    expect(code).toBe(2);
    expect(filesIn(at)).toEqual(before);
  });
});

describe("a run that is interrupted while it writes", () => {
  const all = ["--version", "all", "--out", "gen"];
  let fresh: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const at = directory();
    await mcpgen(all, { directory: at });
    fresh = filesIn(at);
  });

  /**
   * Starts a run over the output of an older one, and sends the signal as soon
   * as the run writes.
   */
  async function interruptWriting(
    at: string,
    signal: NodeJS.Signals,
  ): Promise<Awaited<ReturnType<typeof ended>>> {
    const child = start(all, { directory: at });
    const result = ended(child);
    const state = join(at, "gen/.mcpgen");
    const watch = setInterval(() => {
      if (existsSync(state) && child.kill(signal)) clearInterval(watch);
    }, 1);
    try {
      return await result;
    } finally {
      clearInterval(watch);
    }
  }

  it("by SIGKILL, at 30 random moments, leaves whole files that the next run completes without --force", async () => {
    const older = directory();
    await mcpgen(["--version", oldest, "--out", "gen"], { directory: older });
    const before = filesIn(older);
    /**
     * Kills a run at a moment after it begins to write. Resolves with the
     * number of moments that it lasted.
     */
    const runUntil = async (at: string, moment: number): Promise<number> => {
      const child = start(all, { directory: at });
      const result = ended(child);
      let moments = 0;
      const watch = setInterval(() => {
        if (existsSync(join(at, "gen/.mcpgen")) && moments++ >= moment)
          child.kill("SIGKILL");
      }, 1);
      await result;
      clearInterval(watch);
      return moments;
    };
    const duration = await runUntil(directory(before), Infinity);
    const states = new Set<string>();
    for (let turn = 0; turn < 30; turn++) {
      const at = directory(before);
      await runUntil(at, Math.random() * duration);
      const after = filesIn(at);
      for (const [path, text] of Object.entries(after))
        if (!path.includes(".mcpgen"))
          expect([before[path], fresh[path]], path).toContain(text);
      states.add(JSON.stringify(Object.keys(after)));
      const next = await mcpgen([...all, "--clean"], { directory: at });
      expect(next).toMatchObject({
        code: 0,
        err: expect.not.stringContaining("MG8"),
      });
      expect(filesIn(at)).toEqual(fresh);
    }
    expect(states.size).toBeGreaterThan(2);
  }, 300_000);

  it("by SIGINT exits with 130 and leaves either all old files or all new files", async () => {
    const at = directory();
    await mcpgen(["--version", oldest, "--out", "gen"], { directory: at });
    const before = filesIn(at);
    const { code } = await interruptWriting(at, "SIGINT");
    expect(code).toBe(130);
    const after = filesIn(at);
    if (JSON.stringify(after) !== JSON.stringify(before))
      expect(after).toMatchObject(omitManifest(fresh));
    expect(
      Object.keys(after).filter((path) => path.includes(".mcpgen/")),
    ).toEqual([]);
  });

  function omitManifest(
    files: Readonly<Record<string, string>>,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(files).filter(([path]) => !path.endsWith(".mcpgen.json")),
    );
  }
});

describe("several runs at once into one directory", () => {
  it("leave the files of one run, and the others are refused", async () => {
    const at = directory();
    const runs = await Promise.all(
      ["js", "ts", "none"].map((ext) =>
        mcpgen([...some, "--import-ext", ext], { directory: at }),
      ),
    );
    for (const { code, err } of runs) {
      if (code !== 0)
        expect({ code, err }).toEqual({
          code: 2,
          err: expect.stringMatching(/^MG807 another run/) as string,
        });
    }
    const text = filesIn(at)["gen/validators.ts"] ?? "";
    expect(
      new Set(
        [...text.matchAll(/from "\.\/\w+(\.\w+|)"/g)].map((match) => match[1]),
      ).size,
    ).toBe(1);
    put(join(at, "done"), "");
  });
});
