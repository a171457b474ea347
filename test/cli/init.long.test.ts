import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { revisions } from "../repository.js";
import { keyboards, keys, ownTerminal } from "./keyboard.js";
import { directory, mcpgen, type Ended } from "./support.js";

async function run(place: string, ...args: string[]): Promise<Ended> {
  return await mcpgen([...args, "--no-color"], { directory: place });
}

describe("mcpgen init", () => {
  const clients = {
    ".mcp.json":
      '{ "mcpServers": { "Book desk": { "command": "node", "args": ["desk.mjs"], "env": { "KEY": "hush" } } } }',
    ".vscode/mcp.json":
      '{ "servers": { "weather": { "url": "https://example.com/mcp?token=hush" } } }',
  };

  it("writes a job for every server in the files of MCP clients, and no secret", async () => {
    const place = directory(clients);
    const { code, err } = await run(place, "init", "--yes");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("mcpgen.config.ts: written\n"),
    ]);
    expect(err).toMatch(
      /^install what is missing: +npm install @mcpgen\/runtime && npm install --save-dev mcpgen\n/,
    );
    const text = readFileSync(join(place, "mcpgen.config.ts"), "utf8");
    expect(text).toContain('snapshot: "book-desk.mcp.json"');
    expect(text + err).not.toContain("hush");
    const checked = await run(place, "check");
    expect([checked.code, checked.err]).toEqual([
      2,
      expect.stringMatching(/^MG001 .*book-desk\.mcp\.json/),
    ]);
  });

  it("prints what an ESLint configuration beside it has to ignore", async () => {
    const place = directory({ "eslint.config.mjs": "export default [];\n" });
    const { err } = await run(place, "init", "--yes");
    expect(err).toMatch(
      /^put first into eslint\.config\.mjs: {2}\{ ignores: \["src\/[\w-]+\/\*\*"\] \},$/m,
    );
    expect((await run(directory({}), "init", "--yes")).err).not.toContain(
      "eslint",
    );
  });

  it("leaves out the servers that a client's file disables, and says so", async () => {
    const server = { command: "node", args: ["desk.mjs"] };
    const mcpServers = {
      on: { ...server, disabled: false },
      off: { ...server, disabled: true },
    };
    const place = directory({ ".mcp.json": JSON.stringify({ mcpServers }) });
    const { code, err } = await run(
      place,
      "init",
      "--yes",
      "--config",
      "mcpgen.config.json",
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        "off is left out, because .mcp.json disables it\n",
      ),
    ]);
    const { servers } = JSON.parse(
      readFileSync(join(place, "mcpgen.config.json"), "utf8"),
    ) as Record<string, unknown>;
    expect(servers).toEqual([
      expect.objectContaining({ source: { config: "on" } }),
    ]);
  });

  it("writes JSON for a name that ends in .json, and does not overwrite a configuration", async () => {
    const place = directory(clients);
    expect(
      (await run(place, "init", "--yes", "--config", "mcpgen.config.json"))
        .code,
    ).toBe(0);
    expect(
      JSON.parse(readFileSync(join(place, "mcpgen.config.json"), "utf8")),
    ).toMatchObject({
      servers: [
        {
          name: "book-desk",
          source: { config: "Book desk" },
          emit: ["client"],
        },
        { name: "weather", source: { config: "weather" }, emit: ["client"] },
      ],
    });
    const again = await run(place, "init", "--yes");
    expect([again.code, again.err]).toEqual([
      2,
      expect.stringMatching(/^MG747 mcpgen\.config\.json already exists/),
    ]);
  });

  it("writes a job for the protocol in a project without servers", async () => {
    const place = directory();
    expect((await run(place, "init", "--yes")).code).toBe(0);
    expect((await run(place, "--dry-run")).err).toContain("src/mcp");
  });

  it("prints commands with --config if the name of the configuration is not one that is found", async () => {
    const place = directory(clients);
    const { code, err } = await run(
      place,
      "init",
      "--yes",
      "--config",
      "ci.config.ts",
    );
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /mcpgen pull --config <server> -o <snapshot>[^]*mcpgen --config ci\.config\.ts\n$/,
      ),
    ]);
  });

  it("reports why the configuration cannot be written, and leaves no part of it", async () => {
    const place = directory(clients);
    const { code, err } = await run(
      place,
      "init",
      "--yes",
      "--config",
      "gone/mcpgen.config.ts",
    );
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^MG810 mcpgen\.config\.ts cannot be written into .*gone: no such file or directory \(ENOENT\)\n {4}hint: /,
      ),
    ]);
    expect(filesIn(place)).toEqual(clients);
  });

  it("asks nothing without a terminal, and suggests --yes", async () => {
    const { code, err } = await run(directory(clients), "init");
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG748 .*\n {4}hint: use --yes/),
    ]);
  });
});

