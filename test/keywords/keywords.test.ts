import { beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "../../src/generator/ir/model.js";
import { file, read as readFile } from "../read/json/reading.js";
import { project, type Project, snapshotOf } from "../stubs/project.js";
import { load, validators } from "../view/generated.js";
import {
  dialects,
  type Group,
  inDialect,
  more,
  read,
  type Suite,
  suiteOf,
} from "./suite.js";

/**
 * By dialect and keyword, the schemas whose guards accept too much. Each has a
 * diagnostic.
 */
const looser = read("looser") as Readonly<
  Record<string, Readonly<Record<string, readonly number[]>>>
>;

describe.each(dialects)(
  "the official suite of JSON Schema in %s",
  (dialect, uri) => {
    const suite: Suite = { ...suiteOf(dialect), more };
    const keywords = Object.keys(suite);
    const nameOf = (keyword: string, i: number): string =>
      `k${keywords.indexOf(keyword)}s${i}`;
    let generated: Project;
    let guards: Guards;
    beforeAll(async () => {
      const tools = keywords.flatMap((keyword) =>
        (suite[keyword] ?? []).map(({ schema }, i) => ({
          name: nameOf(keyword, i),
          inputSchema: inDialect(schema, uri),
        })),
      );
      generated = await project(snapshotOf({ tools }), { emit: ["client"] });
      guards = (await load(generated.files, "validators.ts")) as Guards;
    });

    it.each(keywords)(
      "%s: rejects no valid value, and accepts an invalid one only with a diagnostic",
      (keyword) => {
        const verdicts = (suite[keyword] ?? []).map((group, i) => {
          const name = nameOf(keyword, i);
          return verdictOn(
            group,
            guards[`isK${name.slice(1)}Input`],
            isReported(generated, name),
          );
        });
        expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
        const open = verdicts.flatMap(({ isLooser }, i) =>
          isLooser ? [i] : [],
        );
        expect(open).toEqual(looser[dialect]?.[keyword] ?? []);
      },
    );
  },
);

describe.each(dialects)(
  "the types of a revision with the schemas of the official suite in %s",
  (dialect) => {
    const suite: Suite = { ...suiteOf(dialect), more };
    // The suite's own vocabulary is that of a whole file.
    const groups = Object.entries(suite).flatMap(([keyword, list]) =>
      keyword === "vocabulary" ? [] : list,
    );
    const reading = (
      schemas: Readonly<Record<string, unknown>>,
    ): ReturnType<typeof readFile> => readFile(file(schemas, dialect));
    const rows = groups.map((group, i) => ({
      ...group,
      name: `T${i}`,
      reports: reading({ [`T${i}`]: group.schema }).reports,
    }));
    const isRefused = ({ reports }: (typeof rows)[number]): boolean =>
      reports.some(({ severity }) => severity === "error");

    it("are refused only for references that lead out of the file's types, and for an empty enum", () => {
      const errors = rows
        .flatMap(({ reports }) => reports)
        .filter(({ severity }) => severity === "error");
      const others = errors.filter(
        ({ message }) =>
          !/^(?:the reference |"enum": .* got \[\]$)/.test(message),
      );
      expect(others).toEqual([]);
    });

    it("reject no valid value, and accept an invalid one only with a diagnostic", async () => {
      const readable = rows.filter((row) => !isRefused(row));
      const { protocol } = reading(
        Object.fromEntries(readable.map(({ name, schema }) => [name, schema])),
      );
      const guards = await validators(protocol as Protocol);
      const faults = readable.flatMap(({ name, reports, ...group }) => {
        const isDiagnosed = reports.some(
          ({ severity }) => severity === "warning",
        );
        return verdictOn(group, guards.get(name)?.guard, isDiagnosed).faults;
      });
      expect(readable.length).toBeGreaterThan(200);
      expect(faults).toEqual([]);
    });
  },
);

type Guards = Readonly<
  Record<string, ((value: unknown) => boolean) | undefined>
>;

function isReported({ reports }: Project, name: string): boolean {
  return reports.some(({ within }) =>
    within.some((place) => place === `tool "${name}"`),
  );
}

function verdictOn(
  { schema, valid, invalid }: Group,
  guard: ((value: unknown) => boolean) | undefined,
  isDiagnosed: boolean,
): { readonly faults: readonly string[]; readonly isLooser: boolean } {
  if (guard === undefined)
    return { faults: ["there is no guard"], isLooser: false };
  const tell = (verb: string, value: unknown): string =>
    `${JSON.stringify(schema)} ${verb} ${JSON.stringify(value)}`;
  const refused = valid.filter((value) => !guard(value));
  const accepted = invalid.filter((value) => guard(value));
  return {
    faults: [
      ...refused.map((value) => tell("rejects", value)),
      ...(isDiagnosed
        ? []
        : accepted.map((value) => tell("accepts without a diagnostic", value))),
    ],
    isLooser: accepted.length > 0,
  };
}
