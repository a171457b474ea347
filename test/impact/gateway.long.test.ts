import { beforeAll, describe, expect, it } from "vitest";
import type {
  Impact,
  ImpactLine,
} from "../../src/commands/update/impact/index.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { bundled, errorsOf, gateway, impact, type Project } from "./kit.js";
import { madeUp } from "./revisions.js";
import { loaded, loadedRouting, runs, type Versions } from "./runs.js";

const places = (lines: readonly { file: string; line: number }[]): string[] => [
  ...new Set(lines.map(({ file, line }) => `${file}:${line}`)),
];

interface Moved {
  readonly report: Impact;
  /** The errors that the move adds, as "src/client.ts:12 TS2339". */
  readonly errors: readonly string[];
  readonly versions: Versions;
}

/**
 * The program with the files of one revision. It is the same before one move
 * and after another one.
 */
interface Stage {
  readonly program: Project;
  readonly errors: readonly string[];
  readonly loaded: Versions["before"];
}
const stages = new Map<string, Promise<Stage>>();

function stageOf(protocol: Protocol): Promise<Stage> {
  const { revision } = protocol;
  const match = stages.get(revision) ?? newStage(protocol);
  stages.set(revision, match);
  return match;
}

async function newStage(protocol: Protocol): Promise<Stage> {
  const program = gateway(protocol);
  return { program, errors: errorsOf(program), loaded: await loaded(program) };
}

/**
 * Reports what a move touches, and has the program compiled with the files of
 * both revisions.
 */
async function move(from: Protocol, to: Protocol): Promise<Moved> {
  const [before, after] = [await stageOf(from), await stageOf(to)];
  const known = new Set(before.errors);
  const of = { before, after };
  return {
    report: await impact(before.program, to),
    errors: after.errors.filter((error) => !known.has(error)),
    versions: {
      before: before.loaded,
      after: after.loaded,
      routing: (which) => loadedRouting(of[which].program),
    },
  };
}

const moves: readonly (readonly [from: string, to: string])[] = [
  ["2025-06-18", "2025-11-25"],
  ["2025-11-25", "2026-07-28"],
  ["made-up-0", "made-up-1"],
  ["made-up-1", "made-up-2"],
  ["made-up-2", "made-up-3"],
];

describe.each(moves)("the gateway, moved from %s to %s", (from, to) => {
  const name = `${from} to ${to}`;
  const own = runs.filter((run) => run.move === name);
  const isShown = ({ file, change }: ImpactLine): boolean =>
    own.some((run) => run.file === file && change.includes(run.change));
  let result: Moved;

  beforeAll(async () => {
    const unreleased = await madeUp();
    const find = async (revision: string): Promise<Protocol> =>
      unreleased.find((one) => one.revision === revision) ??
      (await bundled(revision));
    result = await move(await find(from), await find(to));
  });

  it("has no new error that the report does not name", () => {
    const { report, errors } = result;
    const reported = new Set(
      report.lines.map(
        ({ file, line, code }) => `${file}:${line} ${code ?? ""}`,
      ),
    );
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((error) => !reported.has(error))).toEqual([]);
  });

  it("has few lines that the report calls breaking and that neither an error nor a run confirms", () => {
    const { report, errors } = result;
    const breaking = report.lines.filter(({ isBreaking }) => isBreaking);
    const confirmed = breaking.filter(
      (line) =>
        isShown(line) ||
        errors.includes(`${line.file}:${line.line} ${line.code ?? ""}`),
    );
    const open = places(breaking.filter((line) => !confirmed.includes(line)));
    expect(
      confirmed.length / breaking.length,
      `not confirmed: ${open.join(", ")}`,
    ).toBeGreaterThanOrEqual(0.9);
  });

  it("finds the cause of each error", () => {
    const unexplained = result.report.lines.filter(({ change }) =>
      change.startsWith("a type that this line uses"),
    );
    expect(places(unexplained)).toEqual([]);
  });

  for (const { file, change, title, show } of own) {
    it(`fails in a run as the report says: ${title}`, async () => {
      const lines = result.report.lines.filter(
        (line) =>
          line.isBreaking && line.file === file && line.change.includes(change),
      );
      expect(lines.length).toBeGreaterThan(0);
      await show(result.versions);
    });
  }
});