describe("mcpgen init at the root of a workspace", () => {
  const roots = [
    ["pnpm", { "pnpm-workspace.yaml": "packages:\n  - packages/*\n" }],
    ["npm or Yarn", { "package.json": '{ "workspaces": ["packages/*"] }' }],
  ] as const;

  it.each(
    roots.flatMap(([manager, files]) =>
      [
        ["--yes"],
        ["--server", "notes"],
        ["--yes", "--protect", "https://a.example"],
        [],
      ].map((flags) => [manager, flags, files] as const),
    ),
  )(
    "of %s writes nothing, and says where to run it: %j",
    async (manager, flags, files) => {
      const place = directory({ ...files, "packages/a/package.json": "{}" });
      const { code, err } = await run(place, "init", ...flags);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(
          `^MG763 this folder is the root of a workspace of ${manager}, so src/mcp would be in no package\\n    hint: run mcpgen init in the folder of a package; `,
        ),
      ]);
      expect(Object.keys(filesIn(place)).sort()).toEqual(
        [...Object.keys(files), "packages/a/package.json"].sort(),
      );
    },
  );

  it.each(roots)(
    "of %s writes a configuration that --config names, and one in a package",
    async (_, files) => {
      const place = directory({ ...files, "packages/a/package.json": "{}" });
      expect(
        (await run(place, "init", "--yes", "--config", "mcpgen.config.ts"))
          .code,
      ).toBe(0);
      expect((await run(join(place, "packages/a"), "init", "--yes")).code).toBe(
        0,
      );
      expect(Object.keys(filesIn(place))).toEqual(
        expect.arrayContaining([
          "mcpgen.config.ts",
          "packages/a/mcpgen.config.ts",
        ]),
      );
    },
  );

  it("is not seen in settings of pnpm without packages", async () => {
    const place = directory({
      "pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - esbuild\n",
    });
    expect((await run(place, "init", "--yes")).code).toBe(0);
  });
});

