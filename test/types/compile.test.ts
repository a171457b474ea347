import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../repository.js";
import { isSample } from "../sample.js";
import {
  compilers,
  extensions,
  filesOf,
  isFull,
  optionsOf,
  outputs,
  settingsOf,
  strictest,
} from "./matrix.js";
import { faultsOf, makeProject, type Project } from "./project.js";

let project: Project;

beforeAll(async () => {
  project = await makeProject();
  // The copied runtime is the same for every output, so both engines are compiled once without the full matrix.
  const copied = isFull && !isSample ? outputs : outputs.filter(({ name }) => name === "all");
  const jobs = (runtime: string, of: typeof outputs): object[] =>
    extensions.flatMap((importExtension) =>
      of.map(({ name, source }) => {
        return { ...source, out: `${importExtension}/${runtime}/${name}`, runtime, importExtension };
      }),
    );
  await project.generateAll([...jobs("package", outputs), ...jobs("vendored", copied)]);
}, 600_000);

afterAll(() => project.remove());

// Two at a time, because a compiler that is written in JavaScript uses one core.
describe.concurrent.each(compilers)(
  "TypeScript $version with all its strictness options",
  ({ name, version }) => {
    it.each(settingsOf({ name, version }))(
      "compiles output of --import-ext $extension with $resolution resolution and types of $around",
      async (setting) => {
        const config = {
          compilerOptions: {
            ...optionsOf(setting, version),
            typeRoots: [join(root, "node_modules/@types")],
          },
          ...filesOf(setting),
        };
        expect(await faultsOf(project, name, config)).toEqual([]);
      },
    );

    it("reports one error for each strictness option, so the options are in effect", async () => {
      project.write("faults/shape.ts", "export interface Shape {}\n");
      const rows = faults.filter(({ since = 0 }) => since <= version);
      for (const [i, { text }] of rows.entries()) project.write(`faults/${i}.ts`, text);
      const options = { noEmit: true, target: "ES2022", types: [], ...nodeNext, ...strictest(version) };
      const codesIn = async (files: string[]): Promise<string[]> => {
        const lines = await faultsOf(project, name, { compilerOptions: options, files });
        return lines.flatMap(
          (line) => /^faults\/(\d+)\.ts.* error (TS\d+):/.exec(line)?.slice(1).join(" ") ?? [],
        );
      };
      const ofDeclarations = rows.flatMap(({ isDeclaration }, i) =>
        isDeclaration ? [`faults/${i}.ts`] : [],
      );
      const others = rows.flatMap(({ isDeclaration }, i) => (isDeclaration ? [] : [`faults/${i}.ts`]));
      // The compiler reports errors in declarations only if there are no others.
      const codes = [...(await codesIn(others)), ...(await codesIn([...ofDeclarations, "faults/shape.ts"]))];
      expect(codes.sort()).toEqual(rows.map(({ code }, i) => `${i} ${code}`).sort());
    });
  },
);

const nodeNext = { module: "NodeNext", lib: ["ES2022"] };

/** A program with an error for each option, and the code of that error. */
const faults: readonly {
  readonly code: string;
  readonly text: string;
  readonly since?: number;
  readonly isDeclaration?: true;
}[] = [
  { code: "TS2375", text: "export const a: { b?: number } = { b: undefined };" },
  { code: "TS2322", text: "export const f = (a: number[]): number => a[0];" },
  { code: "TS4111", text: "export const f = (a: { [key: string]: number }): unknown => a.b;" },
  { code: "TS6133", text: "export {};\nconst a = 1;" },
  { code: "TS6133", text: "export const f = (a: number): void => {};" },
  { code: "TS7030", text: "export function f(a: boolean): unknown {\n  if (a) return 1;\n}" },
  {
    code: "TS7029",
    text: "export function f(a: number): void {\n  switch (a) {\n    case 1:\n      f(2);\n    case 2:\n  }\n}",
  },
  {
    code: "TS4114",
    text: "export class A {\n  b(): void {}\n}\nexport class C extends A {\n  b(): void {}\n}",
  },
  { code: "TS1484", text: 'import { Shape } from "./shape.js";\nexport const b: Shape | null = null;' },
  { code: "TS9010", text: "export const e = Math.random();", since: 5.5, isDeclaration: true },
  { code: "TS1294", text: "export enum E {\n  A,\n}", since: 5.8 },
];
