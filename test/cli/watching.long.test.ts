import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { put } from "../files.js";
import { until } from "../runtime/kit/watch.js";
import { directory, runHere } from "./support.js";

/**
 * A program in the place of a run: it notes its command line, and names the
 * inputs that a file has.
 */
const program = `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
appendFileSync(new URL("runs.txt", import.meta.url), process.argv.slice(2).join(" ") + "\\n");
process.on("disconnect", () => appendFileSync(new URL("runs.txt", import.meta.url), "interrupted\\n"));
const stays = new URL("stays.txt", import.meta.url);
if (existsSync(stays)) setInterval(() => existsSync(stays) || process.exit(), 5);
else process.send(read("inputs.json"), () => process.exit(3));
`;

describe("the process that watches", () => {
  const { argv } = process;
  let abort = new AbortController();
  afterEach(() => {
    abort.abort();
    process.argv = argv;
  });

  function watching(
    files: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ) {
    const at = directory({
      "a.ts": "",
      "inputs.json": "[]",
      "run.mjs": program,
      ...files,
    });
    const line = ["--schema", "a.ts", "--watch", ...args];
    process.argv = [process.execPath, join(at, "run.mjs"), ...line];
    abort = new AbortController();
    let text = "";
    const ended = runHere(line, at, "", {
      signal: abort.signal,
      print: (part) => void (text += part),
    });
    const path = join(at, "runs.txt");
    const runs = () =>
      existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
    const untilRuns = async (count: number) =>
      await until(() => {
        expect(runs()).toHaveLength(count);
        expect(text.split("watching for").length - 1).toBe(count);
      });
    return { at, line, ended, runs, untilRuns, text: () => text };
  }
  const waits = "watching for changes; press Ctrl-C to stop\n";

  it("runs the same command line after each change of an input, also of one that a run names, until it is interrupted", async () => {
    const { at, line, ended, runs, untilRuns, text } = watching({});
    await untilRuns(1);
    appendFileSync(join(at, "a.ts"), "a");
    await untilRuns(2);
    rmSync(join(at, "a.ts"));
    await untilRuns(3);
    abort.abort();
    expect(await ended).toMatchObject({ code: 130 });
    expect(runs()).toEqual(Array.from({ length: 3 }, () => line.join(" ")));
    expect(text()).toBe(`${waits.repeat(3)}stopped watching\n`);
  });

  it("runs once more if a run names an input that was not watched yet, and watches it", async () => {
    const { at, ended, runs, text } = watching({}, "--quiet");
    writeFileSync(join(at, "inputs.json"), JSON.stringify([join(at, "b.txt")]));
    await until(() => expect(runs()).toHaveLength(2));
    put(join(at, "b.txt"), "");
    await until(() => expect(runs()).toHaveLength(3));
    // While the third run is under way, or after it.
    abort.abort();
    expect(await ended).toMatchObject({ code: 130 });
    expect(text()).toBe("stopped watching\n");
  });

  it("disconnects from a run that is under way when it is interrupted, and waits for its end", async () => {
    const { at, ended, runs, text } = watching({ "stays.txt": "" });
    await until(() => expect(runs()).toHaveLength(1));
    abort.abort();
    await until(() => expect(runs().at(-1)).toBe("interrupted"));
    rmSync(join(at, "stays.txt"));
    expect(await ended).toMatchObject({ code: 130 });
    expect(text()).toBe("stopped watching\n");
  });
});
