import { describe, expect, it } from "vitest";
import { expand } from "../../src/cli/clients/expand.js";
import {
  readClientFile,
  readClientFiles,
} from "../../src/cli/clients/files.js";
import { directory } from "./support.js";

const files = {
  ".mcp.json": JSON.stringify({
    mcpServers: {
      // A name that assignment to an object loses.
      ["__proto__"]: {
        command: "node",
        args: ["a.js"],
        env: { TOKEN: "${TOKEN}", PORT: 1 },
        cwd: "sub",
      },
      remote: {
        type: "http",
        url: "https://x.test/mcp?key=1",
        headers: { Authorization: "Bearer ${TOKEN}" },
      },
    },
  }),
  ".cursor/mcp.json":
    '{ "mcpServers": { "old": { "type": "sse", "url": "${env:BASE}/sse" }, "empty": {} } }',
  ".vscode/mcp.json": `{
    // with comments
    "inputs": [{ "id": "key" }],
    "servers": { "local": { "type": "stdio", "command": "npx", "args": ["-y", "x"], "envFile": ".env", }, },
  }`,
  "claude_desktop_config.json": '{ "mcpServers": [',
};

describe("the configuration files of MCP clients", () => {
  it("are read in order, and each entry is kept as it is written", async () => {
    const { entries } = await readClientFiles(directory(files));
    expect(entries).toEqual([
      {
        kind: "stdio",
        name: "__proto__",
        file: ".mcp.json",
        command: "node",
        args: ["a.js"],
        env: { TOKEN: "${TOKEN}", PORT: "1" },
        envFile: null,
        cwd: "sub",
      },
      {
        kind: "http",
        name: "remote",
        file: ".mcp.json",
        url: "https://x.test/mcp?key=1",
        isSse: false,
        headers: { Authorization: "Bearer ${TOKEN}" },
      },
      {
        kind: "http",
        name: "old",
        file: ".cursor/mcp.json",
        url: "${env:BASE}/sse",
        isSse: true,
        headers: {},
      },
      {
        kind: "stdio",
        name: "local",
        file: ".vscode/mcp.json",
        command: "npx",
        args: ["-y", "x"],
        env: {},
        envFile: ".env",
        cwd: null,
      },
    ]);
  });

  it("may contain entries that cannot be used, and a diagnostic names the file and entry of each", async () => {
    const { diagnostics } = await readClientFiles(directory(files));
    expect(
      diagnostics.map(({ code, location, message }) => [
        code,
        location?.file,
        message,
      ]),
    ).toEqual([
      [
        "MG734",
        ".cursor/mcp.json",
        'the server "empty" cannot be used: it has neither a "command" nor a "url"',
      ],
      ["MG734", "claude_desktop_config.json", "the file is not a JSON object"],
    ]);
  });

  it("may be those of Gemini CLI, Zed and opencode, each with a form of its own", async () => {
    const { entries, diagnostics } = await readClientFiles(
      directory({
        ".gemini/settings.json": JSON.stringify({
          theme: "x",
          mcpServers: {
            g: {
              httpUrl: "https://g.test/mcp",
              headers: { Authorization: "Bearer $TOKEN ${OTHER}" },
            },
          },
        }),
        ".zed/settings.json": `{ // Zed
          "context_servers": {
            "z": { "source": "custom", "command": "z", "args": ["-a"], "env": { "A": "$B" }, "enabled": false },
            "old": { "command": { "path": "o", "args": ["-b"], "env": { "C": "1" } } },
          } }`,
        "opencode.jsonc": `{ "mcp": {
          "local": { "type": "local", "command": ["npx", "-y", "x"], "environment": { "T": "{env:TOKEN}" }, "enabled": true },
          "remote": { "type": "remote", "url": "https://o.test/mcp", "headers": { "X": "{file:./secret}" } }, } }`,
      }),
    );
    expect(diagnostics).toEqual([]);
    expect(entries).toEqual([
      {
        kind: "http",
        name: "g",
        file: ".gemini/settings.json",
        url: "https://g.test/mcp",
        isSse: false,
        headers: { Authorization: "Bearer ${TOKEN} ${OTHER}" },
      },
      expect.objectContaining({
        name: "z",
        command: "z",
        args: ["-a"],
        env: { A: "$B" },
        isDisabled: true,
      }),
      expect.objectContaining({
        name: "old",
        command: "o",
        args: ["-b"],
        env: { C: "1" },
      }),
      expect.objectContaining({
        name: "local",
        command: "npx",
        args: ["-y", "x"],
        env: { T: "${env:TOKEN}" },
      }),
      expect.objectContaining({
        name: "remote",
        url: "https://o.test/mcp",
        headers: { X: "${file:./secret}" },
      }),
    ]);
  });

  it("may be settings that name no server", async () => {
    const at = directory({
      ".gemini/settings.json": "{}",
      ".zed/settings.json": "{}",
      "opencode.json": "{}",
    });
    expect(await readClientFiles(at)).toEqual({ entries: [], diagnostics: [] });
  });

  it("may be missing", async () => {
    expect(await readClientFiles(directory())).toEqual({
      entries: [],
      diagnostics: [],
    });
  });

  it.each([
    ["{}", 'the file has neither "mcpServers" nor "servers"'],
    ['{ "servers": [] }', "the member with the servers is not an object"],
    [
      '{ "mcp": { "servers": { "a": 5 } } }',
      'the server "a" cannot be used: it is not an object',
    ],
    [
      '{ "servers": { "a": { "command": "x", "args": [5] } } }',
      'the server "a" cannot be used: "args" is not a list of strings',
    ],
    [
      '{ "servers": { "a": { "command": "x", "env": { "SECRET": ["abc"] } } } }',
      'the server "a" cannot be used: "env" is not an object of strings',
    ],
    [
      '{ "servers": { "a": { "url": "x", "headers": 5 } } }',
      'the server "a" cannot be used: "headers" is not an object of strings',
    ],
  ])(
    "are reported as invalid, without a value in the message: %s",
    async (text, message) => {
      const { entries, diagnostics } = await readClientFile(
        directory({ "x.json": text }),
        "x.json",
      );
      expect([entries, diagnostics.map((entry) => entry.message)]).toEqual([
        [],
        [message],
      ]);
    },
  );
});

