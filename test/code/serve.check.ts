import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stdio } from "@mcpgen/runtime/stdio";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientQuestions,
  connect,
  type Revision,
} from "../../generated/index.js";
import { mcpgen } from "../cli/support.js";
import { root } from "../repository.js";
import { entry } from "./support.js";

const cache = join(root, "node_modules/.cache");
let folder = "";
let program = "";
beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "code-"));
  program = join(folder, "served.mjs");
  await build({
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    entryPoints: [join(root, "test/code/served.ts")],
    outfile: program,
    // The thread of a run is a file of the built package.
    external: ["@mcpgen/*", entry],
    alias: { "@mcpgen/runtime/code": entry },
    tsconfigRaw: {},
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = { action: "accept" | "decline"; content?: { all: boolean } };
const accept: Answer = { action: "accept", content: { all: false } };

/** A client of the server, and what its tools did and what it asked. */
async function open(
  revision: Revision,
  answers: readonly Answer[] | null,
  allow = "",
) {
  const asked: string[] = [];
  let printed = "";
  const left = [...(answers ?? [])];
  const client = await connect(
    stdio(process.execPath, [program, allow], {
      stderr: (text) => {
        printed += text;
      },
    }),
    {
      info: { name: "host", version: "1.0.0" },
      revisions: [revision],
      ...(answers && {
        questions: clientQuestions,
        handlers: {
          "elicitation/create": ({ message }: { message: string }) => {
            asked.push(message);
            return left.shift() ?? { action: "decline" };
          },
        },
      }),
    },
  );
  const call = async (name: string, args: object, options?: object) => {
    const result = await client.callTool(
      { name, arguments: args as never },
      options as never,
    );
    const [first, ...others] = result.content as readonly {
      readonly type: string;
      readonly text?: string;
    }[];
    return {
      text: first?.text ?? "",
      types: others.map(({ type }) => type),
      isError: result.isError === true,
    };
  };
  const done = () => [...printed.matchAll(/^(?:read|write|hang) .*$/gm)].flat();
  return { client, asked, call, done };
}

describe.each(["2025-06-18", "2025-11-25", "2026-07-28"] as const)(
  "a server over code mode in %s",
  (revision) => {
    it("finds, describes and calls tools, and runs a program", async () => {
      const { client, call } = await open(revision, null);
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual([
        "search_tools",
        "describe_tools",
        "call_tool",
        "run_code",
      ]);

      expect(await call("search_tools", { words: "write" })).toMatchObject({
        text: expect.stringContaining("files.write(") as string,
      });
      expect(
        await call("describe_tools", { names: ["files.read"] }),
      ).toMatchObject({
        text: expect.stringContaining("Tool read.") as string,
      });
      expect(
        await call("call_tool", { name: "files.read", arguments: {} }),
      ).toMatchObject({ text: expect.stringContaining("read done") as string });
      expect(
        await call("run_code", {
          program: "console.log('so'); return (await files.read({})).text;",
        }),
      ).toMatchObject({
        text: 'Printed:\nso\n\nValue: "read done"',
        isError: false,
      });
      await client.close();
    });

    it("gives a picture of a call as a block", async () => {
      const { client, call } = await open(revision, null);
      expect(await call("call_tool", { name: "files.picture" })).toMatchObject({
        types: ["image"],
      });
      await client.close();
    });

    it("answers an unknown tool and a program that throws with an error that a model can act on", async () => {
      const { client, call } = await open(revision, null);
      expect(await call("call_tool", { name: "files.missing" })).toEqual({
        text: "There is no tool files.missing.",
        types: [],
        isError: true,
      });
      expect(
        await call("run_code", { program: "throw new Error('mine');" }),
      ).toEqual({ text: "Error: mine", types: [], isError: true });
      await client.close();
    });

    it.each(["call_tool", "run_code"])(
      "refuses a tool of %s that may change something if the client cannot ask",
      async (name) => {
        const { client, call, done } = await open(revision, null);
        const args = {
          call_tool: { name: "files.write", arguments: {} },
          run_code: { program: "return await files.write({});" },
        }[name] as object;
        expect(await call(name, args)).toMatchObject({
          isError: true,
          text: expect.stringContaining("nobody allowed it") as string,
        });
        await client.close();
        // It is read when the server has ended: stderr is a pipe of its own.
        expect(done()).toEqual([]);
      },
    );

    it("asks the user for each call, and makes each that is allowed once", async () => {
      const answers: Answer[] = [accept, { action: "decline" }, accept];
      const { client, call, asked, done } = await open(revision, answers);
      const program = `
        await files.read({});
        const told = [];
        for (const path of ["a", "b", "c"])
          try { told.push((await files.write({ path })).text); } catch { told.push("no"); }
        return told;`;
      expect(await call("run_code", { program })).toMatchObject({
        text: 'Value: ["write done","no","write done"]',
      });
      expect(
        asked.map((text) => /files\.write.*"path":"(.)"/.exec(text)?.[1]),
      ).toEqual(["a", "b", "c"]);
      await client.close();
      expect(done()).toEqual([
        "read {}",
        'write {"path":"a"}',
        'write {"path":"c"}',
      ]);
    });

    it("asks for the calls that a program makes at once, and not again after the user allowed all", async () => {
      const all: Answer = { action: "accept", content: { all: true } };
      const { client, call, asked, done } = await open(revision, [
        all,
        accept,
        accept,
      ]);
      const program = `
        await Promise.all(["a", "b", "c"].map((path) => files.write({ path })));
        for (const path of ["d", "e"]) await files.write({ path });
        return 1;`;
      expect(await call("run_code", { program })).toMatchObject({
        text: "Value: 1",
      });
      // In one round, or after one another.
      expect(asked.length).toBeLessThan(4);
      await client.close();
      expect(done()).toHaveLength(5);
    });

    it("calls what its option allows without a question", async () => {
      const { client, call, asked } = await open(revision, [], "files.write");
      expect(
        await call("call_tool", { name: "files.write", arguments: {} }),
      ).toMatchObject({ isError: false });
      expect(asked).toEqual([]);
      await client.close();
    });

    it("reports each call as progress", async () => {
      const { client, call } = await open(revision, null);
      const told: string[] = [];
      await call(
        "run_code",
        { program: "await files.read({}); await files.read({});" },
        {
          onProgress: ({ message }: { message: string }) => told.push(message),
        },
      );
      expect(told.at(-1)).toBe("files.read: done");
      await client.close();
    });

    it("stops a program whose request is cancelled, and its calls", async () => {
      const { client, call, done } = await open(revision, null);
      const stop = new AbortController();
      const called = call(
        "run_code",
        { program: "await files.read({}); await files.hang({});" },
        { signal: stop.signal },
      );
      await expect.poll(done).toContain("hang called");
      stop.abort();
      await expect(called).rejects.toThrow(/abort/);
      await client.close();
      expect(done()).toContain("hang aborted");
    });
  },
);

describe("a server over code mode in the file of a host", () => {
  it("is called by its name with mcpgen call", async () => {
    const place = mkdtempSync(join(folder, "host-"));
    const entry = { command: process.execPath, args: [program] };
    writeFileSync(
      join(place, ".mcp.json"),
      JSON.stringify({ mcpServers: { all: entry } }),
    );
    const call = (...words: string[]) =>
      mcpgen(["call", "all", ...words], { directory: place });
    expect((await call()).out).toContain("run_code");
    const found = await call("search_tools", "words=read");
    expect(found).toMatchObject({ code: 0 });
    expect(found.out).toContain("files.read(");
    const ran = await call(
      "run_code",
      "program=return (await files.read({})).text;",
    );
    expect(ran.out).toContain("read done");
    // mcpgen call declines questions, so nothing is written.
    const refused = await call("call_tool", "name=files.write");
    expect(refused.code).toBe(1);
    expect(refused.err + refused.out).toContain("nobody allowed it");
  });
});
