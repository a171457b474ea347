// Which test files import a source, directly or not, and which of them first.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";

const skipped = new Set(["node_modules", "dist", "out", "mutants"]);

/** The files of a folder of the checkout, by their path from its root. */
export function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return skipped.has(entry.name) ? [] : filesBelow(root, path);
      return /\.m?[jt]s$/.test(path) && !path.endsWith(".d.ts") ? [path] : [];
    },
  );
}

/** The names of modules that a file loads. Types are not loaded. */
function loadedBy(path, text) {
  const { statements } = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
  );
  const named = statements.filter(({ moduleSpecifier }) => moduleSpecifier);
  const onlyTypes = ({ importClause, isTypeOnly }) =>
    importClause?.isTypeOnly ?? isTypeOnly ?? false;
  const texts = (list) =>
    new Set(list.map(({ moduleSpecifier }) => moduleSpecifier.text));
  const values = texts(named.filter((one) => !onlyTypes(one)));
  const types = texts(named.filter(onlyTypes));
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => values.has(name) || !types.has(name));
}

/** The aliases of vitest.config.ts. */
const aliases = [
  [/^\.\/gen\/(.+)\.js$/, "generated/$1.ts"],
  [/^@mcpgen\/(auth|runtime)$/, "src/$1/index.ts"],
  [/^@mcpgen\/(auth|runtime)\/([\w/-]+)$/, "src/$1/$2.ts"],
  [/^mcpgen$/, "src/index.ts"],
];

/** The file of the checkout that an import loads; undefined for a package. */
function resolved(from, name, files) {
  const alias = aliases.find(([pattern]) => pattern.test(name));
  if (alias) return name.replace(...alias);
  if (!name.startsWith(".")) return undefined;
  const path = posix.join(dirname(from), name);
  return [path, path.replace(/\.(m?)js$/, ".$1ts"), `${path}.ts`].find((one) =>
    files.has(one),
  );
}

/** By file of the checkout, the files that import it. */
export function importersIn(root) {
  const files = new Set(
    ["src", "test", "generated"].flatMap((folder) => filesBelow(root, folder)),
  );
  const importers = new Map();
  for (const path of files)
    for (const name of loadedBy(path, readFileSync(join(root, path), "utf8"))) {
      const target = resolved(path, name, files);
      if (target === undefined) continue;
      const others = importers.get(target) ?? new Set();
      importers.set(target, others.add(path));
    }
  return importers;
}

/** Not what only a suite with packages of its own, or a compiler, runs. */
const isRun = (path) =>
  /^test\/code\/.*\.check\.ts$/.test(path) ||
  (path.endsWith(".test.ts") && !/^test\/(?:node|types)\//.test(path));

/** Tests that compare all that is generated. */
const isWhole = (test) => /^test\/(?:golden|stubs|vectors)\//.test(test);

const wordsIn = (path) => path.replace(/\.ts$/, "").split(/[/.-]/);

/** Words of paths that say nothing about a subject. */
const general = new Set(["src", "commands", "command", "index"]);

/**
 * The test files that load a source, those first that are most likely to fail:
 * of its folder, with its words in their text, few imports away, and short.
 */
export function testsOf(path, importers, root) {
  const steps = new Map([[path, 0]]);
  for (const [file, distance] of steps)
    for (const importer of importers.get(file) ?? [])
      if (!steps.has(importer)) steps.set(importer, distance + 1);
  const words = new Set(wordsIn(path).filter((word) => !general.has(word)));
  const isGenerator = words.has("generator");
  const rank = (test) => {
    const shared = new Set(wordsIn(test).filter((word) => words.has(word)));
    const isLong = test.endsWith(".long.test.ts");
    const text = readFileSync(join(root, test), "utf8");
    const mentioned = [...words].filter(
      (word) => text.split(new RegExp(`\\b${word}`, "i")).length > 5,
    );
    const near =
      new Set([...shared, ...mentioned]).size +
      (isGenerator && isWhole(test) ? 1 : 0);
    return steps.get(test) - 3 * near - shared.size + (isLong ? 2 : 0);
  };
  const ranks = new Map(
    [...steps.keys()].filter(isRun).map((test) => [test, rank(test)]),
  );
  return [...ranks]
    .sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1))
    .map(([test]) => test);
}

/** How a test names the program that it starts, or a function that starts it. */
const starting =
  /import \{[^}]*\b(?:program|start|mcpgenAlone)\b[^}]*\} from "\.[^"]*\/(?:repository|support)\.js"/;

/** The test files that start the program of the command line, the short first. */
export const startersIn = (root) =>
  filesBelow(root, "test")
    .filter(isRun)
    .map((path) => [path, readFileSync(join(root, path), "utf8")])
    .filter(([, text]) => starting.test(text))
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([path]) => path);
