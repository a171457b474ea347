// What the report counts in the files of this repository.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { readSchema } from "../../src/api.js";
import * as facts from "../../src/generator/ir/facts.js";
import { unusedFacts } from "../../test/ir/unused.js";
import {
  codeLines,
  coreEntries,
  files,
  importsOf,
  linesOf,
  reachable,
  source,
} from "../../test/modules.js";
import { revisions, root } from "../../test/repository.js";
import { type Proposal, proposals } from "./proposals.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const json = (path: string): unknown => JSON.parse(read(path));
const newest = revisions.at(-1) ?? "";
const sum = (all: readonly number[]): number =>
  all.reduce((total, one) => total + one, 0);
const srcFiles = files.map(({ path }) => path);
const below = (folder: string): string[] =>
  srcFiles.filter((path) => path.startsWith(`${folder}/`));

/** The committed files below a folder of the repository. */
function committed(folder: string): string[] {
  return execFileSync("git", ["ls-files", folder], {
    cwd: root,
    encoding: "utf8",
  })
    .trim()
    .split("\n");
}
const linesIn = (folder: string): number =>
  sum(committed(folder).map((path) => codeLines(read(path))));

/** The layers, each with its code lines. */
export function layers() {
  const imports = importsOf(files, ({ isType }) => !isType);
  const core = [...reachable(imports, coreEntries)];
  const without = (engine: string): Set<string> =>
    reachable(
      imports,
      coreEntries.filter((entry) => entry !== `runtime/${engine}.ts`),
    );
  const [modern, legacy] = [without("legacy"), without("modern")];
  const inRuntime = new Set([
    ...core,
    ...below("runtime"),
    ...below("auth"),
    ...below("generator/copied"),
    ...below("common"),
  ]);
  const addOns = readdirSync(join(source, "runtime"), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() &&
        !["core", "dist", "node_modules"].includes(entry.name),
    )
    .map(({ name }) => ({ name, lines: linesOf(below(`runtime/${name}`)) }));
  return {
    generated: linesIn("generated"),
    copied: linesOf(below("generator/copied")),
    templates: linesIn("templates"),
    generator: linesOf(
      srcFiles.filter(
        (path) => !inRuntime.has(path) && path !== "generator/ir/facts.ts",
      ),
    ),
    facts: linesOf(["generator/ir/facts.ts"]),
    factFiles: sum(
      revisions.map((name) => codeLines(read(`schema/${name}/facts.json`))),
    ),
    core: linesOf(core),
    parts: ["transport", "jsonrpc", "session", "role"].map((name) => ({
      name,
      lines: linesOf(
        core.filter((path) => path.startsWith(`runtime/core/${name}/`)),
      ),
    })),
    eras: {
      legacy: linesOf(core.filter((path) => !modern.has(path))),
      modern: linesOf(core.filter((path) => !legacy.has(path))),
    },
    addOns: [
      ...addOns,
      { name: "@mcpgen/auth", lines: linesOf(below("auth")) },
    ],
  };
}

/**
 * The rows of src/generator/ir/facts.ts that each revision needs and none before it, and
 * those that only the tasks extension needs.
 */
async function newFacts(): Promise<Map<string, readonly string[]>> {
  const none = new Set(unusedFacts([]));
  const seen = new Set<string>();
  const rows = new Map<string, readonly string[]>();
  const add = (
    name: string,
    protocol: Awaited<ReturnType<typeof readSchema>>,
  ): void => {
    const unused = new Set(unusedFacts([protocol]));
    const found = [...none].filter((row) => !unused.has(row) && !seen.has(row));
    for (const row of found) seen.add(row);
    rows.set(name, found);
  };
  for (const name of revisions) add(name, await readSchema(name));
  for (const extension of ["tasks", "apps", "skills"])
    add(extension, await readSchema("latest", { extensions: [extension] }));
  return rows;
}

/** What each revision costs. */
export function revisionsOf(rows: ReadonlyMap<string, readonly string[]>) {
  const declared = (name: string): number =>
    sum(
      ts
        .createSourceFile(
          "schema.ts",
          read(`schema/${name}/schema.ts`),
          ts.ScriptTarget.Latest,
        )
        .statements.map((statement) =>
          ts.isImportDeclaration(statement) ? 0 : 1,
        ),
    );
  return revisions.map((name) => ({
    name,
    declarations: declared(name),
    generated: linesIn(`generated/${name}`),
    facts: rows.get(name)?.length ?? 0,
    members: Object.keys(json(`schema/${name}/facts.json`) as object).filter(
      (key) => key !== "$schema",
    ).length,
    named: files.filter(({ literals }) => literals.includes(name)).length,
  }));
}

/**
 * Where the schemas of the specification say something else in JSON than in
 * TypeScript.
 */
export function defects() {
  interface Defect {
    readonly pointer?: string;
    readonly rule?: string;
    readonly found?: unknown;
    readonly right?: unknown;
    readonly reason: string;
  }
  const all = revisions.flatMap((name) =>
    (json(`schema/${name}/json-defects.json`) as Defect[]).map((defect) => ({
      name,
      ...defect,
    })),
  );
  return [...groupBy(all, ({ reason }) => reason).values()].map((same) => ({
    ...(same[0] as Defect),
    revisions: same.map(({ name }) => name),
  }));
}

/**
 * The exported tables of src/generator/ir/facts.ts: the first sentence of the comment of
 * each, and how many rows it has.
 */
