// The last part of npm run check:lint: each regular expression in the sources
// takes linear time at most, whatever the text. What was proved is kept in
// node_modules/.cache, so that only new expressions are checked again.
import { deepStrictEqual as equal } from "node:assert";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { checkSync } from "recheck";
import ts from "typescript";

// The native programs of recheck are faster, but 57 MB, and not for every
// system.
process.env.RECHECK_SYNC_BACKEND = "pure";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));
const cache = fileURLToPath(
  new URL("../../node_modules/.cache/", import.meta.url),
);
const proofs = join(cache, "mcpgen-expressions.json");

/**
 * The text of a string that is written in a file, with "x" for each part that
 * is not known.
 */
function textIn(node, file) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (
    ts.isTaggedTemplateExpression(node) &&
    ts.isNoSubstitutionTemplateLiteral(node.template)
  )
    return node.tag.getText(file) === "String.raw"
      ? node.template.rawText
      : undefined;
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) =>
      [textIn(expression, file) ?? "x", literal.text].join(""),
    );
    return [node.head.text, ...parts].join("");
  }
  if (!ts.isIdentifier(node)) return undefined;
  const constants = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  const { initializer } =
    constants.find(({ name }) => name.getText(file) === node.text) ?? {};
  return initializer && textIn(initializer, file);
}

/**
 * The source and the flags of a regular expression; undefined for another node,
 * and for an expression of which no part is known.
 */
function expressionOf(node, file) {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) || node.expression.getText(file) !== "RegExp")
    return undefined;
  const [first, second] = node.arguments ?? [];
  const source = first && textIn(first, file);
  if (source === undefined) return undefined;
  return { source, flags: (second && textIn(second, file)) ?? "" };
}

/** Every regular expression in a text, with its place. */
function expressionsIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const expression = expressionOf(node, file);
    const line =
      file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    if (expression) found.push({ place: `${path}:${line}`, ...expression });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** No limit of time, so that a slow machine finds the same. */
const exhaustive = {
  timeout: null,
  incubationTimeout: null,
  mutationTimeout: null,
  attackTimeout: null,
};

/**
 * A sentence about an expression that takes more than linear time for some
 * text; undefined for another one.
 */
function complaintAbout({ place, source, flags }) {
  // A sticky expression matches at one place only.
  const checked = [
    flags.includes("y") ? `^(?:${source})` : source,
    flags.replace("y", ""),
  ];
  const proof = checkSync(...checked, { ...exhaustive, checker: "automaton" });
  // An expression that looks ahead or behind has no proof: the checker counts
  // its steps for many texts.
  const { status, complexity, attack, error } =
    proof.error?.kind === "unsupported"
      ? checkSync(...checked, {
          ...exhaustive,
          checker: "fuzz",
          maxIteration: 0,
        })
      : proof;
  if (status === "safe") return undefined;
  const problem =
    status === "vulnerable"
      ? `takes ${complexity.summary} time for ${attack.pattern}`
      : error.kind;
  return `${place}: /${source}/${flags} ${problem}`;
}

/** The example that shows that this check finds something. */
function checkItself() {
  const text = [
    "const DASHES = '-';",
    "const TRAILING = new RegExp(`${DASHES}+$`);",
    "const looking = /(?=-)-+$/;",
    "const linear = /^-+$/;",
    "const given = new RegExp(value);",
  ].join("\n");
  const found = expressionsIn("one.ts", text);
  equal(
    found.map(({ source }) => source),
    ["-+$", "(?=-)-+$", "^-+$"],
  );
  equal(
    found.map((one) => / takes 2nd degree/.test(complaintAbout(one))),
    [true, true, false],
  );
}

/** The distinct expressions of all sources, by their text. */
function allExpressions() {
  const paths = readdirSync(sources, { recursive: true })
    .map((path) => path.replaceAll("\\", "/"))
    .filter(
      (path) =>
        path.endsWith(".ts") && !/(?:^|\/)(?:node_modules|dist)\//.test(path),
    );
  const found = paths.flatMap((path) =>
    expressionsIn(path, readFileSync(join(sources, path), "utf8")),
  );
  return new Map(found.map((one) => [`/${one.source}/${one.flags}`, one]));
}

/** Checks expressions in as many threads as there are cores. */
async function complaintsAbout(expressions) {
  const waiting = [...expressions];
  const complaints = [];
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url));
      const next = () => {
        const one = waiting.pop();
        if (one) worker.postMessage(one, []);
        else worker.terminate().then(resolve, reject);
      };
      worker.on("message", (complaint) => {
        if (complaint !== undefined) complaints.push(complaint);
        next();
      });
      worker.on("error", reject);
      next();
    });
  const count = Math.min(availableParallelism(), waiting.length);
  await Promise.all(Array.from({ length: count }, work));
  return complaints;
}

async function main() {
  checkItself();
  const all = allExpressions();
  const proved = new Set(
    existsSync(proofs) ? JSON.parse(readFileSync(proofs, "utf8")) : [],
  );
  const open = [...all].filter(([text]) => !proved.has(text));
  const complaints = await complaintsAbout(open.map(([, one]) => one));
  if (complaints.length === 0) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(proofs, JSON.stringify([...all.keys()]));
  }
  console.log(
    [
      ...complaints.sort(),
      `${all.size} regular expressions, ${open.length} of them new.`,
    ].join("\n"),
  );
  process.exitCode = complaints.length > 0 ? 1 : 0;
}

if (isMainThread) await main();
else
  parentPort.on("message", (one) =>
    parentPort.postMessage(complaintAbout(one), []),
  );
