import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Comparison } from "../../src/index.js";
import { directory, mcpgen } from "../cli/support.js";
import { filesIn } from "../files.js";
import { compile } from "../view/compile.js";
import { snapshotOf } from "./project.js";

type Lists = Readonly<
  Record<
    "tools" | "prompts" | "resources" | "resourceTemplates",
    readonly string[]
  >
>;

/**
 * A server with entries of these names. Each description says which entry it
 * is.
 */
function server(lists: Partial<Lists>): string {
  const list = (key: keyof Lists, more: (name: string) => object) =>
    (lists[key] ?? []).map((name) => ({
      name,
      description: `This is ${name}.`,
      ...more(name),
    }));
  return snapshotOf({
    tools: list("tools", () => ({
      inputSchema: { type: "object", properties: { id: { type: "string" } } },
    })),
    prompts: list("prompts", () => ({ arguments: [{ name: "id" }] })),
    resources: list("resources", (name) => ({
      uri: `file:///${encodeURIComponent(name)}`,
    })),
    resourceTemplates: list("resourceTemplates", (name) => ({
      uriTemplate: `item://${encodeURIComponent(name)}/{id}`,
    })),
  });
}

const stubs = [
  "stubs",
  "made.mcp.json",
  "--out",
  "gen",
  "--emit",
  "client,server",
];

/** A folder with a project, and its files after each run. */
class Folder {
  readonly path = directory({});

  async run(
    lists: Partial<Lists>,
    ...flags: string[]
  ): Promise<Awaited<ReturnType<typeof mcpgen>>> {
    writeFileSync(join(this.path, "made.mcp.json"), server(lists));
    return await mcpgen([...stubs, "--no-color", ...flags], {
      directory: this.path,
    });
  }

  get files(): Record<string, string> {
    return filesIn(join(this.path, "gen"));
  }
}

/** Which entry each file of a handler says that it handles. */
function subjects(
  files: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) =>
      /^handlers\/.*\//.test(path)
        ? [[path, /^\/\/ Handles the (.*)\.$/m.exec(text)?.[1]]]
        : [],
    ),
  );
}

const one: Lists = {
  tools: ["delete_item"],
  prompts: ["ask_me"],
  resources: ["read_me"],
  resourceTemplates: ["see_item"],
};
// Each new name comes before the old one in the order of a snapshot.
const two: Lists = {
  tools: ["delete.item", "delete_item"],
  prompts: ["ask.me", "ask_me"],
  resources: ["read.me", "read_me"],
  resourceTemplates: ["see.item", "see_item"],
};

describe("a name that a project has given", () => {
  let folder: Folder;
  beforeEach(async () => {
    folder = new Folder();
    for (const lists of [one, two]) {
      const { code, err } = await folder.run(lists);
      if (code !== 0) throw new Error(err);
    }
  });

  it("stays when delete.item appears beside delete_item, and the new one gets a suffix", () => {
    const { names } = JSON.parse(folder.files[".mcpgen.json"] ?? "") as {
      readonly names: unknown;
    };
    expect(names).toEqual({
      tools: { deleteItem: "delete_item", deleteItem_: "delete.item" },
      prompts: { askMe: "ask_me", askMe_: "ask.me" },
      resources: {
        readMe: "read_me <file:///read_me>",
        seeItem: "see_item <item://see_item/{id}>",
        readMe_: "read.me <file:///read.me>",
        seeItem_: "see.item <item://see.item/{id}>",
      },
    });
  });

  it.each([
    ["deleteItem", "delete_item"],
    ["deleteItem_", "delete.item"],
  ])("is %s in the client for %s", (member, wire) => {
    const client = folder.files["client.ts"] ?? "";
    expect(client).toMatch(
      new RegExp(`This is ${wire}\\.(?:(?!This is)[^])*?\\b${member}\\(`),
    );
  });

  it("stays that of the user's handler, which says what it handles", () => {
    expect(subjects(folder.files)).toEqual({
      "handlers/prompts/ask-me-2.ts": 'prompt "ask.me"',
      "handlers/prompts/ask-me.ts": 'prompt "ask_me"',
      "handlers/resources/read-me-2.ts": 'resource "read.me"',
      "handlers/resources/read-me.ts": 'resource "read_me"',
      "handlers/resources/see-item-2.ts": 'resource "see.item"',
      "handlers/resources/see-item.ts": 'resource "see_item"',
      "handlers/tools/delete-item-2.ts": 'tool "delete.item"',
      "handlers/tools/delete-item.ts": 'tool "delete_item"',
    });
  });

  it("stays in any number of further runs, and if its entry is gone for a while", async () => {
    const before = folder.files;
    expect((await folder.run(two, "--force")).code).toBe(0);
    expect(folder.files).toEqual(before);
    expect((await folder.run({ ...two, tools: ["delete.item"] })).code).toBe(0);
    expect(folder.files["client.ts"]).not.toMatch(/\bdeleteItem\(/);
    expect((await folder.run(two)).code).toBe(0);
    expect(folder.files).toEqual(before);
  });

  it("is not changed by an entry of another group with the same name", async () => {
    const place = new Folder();
    await place.run({ prompts: ["weather"] });
    const before = place.files["handlers/prompts/weather.ts"];
    expect(
      (await place.run({ prompts: ["weather"], tools: ["weather"] })).code,
    ).toBe(0);
    expect(place.files["handlers/prompts/weather.ts"]).toBe(before);
    expect(place.files["handlers/index.ts"]).toContain("weather as weather2");
  });

  it("stays when a resource moves to another URI", async () => {
    const place = new Folder();
    await place.run({ resources: ["read.me", "read_me"] });
    const moved = server({ resources: ["read.me", "read_me"] }).replaceAll(
      "file:///",
      "https://host/",
    );
    writeFileSync(join(place.path, "made.mcp.json"), moved);
    await mcpgen(stubs, { directory: place.path });
    expect(JSON.parse(place.files[".mcpgen.json"] ?? "")).toMatchObject({
      names: {
        resources: {
          readMe: "read.me <https://host/read.me>",
          readMe_: "read_me <https://host/read_me>",
        },
      },
    });
  });

  it("is changed by the configuration only, which leaves the files of handlers where they are", async () => {
    const place = new Folder();
    const config = {
      servers: [
        {
          snapshot: "made.mcp.json",
          out: "gen",
          names: { tools: { delete_item: "erase" } },
        },
      ],
    };
    await place.run(two);
    const before = subjects(place.files);
    writeFileSync(
      join(place.path, "mcpgen.config.json"),
      JSON.stringify(config),
    );
    expect((await mcpgen([], { directory: place.path })).code).toBe(0);
    expect(place.files["client.ts"]).toMatch(/\berase\(/);
    expect(subjects(place.files)).toEqual(before);
  });
});

describe("the file of a handler", () => {
  it("is an error, and nothing is written, if it says that it handles something else", async () => {
    const place = new Folder();
    await place.run(one);
    rmSync(join(place.path, "gen/.mcpgen.json"));
    const before = place.files;
    const { code, err } = await place.run(
      { ...one, tools: ["delete.item"] },
      "--force",
    );
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        'handlers/tools/delete-item.ts handles the tool "delete_item", but its name belongs to the handler of the tool "delete.item"',
      ),
    ]);
    expect(place.files).toEqual(before);
  });
});