describe.each([...keyboards, ownTerminal])(
  "mcpgen init with questions on $name",
  ({ open }) => {
    const clients = {
      ".mcp.json":
        '{ "mcpServers": { "desk": { "command": "node", "args": ["desk.mjs"], }, /* old */ "broken": {} } }',
      ".vscode/mcp.json":
        '{\r\n  // editors take comments\r\n  "servers": { "weather": { "url": "https://x.test/mcp" }, },\r\n}',
    };

    it("offers every server in the files of MCP clients, all selected at first", async () => {
      const place = directory(clients);
      const session = open(place, "init", "--no-color");
      await session.until("Which servers should get a typed client?");
      await session.until("weather (.vscode/mcp.json)");
      await session.until("confirm");
      session.press(keys.down, keys.space, keys.enter);
      const { code, screen } = await session.end();
      expect([code, screen]).toEqual([
        0,
        expect.stringContaining("mcpgen.config.ts: written"),
      ]);
      expect(screen).toContain(
        '.mcp.json:1:83 MG734 warning: the server "broken" cannot be used',
      );
      // Without colours there are only cursor movements.
      expect(screen).not.toMatch(/\u001b\[[\d;]*m/);
      const text = readFileSync(join(place, "mcpgen.config.ts"), "utf8");
      expect([text.includes("desk"), text.includes("weather")]).toEqual([
        true,
        false,
      ]);
    });

    it("does not accept an empty selection", async () => {
      const place = directory(clients);
      const session = open(place, "init");
      await session.until("confirm");
      session.press(keys.space, keys.down, keys.space, keys.enter);
      await session.until("select at least one");
      session.press(keys.space, keys.enter);
      expect((await session.end()).code).toBe(0);
      expect(readFileSync(join(place, "mcpgen.config.ts"), "utf8")).toContain(
        "weather",
      );
    });

    it("asks for a revision and a folder if no file names a server and the user selects the protocol", async () => {
      const place = directory();
      const session = open(place, "init", "--config", "mcpgen.config.json");
      await session.until("What do you want to generate?");
      await session.until("confirm");
      session.press(keys.enter);
      await session.until("Which revision?");
      await session.until("2025-06-18");
      await session.until("confirm");
      session.press(keys.down, keys.down, keys.enter);
      await session.until("Which folder should the files go to?");
      session.press(keys.clear, "  ", keys.enter);
      await session.until("Enter a value.");
      session.press("src/protocol ", keys.enter);
      expect((await session.end()).code).toBe(0);
      const config = JSON.parse(
        readFileSync(join(place, "mcpgen.config.json"), "utf8"),
      ) as object;
      expect(config).toMatchObject({
        generate: [{ version: revisions.at(-1), out: "src/protocol" }],
      });
    });

    it("asks for a URL until it is valid and contains no secret, and suggests a name from it", async () => {
      const place = directory();
      const session = open(place, "init", "--config", "mcpgen.config.json");
      await session.until("What do you want to generate?");
      await session.until("confirm");
      session.press(keys.down, keys.enter);
      await session.until("Which URL?");
      session.press("weather", keys.enter);
      await session.until("This is not an HTTP URL");
      session.press(
        keys.clear,
        "https://me:secret-word@mcp.weather.test/",
        keys.enter,
      );
      await session.until("looks like a secret");
      session.press(keys.clear, "https://mcp.weather.test/", keys.enter);
      await session.until("Which name should it have?");
      session.press(keys.enter);
      const { code, screen } = await session.end();
      expect([code, screen]).toEqual([
        0,
        expect.stringMatching(/first pull the snapshots: +npx mcpgen pull/),
      ]);
      expect(
        JSON.parse(readFileSync(join(place, "mcpgen.config.json"), "utf8")),
      ).toMatchObject({
        servers: [
          {
            snapshot: "weather.mcp.json",
            source: { url: "https://mcp.weather.test/" },
            out: "src/mcp/weather",
          },
        ],
      });
    });

    it("asks for a command line, and suggests a name from the program that it starts", async () => {
      const place = directory();
      const session = open(place, "init", "--config", "mcpgen.config.json");
      await session.until("What do you want to generate?");
      await session.until("confirm");
      session.press(keys.down, keys.down, keys.enter);
      await session.until("Which command?");
      session.press("npx -y @scope/server-files --root .", keys.enter);
      await session.until("Which name should it have?");
      session.press(keys.enter);
      expect((await session.end()).code).toBe(0);
      expect(
        JSON.parse(readFileSync(join(place, "mcpgen.config.json"), "utf8")),
      ).toMatchObject({
        servers: [
          {
            snapshot: "files.mcp.json",
            source: { stdio: "npx -y @scope/server-files --root ." },
          },
        ],
      });
    });

    it("asks for an authorization server, until it is one, if the user selects a server of their own", async () => {
      const place = directory();
      const session = open(place, "init", "--config", "mcpgen.config.json");
      await session.until("What do you want to generate?");
      await session.until("confirm");
      session.press(keys.down, keys.down, keys.down, keys.enter);
      await session.until("Which authorization server issues the tokens?");
      session.press("http://auth.example.com", keys.enter);
      await session.until("An issuer is an https URL");
      session.press(keys.clear, "https://auth.example.com", keys.enter);
      const { code, screen } = await session.end();
      expect([code, screen]).toEqual([
        0,
        expect.stringContaining("src/server.ts: written"),
      ]);
      expect(
        JSON.parse(readFileSync(join(place, "mcpgen.config.json"), "utf8")),
      ).toMatchObject({
        generate: [{ version: "all", out: "src/protocol" }],
      });
      expect(readFileSync(join(place, "src/server.ts"), "utf8")).toContain(
        '"https://auth.example.com"',
      );
    });

    it("asks for the name of a new server, and writes it", async () => {
      const place = directory();
      const session = open(place, "init", "--config", "mcpgen.config.json");
      await session.until("What do you want to generate?");
      await session.until("confirm");
      session.press(
        keys.down,
        keys.down,
        keys.down,
        keys.down,
        keys.down,
        keys.enter,
      );
      await session.until("Which name should it have?");
      session.press("notes", keys.enter);
      const { code, screen } = await session.end();
      expect([code, screen]).toEqual([
        0,
        expect.stringContaining("notes.mcp.json: written"),
      ]);
      expect(
        JSON.parse(readFileSync(join(place, "mcpgen.config.json"), "utf8")),
      ).toEqual(
        expect.objectContaining({
          servers: [
            {
              snapshot: "notes.mcp.json",
              out: "src/mcp/notes",
              emit: ["server"],
            },
          ],
        }),
      );
    });

    it.each([
      ["Ctrl-C", keys.interrupt],
      ["Escape", keys.escape],
    ])(
      "writes nothing and exits with 130 if %s interrupts it",
      async (_, key) => {
        const place = directory(clients);
        const session = open(place, "init");
        await session.until("confirm");
        session.press(key);
        const { code, screen } = await session.end();
        expect([code, screen]).toEqual([
          130,
          expect.stringContaining("interrupted; nothing was written"),
        ]);
        expect(filesIn(place)).toEqual(clients);
      },
    );
  },
);

describe("mcpgen init --yes beside snapshots", () => {
  it("takes each snapshot that pull wrote, and none that a person designs", async () => {
    const tools = [{ name: "lend", inputSchema: { type: "object" } }];
    const server = { name: "library", version: "1" };
    const pulled = { format: 1, revision: "2025-11-25", server, tools };
    const at = directory({
      "library.mcp.json": JSON.stringify(pulled),
      "mine.mcp.json": JSON.stringify({ server, tools }),
      "torn.mcp.json": JSON.stringify(pulled).slice(0, -1),
      "list.mcp.json": JSON.stringify([pulled]),
      ...Object.fromEntries(
        ["library.json", "librarymcp.json", "library.mcp.json.bak"].map(
          (name) => [name, JSON.stringify(pulled)],
        ),
      ),
    });
    const { code, err } = await mcpgen(
      ["init", "--yes", "--config", "mcpgen.config.json"],
      { directory: at },
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("library.mcp.json into src/mcp/library\n"),
    ]);
    const text = readFileSync(join(at, "mcpgen.config.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      servers: [
        {
          name: "library",
          snapshot: "library.mcp.json",
          out: "src/mcp/library",
          emit: ["client"],
        },
      ],
    });
    const run = await mcpgen([], { directory: at });
    expect([run.code, run.err]).toEqual([0, expect.anything()]);
  });
});
