import { join as path } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  all,
  generated,
  type Generated,
  joined,
  schemas,
} from "../made-up/made-up.js";
import { root } from "../repository.js";

const id = "io.modelcontextprotocol/skills";
const skill = (name: string): Record<string, unknown> => ({
  uri: `skill://${name}/SKILL.md`,
  frontmatter: { name, description: `How to ${name}` },
  resources: "dynamic",
});
const fresh = { ttlMs: 0, cacheScope: "private" };

describe("the extension skills", () => {
  let skills: Generated;
  beforeAll(async () => {
    skills = await generated(path(root, "schema/2026-07-28"), "skills");
  });

  it("is declared automatically by a server that answers its requests, with its settings, and not by a client", async () => {
    const seen: unknown[] = [];
    const { client } = await joined(
      skills,
      {
        "skills/list": ({ cursor }, context) => {
          seen.push(
            (context as unknown as { client: { capabilities: unknown } }).client
              .capabilities,
          );
          return cursor === undefined
            ? { skills: [skill("sew")], nextCursor: "2", ...fresh }
            : { skills: [skill("knit")], ...fresh };
        },
        "skills/get": () => ({ skill: skill("sew"), ...fresh }),
      },
      { serverCapabilities: { extensions: { [id]: { directoryRead: true } } } },
    );
    expect(client.server.capabilities).toMatchObject({
      extensions: { [id]: { directoryRead: true } },
    });
    const names = (
      await all(client["skills"]?.() as AsyncIterable<{ uri: string }>)
    ).map(({ uri }) => uri);
    expect(names).toEqual(["skill://sew/SKILL.md", "skill://knit/SKILL.md"]);
    expect(seen).toEqual([{}, {}]);
    expect(
      await client["getSkill"]?.({ uri: "skill://sew/SKILL.md" }),
    ).toMatchObject({
      skill: skill("sew"),
    });
    await client.close();
  });

  it("has guards for its types and its setting", () => {
    const { isSkill, isServerCapabilities } = skills;
    expect(isSkill?.(skill("sew"))).toBe(true);
    for (const wrong of [
      { resources: "static" },
      { frontmatter: { name: "sew" } },
    ])
      expect(isSkill?.({ ...skill("sew"), ...wrong })).toBe(false);
    expect(
      isServerCapabilities?.({ extensions: { [id]: { directoryRead: 1 } } }),
    ).toBe(false);
  });
});

describe("a client or a server that handles no message of an extension", () => {
  const declared = (sides: Generated): unknown[] =>
    ["clientSide", "serverSide"].map(
      (side) => (sides as never)[side]["capabilities"],
    );

  it("declares the extension automatically, unless its capabilities have settings for it or no member for extensions", async () => {
    const gallery = await generated(
      path(root, "schema/2026-07-28"),
      schemas.gallery,
    );
    const own = { extensions: { "com.example/gallery": {} } };
    expect(declared(gallery)).toEqual([own, own]);
    expect(
      declared(
        await generated(path(root, "schema/2025-11-25"), schemas.gallery),
      ),
    ).toEqual([undefined, undefined]);
    const { client } = await joined(gallery, {});
    expect(client.server.capabilities).toEqual(own);
    await client.close();
  });
});
