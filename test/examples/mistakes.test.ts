import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { directory, mcpgen } from "../cli/support.js";
import { fixture } from "../stubs/project.js";
import { compile } from "../view/compile.js";
import { examples } from "./kit/pages.js";

const server = `import { type JsonSchema, tools } from "@mcpgen/runtime/features";
const place: JsonSchema<{ city: string }> = { type: "object", required: ["city"] };
const degrees: JsonSchema<{ degrees: number }> = { type: "object", required: ["degrees"] };
export const features: object = tools([
  { name: "a", inputSchema: { type: "object", required: ["city"] }, handler: ({ city }) => city.trim() },
  { name: "b", inputSchema: place, handler: ({ town }) => town },
  { name: "c", inputSchema: place, outputSchema: degrees, handler: ({ city }) => ({ degrees: city }) },
]);
`;
const client = `import type { WeatherClient } from "./gen/index.js";
export async function call({ tools }: WeatherClient): Promise<void> {
  await tools.getWeather({ city: "Oslo" });
  await tools.getWeathr({ location: "Oslo" });
}
`;

describe("the errors of the compiler that the page on schemas cures", () => {
  it("are those of wrong arguments and results of a server, and of wrong calls of a client", async () => {
    const place = directory({ "weather.mcp.json": fixture("weather") });
    await mcpgen(
      ["stubs", "weather.mcp.json", "--out", "gen", "--emit", "client"],
      { directory: place },
    );
    const generated = Object.entries(filesIn(join(place, "gen"))).map(
      ([path, text]) => [`mistakes/gen/${path}`, text] as const,
    );
    const programs = [
      ["mistakes/server.ts", server],
      ["mistakes/client.ts", client],
    ] as const;
    const errors = compile(new Map([...generated, ...programs]), ["node"]).map(
      (error) => error.replace(/^\S+:\d+ /, "").replace(/: [^:]*\(.*$/, ""),
    );
    const page = readFileSync(join(examples, "schemas/README.md"), "utf8");
    const told = [...page.matchAll(/^\| (TS\d+): (.+?) +\|/gm)].map(
      ([, , message = ""]) => message,
    );
    expect(told).toHaveLength(5);
    expect(
      errors.filter(
        (error) => !told.some((message) => error.startsWith(message)),
      ),
    ).toEqual([]);
    expect(
      told.filter(
        (message) => !errors.some((error) => error.startsWith(message)),
      ),
    ).toEqual([]);
  });
});
