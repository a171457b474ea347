import { describe, expect, it } from "vitest";
import type { CodeLimit, EngineName } from "../../src/runtime/code.js";
import { defaultLimits } from "../../src/runtime/code/limits.js";
import { sampleOf } from "../sample.js";
import { hostilePrograms as all } from "./programs.js";
import {
  isExpected,
  makeCode,
  newClient,
  servers,
  shownAnswer,
  withoutTypeScript,
} from "./support.js";
import { sentBy } from "./threads.js";

const hostilePrograms = sampleOf(
  "hostile programs",
  all,
  (_, i) => i % 6 === 0,
);

/** A loop needs no time to prove itself; a busy machine needs some for others. */
const limitsOf = (answers: string) => ({
  time: answers.includes("limit:time") ? 1000 : 30_000,
  memory: 32 * 1024 * 1024,
});
/**
 * The bytes of a message to the host: an argument or a value, and what was
 * printed before. What is larger would hold the event loop of the host, also
 * when the host refuses it then.
 */
const maxMessage = defaultLimits.argument + defaultLimits.text;

const engines: readonly EngineName[] = ["quickjs-wasi", "quickjs-emscripten"];

describe.each(engines)("a program on %s", (engine) => {
  const attacks = [...new Set(hostilePrograms.map((one) => one.attacks))];

  describe.each(attacks)("with %s", (attack) => {
    const programs = hostilePrograms.filter((one) => one.attacks === attack);

    it.concurrent.each(programs)(
      "ends with $answers: $program",
      async ({ program, answers }) => {
        const { clients } = newClient();
        const code = makeCode(clients, servers, "", {
          engine,
          limits: limitsOf(answers),
          directory: withoutTypeScript,
          onWarning: () => {},
        });
        const result = await code.run(program);
        const answer = shownAnswer(result);
        // The second engine ends such a program, but does not name its memory.
        const isUnnamed = engine !== "quickjs-wasi" && attack === "memory";
        const expected = isUnnamed ? `${answers}|limit:time|thrown:` : answers;
        expect([answer, isExpected(answer, expected)]).toEqual([answer, true]);
        // A program with a wrong notation starts no thread.
        if (!result.ok && result.reason === "types") return;
        const sent = sentBy(program, engine);
        expect(sent).not.toEqual([]);
        for (const { bytes } of sent) {
          expect(bytes.filter((size) => size > maxMessage)).toEqual([]);
          expect(bytes.length).toBeLessThanOrEqual(defaultLimits.calls + 1);
        }
      },
    );
  });
});

/**
 * Programs that each limit ends; without it, they come to their own end. The
 * time and the memory have no own end: another limit takes their place.
 */
const bounds: Readonly<Record<CodeLimit, readonly [string, string]>> = {
  time: [
    "const end = Date.now() + 6000; while (Date.now() < end); return 1;",
    "value:1",
  ],
  memory: ["return 'x'.repeat(50_000_000).length;", "value:50000000"],
  calls: [
    "for (let i = 0; i < 300; i++) await files.read({}); return 1;",
    "value:1",
  ],
  callsAtOnce: [
    "return (await Promise.all([1, 2].map(() => files.together({})))).length;",
    "value:2",
  ],
  text: ["console.log('x'.repeat(100_000)); return 1;", "value:1"],
  argument: ["await files.read({ x: 'y'.repeat(2e6) }); return 1;", "value:1"],
  result: ["return (await files.large({})).text.length;", "value:2000000"],
  value: ["return 'x'.repeat(2_000_000);", "value:"],
};
/** What a program that is held back by a limit gets. */
const held: Partial<Record<CodeLimit, string>> = {
  // Of calls that wait for each other, the second one never starts.
  callsAtOnce: "limit:time",
  result: "thrown:result of a call",
};

describe.each(Object.entries(bounds))(
  "the limit %s",
  (name, [program, free]) => {
    const limit = name as CodeLimit;
    const small = {
      ...(name === "time" && { time: 2000 }),
      ...(name === "callsAtOnce" && { callsAtOnce: 1, time: 3000 }),
      ...(name === "memory" && { memory: 32_000_000 }),
    };
    const large = 500_000_000;

    it.each([
      ["ends a program", small, held[limit] ?? `limit:${name}`],
      [
        "ends nothing if it is set so high that it holds nothing",
        { [name]: large, ...(name !== "value" && { value: large }) },
        free,
      ],
    ] as const)("%s", async (_, limits, expected) => {
      let waiting: (() => void) | undefined;
      const content = [{ type: "text", text: "x" }];
      // Each of two calls waits for the other.
      const together = async () => {
        if (waiting === undefined)
          await new Promise<void>((resolve) => (waiting = resolve));
        else waiting();
        return { content };
      };
      const { clients } = newClient();
      const tools = { ...clients.files.tools, together } as never;
      const added = { name: "together", text: "", line: "", isReadOnly: true };
      const own = servers.map((server) => ({
        ...server,
        tools: [...server.tools, added],
      }));
      const code = makeCode({ files: { tools } }, own, "", {
        limits,
        directory: withoutTypeScript,
        onWarning: () => {},
      });
      const answer = shownAnswer(await code.run(program));
      expect([answer.slice(0, 200), isExpected(answer, expected)]).toEqual([
        answer.slice(0, 200),
        true,
      ]);
    });
  },
);
