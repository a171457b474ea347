import { describe, expect, it } from "vitest";
import {
  protocolFiles,
  type ProtocolFolder,
} from "../../src/cli/commands/stubs/protocol-folder.js";
import {
  projectRevisions,
  projectSources,
} from "../../src/cli/commands/stubs/revisions.js";
import type { Part } from "../../src/generator/generate.js";
import { Diagnostics, SchemaError } from "../../src/generator/diagnostics.js";
import { directory } from "./support.js";

const [old, middle, latest] = ["2025-03-26", "2025-06-18", "2025-11-25"];

/** A folder with these revisions, and these files of each. */
function folderOf(
  revisions: readonly string[],
  parts: readonly string[] = ["types", "client", "server"],
): ProtocolFolder {
  const folders = revisions.length === 1 ? [""] : revisions;
  const files = folders.flatMap((folder) =>
    parts.map((part) => `${folder === "" ? "" : `${folder}/`}${part}.ts`),
  );
  return {
    named: "mcp",
    path: "../mcp",
    revisions,
    runtime: "package",
    files: new Set(files),
    support: ["calls.ts"],
    outdated: [],
  };
}

describe("the folder of the protocol of a project", () => {
  const both: readonly Part[] = ["client", "server"];
  const shared = {
    all: "../mcp",
    runtime: "../mcp/runtime",
    support: ["calls.ts"],
  };
  it.each<
    [
      folder: ProtocolFolder,
      wanted: readonly string[],
      emit: readonly Part[],
      files: string,
    ]
  >([
    [folderOf([latest]), [latest], both, "../mcp"],
    [folderOf([old, latest]), [old], both, `../mcp/${old}`],
    [folderOf([old, latest]), [latest, old], both, `../mcp/${latest}`],
    [folderOf([latest], ["types"]), [latest], [], "../mcp"],
  ])(
    "has the files of its revisions: %j for %j",
    (folder, wanted, emit, files) => {
      expect(protocolFiles(folder, wanted, emit)).toEqual({ ...shared, files });
    },
  );

  it("needs a client of the newest revision only", () => {
    const folder = folderOf([old, latest], ["types", "server"]);
    const files = new Set([...folder.files, `${latest}/client.ts`]);
    expect(
      protocolFiles({ ...folder, files }, [latest, old], both),
    ).toMatchObject({ files: `../mcp/${latest}` });
  });

  it.each<[folder: ProtocolFolder, wanted: readonly string[], told: string]>([
    [folderOf([latest]), [old], `has revision ${latest}, expected ${old}`],
    [
      folderOf([latest, old]),
      [latest, middle],
      `has revision ${latest}, ${old}, expected ${latest}, ${middle}`,
    ],
    [
      folderOf([latest, middle, old]),
      [latest, old],
      `has revision ${latest}, ${middle}, ${old}, expected ${latest}, ${old}`,
    ],
    [
      folderOf([latest, old], ["types", "server"]),
      [latest, old],
      `was generated without ${latest}/client.ts`,
    ],
    [
      folderOf([latest], ["client"]),
      [latest],
      "was generated without types.ts, server.ts",
    ],
  ])("is refused: %j for %j", (folder, wanted, told) => {
    const hint = told.startsWith("has")
      ? `run mcpgen --version ${wanted.join(",")} --out <dir>, and use that folder`
      : "generate it again with these parts in --emit";
    expect(() => protocolFiles(folder, wanted, both)).toThrow(
      expect.objectContaining({
        diagnostics: [
          expect.objectContaining({
            code: "MG749",
            message: `mcp ${told}`,
            hint,
          }),
        ],
      }) as Error,
    );
  });
});

describe("the revisions of a project", () => {
  const wanted = {
    revision: middle,
    revisions: "all",
    hasServer: true,
    protocolFolder: folderOf([middle, latest, old]),
  } as const;
  it.each([
    [{}, [latest, middle, old]],
    [{ hasServer: false }, [middle]],
    [{ revisions: null }, [middle]],
    [{ revisions: [old, latest] }, [old, latest]],
  ])("are the newest first: %j", async (more, revisions) => {
    expect(await projectRevisions({ ...wanted, ...more })).toEqual(revisions);
  });

  it("are refused if one of several is not known, each with a hint", async () => {
    const names = [latest, "2025-11-26", "x".repeat(41)];
    const error: unknown = await projectSources(
      names,
      directory(),
      new Diagnostics(),
    ).catch((reason: unknown) => reason);
    if (!(error instanceof SchemaError)) throw error;
    expect(
      error.diagnostics.map(({ code, message, hint }) => [code, message, hint]),
    ).toEqual([
      [
        "MG704",
        '"revisions" has "2025-11-26", which is not a known revision',
        `did you mean ${latest}?`,
      ],
      [
        "MG704",
        `"revisions" has "${"x".repeat(40)}", which is not a known revision`,
        expect.stringMatching(
          /^the known revisions are 2024-11-05, .*2026-07-28$/,
        ),
      ],
    ]);
  });
});
