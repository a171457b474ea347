import { join } from "node:path";
import { revisions, root } from "../repository.js";
import { sampleOf } from "../sample.js";

/** Whether this is `npm run test:types`, with several compilers and every form of output. */
export const isFull = process.env["MCPGEN_COMPILERS"] === "all";

/** All strictness options of a compiler version. */
export function strictest(version: number): object {
  return {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noImplicitOverride: true,
    allowUnreachableCode: false,
    allowUnusedLabels: false,
    forceConsistentCasingInFileNames: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    declaration: true,
    skipLibCheck: false,
    ...(version >= 5.5 ? { isolatedDeclarations: true } : {}),
    ...(version >= 5.6 ? { noUncheckedSideEffectImports: true } : {}),
    ...(version >= 5.8 ? { erasableSyntaxOnly: true } : {}),
  };
}

export interface Compiler {
  /** The package of the compiler. */
  readonly name: string;
  readonly version: number;
}

/** The sample is the oldest and the newest compiler, and the first and the last revision alone. */
const versions = isFull
  ? sampleOf("compilers", [5.4, 5.9, 6, 7], (version) => [5.4, 7].includes(version), String)
  : [];

export const compilers: readonly Compiler[] = isFull
  ? versions.map((version) => ({ name: `typescript-${version}`, version }))
  : [{ name: "typescript", version: 5.9 }];

export type Extension = "js" | "ts" | "none";
export type Resolution = "NodeNext" | "bundler";

/** The types that are available: only those of the language, those of Node.js, those of a browser, or both. */
export type Surroundings = "nothing" | "node" | "DOM" | "DOM and node";

export interface Setting {
  readonly extension: Extension;
  readonly resolution: Resolution;
  readonly around: Surroundings;
}

/** Types of a browser hide some of those of Node.js, which matters for the copied runtime. */
const both: Setting = { extension: "js", resolution: "NodeNext", around: "DOM and node" };

const all: readonly Setting[] = [
  { extension: "js", resolution: "NodeNext", around: "nothing" },
  { extension: "js", resolution: "NodeNext", around: "node" },
  { extension: "js", resolution: "NodeNext", around: "DOM" },
  { extension: "js", resolution: "bundler", around: "node" },
  { extension: "ts", resolution: "NodeNext", around: "node" },
  { extension: "ts", resolution: "bundler", around: "DOM" },
  { extension: "none", resolution: "bundler", around: "nothing" },
  { extension: "none", resolution: "bundler", around: "node" },
  { extension: "none", resolution: "bundler", around: "DOM" },
  both,
];

const few: readonly Setting[] = [
  { extension: "js", resolution: "NodeNext", around: "nothing" },
  { extension: "js", resolution: "NodeNext", around: "node" },
  both,
];

/** Each extension, each resolution and each kind of surroundings at least once. */
const cover: readonly Setting[] = [...all.filter((_, i) => i % 4 === 0), both];

/** The newest compiler runs all settings. The others are slower and run a selection that covers each value. */
export const settingsOf = ({ version }: Compiler): readonly Setting[] =>
  !isFull ? few : version >= 7 ? all : cover;

export const extensions: readonly Extension[] = isFull ? ["js", "ts", "none"] : ["js"];

const chosen = isFull
  ? sampleOf("revisions alone", revisions, (revision) => ends(revisions).includes(revision), String)
  : ends(revisions);

/** A job of a configuration, without its folder and the form of its files. */
export interface Source {
  readonly version?: readonly string[];
  readonly schema?: string;
}

/** The outputs: the name of the folder, and the source. */
export const outputs: readonly { readonly name: string; readonly source: Source }[] = [
  ...chosen.map((revision) => ({ name: revision, source: { version: [revision] } })),
  { name: "all", source: { version: revisions } },
  // The same revisions from schema.json, which contains less information.
  ...chosen.map((revision) => ({
    name: `json-${revision}`,
    source: { version: [revision], schema: join(root, "test/oracle", `${revision}.schema.json`) },
  })),
  ...[
    "fixtures/made-up/schema.ts",
    "fixtures/2024-10-07-alike/schema.ts",
    "made-up/schema/lantern-2.ts",
    "made-up/schema/outline-1.ts",
  ].map((path, i) => ({ name: `made-up-${i}`, source: { schema: join(root, "test", path) } })),
];

function ends(list: readonly string[]): string[] {
  return list.filter((_, i) => i === 0 || i === list.length - 1);
}

/** The compiler options of a setting. */
export function optionsOf({ extension, resolution, around }: Setting, version: number): object {
  return {
    noEmit: true,
    target: "ES2022",
    lib: around.startsWith("DOM") ? ["ES2022", "DOM"] : ["ES2022"],
    types: around.endsWith("node") ? ["node"] : [],
    ...(resolution === "NodeNext"
      ? { module: "NodeNext" }
      : { module: "ESNext", moduleResolution: "bundler" }),
    ...(extension === "ts" ? { allowImportingTsExtensions: true } : {}),
    ...strictest(version),
  };
}

const bare = ["types", "validators", "validate", "dispatch"];
const roles = ["index", "client", "server"];

/** The files of a setting: those without dependencies, those that run in a browser, or all of them. */
export function filesOf({ extension, around }: Setting): { include: string[]; exclude: string[] } {
  const names = around === "nothing" ? bare : roles;
  if (around.endsWith("node")) return { include: [extension], exclude: [] };
  // A browser project does not import the Node.js files of a copied runtime.
  return { include: names.map((name) => `${extension}/**/${name}.ts`), exclude: ["**/runtime"] };
}
