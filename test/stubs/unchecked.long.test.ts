import { describe, expect, it } from "vitest";
import { directory, mcpgen, type Ended } from "../cli/support.js";
import { filesIn } from "../files.js";
import { snapshotOf } from "./project.js";

describe("a server with a pattern that is not safe to check", () => {
  const tool = (name: string, schema: object): object => ({
    name,
    inputSchema: {
      type: "object",
      properties: { a: { type: "string", ...schema } },
    },
  });
  const tools = [
    tool("endless", { pattern: "^(a|a)*$" }),
    tool("limited", { pattern: "[a-z]+:" }),
    tool("short", { pattern: "[a-z]+:", maxLength: 1000 }),
    tool("safe", { pattern: "^[a-z]+(:[a-z]+)*$" }),
    {
      name: "names",
      inputSchema: { type: "object", patternProperties: { "^(b|b)*$": {} } },
    },
    {
      name: "referred",
      inputSchema: {
        type: "object",
        properties: { a: { $ref: "#/$defs/A" } },
        $defs: { A: { pattern: "^(c|c)*$" } },
      },
    },
  ];
  const files = { "made.mcp.json": snapshotOf({ tools }) };
  const stubs = (place: string, ...args: string[]): Promise<Ended> =>
    mcpgen(["stubs", "made.mcp.json", "--out", "gen", "--no-color", ...args], {
      directory: place,
    });

  it("is not generated, and each tool and pattern is named", async () => {
    const place = directory(files);
    const { code, err } = await stubs(place, "--emit", "server");
    expect([code, err.match(/^MG316.*\n.*/gm)]).toEqual([
      2,
      [
        'MG316 the server would not check the pattern "^(a|a)*$"\n    in tool "endless"',
        'MG316 the server would not check the pattern "[a-z]+:" for more than 3162 characters\n    in tool "limited"',
        'MG316 the server would not check the pattern "^(b|b)*$"\n    in tool "names"',
        'MG316 the server would not check the pattern "^(c|c)*$"\n    in tool "referred"',
      ],
    ]);
    expect(Object.keys(filesIn(place))).toEqual(["made.mcp.json"]);
  });

  it("is generated if the tools are accepted by name, and not again after one name is gone", async () => {
    const place = directory(files);
    const accepted = ["--unchecked", "endless,limited,names,referred"];
    expect((await stubs(place, "--emit", "server", ...accepted)).code).toBe(0);
    const { code, err } = await stubs(
      place,
      "--unchecked",
      "endless,limited,names",
    );
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/MG316[^]*in tool "referred"/),
    ]);
    const wrong = await stubs(place, "--unchecked", "endles");
    expect(wrong.err).toMatch(
      /MG744 .*unchecked patterns of the tool "endles"[^]*did you mean endless\?/,
    );
  });

  it("does not prevent the client that stubs writes of a snapshot, whose second run writes the same", async () => {
    const place = directory(files);
    const { code, err } = await stubs(place);
    expect([code, err]).toEqual([0, expect.stringContaining("MG318")]);
    expect(err).not.toMatch(/MG316|MG307/);
    const written = filesIn(place);
    expect(Object.keys(written)).toContain("gen/client.ts");
    expect((await stubs(place)).code).toBe(0);
    expect(filesIn(place)).toEqual(written);
  });

  it("is not generated from the file of a person who designs it", async () => {
    const {
      format: _,
      revision: _1,
      ...design
    } = JSON.parse(files["made.mcp.json"]) as Record<string, unknown>;
    const { code, err } = await stubs(
      directory({ "made.mcp.json": JSON.stringify(design) }),
    );
    expect([code, err]).toEqual([2, expect.stringContaining("MG316")]);
  });

  it("does not prevent a client, which warns of the file of a person only", async () => {
    const { format: _, ...design } = JSON.parse(files["made.mcp.json"]) as {
      format: number;
    };
    const own = directory({ "made.mcp.json": JSON.stringify(design) });
    for (const [place, isSaid] of [
      [own, true],
      [directory(files), false],
    ] as const) {
      const { code, err } = await stubs(place, "--emit", "client");
      expect([code, err.includes("MG307")]).toEqual([0, isSaid]);
      expect(err).not.toContain("MG316");
    }
  });

  it("is generated without the tool, and with its name in the configuration", async () => {
    const server = { snapshot: "made.mcp.json", out: "gen" };
    const run = async (more: object): Promise<number | null> => {
      const config = JSON.stringify({ servers: [{ ...server, ...more }] });
      const place = directory({ ...files, "mcpgen.config.json": config });
      return (await mcpgen([], { directory: place })).code;
    };
    const emit = ["server"];
    expect(await run({ emit })).toBe(2);
    expect(await run({ emit, include: { tools: ["safe", "short"] } })).toBe(0);
    expect(
      await run({
        emit,
        unchecked: ["endless", "limited", "names", "referred"],
      }),
    ).toBe(0);
  });
});
