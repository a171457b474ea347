import { finished } from "../finished.js";
import { createHash } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Diagnostic,
  Diagnostics,
  SchemaError,
} from "../../src/generator/diagnostics.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { serialize } from "../../src/generator/ir/serialize.js";
import { readSchema } from "../../src/api.js";
import {
  bundled,
  readPath,
  type SchemaOptions,
} from "../../src/generator/read/index.js";

const schema = "/** Doc. */\nexport interface X {\n  a: string;\n}\n";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpgen-load-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function read(
  path: string,
): Promise<{ protocol: Protocol | null; reports: readonly Diagnostic[] }> {
  const diagnostics = new Diagnostics();
  const protocol = await readPath(path, {}, diagnostics);
  return { protocol, reports: finished(diagnostics.list) };
}

/** Writes a file of this name and returns its path. */
async function file(
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function attempt(
  path: string,
  options: SchemaOptions = {},
): Promise<{ protocol: Protocol | null; messages: string[] }> {
  const diagnostics = new Diagnostics();
  const protocol = await readPath(path, options, diagnostics);
  const messages = diagnostics.list
    .filter(({ code }) => !["MG406", "MG407"].includes(code))
    .map(({ code, message, hint }) =>
      `${code} ${message}${hint === null ? "" : ` (${hint})`}`.replaceAll(
        folder,
        ".",
      ),
    );
  return { protocol, messages };
}

describe("the loader of schemas", () => {
  it("reports a path that does not exist, and suggests the nearest name", async () => {
    await file("near/schema.ts", schema);
    expect((await attempt(join(folder, "near/shema.ts"))).messages).toEqual([
      "MG001 no such file or folder: ./near/shema.ts (did you mean ./near/schema.ts?)",
    ]);
    expect((await attempt(join(folder, "nowhere/at/all.ts"))).messages).toEqual(
      ["MG001 no such file or folder: ./nowhere/at/all.ts"],
    );
  });

  it("reports a path below a file", async () => {
    const path = await file("leaf.ts", schema);
    expect((await attempt(join(path, "schema.ts"))).messages).toEqual([
      "MG001 no such file or folder: ./leaf.ts/schema.ts",
    ]);
  });

  it("reports a folder without a schema", async () => {
    await file("bare/readme.md", "nothing");
    expect((await attempt(join(folder, "bare"))).messages).toEqual([
      "MG002 the folder ./bare holds no schema.ts and no schema.json (pass a file, or put schema.ts or schema.json into the folder)",
    ]);
  });

  // The superuser may read everything.
  it.skipIf(process.getuid?.() === 0)(
    "reports a file without read permission",
    async () => {
      const path = await file("secret.ts", schema);
      await chmod(path, 0o000);
      expect((await attempt(path)).messages).toEqual([
        "MG003 cannot read ./secret.ts: permission denied (check its permissions)",
      ]);
    },
  );

  it("reports a symbolic link to itself", async () => {
    await symlink("loop.ts", join(folder, "loop.ts"));
    expect((await attempt(join(folder, "loop.ts"))).messages).toEqual([
      "MG003 cannot read ./loop.ts: its symbolic links are circular (pass the path of the file itself)",
    ]);
  });

  it("reports a name that is too long", async () => {
    expect(
      (await attempt(join(folder, `${"x".repeat(300)}.ts`))).messages,
    ).toEqual([
      `MG003 cannot read ./${"x".repeat(300)}.ts: the name is too long`,
    ]);
  });

  it("reports a device without reading it", async () => {
    expect((await attempt(devNull)).messages).toEqual([
      `MG003 ${devNull} is neither a file nor a folder (pass a schema file)`,
    ]);
  });

  it("reports a file of more than 20 MB", async () => {
    const blanks = Buffer.alloc(20 * 1024 * 1024, " ");
    expect((await attempt(await file("blank.ts", blanks))).messages).toEqual([
      "MG006 the file is empty (write a schema into it)",
    ]);
    const path = await file("huge.ts", new Uint8Array(blanks.length + 1));
    expect((await attempt(path)).messages).toEqual([
      "MG004 ./huge.ts is larger than 20 MB, the maximum (check the path: a schema has a few hundred kilobytes)",
    ]);
  });

  it("reports a file that is not UTF-8 with the line", async () => {
    const path = await file(
      "latin.ts",
      Buffer.from(`${schema}// caf\u00e9\n`, "latin1"),
    );
    const diagnostics = new Diagnostics();
    expect(await readPath(path, {}, diagnostics)).toBeNull();
    expect(diagnostics.list).toMatchObject([
      {
        code: "MG005",
        message: "the file is not valid UTF-8",
        location: { line: 5, column: 1 },
      },
    ]);
  });

  it("reports a file that is UTF-16", async () => {
    const path = await file(
      "wide.ts",
      Buffer.from(`\uFEFF${schema}`, "utf16le"),
    );
    expect((await attempt(path)).messages).toEqual([
      "MG005 the file is UTF-16, not UTF-8 (save the file as UTF-8)",
    ]);
  });

  it.each(["", " \n\t\r\n", "\uFEFF"])(
    "reports an empty file: %j",
    async (text) => {
      expect((await attempt(await file("empty.ts", text))).messages).toEqual([
        "MG006 the file is empty (write a schema into it)",
      ]);
    },
  );

  it("reports a file of an unknown type", async () => {
    expect((await attempt(await file("schema.yaml", "a: b"))).messages).toEqual(
      ["MG007 ./schema.yaml is not a schema file (pass a .ts or .json file)"],
    );
  });
});

describe("a loaded schema", () => {
  it("is the same with a byte order mark and with CRLF line ends, and has the same hash", async () => {
    const plain = await attempt(await file("plain/schema.ts", schema));
    const marked = await attempt(
      await file(
        "marked/schema.ts",
        `\uFEFF${schema.replaceAll("\n", "\r\n")}`,
      ),
    );
    expect(marked.messages).toEqual([]);
    expect(marked.protocol?.declarations).toEqual(plain.protocol?.declarations);
    expect(marked.protocol?.source.sha256).toBe(plain.protocol?.source.sha256);
  });

  it("comes from the schema.ts of a folder if there is also a schema.json", async () => {
    await file("both/schema.ts", schema);
    await file(
      "both/schema.json",
      '{ "definitions": { "Y": { "type": "string" } } }',
    );
    const { protocol } = await attempt(join(folder, "both"));
    expect(protocol?.source.language).toBe("typescript");
    expect(protocol?.declarations.map(({ name }) => name)).toEqual(["X"]);
  });

  it("comes from the schema.json of a folder without schema.ts", async () => {
    await file(
      "json/schema.json",
      '{ "definitions": { "Y": { "type": "string" } } }',
    );
    const { protocol } = await attempt(join(folder, "json"));
    expect(protocol?.source.language).toBe("json-schema");
    expect(protocol?.source.name).toBe("json/schema.json");
  });

  it.each(["again/x.ir.json", "again/printed.json"])(
    "is not read from output of `mcpgen ir`, with a sentence that says what to do instead: %s",
    async (name) => {
      const { protocol } = await attempt(await file("again/schema.ts", schema));
      if (protocol === null) throw new Error("not read");
      const refused = {
        protocol: null,
        messages: [
          "MG601 the file is output of `mcpgen ir`, which mcpgen does not read (pass the revision or the schema that it was made from; `source` names it)",
        ],
      };
      expect(
        await attempt(await file(name, serialize(protocol))),
      ).toMatchObject(refused);
      expect(
        await attempt(
          await file(name, '{ "format": 1, "revision": "2026-07-28" }'),
        ),
      ).toMatchObject(refused);
    },
  );

  it("names its source by a relative path", async () => {
    const path = await file("2031-01-02/schema.ts", schema);
    const { protocol } = await attempt(path);
    expect(protocol?.source.name).toBe("2031-01-02/schema.ts");
    expect(protocol?.revision).toBe("2031-01-02");
    expect((await attempt("./schema/2024-11-05")).protocol?.source.name).toBe(
      "schema/2024-11-05/schema.ts",
    );
    expect(
      (await attempt(path, { name: "mine.ts" })).protocol?.source.name,
    ).toBe("mine.ts");
  });

  it("has the revision of the options, of its folder, of its constant, or of its file, in this order", async () => {
    const path = await file(
      "2031-01-02/schema.ts",
      `${schema}export const LATEST_PROTOCOL_VERSION = "own";\n`,
    );
    expect(
      (await attempt(path, { revision: "chosen" })).protocol?.revision,
    ).toBe("chosen");
    expect((await attempt(path)).protocol?.revision).toBe("2031-01-02");
    const elsewhere = await file(
      "other/mine.ts",
      `${schema}export const LATEST_PROTOCOL_VERSION = "own";\n`,
    );
    expect((await attempt(elsewhere)).protocol?.revision).toBe("own");
    expect(
      (await attempt(await file("other/notes.d.ts", schema))).protocol
        ?.revision,
    ).toBe("notes");
  });

  it("has the hash of the bytes of its file", async () => {
    const { protocol } = await attempt("schema/2024-11-05");
    const bytes = await readFile("schema/2024-11-05/schema.ts");
    expect(protocol?.source.sha256).toBe(
      createHash("sha256").update(bytes).digest("hex"),
    );
  });

  it("has no known defects of the file beside a schema.json", async () => {
    await file(
      "led/schema.json",
      '{ "definitions": { "Y": { "type": "string" } } }',
    );
    const row = {
      pointer: "/definitions/Y/type",
      found: "string",
      right: "number",
      reason: "it is a number",
    };
    await file("led/json-defects.json", JSON.stringify([row]));
    const { protocol } = await attempt(join(folder, "led"));
    expect(protocol?.declarations).toMatchObject([
      { name: "Y", schema: { checks: [{ kind: "type", types: ["number"] }] } },
    ]);
  });
});

describe("a folder with a schema.ts that cannot be read, and a schema.json", () => {
  const json =
    '{ "definitions": { "Y": { "type": "string", "description": "A text." } } }';

  it.each([
    ["a type", "export type Y = () => void;", "1:17 MG104"],
    ["a statement", "export class Y {}", "1:1 MG101"],
    ["the syntax", "export type Y = ;", "1:17 MG100"],
    ["a name", "export type Y = Z;", "1:17 MG105"],
    ["circular types", "export type Y = Z; export type Z = Y;", "1:13 MG503"],
    [
      "a message",
      `export interface A { method: "a" } export interface B { method: "a" }`,
      "1:53 MG401",
    ],
  ])(
    "is read from the schema.json, and a note names the reason: %s",
    async (_kind, text, reason) => {
      const path = await file("both/schema.ts", text);
      await file("both/schema.json", json);
      const { protocol, reports } = await read(join(path, ".."));
      expect(protocol?.source).toMatchObject({
        name: "both/schema.json",
        language: "json-schema",
      });
      expect(protocol?.declarations.map(({ name }) => name)).toEqual(["Y"]);
      const notes = reports.filter(({ code }) => code === "MG124");
      expect(notes).toHaveLength(1);
      const [{ location, message, severity, hint } = {}] = notes;
      expect(severity).toBe("note");
      expect(message).toMatch(
        /both\/schema\.json is read in place of schema\.ts, without what only TypeScript says: constants such as the name of the revision, bases, tags of comments; schema\.ts cannot be read: MG\d+ /,
      );
      expect(hint).toBe("nothing, or correct the line to keep them");
      const code = /: (MG\d+) /.exec(message ?? "")?.[1];
      expect(`${location?.line}:${location?.column} ${code}`).toBe(reason);
      expect(reports.filter(({ severity: word }) => word === "error")).toEqual(
        [],
      );
    },
  );

  it("has the facts of the folder", async () => {
    await file("both/schema.ts", "export type Y = () => void;");
    await file("both/schema.json", json);
    const facts = await file("both/facts.json", '{ "opening": "initialize" }');
    const { protocol } = await attempt(join(folder, "both"));
    await rm(facts);
    expect(protocol?.opening).toBe("initialize");
  });

  it("is read from the schema.ts if that can be read", async () => {
    await file("both/schema.ts", schema);
    await file("both/schema.json", json);
    const { protocol, messages } = await attempt(join(folder, "both"));
    expect(protocol?.declarations.map(({ name }) => name)).toEqual(["X"]);
    expect(messages).toEqual([]);
  });

  it.each([
    ["neither can be read", '{ "definitions": 1 }'],
    ["the schema.json is no text", Buffer.from([0xff, 0xfe, 0xff])],
  ])("keeps the reports of the schema.ts if %s", async (_case, content) => {
    await file("both/schema.ts", "export type Y = () => void;");
    await file("both/schema.json", content);
    const { protocol, messages } = await attempt(join(folder, "both"));
    expect(protocol).toBeNull();
    expect(messages).toEqual([
      'MG104 cannot read the type "() => void" (JSON has no such value; or pass the schema.json of this revision instead)',
    ]);
  });

  it("is not replaced if the schema.ts itself was named", async () => {
    const path = await file("both/schema.ts", "export type Y = () => void;");
    await file("both/schema.json", json);
    expect((await attempt(path)).protocol).toBeNull();
  });
});

describe("readSchema", () => {
  it("finds each bundled revision by its name, and latest", async () => {
    const known = await bundled();
    expect(known.map(({ revision }) => revision)).toEqual([
      "2024-11-05",
      "2025-03-26",
      "2025-06-18",
      "2025-11-25",
      "2026-07-28",
    ]);
    expect((await readSchema("2025-03-26")).revision).toBe("2025-03-26");
    expect((await readSchema("latest")).revision).toBe("2026-07-28");
  });

  it("throws an error with all diagnostics of a source", async () => {
    const path = await file(
      "wrong.ts",
      "export interface X { a: bigint; b: Y }",
    );
    const failure = await readSchema(path).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(SchemaError);
    expect(
      (failure as SchemaError).diagnostics.map(({ code }) => code),
    ).toEqual(["MG104", "MG105"]);
  });

  it("suggests the nearest revision for an unknown one", async () => {
    await expect(readSchema("2025-03-27")).rejects.toThrow(
      'MG704 unknown revision "2025-03-27"\n    hint: did you mean 2025-03-26?',
    );
    await expect(readSchema("draft")).rejects.toThrow(
      /hint: the known revisions are 2024-11-05, .*; a path has a dot or a slash$/,
    );
  });
});
