import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../repository.js";
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
  for (const extension of extensions) {
    for (const { name, source } of outputs) {
      const make = (runtime: string): Promise<void> => {
        const options = ["--runtime", runtime, "--import-ext", extension];
        return project.generate(`${extension}/${runtime}/${name}`, ...source, ...options);
      };
      // What is copied is the same beside every output: without the full matrix, both engines are compiled once.
      const isCopied = isFull || name.includes("+");
      await Promise.all([make("package"), ...(isCopied ? [make("vendored")] : [])]);
    }
  }
}, 600_000);

afterAll(() => project.remove());

describe.each(compilers)("TypeScript $version with every strictness it knows", ({ name, version }) => {
  it.each(settingsOf({ name, version }))(
    "passes what was generated with --import-ext $extension, $resolution resolution and $around around it",
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

  it("is as strict as it was told to be", async () => {
    project.write("faults/shape.ts", "export interface Shape {}\n");
    const rows = faults.filter(({ since = 0 }) => since <= version);
    for (const [i, { text }] of rows.entries()) project.write(`faults/${i}.ts`, text);
    const options = { noEmit: true, target: "ES2022", types: [], ...nodeNext, ...strictest(version) };
    const codesIn = async (files: string[]): Promise<string[]> => {
      const found = await faultsOf(project, name, { compilerOptions: options, files });
      return found.flatMap(
        (line) => /^faults\/(\d+)\.ts.* error (TS\d+):/.exec(line)?.slice(1).join(" ") ?? [],
      );
    };
    const ofDeclarations = rows.flatMap(({ isDeclaration }, i) => (isDeclaration ? [`faults/${i}.ts`] : []));
    const others = rows.flatMap(({ isDeclaration }, i) => (isDeclaration ? [] : [`faults/${i}.ts`]));
    // Declarations are looked at once everything else is well.
    const codes = [...(await codesIn(others)), ...(await codesIn([...ofDeclarations, "faults/shape.ts"]))];
    expect(codes.sort()).toEqual(rows.map(({ code }, i) => `${i} ${code}`).sort());
  });
});

const nodeNext = { module: "NodeNext", lib: ["ES2022"] };

/** A fault for each flag, and what a compiler that has it on calls it. */
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
