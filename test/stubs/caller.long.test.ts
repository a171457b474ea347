import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { fixture, project, revision } from "./project.js";

const program = `
import type { Client } from "./protocol/client.js";
import { type Caller, createWeatherClient } from "./client.js";

export async function use(raw: Client): Promise<number> {
  const caller: Caller = raw;
  const { tools, readOnly } = createWeatherClient(caller);
  const result = await tools.getWeather({ location: "x", units: "metric" });
  // @ts-expect-error there is no such unit
  await tools.getWeather({ location: "x", units: "kelvin" });
  // @ts-expect-error the location is missing
  await tools.getWeather({});
  // @ts-expect-error it changes something
  readOnly.tools.warn;
  // @ts-expect-error it may have failed
  void result.structuredContent.temperature;
  return result.isError === true ? 0 : result.structuredContent.temperature;
}
`;

describe("the client of a project", () => {
  it.each(["2024-11-05", "2025-11-25", "2026-07-28"])(
    "accepts the generated client of revision %s, and has structured content only after a check of isError",
    async (name) => {
      const { all } = await project(fixture("weather"), {
        protocol: await revision(name),
      });
      expect(compile(new Map([...all, ["use.ts", program]]))).toEqual([]);
    },
  );
});
