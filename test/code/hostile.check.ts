import { describe, expect, it } from "vitest";
import type { CodeResult, EngineName } from "../../src/runtime/code.js";
import { isWhole } from "../whole.js";
import { hostilePrograms as all } from "./programs.js";
import { makeCode, newClient, servers, withoutTypeScript } from "./support.js";

const hostilePrograms = all.filter((_, i) => isWhole || i % 6 === 0);

/** A loop needs no time to prove itself; a busy machine needs some for others. */
const limitsOf = (answers: string) => ({
  time: answers.includes("limit:time") ? 1000 : 30_000,
  memory: 32 * 1024 * 1024,
});
const engines: readonly EngineName[] = ["quickjs-wasi", "quickjs-emscripten"];

/** The answer as the table of programs writes it. */
function shown(result: CodeResult): string {
  if (result.ok) return `value:${JSON.stringify(result.value ?? null)}`;
  return result.reason === "limit"
    ? `limit:${result.limit ?? ""}`
    : `${result.reason}:${result.message}`;
}

/** True if an answer is one of those that a program may get. */
const isExpected = (answer: string, answers: string): boolean =>
  answers.split("|").some((one) => {
    const [kind = "", text = ""] = [
      one.slice(0, one.indexOf(":")),
      one.slice(one.indexOf(":") + 1),
    ];
    return answer.startsWith(`${kind}:`) && answer.includes(text);
  });

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
        const answer = shown(await code.run(program));
        // The second engine ends such a program, but does not name its memory.
        const isUnnamed = engine !== "quickjs-wasi" && attack === "memory";
        const expected = isUnnamed ? `${answers}|limit:time|thrown:` : answers;
        expect([answer, isExpected(answer, expected)]).toEqual([answer, true]);
      },
    );
  });
});
