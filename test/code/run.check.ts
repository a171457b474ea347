import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { CodeCall, CodeOptions } from "../../src/runtime/code.js";
import { sampleOf } from "../sample.js";
import { timeLimit } from "../time-limit.js";
import { checkedPrograms } from "./checked-programs.js";
import {
  isExpected,
  makeCode,
  newClient,
  servers,
  shownAnswer,
  withoutTypeScript,
} from "./support.js";

const api = `
interface ToolOutput { readonly text: string; readonly parts: readonly object[] }
declare const files: {
  read(args: { path?: string }): Promise<ToolOutput>;
  fail(args: object): Promise<ToolOutput>;
  hang(args: object): Promise<ToolOutput>;
  large(args: object): Promise<ToolOutput>;
  write(args: { path?: string }): Promise<ToolOutput>;
};
`;
/** The folder of this repository, which has TypeScript. */
const directory = fileURLToPath(new URL("../..", import.meta.url));

function open(options: CodeOptions = {}) {
  const client = newClient();
  const code = makeCode(client.clients, servers, api, {
    directory: withoutTypeScript,
    onWarning: () => {},
    ...options,
  });
  return { ...client, code };
}

describe("the check of a program", () => {
  const { code, calls } = open({ directory });

  const programs = sampleOf(
    "programs that attack the check",
    checkedPrograms,
    (_, i) => i % 6 === 0,
  );
  it.concurrent.each(programs)(
    "answers a program that attacks it with $answers: $program",
    async ({ program, answers }) => {
      const { code, calls } = open({
        directory,
        limits: { time: timeLimit(3000) },
      });
      const answer = shownAnswer(await code.run(program));
      expect([answer, isExpected(answer, answers)]).toEqual([answer, true]);
      expect(calls).toEqual([]);
    },
  );

  it("runs nothing of a program with an issue", async () => {
    const result = await code.run("await files.read({}); files.raed({});");
    expect(result).toMatchObject({ ok: false, reason: "types", calls: [] });
    expect(calls).toEqual([]);
  });

  it("shows the signature of the tool that a line with an issue calls", async () => {
    const checked = await code.check("await files.read({ pth: 'a' });");
    expect(checked).toMatchObject({ ok: false, isChecked: true });
    expect(checked.ok ? "" : checked.message).toContain(
      "files.read({ path?: string })",
    );
  });

  it("removes the types of a program that has no issue, and runs it", async () => {
    const result = await code.run(
      "const got: { readonly text: string } = await files.read({ path: 'a' });\nreturn got.text;",
    );
    expect(result).toMatchObject({
      ok: true,
      value: "some text",
      isChecked: true,
    });
  });
});

