import { describe, expect, it } from "vitest";
import { project, snapshotOf } from "./project.js";

const tool = { name: "find", inputSchema: { type: "object" } };
const prompt = { name: "ask" };
const resource = { name: "list", uri: "a://list" };
const template = { name: "one", uriTemplate: "a://{id}" };

describe("the server of a project", () => {
  it.each<[members: object, kinds: readonly string[]]>([
    [{}, []],
    [{ capabilities: { logging: {}, completions: {} } }, []],
    [{ capabilities: { tools: {} } }, ["Tools"]],
    [{ capabilities: { prompts: {} } }, ["Prompts"]],
    [{ capabilities: { resources: {} } }, ["Resources"]],
    [{ tools: [tool] }, ["Tools"]],
    [{ prompts: [prompt] }, ["Prompts"]],
    [{ resources: [resource] }, ["Resources"]],
    [{ resourceTemplates: [template] }, ["Resources"]],
    [
      { capabilities: { prompts: {} }, tools: [tool], resources: [resource] },
      ["Tools", "Prompts", "Resources"],
    ],
  ])(
    "serves the kinds that its snapshot has or declares, and no other: %j",
    async (members, kinds) => {
      const { files } = await project(snapshotOf({ ...members }), {
        emit: ["server"],
      });
      const text = files.get("server.ts") ?? "";
      expect(
        [...text.matchAll(/\.\.\.s\.project(\w+)\(/g)].map(([, kind]) => kind),
      ).toEqual(kinds);
    },
  );
});