describe("mcpgen diff", () => {
  it("reports a name that an addition moves in a new project as breaking", async () => {
    const place = directory({
      "a.mcp.json": server(one),
      "b.mcp.json": server(two),
    });
    const { code, out } = await mcpgen(
      ["diff", "a.mcp.json", "b.mcp.json", "--json", "--breaking"],
      {
        directory: place,
      },
    );
    const { differences } = JSON.parse(out) as Comparison;
    expect(code).toBe(1);
    const moved = differences.filter(
      ({ change }) => change === "member-renamed",
    );
    expect(
      moved.map(({ subject, before, after, effects }) => [
        subject,
        before,
        after,
        ...effects.map(({ what }) => what),
      ]),
    ).toEqual([
      [
        { kind: "tool", name: "delete_item" },
        "deleteItem",
        "deleteItem_",
        "breaking",
        "breaking",
      ],
      [
        { kind: "prompt", name: "ask_me" },
        "askMe",
        "askMe_",
        "breaking",
        "breaking",
      ],
      [
        { kind: "resource", name: "file:///read_me" },
        "readMe",
        "readMe_",
        "breaking",
        "breaking",
      ],
      [
        { kind: "template", name: "item://see_item/{id}" },
        "seeItem",
        "seeItem_",
        "breaking",
        "breaking",
      ],
    ]);
  });
});

describe("names in any script", () => {
  const lists: Lists = {
    tools: [
      "获取天气",
      "получить_погоду",
      "الطقس",
      "हिन्दी-मौसम",
      "Été",
      "ÉTÉ",
      "𞤢𞤣𞤤𞤢𞤥",
      "\u3164",
      "🎉",
      "1️⃣st",
    ],
    prompts: ["質問"],
    resources: ["読んで"],
    resourceTemplates: ["Straße", "STRASSE"],
  };

  describe("of any script", () => {
    let files: Readonly<Record<string, string>>;
    let code: number | null;
    beforeAll(async () => {
      const place = new Folder();
      ({ code } = await place.run(lists));
      files = place.files;
    });

    it("keep their letters in identifiers", () => {
      expect(code).toBe(0);
      const { names } = JSON.parse(files[".mcpgen.json"] ?? "") as {
        readonly names: Readonly<
          Record<string, Readonly<Record<string, string>>>
        >;
      };
      expect(Object.keys(names["tools"] ?? {}).sort()).toEqual(
        [
          "_1St",
          "été",
          "été_",
          "value",
          "value_",
          "получитьПогоду",
          "الطقس",
          "हिन्दीमौसम",
          "获取天气",
          "𞤢𞤣𞤤𞤢𞤥",
        ].sort(),
      );
    });

    it("keep their letters in file names that are distinct on every disk", () => {
      const paths = Object.keys(subjects(files));
      expect(paths).toEqual(
        expect.arrayContaining([
          "handlers/tools/получить-погоду.ts",
          "handlers/tools/हिन्दी-मौसम.ts",
          "handlers/prompts/質問.ts",
          "handlers/resources/strasse.ts",
          "handlers/resources/straße-2.ts",
        ]),
      );
      const folded = paths.map((path) => path.normalize("NFC").toUpperCase());
      expect(new Set(folded).size).toBe(paths.length);
    });

    it("compile", () => {
      expect(compile(new Map(Object.entries(files)))).toEqual([]);
    });
  });
});