describe("a run", () => {
  it("refuses a tool that is not read-only and that nobody allows", async () => {
    const { code, calls } = open();
    expect(await code.run("await files.write({});")).toMatchObject({
      ok: false,
      reason: "thrown",
      message: expect.stringContaining("nobody allowed it") as string,
      calls: [{ server: "files", tool: "write", state: "refused" }],
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ["a list", ["files.write"]],
    ["a function", ({ tool }: { tool: string }) => tool === "write"],
  ])("calls such a tool if %s allows it", async (_, allow) => {
    const { code, calls } = open();
    const result = await code.run("return (await files.write({})).text;", {
      allow,
    });
    expect(result).toMatchObject({ ok: true, value: "some text" });
    expect(calls).toEqual(["write"]);
  });

  it("throws the error of a tool in the program", async () => {
    const { code } = open();
    const program =
      "try { await files.fail({}); } catch (error) { return error.message; }";
    expect(await code.run(program)).toMatchObject({ value: "some text" });
  });

  it("lists the calls that are done and under way when its time is over, and aborts those", async () => {
    const { code, aborted } = open({ limits: { time: timeLimit(3000) } });
    const result = await code.run(
      "await files.read({}); await files.hang({});",
    );
    expect(result).toMatchObject({
      ok: false,
      reason: "limit",
      limit: "time",
      calls: [
        { tool: "read", state: "done" },
        { tool: "hang", state: "open" },
      ],
    });
    expect(result.ok ? "" : result.message).toMatch(
      /Done before that: files\.read\. Under way, perhaps done: files\.hang\.$/,
    );
    expect(aborted).toEqual(["hang"]);
  });

  it("ends with its signal, and aborts the calls that are under way", async () => {
    const { code, calls, aborted } = open();
    const stop = new AbortController();
    const ended = code.run("await files.hang({}); return 1;", {
      signal: stop.signal,
    });
    await expect.poll(() => calls).toEqual(["hang"]);
    stop.abort();
    expect(await ended).toMatchObject({ ok: false, reason: "aborted" });
    expect(aborted).toEqual(["hang"]);
  });

  it("reports each call once, when it has ended", async () => {
    const { code } = open();
    const seen: CodeCall["state"][] = [];
    await code.run(
      "await files.read({}); try { await files.fail({}); } catch {} await files.write({});",
      { onCall: ({ state }) => seen.push(state) },
    );
    expect(seen).toEqual(["done", "failed", "refused"]);
  });

  it("goes on, and prints the error, if `onCall` throws", async () => {
    const { code } = open();
    const result = await code.run(
      "await files.read({}); try { await files.fail({}); } catch {} return 1;",
      {
        onCall: () => {
          throw new Error("of the user");
        },
      },
    );
    expect(result).toMatchObject({ ok: true, value: 1 });
  });

  it("does not count the time in which somebody decides on a call", async () => {
    const time = timeLimit(2000);
    const { code, calls } = open({ limits: { time } });
    const result = await code.run("await files.write({}); return 1;", {
      allow: () =>
        new Promise((yes) => setTimeout(() => yes(true), 1.5 * time)),
    });
    expect(result).toMatchObject({ ok: true, value: 1 });
    expect(calls).toEqual(["write"]);
  });

  it("does not make a call that is allowed when the run is over, and says that it was not made", async () => {
    const { code, calls } = open();
    const stop = new AbortController();
    const waiting: ((isAllowed: boolean) => void)[] = [];
    const result = await code.run("await files.write({});", {
      signal: stop.signal,
      allow: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          stop.abort();
        }),
    });
    waiting[0]?.(true);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(result).toMatchObject({
      ok: false,
      reason: "aborted",
      calls: [{ tool: "write", state: "refused" }],
    });
    expect(calls).toEqual([]);
  });

  it("calls one tool without a program, with the same consent", async () => {
    const { code, calls } = open();
    expect(await code.call("files.read", { path: "a" })).toMatchObject({
      value: { text: "some text" },
    });
    await expect(code.call("files.write", {})).rejects.toThrow(
      "nobody allowed it",
    );
    await expect(code.call("files.constructor", {})).rejects.toThrow(
      "There is no tool files.constructor.",
    );
    await expect(code.call("files.fail", {})).rejects.toThrow("some text");
    expect(calls).toEqual(["read"]);
  });

  it.each([
    ["whose server does not know it any more", "No.", { code: -32602 }],
    ["whose result does not match", "No", { result: { content: 1 } }],
  ])(
    "names mcpgen pull in the error of a call of a tool %s",
    async (_, text, members) => {
      const read = () =>
        Promise.reject(Object.assign(new Error(text), members));
      const code = makeCode({ files: { tools: { read } } }, servers, api, {
        directory: withoutTypeScript,
        onWarning: () => {},
      });
      expect(await code.run("await files.read({});")).toMatchObject({
        ok: false,
        message: expect.stringMatching(
          /No\. If .* changed files\.read .*mcpgen pull/,
        ),
      });
    },
  );

  it("gives the program a handle in place of the bytes of a file", async () => {
    const content = [{ type: "image", data: "QUJD", mimeType: "image/png" }];
    const clients = { files: { tools: { read: async () => ({ content }) } } };
    const code = makeCode(clients, servers, api, {
      directory: withoutTypeScript,
      onWarning: () => {},
    });
    expect(
      await code.run("return (await files.read({})).parts;"),
    ).toMatchObject({
      value: [{ type: "file", handle: "file-1", mimeType: "image/png" }],
      files: [{ handle: "file-1", mimeType: "image/png", data: "QUJD" }],
    });
  });

  it("starts with nothing of the run before", async () => {
    const { code } = open();
    await code.run("globalThis.kept = 1; Object.prototype.kept = 1;");
    expect(
      await code.run("return typeof kept + typeof ({}).kept;"),
    ).toMatchObject({ value: "undefinedundefined" });
  });

  it("warns that programs are not checked where there is no TypeScript", async () => {
    const warnings: string[] = [];
    const { code } = open({ onWarning: (text) => warnings.push(text) });
    expect(await code.run("return 1;")).toMatchObject({ isChecked: false });
    expect(warnings).toEqual([
      "Programs are not checked before they run: install typescript beside them.",
    ]);
  });

  it("holds calls back that are more than run at once", async () => {
    const content = [{ type: "text", text: "x" }];
    let [running, most] = [0, 0];
    const read = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return { content };
    };
    const code = makeCode({ files: { tools: { read } } }, servers, api, {
      directory: withoutTypeScript,
      limits: { callsAtOnce: 3 },
      onWarning: () => {},
    });
    const program =
      "return (await Promise.all(Array.from({ length: 30 }, () => files.read({})))).length;";
    expect(await code.run(program)).toMatchObject({ value: 30 });
    expect(most).toBe(3);
  });
});