export function factTables() {
  const parsed = ts.createSourceFile(
    "facts.ts",
    read("src/generator/ir/facts.ts"),
    ts.ScriptTarget.Latest,
    true,
  );
  const exported = parsed.statements
    .filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers);
  return exported.map((statement) => {
    const [declaration] = statement.declarationList.declarations;
    const name = declaration?.name.getText() ?? "";
    const [doc] = ts.getJSDocCommentsAndTags(statement);
    const text = String(doc?.comment ?? "").replaceAll(/\s+/g, " ");
    const value = (facts as Readonly<Record<string, unknown>>)[name];
    return {
      name,
      says: /^.*?[.:](?= |$)/.exec(text)?.[0] ?? text,
      rows:
        typeof value === "object" && value !== null
          ? Object.keys(value).length
          : 1,
    };
  });
}

interface Unit {
  readonly path: string;
  readonly ids: readonly string[];
  readonly lines: number;
}

const idPattern = /\b[A-Z]+-\d{2}\b/g;

/**
 * The declarations of src/ that name requirements in a comment or a text; those
 * of a class are its members.
 */
function markedUnits(ids: ReadonlySet<string>): Unit[] {
  const units: Unit[] = [];
  for (const path of srcFiles) {
    const text = readFileSync(join(source, path), "utf8");
    if (text.search(idPattern) === -1) continue;
    const parsed = ts.createSourceFile(
      path,
      text,
      ts.ScriptTarget.Latest,
      true,
    );
    const add = (node: ts.Node): void => {
      const whole = node.getFullText();
      const named = (whole.match(idPattern) ?? []).filter((id) => ids.has(id));
      if (named.length > 0)
        units.push({ path, ids: named, lines: codeLines(node.getText()) });
    };
    for (const statement of parsed.statements)
      if (ts.isClassDeclaration(statement)) statement.members.forEach(add);
      else add(statement);
  }
  return units;
}

/**
 * What each proposal costs by hand. Throws for a row of the facts that belongs
 * to none of them, or to two.
 */
export function costs(rows: ReadonlyMap<string, readonly string[]>) {
  const ids = new Set(
    [...read("test/behaviour.md").matchAll(/^\| ([A-Z]+-\d+) /gm)].map(
      ([, id = ""]) => id,
    ),
  );
  const units = markedUnits(ids);
  const known = json(`schema/${newest}/facts.json`) as Readonly<
    Record<string, unknown>
  >;
  const newRows = rows.get(newest) ?? [];
  for (const row of newRows) {
    const owners = proposals.filter((proposal) => proposal.facts?.test(row));
    if (owners.length !== 1)
      throw new Error(`${owners.length} proposals have the fact ${row}.`);
  }
  for (const member of Object.keys(known).filter((key) => key !== "$schema"))
    if (!proposals.some(({ members }) => members?.includes(member)))
      throw new Error(`No proposal has the member ${member} of facts.json.`);
  return proposals.map((proposal) => ({ ...proposal, ...costOf(proposal) }));

  function costOf({ requirements, facts: pattern, extension }: Proposal) {
    const own = pattern
      ? newRows.filter((row) => pattern.test(row))
      : (rows.get(extension ?? "") ?? []);
    const factRows = own.length;
    if (requirements === null)
      return { factRows, files: [], fileLines: 0, elsewhere: 0, places: 0 };
    const isOwn = (id: string): boolean => requirements.test(id);
    const paths = [...groupBy(units, ({ path }) => path)]
      .filter(([path, all]) => {
        const named = all.flatMap((unit) => unit.ids);
        const lines = sum(
          all.filter((unit) => unit.ids.some(isOwn)).map((unit) => unit.lines),
        );
        return (
          named.filter(isOwn).length * 2 > named.length &&
          lines * 5 >= linesOf([path])
        );
      })
      .map(([path]) => path);
    const others = units.filter(
      (unit) => !paths.includes(unit.path) && unit.ids.some(isOwn),
    );
    return {
      factRows,
      files: paths,
      fileLines: linesOf(paths),
      elsewhere: sum(others.map(({ lines }) => lines)),
      places: others.length,
    };
  }
}

function groupBy<T>(
  all: readonly T[],
  key: (one: T) => string,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all)
    groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

/** What a person writes for the quickstarts. */
function written() {
  return committed("test/examples/generated-sdk")
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({
      path: path.replace("test/examples/generated-sdk/", ""),
      lines: codeLines(read(path)),
    }));
}

/** All that the report counts without a run. */
export async function measure() {
  const rows = await newFacts();
  return {
    layers: layers(),
    revisions: revisionsOf(rows),
    proposals: costs(rows),
    defects: defects(),
    tables: factTables(),
    extensions: ["tasks", "apps", "skills"].map((name) => ({
      name,
      facts: rows.get(name)?.length ?? 0,
    })),
    written: written(),
    features: [...read("test/examples/README.md").matchAll(/^\| +\d+ \|/gm)]
      .length,
    requirements: [...read("test/behaviour.md").matchAll(/^\| [A-Z]+-\d+ /gm)]
      .length,
    version: (json("package.json") as { version: string }).version,
    expected: Object.values(
      json("test/conformance/expected-failures.json") as Record<
        string,
        unknown
      >,
    ).flatMap((list) =>
      Array.isArray(list) ? list : Object.values(list as object).flat(),
    ) as string[],
  };
}
export type Measured = Awaited<ReturnType<typeof measure>>;
