import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { root } from "../repository.js";

interface State {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly versions?: readonly string[];
  readonly maintainers?: readonly string[];
}
interface Manifest {
  readonly name: string;
  readonly repository: { readonly url: string };
}
interface Situation {
  readonly version: string;
  readonly isPrepared: boolean;
  readonly installsBy: string;
}
interface Names {
  readonly nameState: (manifest: Manifest) => Promise<State>;
  readonly checkNames: (states: State[], situation: Situation) => string;
}
interface Sign {
  readonly toSign: (
    situation: Omit<Situation, "installsBy"> & {
      readonly states: State[];
      readonly repository: Manifest["repository"];
    },
  ) => string[];
}
const { nameState, checkNames } = (await import(
  join(root, ".ci/release/names.mjs")
)) as Names;
const { toSign } = (await import(join(root, ".ci/release/sign.mjs"))) as Sign;

const name = "@mcpgen/runtime";
const repository = { url: "git+https://github.com/mcpgen/mcpgen.git" };
const manifest = { name, repository };

/** A registry that has this about every package, or nothing. */
async function registry(known: object | undefined): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(known === undefined ? 404 : 200, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify(known ?? { error: "not_found" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("npm_config_registry", `http://127.0.0.1:${port}/`);
}

/** What a registry has about a package of a version. */
const published = (version: string, more: object) => ({
  name,
  "dist-tags": { latest: version },
  maintainers: [{ name: "ann", email: "ann@example.com" }],
  versions: { [version]: { name, version, ...more } },
  ...more,
});

beforeEach(() => {
  // Nothing of the settings and the cache of this machine.
  vi.stubEnv("npm_config_userconfig", join(root, "none"));
  vi.stubEnv("npm_config_prefer_online", "true");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
});

describe("the name of a package", () => {
  it("is free if the registry does not know it", async () => {
    await registry(undefined);
    expect(await nameState(manifest)).toEqual({ name, state: "free" });
  });

  it("is ours if the registry has it with our repository, and the maintainers are named", async () => {
    await registry(published("0.0.0", { repository }));
    expect(await nameState(manifest)).toEqual({
      name,
      state: "ours",
      versions: ["0.0.0"],
      maintainers: ["ann <ann@example.com>"],
    });
  });

  it.each([
    ["another repository", { repository: { url: "https://github.com/a/b" } }],
    ["no repository", {}],
  ])("is refused if the registry has it with %s", async (_, more) => {
    await registry(published("1.0.0", more));
    await expect(nameState(manifest)).rejects.toThrow(
      /^The name @mcpgen\/runtime belongs to another: .*, and ann may publish it\. Take it over, or choose another name in its package\.json\.$/,
    );
  });

  it("is not checked if the registry does not answer, with the reason", async () => {
    vi.stubEnv("npm_config_registry", "http://127.0.0.1:1/");
    expect(await nameState(manifest)).toEqual({
      name,
      state: "not checked",
      reason: "ECONNREFUSED",
    });
  });
});

describe("the names of all packages", () => {
  const free = { name, state: "free" };
  const ours = (...versions: string[]) => ({
    name,
    state: "ours",
    versions,
    maintainers: ["ann <ann@example.com>"],
  });
  const unknown = { name, state: "not checked", reason: "ENOTFOUND" };
  const situation = {
    version: "1.0.0",
    isPrepared: false,
    installsBy: "clone",
  };

  it.each([
    ["free", [free], {}],
    ["placeholders", [ours("0.0.0")], {}],
    [
      "free, for a version that is prepared",
      [free],
      { isPrepared: true, installsBy: "name" },
    ],
    ["not checked", [unknown], { installsBy: "name" }],
    ["published before", [ours("0.0.0", "0.9.0")], { installsBy: "name" }],
    [
      "published in part",
      [ours("1.0.0"), ours("0.9.0")],
      { isPrepared: true, installsBy: "name" },
    ],
  ])("may be %s", (_, states, more) => {
    expect(checkNames(states, { ...situation, ...more })).toMatch(
      /^On the registry: @mcpgen\/runtime is (free|ours|not checked)/,
    );
  });

  it.each([
    [
      "have the version",
      [ours("1.0.0")],
      {},
      "All packages have the version 1.0.0 on the registry already.",
    ],
    [
      "are published while the pages install from a clone",
      [ours("0.9.0")],
      {},
      'installsBy in .ci/release/pages.mjs is "clone", but the packages are on the registry.',
    ],
    [
      "are prepared while the pages install from a clone",
      [free],
      { isPrepared: true },
      'installsBy in .ci/release/pages.mjs is "clone", but 1.0.0 is prepared.',
    ],
    [
      "are free while the pages install by name",
      [free],
      { installsBy: "name" },
      'installsBy in .ci/release/pages.mjs is "name", but the packages are not on the registry.',
    ],
  ])("are refused if they %s", (_, states, more, sentence) => {
    expect(() => checkNames(states, { ...situation, ...more })).toThrow(
      sentence,
    );
  });

  it("end in the list of what a person must sign: names, tokens, two maintainers and a tag", () => {
    const kinds = (states: State[], version: string, isPrepared: boolean) =>
      toSign({ version, isPrepared, states, repository }).map(
        (line) => /^(names|tokens|two maintainers|the tag \S+)/.exec(line)?.[0],
      );
    expect(kinds([free, free, unknown], "1.0.0-rc.1", false)).toEqual([
      "names",
      "names",
      "names",
      "names",
      "names",
      "tokens",
      "two maintainers",
      "the tag v1.0.0-rc.1,",
      "the tag latest",
    ]);
    expect(kinds([ours("0.0.0", "1.0.0")], "1.0.1", true)).toEqual([
      "names",
      "two maintainers",
      "the tag v1.0.1,",
    ]);
  });
});
