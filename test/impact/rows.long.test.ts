import { describe, expect, it } from "vitest";
import { impactText } from "../../src/commands/update/impact/index.js";
import { errorsOf, impact, project, revised } from "./kit.js";

const tool = "export interface Tool extends BaseMetadata, Icons {";
const program = {
  "src/rows.ts": [
    'import { prompts, resources, tools } from "@mcpgen/runtime/features";',
    'const owned = { name: "owned", owner: "us", handler: () => "" };',
    "const more = [{ name: 'more', handler: () => '' }];",
    "export const handlers = {",
    "  ...tools([",
    "    owned,",
    "    {",
    '      name: "find",',
    "      annotations: {},",
    '      handler: () => "",',
    "    },",
    "    ...more,",
    "  ]),",
    "  ...tools(() => more),",
    '  ...prompts([{ name: "ask", get: () => "" }]),',
    '  ...resources([{ uri: "a:b", name: "b", read: () => "" }]),',
    "};",
  ].join("\n"),
  "src/server.ts": [
    'import { createServer } from "./mcp/index.js";',
    'import { handlers } from "./rows.js";',
    'const info = { name: "a", version: "1" };',
    "export const server = createServer({ info, handlers });",
  ].join("\n"),
};

describe("the report on the rows of a server", () => {
  it("names each row that lacks a member which the revision now requires", async () => {
    const before = await revised("2026-07-28", "before", []);
    const after = await revised("2026-07-28", "after", [
      [tool, `${tool}\n  /** Who answers for the tool. */\n  owner: string;`],
    ]);
    const app = project(before, program);
    expect(errorsOf(app)).toEqual([]);
    const report = await impact(app, after);
    expect(impactText(report)).toMatchInlineSnapshot(`
      "The change touches 2 lines of the program: 2 lines must change, 0 lines should be reviewed.

      ! \`Tool.owner\` is now required
        to do: add \`owner: string\`
          src/rows.ts:7:5
          src/rows.ts:12:5
      "
    `);
  });

  it("names a member that the revision no longer has, and rows of other lists that change", async () => {
    const before = await revised("2026-07-28", "before", []);
    const after = await revised("2026-07-28", "after", [
      ["  annotations?: ToolAnnotations;\n", ""],
      [
        "export interface Prompt extends BaseMetadata, Icons {",
        "export interface Prompt extends BaseMetadata, Icons {\n  owner: string;",
      ],
      [
        "export interface BaseMetadata {",
        "export interface BaseMetadata {\n  titled: boolean;",
      ],
    ]);
    const report = await impact(project(before, program), after);
    expect(impactText(report)).toMatchInlineSnapshot(`
      "The change touches 7 lines of the program: 6 lines must change, 1 line should be reviewed.

      ! \`BaseMetadata.titled\` is now required
        to do: add \`titled: boolean\`
          src/rows.ts:6:5
          src/rows.ts:7:5
          src/rows.ts:12:5
          src/rows.ts:15:15
          src/rows.ts:16:17
          src/server.ts:4:38 TS2741: Property 'titled' is missing in type '{ name: string; version: string; }' but required in type 'Implementation'.

      ! \`Prompt.owner\` is now required
        to do: add \`owner: string\`
          src/rows.ts:15:15

      . \`Tool.annotations\` is removed
          src/rows.ts:9:7
      "
    `);
  });
});
