import { describe, expect, it } from "vitest";
import { project, snapshotOf } from "./project.js";

describe("the name of a server in its project", () => {
  it.each([
    ["weather", "Weather"],
    ["weather-server", "Weather"],
    ["weather-mcp-server", "Weather"],
    ["WeatherServer", "Weather"],
    ["mcp-servers/everything", "Everything"],
    ["secure-filesystem-server", "SecureFilesystem"],
    ["Server of Time", "OfTime"],
    ["mcp", "Mcp"],
    ["mcp-server", "Server"],
    ["漢字", "漢字"],
    ["🎉", "Mcp"],
    ["7 seas", "_7Seas"],
    ["then", "Then"],
  ])("leaves out words such as mcp and server: %s becomes %s", async (name, stem) => {
    const { files } = await project(snapshotOf({ server: { name, version: "1.0.0" } }));
    expect(files.get("server.ts")).toContain(`export function create${stem}Server(`);
    expect(files.get("client.ts")).toContain(`export function create${stem}Client(`);
  });
});
