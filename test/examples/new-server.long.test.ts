import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mcpgen } from "../cli/support.js";
import { filesIn, folderInCheckout } from "../files.js";
import { root } from "../repository.js";
import { programForNode } from "../sources.js";
import { compile } from "../view/compile.js";

const page = readFileSync(
  join(root, "test/examples/new-server/README.md"),
  "utf8",
);

/**
 * The files of the page in order: a line with the path of each is above its
 * block.
 */
const files = [
  ...page.matchAll(/^`([\w/.-]+)`:\n\n```\w+\n([^]*?)^```$/gm),
].map(([, path = "", text = ""]) => ({ path, text }));

/** The commands of the page, with the end of what each prints. */
const commands = [
  ...page.matchAll(/^```console\n\$ mcpgen ?(.*)\n([^]*?)^```$/gm),
].map(([, line = "", output = ""]) => ({
  args: [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  ),
  output,
}));

describe("the guide from a schema to a server", () => {
  let place = "";
  const outputs: string[] = [];

  beforeAll(async () => {
    place = folderInCheckout("new-server");
    const run = async ({
      args,
    }: {
      readonly args: readonly string[];
    }): Promise<void> => {
      // The page starts TypeScript, which needs a program that is not installed
      // here.
      const own = args.map((word) =>
        word.replace("npx tsx src/mcp/notes/main.ts", "node server.mjs"),
      );
      const { err, out } = await mcpgen([...own, "--no-color"], {
        directory: place,
      });
      outputs.push(
        (err + out).replaceAll(
          '"node" "server.mjs"',
          '"npx" "tsx" "src/mcp/notes/main.ts"',
        ),
      );
    };
    const [init, again, ...calls] = commands;
    const [schema, ...programs] = files;
    if (init === undefined || again === undefined || schema === undefined)
      throw new Error("The page is empty.");
    await run(init);
    writeFileSync(join(place, schema.path), schema.text);
    await run(again);
    for (const { path, text } of programs) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    await build({
      ...programForNode,
      entryPoints: [join(place, "src/mcp/notes/main.ts")],
      outfile: join(place, "server.mjs"),
    });
    for (const call of calls) await run(call);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it.each(
    commands.map(({ args, output }, i) => [args.join(" "), i, output] as const),
  )("shows what mcpgen %s prints", (_, i, output) => {
    expect(output).not.toBe("");
    expect(outputs[i]).toContain(output);
  });

  it("has a file for each handler that is generated, and all of them compile", () => {
    const all = filesIn(place);
    const handlers = Object.keys(all).filter((path) =>
      /handlers\/\w+\//.test(path),
    );
    expect(
      handlers.every((path) => files.some((file) => file.path === path)),
    ).toBe(true);
    const sources = Object.entries(all).filter(([path]) =>
      path.startsWith("src/"),
    );
    expect(
      compile(new Map(sources.filter(([path]) => path.endsWith(".ts")))),
    ).toEqual([]);
  });
});