describe("the event loop of the host", () => {
  const many =
    "return (await Promise.all(Array.from({ length: 100 }, () => files.read({})))).length;";
  const codeOf = (read: () => void) => {
    const tools = {
      read: async () => {
        read();
        return { content: [{ type: "text", text: "x" }] };
      },
    };
    return makeCode({ files: { tools } }, servers, api, {
      directory: withoutTypeScript,
      onWarning: () => {},
    });
  };

  it("gets one call in each of its turns, however many a program makes at once", async () => {
    let [turn, isOver] = [0, false];
    const count = (): void => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const code = codeOf(() => turns.push(turn));
    expect(await code.run(many)).toMatchObject({ value: 100 });
    isOver = true;
    expect(turns).toHaveLength(100);
    expect([...new Set(turns)]).toEqual(turns);
  });

  it("makes none of the calls that wait for their turn when the run is over", async () => {
    const stop = new AbortController();
    let calls = 0;
    const code = codeOf(() => {
      calls++;
      stop.abort();
    });
    const result = await code.run(many, { signal: stop.signal });
    expect(result).toMatchObject({ reason: "aborted" });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([calls, result.calls.length]).toEqual([1, 1]);
  });
});

describe("a program over two servers", () => {
  it("lists, filters, reads and writes in one run, and each call is typed", async () => {
    const notes = new Map([
      ["a.txt", "buy milk"],
      ["b.md", "call Ada"],
      ["c.txt", "sleep"],
    ]);
    const kept: string[] = [];
    const result = (structuredContent: object) => ({
      content: [],
      structuredContent,
    });
    const clients = {
      files: {
        tools: {
          list: async () => result({ names: [...notes.keys()] }),
          read: async ({ name }: { name: string }) =>
            result({ text: notes.get(name) }),
        },
      },
      memory: {
        tools: {
          add: async ({ text }: { text: string }) =>
            result({ count: kept.push(text) }),
        },
      },
    };
    const rowOf = (name: string, isReadOnly: boolean) => ({
      name,
      text: "",
      line: "",
      isReadOnly,
    });
    const both = [
      {
        name: "files",
        summary: "",
        tools: [rowOf("list", true), rowOf("read", true)],
      },
      { name: "memory", summary: "", tools: [rowOf("add", false)] },
    ];
    const types = `
declare const files: {
  list(args: {}): Promise<{ names: string[] }>;
  read(args: { name: string }): Promise<{ text: string }>;
};
declare const memory: { add(args: { text: string }): Promise<{ count: number }> };
`;
    const code = makeCode(clients as never, both, types, {
      directory,
      allow: ["memory.add"],
    });
    const program = `
const { names } = await files.list({});
const texts = names.filter((name) => name.endsWith(".txt"));
const read = await Promise.all(texts.map((name) => files.read({ name })));
let count = 0;
for (const { text } of read) ({ count } = await memory.add({ text }));
return count;`;
    expect(await code.run(program)).toMatchObject({
      ok: true,
      value: 2,
      isChecked: true,
    });
    expect(kept).toEqual(["buy milk", "sleep"]);
    expect(
      await code.run(program.replace("{ name }", "{ nam: name }")),
    ).toMatchObject({
      reason: "types",
      calls: [],
    });
  });
});

describe("the catalog", () => {
  const { code } = open();

  it("has a line for each server", () => {
    expect(code.index).toBe("files: The files of a folder (5 tools)");
  });

  it("finds tools by words, the best first", () => {
    expect(code.search("writes to a file").split("\n")[0]).toContain(
      "files.write",
    );
    expect(code.search("weather")).toBe("");
  });

  it("describes a tool or all of a server, and names what is alike for an unknown one", () => {
    expect(code.describe(["files.read"])).toContain("files.read(");
    expect(code.describe(["files"]).split("\n\n")).toHaveLength(5);
    expect(() => code.describe(["files.reads"])).toThrow(
      "There is no tool files.reads. Alike: files.read",
    );
  });
});