describe("a text in a client's configuration file", () => {
  const around = {
    directory: "/home/u/project",
    home: () => "/home/u",
    separator: "/",
    environment: { TOKEN: "t-${HOME}", EMPTY: "" },
  };

  it.each([
    ["Bearer ${TOKEN}", "Bearer t-${HOME}"],
    ["${env:TOKEN}", "t-${HOME}"],
    ["${MISSING:-https://x.test}/mcp", "https://x.test/mcp"],
    ["${EMPTY:-a b}", "a b"],
    ["[${EMPTY}]", "[]"],
    [
      "${workspaceFolder}${/}${workspaceFolderBasename}${pathSeparator}x",
      "/home/u/project/project/x",
    ],
    ["${userHome} $HOME $5 {x}", "/home/u $HOME $5 {x}"],
    [
      "${workspaceFolder:project}/a ${workspaceFolder:other}/b",
      "/home/u/project/a /home/u/other/b",
    ],
  ])(
    "gets its variables replaced, and the result is not expanded again: %s",
    (text, expanded) => {
      expect(expand(text, around)).toBe(expanded);
    },
  );

  it.each([
    ["${MISSING}", "the environment variable MISSING is not set"],
    ["${input:key}", "${input:key} is a value that only an editor can request"],
    ["${command:x.y}", "${command:x.y} is an unknown variable"],
    [`\${${"?".repeat(90)}}`, `\${${"?".repeat(78)} is an unknown variable`],
  ])(
    "is refused if a variable in it cannot be resolved: %s",
    (text, message) => {
      expect(() => expand(text, around)).toThrow(message);
    },
  );

  it("is refused if it names the home folder of a user without one", () => {
    const home = (): string => {
      throw new Error("ENOENT");
    };
    expect(() => expand("${userHome}/a", { ...around, home })).toThrow(
      "${userHome} has no value, because this user has no home folder",
    );
  });
});
